#pragma once
#include <ginac/ex.h>

#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/write/page/page.hpp"

// Not installed: parts that several results have.
namespace sfg {

/// What a frequency in rad/s is divided by.
constexpr double per_hertz = 2 * std::numbers::pi;

/// NAME = the matrix, "none" for an empty one.
void add_matrix(Page&, const std::string& name, const std::vector<std::vector<GiNaC::ex>>&);
/// "warning: message; hint", each a paragraph.
void add_notes(Page&, const std::vector<Diagnostic>&);
/// Rows of a name and what it is, without a heading.
Table summary(std::vector<std::vector<Prose>> rows);
/// The same table with its rows as columns, each headed by what stood first in it.
Table turned(const Table&);
/// Which rows of a long table are shown, twenty at most: the first, every so many, and the last.
std::vector<std::size_t> shown_rows(std::size_t rows);
/// output/input; (R - y)/R of an output that is a sum.
Math gain_name(const std::string& input, const std::string& output);
/// "3.1 - 2j" as it stands in a table.
Math complex_math(std::complex<double>, int digits);
/// A number with so many digits.
Math number_math(double, int digits = 6);

/// weight·δ, or a derivative of it: delta, delta', delta'' … in plain text.
Math impulse(Math weight, std::size_t order);

}  // namespace sfg
