#pragma once
#include <ginac/ex.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// A fraction of few letters that is near a number at the stated values.
struct ShortFraction {
  RationalFunction value;  ///< in lowest terms
  exact::Rational at_values;
  double relative_error = 0;  ///< |at_values − wanted|/|wanted|, exact but for its rounding
  /// Letters of one kind and value (matched devices) that one of them stands for: (left out, standing for it).
  std::vector<std::pair<std::string, std::string>> same = {};
  /// Of what was found from afar: how far d ln value/d ln letter is off at most.
  std::optional<double> sensitivity_error = {};
};

/// Letters that are told from each other by nothing but their numbers: what they are called before these, and their value.
using LetterKind = std::pair<std::string, std::string>;
/// @throws NoAnswer where it has no value.
LetterKind kind_of(const GiNaC::ex& letter, const GiNaC::exmap& values);

/// The value of a fraction at the stated values of its letters. @throws NoAnswer where it has none.
exact::Rational value_of(const RationalFunction&, const GiNaC::exmap& values);

/// Of letters of one kind and value (gm_Q1, gm_Q2; not R1, C1) the first stands for all.
/// @param same  receives (left out, standing for it)
RationalFunction matched(const RationalFunction&, const GiNaC::exmap& values,
                         std::vector<std::pair<std::string, std::string>>& same);

/// Leaves out letters, then terms, as long as the value stays within `limit` of the wanted one, relatively. A letter is let grow
/// or vanish beside what it is added to (of numerator and denominator the terms with its highest, or lowest, power are kept); the
/// most promising choices are followed side by side. What is left has as few letters as were found, then terms.
/// @param value  free of its first variable, or with all else as letters; nearer to `wanted` than the limit
ShortFraction shortened(const RationalFunction& value, const GiNaC::exmap& values, const exact::Rational& wanted, double limit,
                        const Budget& = {});

/// The same of a fraction that is farther away than the limit, where what is left out may make up for what it lacks. That could
/// be chance: a formula counts only where no relative sensitivity is off by half and more, so that what the number depends on
/// most stands in it, and with the right sign.
/// @param sensitivities  d ln/d ln of the number by the letters of each kind together
std::optional<ShortFraction> shortened_from_afar(const RationalFunction& value, const GiNaC::exmap& values,
                                                 const exact::Rational& wanted, double limit,
                                                 const std::map<LetterKind, double>& sensitivities, const Budget& = {});

}  // namespace sfg
