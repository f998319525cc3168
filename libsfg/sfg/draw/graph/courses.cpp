// Loops without branches over links or nodes, which the compiler turns into vector instructions.
#include "sfg/draw/graph/courses.hpp"

#include <algorithm>

#include "sfg/numeric/vectors.hpp"

namespace sfg {

namespace {

[[gnu::always_inline]] inline int opposite(int a, int b) {
  return ((a < 0 ? 1 : 0) & (b > 0 ? 1 : 0)) | ((a > 0 ? 1 : 0) & (b < 0 ? 1 : 0));
}

/// Of two overlapping courses, neither of them upright. @param left, right  a − b where the overlap begins and ends
/// @param middle  a − b between @param level  neither slopes
[[gnu::always_inline]] inline int met(int left, int right, int middle, int both_straight, int level) {
  const int once = Courses::crossing * opposite(left, right), same = level != 0 ? Courses::collision : 0;
  const int of_straight = (left | right) == 0 ? same : once;
  const int of_level = level != 0 ? Courses::collision : once;
  const int of_bowed = middle == 0 ? of_level : Courses::crossing * (opposite(left, middle) + opposite(middle, right));
  return both_straight != 0 ? of_straight : of_bowed;
}

}  // namespace

void Courses::resize(std::size_t links) {
  for (auto* part : {&left_, &right_, &at_left_, &at_right_, &middle_, &straight_, &sloping_}) part->resize(links);
}

void Courses::set(std::size_t link, const Course& course) {
  left_[link] = course.left;
  right_[link] = course.right;
  at_left_[link] = course.at_left;
  at_right_[link] = course.at_right;
  middle_[link] = course.middle;
  straight_[link] = course.straight ? 1 : 0;
  sloping_[link] = course.sloping ? 1 : 0;
}

SFG_VECTORS_OF("avx2") int Courses::met_by(std::size_t link, const std::vector<int>& counted) const {
  if (left_[link] == right_[link]) return met_by_upright(link, counted);
  const int *const f_left = left_.data(), *const f_right = right_.data(), *const f_at_left = at_left_.data(),
                   *const f_at_right = at_right_.data(), *const f_middle = middle_.data(), *const f_straight = straight_.data(),
                   *const f_sloping = sloping_.data(), *const in = counted.data();
  const int left = f_left[link], right = f_right[link], at_left = f_at_left[link], at_right = f_at_right[link],
            middle = f_middle[link], straight = f_straight[link], level = 1 - f_sloping[link];
  int sum = 0;
  for (std::size_t f = 0, links = left_.size(); f < links; ++f) {
    const int from = std::max(left, f_left[f]), to = std::min(right, f_right[f]), other = f_middle[f];
    const int begins = (from == left ? at_left : middle) - (from == f_left[f] ? f_at_left[f] : other);
    const int ends = (to == right ? at_right : middle) - (to == f_right[f] ? f_at_right[f] : other);
    const int along = met(begins, ends, middle - other, straight & f_straight[f], level & (1 - f_sloping[f]));
    const int crosses = (f_at_left[f] < middle ? 1 : 0) & (middle < f_at_right[f] ? 1 : 0) & (left < f_left[f] ? 1 : 0) &
                        (f_left[f] < right ? 1 : 0);
    const int cost = f_left[f] == f_right[f] ? crossing * crosses : from < to ? along : 0;
    sum += in[f] * cost;
  }
  return sum;
}

int Courses::met_by_upright(std::size_t e, const std::vector<int>& counted) const {
  int sum = 0;
  for (std::size_t f = 0; f < left_.size(); ++f) {
    if (counted[f] == 0) continue;
    if (left_[f] == right_[f]) {
      const bool same = at_left_[e] == at_left_[f] && at_right_[e] == at_right_[f];
      if (left_[e] == left_[f] && !same && std::max(at_left_[e], at_left_[f]) < std::min(at_right_[e], at_right_[f]))
        sum += collision;
    } else if (left_[f] < left_[e] && left_[e] < right_[f] && at_left_[e] < middle_[f] && middle_[f] < at_right_[e]) {
      sum += crossing;
    }
  }
  return sum;
}

SFG_VECTORS_OF("avx2")
int Courses::through_nodes(std::size_t link, const std::vector<int>& columns, const std::vector<int>& rows) const {
  const int left = left_[link], right = right_[link], upper = at_left_[link], lower = at_right_[link], middle = middle_[link];
  const int *const column = columns.data(), *const row = rows.data();
  int met = 0;
  if (left == right)
    for (std::size_t n = 0; n < columns.size(); ++n)
      met += (column[n] == left ? 1 : 0) & (upper < row[n] ? 1 : 0) & (row[n] < lower ? 1 : 0);
  else
    for (std::size_t n = 0; n < columns.size(); ++n)
      met += (left < column[n] ? 1 : 0) & (column[n] < right ? 1 : 0) & (row[n] == middle ? 1 : 0);
  return 2 * collision * met;
}

SFG_VECTORS_OF("avx2") int Courses::through_links(int column, int row, const std::vector<int>& counted) const {
  const int *const left = left_.data(), *const right = right_.data(), *const upper = at_left_.data(),
                   *const lower = at_right_.data(), *const middle = middle_.data(), *const in = counted.data();
  int met = 0;
  for (std::size_t f = 0; f < left_.size(); ++f) {
    const int upright = (left[f] == column ? 1 : 0) & (upper[f] < row ? 1 : 0) & (row < lower[f] ? 1 : 0);
    const int along = (left[f] < column ? 1 : 0) & (column < right[f] ? 1 : 0) & (middle[f] == row ? 1 : 0);
    met += in[f] * (left[f] == right[f] ? upright : along);
  }
  return 2 * collision * met;
}

}  // namespace sfg
