// What links meet, against the rules told one case after the other.
#include "sfg/draw/graph/courses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sfg {
namespace {

using Course = Courses::Course;

int sign(int value) { return (value > 0) - (value < 0); }

int upright(const Course& e, const Course& f) {
  if (f.left == f.right) {
    const bool same = e.at_left == f.at_left && e.at_right == f.at_right;
    const bool overlap = std::max(e.at_left, f.at_left) < std::min(e.at_right, f.at_right);
    return e.left == f.left && !same && overlap ? Courses::collision : 0;
  }
  return f.left < e.left && e.left < f.right && e.at_left < f.middle && f.middle < e.at_right ? Courses::crossing : 0;
}

int between(const Course& a, const Course& b) {
  if (a.left == a.right) return upright(a, b);
  if (b.left == b.right) return upright(b, a);
  const int left = std::max(a.left, b.left), right = std::min(a.right, b.right);
  if (left >= right) return 0;
  const auto at = [](const Course& c, int column) {
    return column == c.left ? c.at_left : column == c.right ? c.at_right : c.middle;
  };
  const int first = sign(at(a, left) - at(b, left)), last = sign(at(a, right) - at(b, right)), middle = sign(a.middle - b.middle);
  const int once = first * last < 0 ? Courses::crossing : 0;
  if (a.straight && b.straight) return first == 0 && last == 0 ? (a.sloping ? 0 : Courses::collision) : once;
  if (middle == 0) return a.sloping || b.sloping ? once : Courses::collision;
  return (first * middle < 0 ? Courses::crossing : 0) + (middle * last < 0 ? Courses::crossing : 0);
}

int through(const Course& c, int column, int row) {
  const bool met = c.left == c.right ? column == c.left && c.at_left < row && row < c.at_right
                                     : c.left < column && column < c.right && row == c.middle;
  return met ? 2 * Courses::collision : 0;
}

/// As Tracks makes them: straight ones between neighbouring columns, upright ones with the upper end first.
Course any_course(std::mt19937& random) {
  const auto below = [&](unsigned count) { return static_cast<int>(random() % count); };
  Course c{.left = below(5), .at_left = 2 * below(5), .at_right = 2 * below(5)};
  c.right = c.left + below(4);
  c.straight = c.left == c.right || (c.right == c.left + 1 && below(2) == 0);
  if (c.left == c.right && c.at_left > c.at_right) std::swap(c.at_left, c.at_right);
  c.middle = c.straight ? (c.at_left + c.at_right) / 2 : 2 * below(5);
  c.sloping = c.straight && c.at_left != c.at_right;
  return c;
}

TEST(Courses, MeetAsTheRulesSay) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + random() % 40;
    std::vector<Course> all;
    Courses courses;
    courses.resize(count);
    std::vector<int> counted, columns, rows;
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(any_course(random));
      courses.set(i, all.back());
      counted.push_back(static_cast<int>(random() % 2));
      columns.push_back(static_cast<int>(random() % 7));
      rows.push_back(2 * static_cast<int>(random() % 5));
    }
    for (std::size_t e = 0; e < count; ++e) {
      counted[e] = 0;
      int met = 0, nodes = 0, links = 0;
      for (std::size_t f = 0; f < count; ++f) {
        met += counted[f] * between(all[e], all[f]);
        nodes += through(all[e], columns[f], rows[f]);
        links += counted[f] * through(all[f], columns[e], rows[e]);
      }
      ASSERT_EQ(courses.met_by(e, counted), met) << round;
      ASSERT_EQ(courses.through_nodes(e, columns, rows), nodes) << round;
      ASSERT_EQ(courses.through_links(columns[e], rows[e], counted), links) << round;
    }
  }
}

}  // namespace
}  // namespace sfg
