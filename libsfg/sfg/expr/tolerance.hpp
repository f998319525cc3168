#pragma once
#include <string>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// Variances and covariances of parameters, exactly as they are stated: a symmetric matrix.
struct Covariance {
  std::vector<std::string> names;
  std::vector<exact::Rational> matrix;  ///< row by row
  std::vector<SourceSpan> where = {};   ///< of every entry, where it stands in a file
};

/// "A,A=0.04", "A,B=0.01", …, or several in one text, separated by semicolons; what is not stated of two is 0.
/// @throws sfg::Error quoting the entry: no pair, no number, stated twice, a parameter without its variance.
Covariance parse_covariance(const std::vector<std::string>& entries);
/// "A,B=0.8". @throws sfg::Error quoting it.
Correlation parse_correlation(const std::string& text);

/// A tolerance as it is written: "5%" or "0.05" of the value, "±2" or "+-2" in its unit.
/// @throws sfg::Error, at the place given, for what is none and for one below 0.
Tolerance parse_tolerance(const std::string& text, const SourceSpan& where = {});
/// A distribution by its name. @throws sfg::Error with the nearest one.
Distribution parse_distribution(const std::string& text, const SourceSpan& where = {});

}  // namespace sfg
