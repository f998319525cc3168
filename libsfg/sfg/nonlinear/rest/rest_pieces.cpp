// Idea: in a box where every law is a straight line, or jumps across a side that is a point, "at rest" is linear in the arguments
// a and the outputs f of the laws. Its solutions within the box, with f between the one-sided laws where one jumps, are a
// polytope in the null space of these equations.
#include "sfg/nonlinear/rest/rest_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ring::Bounds;

constexpr double straight = 1e-8;  ///< how far a law may leave its line within a box, by its size
constexpr double flat = 1e-12;
constexpr double singular = 1e-9;
constexpr double slack = 1e-9;

Index place_in(std::size_t i) { return static_cast<Index>(i); }

bool is_narrow(const Bounds& side) { return side.width() <= 1e-13 * std::max(1.0, std::abs(middle(side))); }

double size_of(const Bounds& x) { return std::max({1.0, std::abs(x.low), std::abs(x.high)}); }

/// g · z ≤ h.
struct HalfSpace {
  VectorXd g;
  double h;
};

class Straightened {
 public:
  Straightened(const RestSystem& system, const CompiledLaws& compiled, const RestBox& box, const RestSystem::Values& values)
      : system_(system), compiled_(compiled), box_(box), values_(values), n_(system.size()), laws_(system.laws()) {}

  bool straight_enough() {
    for (std::size_t i = 0; i < laws_; ++i) {
      double off = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        const Bounds& slope = values_.laws.slopes[i * n_ + j];
        if (std::isfinite(slope.low) && std::isfinite(slope.high)) {
          if (!is_narrow(box_[j])) off += slope.width() * box_[j].width();
        } else if (!is_narrow(box_[j]) || !values_.laws.jumps[i]) {
          return false;
        }
      }
      if (!values_.laws.jumps[i] && off > straight * size_of(values_.laws.values[i])) return false;
      if (values_.laws.jumps[i]) jumping_.push_back(i);
      off_ += off;
    }
    // Without a jump only what is flat to the last digits is a set: a double solution is flat to the first ones.
    return !jumping_.empty() || off_ <= flat;
  }

  RestPieces operator()() {
    for (std::size_t r = 0; r < n_; ++r) add_equation(system_.rows()[r]);
    for (std::size_t i = 0; i < laws_; ++i)
      if (!jumps(i)) add_line(i);
    for (std::size_t j = 0; j < n_; ++j) {
      if (is_narrow(box_[j])) fix(j);
      add_side(j);
    }
    for (const std::size_t i : jumping_) add_jump(i);
    return solved();
  }

 private:
  bool jumps(std::size_t law) const { return std::ranges::find(jumping_, law) != jumping_.end(); }
  VectorXd zero() const { return VectorXd::Zero(place_in(n_ + laws_)); }

  void add_row(VectorXd row, double right) {
    const double size = row.cwiseAbs().maxCoeff();
    if (size == 0) return;
    rows_.push_back(row / size);
    rights_.push_back(right / size);
  }

  void add_equation(const RestSystem::Row& row) {
    VectorXd factors = zero();
    for (std::size_t j = 0; j < n_; ++j) factors(place_in(j)) = middle(row.arguments[j]);
    for (std::size_t i = 0; i < laws_; ++i) factors(place_in(n_ + i)) = middle(row.laws[i]);
    add_row(factors, -middle(row.constant));
  }

  /// f_i = f_i(m) + S_i (a − m).
  void add_line(std::size_t i) {
    VectorXd factors = zero();
    factors(place_in(n_ + i)) = 1;
    double right = values_.at_middle[i];
    for (std::size_t j = 0; j < n_; ++j) {
      const double slope = middle(values_.laws.slopes[i * n_ + j]);
      if (!std::isfinite(slope)) continue;  // of a side that is a point
      factors(place_in(j)) = -slope;
      right -= slope * middle(box_[j]);
    }
    add_row(factors, right);
  }

  void fix(std::size_t j) {
    VectorXd factors = zero();
    factors(place_in(j)) = 1;
    add_row(factors, snapped(box_[j]));
  }

  static double snapped(const Bounds& side) { return side.contains(0) ? 0 : middle(side); }

  void add_side(std::size_t j) {
    if (is_narrow(box_[j])) return;
    VectorXd g = zero();
    g(place_in(j)) = 1;
    limits_.push_back({g, box_[j].high});
    limits_.push_back({-g, -box_[j].low});
  }

  /// Between the one-sided laws: their lines at the corners of the sides that are points. Static friction holds more than these.
  void add_jump(std::size_t i) {
    std::vector<std::size_t> across;
    for (std::size_t j = 0; j < n_; ++j)
      if (is_narrow(box_[j]) && !std::isfinite(values_.laws.slopes[i * n_ + j].width())) across.push_back(j);
    std::optional<HalfSpace> high, low;
    for (std::size_t corner = 0; corner < (std::size_t{1} << std::min<std::size_t>(across.size(), 8)); ++corner) {
      std::vector<double> at;
      for (const Bounds& side : box_) at.push_back(middle(side));
      for (std::size_t k = 0; k < across.size(); ++k)
        at[across[k]] = (corner >> k) % 2 == 1 ? box_[across[k]].high : box_[across[k]].low;
      std::vector<double> f(laws_), slopes(laws_ * n_);
      compiled_.values({at, 0}, f, slopes);
      HalfSpace line{zero(), f[i]};
      line.g(place_in(n_ + i)) = 1;
      for (std::size_t j = 0; j < n_; ++j)
        if (!is_narrow(box_[j])) {
          line.g(place_in(j)) = -slopes[i * n_ + j];
          line.h -= slopes[i * n_ + j] * at[j];
        }
      if (!high || f[i] > highest_) highest_ = f[i], high = line;
      if (!low || f[i] < lowest_) lowest_ = f[i], low = HalfSpace{-line.g, -line.h};
    }
    if (compiled_.grips(i) && high->g.head(place_in(n_)).isZero(0) && low->g.head(place_in(n_)).isZero(0)) {
      high->h = values_.laws.values[i].high;
      low->h = -values_.laws.values[i].low;
    }
    limits_.push_back(*high);
    limits_.push_back(*low);
  }

  RestPieces solved() {
    MatrixXd A(place_in(rows_.size()), place_in(n_ + laws_));
    VectorXd b(place_in(rows_.size()));
    for (std::size_t r = 0; r < rows_.size(); ++r) A.row(place_in(r)) = rows_[r].transpose(), b(place_in(r)) = rights_[r];
    if (!A.allFinite() || !b.allFinite()) return {};
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const VectorXd& values = svd.singularValues();
    Index rank = 0;
    while (rank < values.size() && values(rank) > singular * values(0)) ++rank;
    const Index d = A.cols() - rank;
    if (d == 0 && jumping_.empty()) return {};  // a single solution, which others prove
    const VectorXd start =
        svd.matrixV().leftCols(rank) * (svd.matrixU().leftCols(rank).transpose() * b).cwiseQuotient(values.head(rank));
    const VectorXd miss = A * start - b;
    for (Index r = 0; r < miss.size(); ++r)
      if (std::abs(miss(r)) > off_ + slack * std::max({1.0, std::abs(b(r)), A.row(r).cwiseAbs().dot(start.cwiseAbs())}))
        return {true, {}};
    RestPiece piece{static_cast<std::size_t>(d), {}, jumping_, box_};
    if (!add_corners(piece, start, svd.matrixV().rightCols(d))) return {};
    if (piece.corners.empty()) return {true, {}};
    return {true, std::move(piece)};
  }

  /// @returns false where there are too many limits to try their meeting points
  bool add_corners(RestPiece& piece, const VectorXd& start, const MatrixXd& free) const {
    const Index d = free.cols();
    if (d > 4) return false;
    std::vector<std::size_t> chosen(static_cast<std::size_t>(d));
    std::iota(chosen.begin(), chosen.end(), 0);
    if (chosen.size() > limits_.size()) return false;
    for (int tried = 0; tried < 200'000; ++tried) {
      add_corner(piece, chosen, start, free);
      std::size_t k = chosen.size();
      while (k > 0 && chosen[k - 1] == limits_.size() - chosen.size() + k - 1) --k;
      if (k == 0) return true;
      ++chosen[k - 1];
      for (std::size_t i = k; i < chosen.size(); ++i) chosen[i] = chosen[i - 1] + 1;
    }
    return false;
  }

  void add_corner(RestPiece& piece, const std::vector<std::size_t>& chosen, const VectorXd& start, const MatrixXd& free) const {
    const Index d = free.cols();
    MatrixXd edges(d, d);
    VectorXd ends(d);
    for (Index k = 0; k < d; ++k) {
      const HalfSpace& limit = limits_[chosen[static_cast<std::size_t>(k)]];
      edges.row(k) = (free.transpose() * limit.g).transpose();
      ends(k) = limit.h - limit.g.dot(start);
    }
    VectorXd point = start;
    if (d > 0) {
      const Eigen::FullPivLU<MatrixXd> lu(edges);
      if (!lu.isInvertible()) return;
      point += free * lu.solve(ends);
    }
    const auto within = [&](const HalfSpace& limit) {
      return limit.g.dot(point) <= limit.h + off_ + slack * std::max(1.0, limit.g.cwiseAbs().dot(point.cwiseAbs()));
    };
    if (point.allFinite() && std::ranges::all_of(limits_, within)) piece.corners.push_back(std::move(point));
  }

  const RestSystem& system_;
  const CompiledLaws& compiled_;
  const RestBox& box_;
  const RestSystem::Values& values_;
  std::size_t n_, laws_;
  std::vector<std::size_t> jumping_;
  std::vector<VectorXd> rows_;
  std::vector<double> rights_;
  std::vector<HalfSpace> limits_;
  double highest_ = 0, lowest_ = 0;
  double off_ = 0;  ///< how far all laws may leave their lines
};

/// Whether the polytopes have a state in common, as far as their ranges tell.
bool touch(const RestPiece& a, const RestPiece& b) {
  constexpr double near = 1e-7;
  for (Index k = 0; k < a.corners.front().size(); ++k) {
    const Bounds x = a.range(k), y = b.range(k);
    const double gap = std::max(x.low, y.low) - std::min(x.high, y.high);
    if (gap > near * std::max({1.0, std::abs(x.low), std::abs(y.low)})) return false;
  }
  return true;
}

}  // namespace

VectorXd RestPiece::centre() const {
  VectorXd sum = VectorXd::Zero(corners.front().size());
  for (const VectorXd& corner : corners) sum += corner;
  return sum / static_cast<double>(corners.size());
}

Bounds RestPiece::range(Index k) const {
  Bounds range = Bounds::exactly(corners.front()(k));
  for (const VectorXd& corner : corners) range = hull(range, Bounds::exactly(corner(k)));
  return range;
}

RestPieces rest_pieces(const RestSystem& system, const CompiledLaws& compiled, const RestBox& box,
                       const RestSystem::Values& values) {
  if (values.laws.defined != Enclosure::Defined::everywhere || !values.middle_defined) return {};
  Straightened straightened(system, compiled, box, values);
  if (!straightened.straight_enough()) return {};
  return straightened();
}

std::vector<std::vector<RestPiece>> joined(std::vector<RestPiece> pieces) {
  std::vector<std::vector<RestPiece>> sets;
  while (!pieces.empty()) {
    std::vector<RestPiece> set{std::move(pieces.back())};
    pieces.pop_back();
    for (std::size_t k = 0; k < set.size(); ++k)
      for (std::size_t i = pieces.size(); i-- > 0;)
        if (touch(set[k], pieces[i])) {
          set.push_back(std::move(pieces[i]));
          pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i));
        }
    sets.push_back(std::move(set));
  }
  return sets;
}

bool is_point(const RestBox& box) {
  return std::ranges::all_of(box, [](const Bounds& side) { return is_narrow(side); });
}

}  // namespace sfg
