#include "sfg/transfer/certificate.hpp"

#include <algorithm>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;

struct DiscValue {
  Rational re, im;
};
DiscValue disc_product(const DiscValue& a, const DiscValue& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Rational squared_size(const Rational& re, const Rational& im) { return re * re + im * im; }
Rational squared_distance(const PoleDisc& a, const PoleDisc& b) {
  return squared_size(a.real - b.real, a.imaginary - b.imaginary);
}

DiscValue disc_value(const RationalPolynomial& f, const PoleDisc& z) {
  DiscValue value;
  for (const Rational& coefficient : f.coefficients()) {
    value = disc_product(value, {z.real, z.imaginary});
    value.re += coefficient;
  }
  return value;
}

/// The least power of ten whose square is not below; 0 for 0.
Rational decimal_root_above(const Rational& square) {
  if (square.is_zero()) return 0;
  const auto digits_of = [](const Rational& whole) { return static_cast<long>(whole.text().size()); };
  long exponent = (digits_of(square.numerator()) - digits_of(square.denominator())) / 2 - 2;
  const auto power = [](long e) { return e < 0 ? Rational(1) / Rational(10).power(-e) : Rational(10).power(e); };
  while (power(2 * exponent) < square) ++exponent;
  return power(exponent);
}

/// Smith's discs about roots that are known to some digits; nothing where they meet.
std::optional<std::vector<PoleDisc>> discs(const RationalPolynomial& f, std::size_t digits) {
  std::vector<PoleDisc> found;
  for (const exact::Root& root : exact::roots(f.coefficients(), digits))
    found.push_back({rounded(root.real, digits), rounded(root.imaginary, digits), 0});
  const Rational n = f.degree();
  for (PoleDisc& disc : found) {
    const DiscValue value = disc_value(f, disc);
    Rational square = n * n * squared_size(value.re, value.im);
    for (const PoleDisc& other : found)
      if (&other != &disc) {
        const Rational distance = squared_distance(disc, other);
        if (distance.is_zero()) return {};
        square /= distance;
      }
    disc.radius = decimal_root_above(square);
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Rational reach = found[i].radius + found[j].radius;
      if (squared_distance(found[i], found[j]) <= reach * reach) return {};
    }
  return found;
}

enum class Side { inside, outside, undecided };

Side side_of(const PoleDisc& disc, bool discrete) {
  if (!discrete) {
    if (disc.real + disc.radius < 0) return Side::inside;
    return disc.real > disc.radius ? Side::outside : Side::undecided;
  }
  const Rational size = squared_size(disc.real, disc.imaginary), in = Rational(1) - disc.radius, out = Rational(1) + disc.radius;
  if (in > 0 && size < in * in) return Side::inside;
  return size > out * out ? Side::outside : Side::undecided;
}

/// Whether with each root −z is one too (1/z for the circle), so that not all of them are on the good side.
bool is_symmetric(const RationalPolynomial& f, bool discrete) {
  std::vector<Rational> coefficients = f.coefficients(), mirrored = coefficients;
  if (discrete)
    std::ranges::reverse(mirrored);
  else
    for (std::size_t i = 1; i < mirrored.size(); i += 2) mirrored[i] = -mirrored[i];
  if (mirrored == coefficients) return true;
  for (Rational& coefficient : mirrored) coefficient = -coefficient;
  return mirrored == coefficients;
}

}  // namespace

PoleEnclosure pole_enclosure(const RationalPolynomial& polynomial, const Operator& op, const Budget& budget) {
  constexpr std::size_t most_digits = 1000;
  PoleEnclosure result;
  for (auto& [factor, multiplicity] : polynomial.factors()) {
    if (factor.degree() < 1) continue;
    const bool symmetric = is_symmetric(factor, op.discrete());
    if (symmetric) result.stable = false;
    std::optional<std::vector<PoleDisc>> found;
    for (std::size_t digits = 20; !found; digits *= 2) {
      budget.check("the enclosure of the poles");
      if (digits > most_digits) throw LimitReached("the poles are too close to each other to be enclosed one by one", {});
      found = discs(factor, digits);
      const auto undecided = [&](const PoleDisc& disc) { return side_of(disc, op.discrete()) == Side::undecided; };
      if (found && !symmetric && std::ranges::any_of(*found, undecided)) found.reset();
    }
    for (const PoleDisc& disc : *found)
      if (side_of(disc, op.discrete()) != Side::inside) result.stable = false;
    result.factors.push_back({std::move(factor), multiplicity, *std::move(found)});
  }
  return result;
}

}  // namespace sfg
