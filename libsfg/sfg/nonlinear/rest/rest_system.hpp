#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/rest/rest_equations.hpp"
#include "sfg/ring/bounds.hpp"

// Not installed: what is solved at rest.
namespace sfg {

using RestBox = std::vector<ring::Bounds>;  ///< by argument of the laws

/// Of a number that need not be a double.
inline ring::Bounds bounds_of(const exact::Rational& x) { return ring::widened(ring::Bounds::exactly(x.to_double())); }
inline double middle(const ring::Bounds& x) { return x.low + (x.high - x.low) / 2; }
inline bool empty(const ring::Bounds& x) { return !(x.low <= x.high); }
inline ring::Bounds intersection(const ring::Bounds& a, const ring::Bounds& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// G(a) = M a + P f(a) + q with enclosed coefficients.
class RestSystem {
 public:
  RestSystem(const PrincipalForm&, const RestEquations&, const CompiledLaws&, const std::vector<double>& inputs);

  struct Row {
    RestBox arguments, laws;
    ring::Bounds constant;
  };
  std::size_t size() const { return size_; }
  std::size_t laws() const { return laws_; }
  const std::vector<Row>& rows() const { return rows_; }

  struct Values {
    RestBox residual;               ///< by equation
    std::vector<RestBox> jacobian;  ///< by rows
    Enclosure laws;
    std::vector<double> at_middle;  ///< of the laws
    bool middle_defined = true;
  };
  /// @param sides  of poles in the box, as enclosure() takes them
  Values at(const RestBox& box, std::span<const int> sides = {}) const;

  /// G at the middle of a box in which the laws are defined.
  RestBox residual_at_middle(const RestBox& box) const;

  /// The largest |G_i| at a point in doubles, by the size of its terms; infinite where a law has no value.
  /// @param size  that every G_i has at least
  double residual(const std::vector<double>& arguments, double size = 0) const;

  /// Narrows every argument by each equation, and each combination of them, solved for it; false when nothing is left.
  bool narrow(RestBox& box, const RestBox& laws) const;

  /// By Newton's method from a point, in doubles. @returns whether it converged
  bool newton(std::vector<double>& arguments) const;

 private:
  std::size_t size_, laws_;
  const CompiledLaws& compiled_;
  std::vector<Row> rows_, combinations_;
};

}  // namespace sfg
