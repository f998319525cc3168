// The stable region of two parameters.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/plot/curves.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {

namespace {

/// Neighbouring columns with as many ranges are one patch for each range.
void add_patches(Panel& panel, const StabilityRegion& region) {
  bool first = true;
  for (std::size_t begin = 0; begin < region.columns.size();) {
    const std::size_t count = region.columns[begin].stable.size();
    std::size_t end = begin;
    while (end < region.columns.size() && region.columns[end].stable.size() == count) ++end;
    for (std::size_t k = 0; k < count; ++k) {
      Series patch{first ? "stable" : "", {}, {}, Series::Style::area, 2};
      first = false;
      for (std::size_t i = begin; i < end; ++i)
        patch.x.push_back(region.columns[i].first), patch.y.push_back(region.columns[i].stable[k].first);
      for (std::size_t i = end; i-- > begin;)
        patch.x.push_back(region.columns[i].first), patch.y.push_back(region.columns[i].stable[k].second);
      panel.series.push_back(std::move(patch));
    }
    begin = end;
  }
}

/// The ends of the ranges, strand by strand.
void add_boundary(Panel& panel, const StabilityRegion& region, StabilityRegion::Crossing kind, const char* name,
                  Series::Style style, std::size_t colour) {
  Series curve{name, {}, {}, style, colour};
  const auto lift = [&] {
    if (!curve.x.empty() && std::isfinite(curve.x.back())) {
      curve.x.push_back(std::numeric_limits<double>::quiet_NaN());
      curve.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
  };
  std::vector<std::vector<const StabilityRegion::Point*>> by_column;
  std::size_t most = 0, next = 0;
  for (const auto& column : region.columns) {
    by_column.emplace_back(2 * column.stable.size(), nullptr);
    for (; next < region.boundary.size() && region.boundary[next].first == column.first; ++next)
      for (std::size_t k = 0; k < column.stable.size(); ++k) {
        if (region.boundary[next].second == column.stable[k].first) by_column.back()[2 * k] = &region.boundary[next];
        if (region.boundary[next].second == column.stable[k].second) by_column.back()[2 * k + 1] = &region.boundary[next];
      }
    most = std::max(most, by_column.back().size());
  }
  for (std::size_t strand = 0; strand < most; ++strand) {
    for (std::size_t i = 0; i < by_column.size(); ++i) {
      const auto* point = strand < by_column[i].size() ? by_column[i][strand] : nullptr;
      if (i > 0 && by_column[i].size() != by_column[i - 1].size()) lift();
      if (!point || point->crossing != kind) {
        lift();
        continue;
      }
      curve.x.push_back(point->first);
      curve.y.push_back(point->second);
    }
    lift();
  }
  if (!curve.x.empty()) panel.series.push_back(std::move(curve));
}

bool is_empty(const StabilityRegion& region) {
  return std::ranges::all_of(region.columns, [](const StabilityRegion::Column& column) { return column.stable.empty(); });
}

Caption region_in_words(const StabilityRegion& region, const std::string& first, const std::string& second) {
  const auto range = [](const std::string& name, double low, double high) {
    return Caption::name(name) + " from " + four_digits(low) + " to " + four_digits(high);
  };
  const Caption all = range(first, region.first_range.first, region.first_range.second) + " and " +
                      range(second, region.second_range.first, region.second_range.second);
  if (is_empty(region)) return "No values of " + all + " are stable.";
  const bool whole = std::ranges::all_of(region.columns, [&](const StabilityRegion::Column& column) {
    return column.stable.size() == 1 && column.stable.front() == region.second_range;
  });
  if (whole) return "All values of " + all + " are stable.";
  double low = region.first_range.second, high = region.first_range.first;
  for (const auto& column : region.columns)
    if (!column.stable.empty()) low = std::min(low, column.first), high = std::max(high, column.first);
  return "Of " + all + " some are stable for " + range(first, low, high) + ".";
}

}  // namespace

Figure region_figure(const StabilityRegion& region, const std::string& first, const std::string& second,
                     std::optional<std::pair<double, double>> point, const FigureOptions& options) {
  Figure f = empty_figure("Stability region in " + Caption::name(first) + " and " + Caption::name(second),
                          "Where every root is stable, and what crosses at the boundary. ", options);
  f.panel_height = 480;
  Panel panel;
  panel.x = {Caption::name(first), Axis::Scale::linear, region.first_range};
  panel.y = {Caption::name(second), Axis::Scale::linear, region.second_range};
  add_patches(panel, region);
  add_boundary(panel, region, StabilityRegion::Crossing::pair, "a pair crosses", Series::Style::line, 0);
  add_boundary(panel, region, StabilityRegion::Crossing::zero, options.samples ? "a root at z = 1" : "a root at 0",
               Series::Style::dashed, 1);
  add_boundary(panel, region, StabilityRegion::Crossing::infinity, options.samples ? "a root at z = −1" : "the degree drops",
               Series::Style::dash_dot, 3);
  if (point) panel.series.push_back({"stated values", {point->first}, {point->second}, Series::Style::dots, 4});
  if (is_empty(region)) {
    const auto middle = [](const StabilityRegion::Range& range) { return (range.first + range.second) / 2; };
    panel.notes.push_back({middle(region.first_range), middle(region.second_range), "nothing here is stable"});
  }
  panel.remarks.push_back(region_in_words(region, first, second));
  f.description += panel.remarks.back().plain();
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
