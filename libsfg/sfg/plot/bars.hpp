#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sfg/plot/figures.hpp"

// Not installed: rows of bars, the first one on top.
namespace sfg {

/// Rows that a panel holds legibly; what lies below is counted in its title.
inline constexpr std::size_t most_rows = 40;

/// A panel with a row for each name.
/// @param all  how many rows there would be
Panel rows_panel(std::vector<std::string> names, std::vector<Caption> details, std::size_t all);
/// Where the middle of a row lies.
double row_place(const Panel&, std::size_t row);

/// A filled box between two places and two heights.
void add_box(Series&, double x1, double x2, double y1, double y2);
/// A line along x with caps at its ends.
void add_whisker(Series&, double x1, double x2, double y);
/// The text is on that side of a place.
Note value_note(double x, double y, Caption text, Note::Side);

/// Four digits: "−0.1235", "76000", "1.2e−7".
Caption short_number(double);
/// "kg·m²"; "" where none is known.
std::string unit_of(const std::string& name, const FigureOptions&);
/// "peak" or "rise, s".
std::string with_unit(const std::string& name, const FigureOptions&);
/// Whether two numbers differ by rounding alone.
bool nearly_equal(double a, double b);
/// Numbers that lie apart by decades and have one sign want a logarithmic axis.
bool spans_decades(double least, double greatest);

}  // namespace sfg
