#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/expr/tolerance.hpp"
#include "sfg/model/simulation.hpp"

namespace sfg {

/// A signal in two columns, time and value, separated by a comma, semicolon, tab or blanks. A first line that does not begin with
/// a number is a heading; empty lines and lines that begin with # are passed over.
/// @throws sfg::Error with every wrong line: no number, another number of columns, times that go back.
SampledSignal read_csv(std::string_view text, std::string file);

/// The points of a table, x and y, in the same form. @throws sfg::Error also where an x is not above that before.
std::pair<std::vector<double>, std::vector<double>> read_points(std::string_view text, std::string file);

/// A covariance matrix in the same form: a first line with the names of the parameters, then a line of numbers for each, in the
/// same order; its name may stand before them. Numbers are exact.
/// @throws sfg::Error also for a name that comes twice, what is not square, and two entries of one pair that are not equal.
Covariance read_covariance(std::string_view text, std::string file);

}  // namespace sfg
