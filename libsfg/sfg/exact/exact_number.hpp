#pragma once
#include <memory>
#include <optional>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"

namespace sfg::exact {

// Constants that are no fractions: √2 of a filter, π of a stated frequency, e^{−1} of a sampled pole. Whether a leading
// coefficient, a difference of two gains or a discriminant of them vanishes decides degrees and multiplicities, so that no
// rounded number will do.

/// Whether a number is zero could not be decided: there is no known relation between the constants it is made of, and no
/// enclosure that leaves 0 out. The message names the constant. An answer that depends on it is refused.
class Undecided : public NoAnswer {
 public:
  using NoAnswer::NoAnswer;
};

/// A real constant that is never rounded: what it was computed from is kept, with an enclosure. That it is not zero mostly
/// follows from the enclosure; where that contains 0, Calcium decides in the field that the constants generate. A regular value.
/// @see Johansson, Calcium: computing in exact real and complex fields (2021).
class ExactNumber {
 public:
  ExactNumber();                          ///< 0
  explicit ExactNumber(const Rational&);  ///< costs no more than the number as long as only such are combined

  bool is_zero() const;  ///< @throws Undecided
  int sign() const;      ///< −1, 0, 1. @throws Undecided
  /// The rational number that this is, however it was computed. One of more than 300 bits may go unnoticed.
  std::optional<Rational> rational() const;
  /// rational(), or the number rounded to 120 digits.
  Rational rounded() const;

  friend ExactNumber operator+(const ExactNumber&, const ExactNumber&);
  friend ExactNumber operator-(const ExactNumber&, const ExactNumber&);
  friend ExactNumber operator*(const ExactNumber&, const ExactNumber&);
  friend ExactNumber operator/(const ExactNumber&, const ExactNumber&);  ///< std::domain_error for division by 0

  struct Node;

 private:
  friend class ExactField;
  explicit ExactNumber(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;
};

inline ExactNumber operator-(const ExactNumber& a) { return ExactNumber() - a; }

/// Where irrational numbers come from; those of two fields do not mix. A cheap value: copies share.
/// Real functions alone: std::domain_error where the result is not a real number.
class ExactField {
 public:
  ExactField();
  ExactNumber pi() const;
  /// base^exponent of a positive base, or of any base and a whole exponent.
  ExactNumber power(const ExactNumber& base, const ExactNumber& exponent) const;
  ExactNumber exp(const ExactNumber&) const;
  ExactNumber log(const ExactNumber&) const;
  ExactNumber sin(const ExactNumber&) const;
  ExactNumber cos(const ExactNumber&) const;
  ExactNumber asin(const ExactNumber&) const;
  ExactNumber acos(const ExactNumber&) const;
  ExactNumber atan(const ExactNumber&) const;

  struct Context;

 private:
  std::shared_ptr<Context> context_;
};

}  // namespace sfg::exact
