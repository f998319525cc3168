#pragma once

namespace sfg::ring {

/// value + ε·derivative with ε² = 0.
template <class Number>
struct Dual {
  Number value;
  Number derivative;
  friend bool operator==(const Dual&, const Dual&) = default;
};

/// Dual numbers over a ring: a determinant and its derivative in one direction at once.
template <class Base>
struct DualRing {
  using Value = Dual<typename Base::Value>;
  Base base;

  Value zero() const { return {base.zero(), base.zero()}; }
  Value one() const { return {base.one(), base.zero()}; }
  Value add(const Value& a, const Value& b) const { return {base.add(a.value, b.value), base.add(a.derivative, b.derivative)}; }
  Value multiply(const Value& a, const Value& b) const {
    return {base.multiply(a.value, b.value),
            base.add(base.multiply(a.value, b.derivative), base.multiply(a.derivative, b.value))};
  }
  Value negate(const Value& a) const { return {base.negate(a.value), base.negate(a.derivative)}; }
};

}  // namespace sfg::ring
