#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sfg/exact/rational.hpp"

namespace sfg {

/// The dimension of a quantity: exact exponents of the base units kg, m, s, A, K, mol, cd. Angles are numbers (rad is 1), and so
/// are turns, degrees and per cent. A regular value; the group operation is written as a product.
class Dimension {
 public:
  static constexpr std::size_t base_units = 7;

  Dimension() = default;  ///< of a number
  static Dimension base(std::size_t unit);
  static Dimension mass() { return base(0); }
  static Dimension length() { return base(1); }
  static Dimension time() { return base(2); }
  static Dimension current() { return base(3); }
  static Dimension energy();
  static Dimension power_of_energy();  ///< W: energy a time

  bool is_number() const { return *this == Dimension(); }
  Dimension& operator*=(const Dimension&);
  Dimension& operator/=(const Dimension&);
  friend Dimension operator*(Dimension a, const Dimension& b) { return a *= b; }
  friend Dimension operator/(Dimension a, const Dimension& b) { return a /= b; }
  Dimension power(const exact::Rational&) const;
  /// Exponents whose numerators and denominators have at most two digits: others are of no quantity, and no text reads back.
  bool is_moderate() const;
  friend bool operator==(const Dimension&, const Dimension&) = default;

  /// In the units that an engineer would write: "N/m", "kg*m^2", "1" for a number.
  std::string text() const;

 private:
  std::array<exact::Rational, base_units> exponents_;
};

/// The dimension of a unit as one writes it: SI units with prefixes, "N*m/rad", "kg.m^2", "m/s²", "kOhm", "µF", "1/s", "rpm",
/// "deg", "m s^-2". Behind a "/" only the next factor is below it; "" and "-" are no unit. Nothing for what is none.
std::optional<Dimension> dimension_of_unit(std::string_view text);

/// How large a unit is beside that of the SI of its dimension: 10^-3 of mm, a degree of deg, a power of each. What is no power of
/// ten stands for itself, so that mixing it with anything else is seen: 1 ft is never 12 in.
class UnitSize {
 public:
  UnitSize() = default;  ///< of the units of the SI
  explicit UnitSize(const std::string& of, const exact::Rational& exponent = 1) { exponents_.emplace(of, exponent); }

  bool is_one() const { return exponents_.empty(); }
  UnitSize& operator*=(const UnitSize&);
  friend UnitSize operator*(UnitSize a, const UnitSize& b) { return a *= b; }
  UnitSize power(const exact::Rational&) const;
  friend bool operator==(const UnitSize&, const UnitSize&) = default;

  /// "10^-3", "deg"; "" for one.
  std::string text() const;

 private:
  std::map<std::string, exact::Rational> exponents_;
};

/// That of a unit as dimension_of_unit() reads it; one for what is none, for the temperatures of Celsius and for dB.
UnitSize size_of_unit(std::string_view text);

/// The unit of a quotient, in the words of its parts: "m/N", "rad/(N*m)", "1/s"; "" where they are the same.
std::string unit_quotient(const std::string& of, const std::string& by);

}  // namespace sfg
