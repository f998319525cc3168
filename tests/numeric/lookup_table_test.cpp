#include "sfg/numeric/lookup_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace {

using namespace sfg::numeric;

TEST(LookupTable, GoesThroughItsPoints) {
  const std::vector<double> x{-1, 0, 0.5, 2, 3}, y{2, 0, 1, -1, 4};
  for (const auto kind : {Interpolation::linear, Interpolation::spline, Interpolation::monotone}) {
    const LookupTable table("", kind, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(table.value(x[i]), y[i], 1e-14);
    for (double u = -2; u < 4; u += 0.137) {  // derivatives are those of the values, outside too
      const double h = 1e-6;
      EXPECT_NEAR(table.value(u, 1), (table.value(u + h) - table.value(u - h)) / (2 * h), 1e-6) << u;
    }
    EXPECT_NEAR(table.value(5), table.value(3) + 2 * table.value(3.0 - 1e-12, 1), 1e-9);
  }
}

// Burden and Faires, Numerical Analysis, 9th ed., §3.5, example 1: the natural spline through (1, 2), (2, 3), (3, 5).
TEST(LookupTable, SplineIsThePublishedOne) {
  const LookupTable table("", Interpolation::spline, {1, 2, 3}, {2, 3, 5});
  for (double u = 1; u <= 3; u += 0.1) {
    const double t = u - (u < 2 ? 1 : 2);
    const double expected = u < 2 ? 2 + 0.75 * t + 0.25 * t * t * t : 3 + 1.5 * t + 0.75 * t * t - 0.25 * t * t * t;
    EXPECT_NEAR(table.value(u), expected, 1e-13);
  }
}

// Fritsch and Carlson 1980, table 1: RPN 14 data; the monotone cubic rises wherever the data do.
TEST(LookupTable, MonotoneOvershootsNowhere) {
  const std::vector<double> x{7.99, 8.09, 8.19, 8.7, 9.2, 10, 12, 15, 20},
      y{0, 2.76429e-5, 4.37498e-2, 0.169183, 0.469428, 0.943740, 0.998636, 0.999919, 0.999994};
  const LookupTable table("", Interpolation::monotone, x, y), spline("", Interpolation::spline, x, y);
  double least = 1;
  for (double u = 7.99; u < 20; u += 0.003) {
    EXPECT_GE(table.value(u, 1), -1e-15);
    least = std::min(least, spline.value(u, 1));
  }
  EXPECT_LT(least, -0.01);  // the spline does not
}

TEST(LookupTable, BoundsHoldAllValues) {
  const LookupTable table("", Interpolation::spline, {-1, 0, 0.5, 2, 3}, {2, 0, 1, -1, 4});
  for (double low = -2; low < 4; low += 0.31)
    for (double width = 0.01; width < 3; width *= 2) {
      for (int order = 0; order < 3; ++order) {
        const auto [least, greatest] = table.bounds(low, low + width, order);
        for (double u = low; u < low + width; u += width / 17) {
          EXPECT_LE(least, table.value(u, order) + 1e-13);
          EXPECT_GE(greatest, table.value(u, order) - 1e-13);
        }
      }
    }
}

TEST(LookupTable, EqualTablesShareANumber) {
  const LookupTable table("a", Interpolation::linear, {0, 1}, {0, 1});
  EXPECT_EQ(table_number(table), table_number(table));
  EXPECT_NE(table_number(table), table_number({"b", Interpolation::linear, {0, 1}, {0, 1}}));
  EXPECT_EQ(looked_up(lookup_code(table_number(table)), 0.25), 0.25);
  EXPECT_EQ(looked_up(lookup_code(table_number(table), 1), 0.25), 1);
}

TEST(LookupTable, RefusesWhatIsNoFunction) {
  EXPECT_THROW(LookupTable("", Interpolation::linear, {0, 0}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(LookupTable("", Interpolation::linear, {0}, {1}), std::invalid_argument);
  EXPECT_THROW(LookupTable("", Interpolation::linear, {0, 1}, {1}), std::invalid_argument);
  EXPECT_THROW(LookupTable("", Interpolation::linear, {0, NAN}, {1, 2}), std::invalid_argument);
}

}  // namespace
