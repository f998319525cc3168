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

}  // namespace sfg
