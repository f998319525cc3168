#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sfg/ring/jet.hpp"

// Not installed: real roots of functions F(x; k) over a box of parameters k.
namespace sfg {

/// F(x) = of(parts, x): parts are functions of the parameters alone (the coefficients of a polynomial).
struct BoxFunction {
  std::vector<ring::Jet> parts;
  std::function<ring::Jet(std::span<const ring::Jet> parts, const ring::Jet& x)> of = ring::polynomial;

  ring::Jet operator()(const ring::Jet& x) const { return of(parts, x); }
  /// Over the box with x as its last side.
  ring::Jet over(const ring::ParameterBox& wider) const;
};

/// Where roots are.
struct BoxRoot {
  ring::Interval where;
  /// For every point of the box there is exactly one root in `where`, and this is it. Nothing: there may be roots, any number.
  std::optional<ring::Jet> root;
};

/// All roots in a range, in ascending order of where they are: interval Newton about guesses, halving between (Neumaier, Interval
/// Methods for Systems of Equations, 1990, chapter 5).
/// @param guesses  roots at the centre of the box
/// @param skip     cells whose roots are of no interest
/// @param first    whether what follows the first root is of no interest
std::vector<BoxRoot> box_roots(const ring::ParameterBox&, const BoxFunction&, const ring::Interval& range,
                               std::span<const double> guesses, const std::function<bool(const ring::Interval& cell)>& skip = {},
                               bool first = false);

/// A number above all roots of a polynomial for all parameters (Fujiwara 1916); infinite where the leading coefficient may
/// vanish.
double root_bound(std::span<const ring::Jet> ascending);

/// The product of two polynomials, and p′q − pq′.
std::vector<ring::Jet> product(std::span<const ring::Jet>, std::span<const ring::Jet>);
std::vector<ring::Jet> derivative(std::span<const ring::Jet>);
std::vector<ring::Jet> combination(const ring::Jet& a, std::span<const ring::Jet> p, const ring::Jet& b,
                                   std::span<const ring::Jet> q);  ///< a·p + b·q

}  // namespace sfg
