#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sfg/ring/jet.hpp"
#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/study/variation.hpp"

// Not installed: what worst cases are searched in.
namespace sfg {

/// The box of all tolerances; or, of the normal parameters, an ellipsoid about their stated values, x = μ + A z with |z| ≤ k and
/// A Aᵀ = Σ, with the box of the others. Searched is a box of coordinates, z before the others, in which all but the ball |z| ≤ k
/// is left out. A is enclosed, of an exact factorisation, so that Σ may be singular.
class ToleranceRegion {
 public:
  using Sides = std::vector<ring::Interval>;

  /// @throws sfg::Error where a level is given and no parameter is normal; as normal_covariance() and factor_of()
  ToleranceRegion(const Variation&, const std::optional<EllipsoidLevel>&);

  const std::optional<ToleranceEllipsoid>& ellipsoid() const noexcept { return ellipsoid_; }
  const Sides& sides() const noexcept { return sides_; }                ///< of the coordinates
  const std::vector<double>& start() const noexcept { return start_; }  ///< the stated values
  std::vector<ring::Jet> parameters(std::span<const ring::Jet> coordinates) const;
  /// The values of the parameters at a point of the coordinates; rounded.
  std::vector<double> values(std::span<const double> coordinates) const;

  bool round() const noexcept { return ball_ > 0; }
  bool in_ball(std::size_t coordinate) const noexcept { return coordinate < ball_; }
  /// Draws the sides of a part in to what the ball may leave of it. Says whether anything may be left.
  bool draw_in(Sides&) const;
  /// Whether the ball surely holds the whole part.
  bool holds(const Sides&) const;
  /// A bound from above of a function over what the ball leaves of a part, by weak duality: whatever λ ≥ 0, that of
  /// f(y) + λ (k² − |z|²) over the whole part, of which the quadratic terms are met exactly. Infinite where the function is
  /// rough.
  /// @param free  the coordinates that the jet is of, in its order
  double bound(const ring::Jet&, std::span<const std::size_t> free, const Sides&, std::span<const double> centre) const;
  /// Takes a point outside of the ball to its surface. Says whether it was.
  bool pull_in(std::vector<double>& point) const;
  /// Moves a point within the region to where an expansion about it is greatest, without its mixed derivatives.
  void ascend(std::vector<double>& point, std::span<const double> slopes, std::span<const double> bends) const;

 private:
  double dual(double lambda, const std::vector<ring::Interval>& slopes, const std::vector<double>& bends,
              std::span<const std::size_t> free, const Sides&, std::span<const double> centre) const;
  double least_dual(const std::vector<ring::Interval>& slopes, const std::vector<double>& bends,
                    std::span<const std::size_t> free, const Sides&, std::span<const double> centre) const;

  std::optional<ToleranceEllipsoid> ellipsoid_;
  std::size_t ball_ = 0;  ///< coordinates in it, the first ones
  double radius_ = 0;
  Sides sides_;
  std::vector<double> start_;
  std::vector<double> middle_;          ///< μ, of every parameter
  std::vector<ring::Interval> factor_;  ///< A: a row for every parameter of the ellipsoid
  std::vector<std::size_t> row_;        ///< of a parameter in A, or the coordinate that it is
  std::vector<char> normal_;            ///< which of the two
};

}  // namespace sfg
