#pragma once
#include <cstddef>
#include <vector>

#include "sfg/read/measurement/csv_rows.hpp"
#include "sfg/read/measurement/measurement.hpp"

// Not installed: what the headings of a measured table mean.
namespace sfg {

/// What the cells below a heading are.
struct HeadingMeaning {
  enum class Kind { nothing, axis, column, input, deviation } kind = Kind::nothing;
  std::size_t index = 0;  ///< of the column, the input, or the column whose deviation it is
};

struct Headings {
  std::vector<HeadingMeaning> cells = {};
  double scale = 1;  ///< of the axis, to s or rad/s
};

/// Fills columns and inputs of the record, without samples.
Headings headings(const std::vector<CsvCell>& row, const CsvRows&, const MeasurableNames&, Measurement&, Problems&);

}  // namespace sfg
