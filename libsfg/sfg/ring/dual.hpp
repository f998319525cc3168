#pragma once

namespace sfg::ring {

// Derivatives of determinants without a second program (forward differentiation: Griewank and Walther, Evaluating Derivatives,
// 2nd ed. 2008, §3.1): the diagram is evaluated once more, over numbers that carry their derivative along.

/// value + ε·derivative with ε² = 0: a number and how it changes in one direction.
template <class Number>
struct Dual {
  Number value;
  Number derivative;
  friend bool operator==(const Dual&, const Dual&) = default;
};

/// Dual numbers over a ring: a determinant and its derivative in one direction at once, for about three times the cost of the
/// determinant. A direction is chosen by the derivatives that the entries are given: 1 for the entry that a cofactor is wanted
/// of, ∂d_ij/∂k for a parameter k. For many directions of one determinant a reverse sweep is the better way
/// (numeric::Tape::gradient).
template <class Base>
struct DualRing {
  using Value = Dual<typename Base::Value>;
  Base base;  ///< where values and derivatives live: numbers, intervals, polynomials

  Value zero() const { return {base.zero(), base.zero()}; }
  Value one() const { return {base.one(), base.zero()}; }
  Value add(const Value& a, const Value& b) const { return {base.add(a.value, b.value), base.add(a.derivative, b.derivative)}; }
  /// The rule of products: the terms in ε² are gone.
  Value multiply(const Value& a, const Value& b) const {
    return {base.multiply(a.value, b.value),
            base.add(base.multiply(a.value, b.derivative), base.multiply(a.derivative, b.value))};
  }
  Value negate(const Value& a) const { return {base.negate(a.value), base.negate(a.derivative)}; }
};

}  // namespace sfg::ring
