// c_k(x) = Σ xⁿ/(2n + k)!, so that c₀ = cosh √x, c₁ = sinh √x/√x, c_(k+2) = (c_k − 1/k!)/x and c_k′ = (c_(k+1) − k c_(k+2))/2
// (Stumpff's functions, of −x).
#include "sfg/study/boxes/pair_functions.hpp"

#include <array>
#include <cmath>

namespace sfg {

using ring::Interval;
using ring::Jet;

namespace {

constexpr std::size_t functions = 8;
constexpr std::array<double, functions> factorials{1, 1, 2, 6, 24, 120, 720, 5040};
using All = std::array<double, functions>;

All pair_values(double x) {
  All c{};
  if (std::abs(x) < 1) {
    for (std::size_t k = 0; k < functions; ++k) {
      double term = 1 / factorials[k];
      for (int n = 0; n < 12; ++n) {
        c[k] += term;
        const double next = 2.0 * n + static_cast<double>(k);
        term *= x / ((next + 1) * (next + 2));
      }
    }
    return c;
  }
  const double root = std::sqrt(std::abs(x));
  c[0] = x > 0 ? std::cosh(root) : std::cos(root);
  c[1] = (x > 0 ? std::sinh(root) : std::sin(root)) / root;
  for (std::size_t k = 2; k < functions; ++k) c[k] = (c[k - 2] - 1 / factorials[k - 2]) / x;
  return c;
}

/// Over an interval: by the value in its middle and the greatest slope. |c_k(x)| ≤ c_k(max(x, 0)), and c_k rises where x > 0.
class Ranges {
 public:
  explicit Ranges(const Interval& x)
      : x_(x), middle_(pair_values(x.middle())), most_(pair_values(std::max(0.0, x.high))), reach_(x.width() / 2 * (1 + 1e-15)) {}

  Interval operator()(std::size_t k) const {
    const double rounding = 1e-12 * most_[k];
    if (x_.width() == 0) return Interval(middle_[k] - rounding, middle_[k] + rounding);
    if (x_.low >= 0) return {pair_values(x_.low)[k] - rounding, most_[k] + rounding};
    const double slope = (most_[k + 1] + static_cast<double>(k) * most_[k + 2]) / 2,
                 off = reach_ * slope * (1 + 1e-12) + rounding;
    return {std::max(middle_[k] - off, -most_[k] - rounding), std::min(middle_[k] + off, most_[k] + rounding)};
  }

 private:
  Interval x_;
  All middle_, most_;
  double reach_;
};

/// The rounding of the argument of sin and cos is within what is added, as long as it is no greater.
bool in_range(const Interval& x) { return x.low > -1e6 && x.high < 4e5; }

const Interval half(0.5), quarter(0.25), three(3.0);

}  // namespace

Jet cosh_of_root(const Jet& x) {
  if (!in_range(x.value())) return Jet::rough(Interval::everything());
  const Ranges v(x.value()), c(x.smooth() ? x.centre() : x.value());
  return x.through({c(0), half * c(1), v(0), half * v(1), quarter * (v(2) - v(3))});
}

Jet sinh_of_root(const Jet& x) {
  if (!in_range(x.value())) return Jet::rough(Interval::everything());
  const Ranges v(x.value()), c(x.smooth() ? x.centre() : x.value());
  return x.through({c(1), half * (c(2) - c(3)), v(1), half * (v(2) - v(3)), quarter * (v(3) - three * v(4) + three * v(5))});
}

double cosh_of_root(double x) { return pair_values(x)[0]; }
double sinh_of_root(double x) { return pair_values(x)[1]; }

}  // namespace sfg
