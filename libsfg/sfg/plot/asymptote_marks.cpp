#include "sfg/plot/asymptote_marks.hpp"

#include <fmt/format.h>

#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

Series of_magnitude(const BodeAsymptotes& a, std::pair<double, double> range, double unit, std::size_t colour) {
  Series line{"", {range.first / unit}, {a.magnitude_at(range.first)}, Series::Style::dashed, colour};
  for (const BodeAsymptotes::Corner& corner : a.corners)
    if (corner.frequency > range.first && corner.frequency < range.second)
      line.x.push_back(corner.frequency / unit), line.y.push_back(corner.magnitude_db);
  line.x.push_back(range.second / unit), line.y.push_back(a.magnitude_at(range.second));
  return line;
}

Series of_phase(const BodeAsymptotes& a, std::pair<double, double> range, double unit, std::size_t colour) {
  Series line{"", {range.first / unit}, {a.phase_at(range.first)}, Series::Style::dashed, colour};
  for (const auto& [w, degrees] : a.phase)
    if (w > range.first && w < range.second) line.x.push_back(w / unit), line.y.push_back(degrees);
  line.x.push_back(range.second / unit), line.y.push_back(a.phase_at(range.second));
  return line;
}

}  // namespace

void add_asymptotes(std::span<Panel* const> magnitudes, Panel& phase, std::span<const BodeAsymptotes> all,
                    std::pair<double, double> rad_per_s, bool hertz) {
  const double unit = hertz ? per_hertz : 1.0;
  constexpr std::size_t few = 3;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Panel& magnitude = *magnitudes[i];
    const std::size_t colour = colour_of_marks(i, all.size());
    magnitude.series.push_back(of_magnitude(all[i], rad_per_s, unit, colour));
    phase.series.push_back(of_phase(all[i], rad_per_s, unit, colour));
    Series corners{"", {}, {}, Series::Style::dots, colour};
    for (const BodeAsymptotes::Corner& corner : all[i].corners) {
      if (corner.frequency < rad_per_s.first || corner.frequency > rad_per_s.second) continue;
      const double x = corner.frequency / unit;
      corners.x.push_back(x), corners.y.push_back(corner.magnitude_db);
      if (all.size() <= few)
        magnitude.notes.push_back({x, corner.magnitude_db, fmt::format("{:.4g} {}", x, hertz ? "Hz" : "rad/s")});
    }
    if (!corners.x.empty()) magnitude.series.push_back(std::move(corners));
    if (all[i].dead_time) phase.remarks.push_back("The asymptotes leave out the dead time.");
  }
}

}  // namespace sfg
