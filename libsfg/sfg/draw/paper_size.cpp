#include "sfg/draw/paper_size.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

namespace sfg {

namespace {

constexpr double least_readable = 6;  ///< points, where no size is asked for

std::string tenths(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::round(10 * value) / 10;
  return out.str();
}

}  // namespace

double natural_size(double text_size, const PictureOptions& options) {
  return (options.font_size > 0 ? options.font_size : usual_points) * millimetres_of_point / text_size;
}

double fitting(const Scene& scene, double width) {
  constexpr double tallest = 3;
  return std::min({1.0, width / std::ceil(scene.width), tallest * width / scene.height});
}

double millimetres_per_pixel(const Scene& scene, const PictureOptions& options) {
  if (options.width == 0 && options.font_size == 0) return 0;
  const double asked = options.font_size > 0 ? options.font_size : usual_points;
  const double natural = natural_size(scene.text_size, options);
  const double width = std::ceil(scene.width);
  if (options.width == 0 || width * natural <= options.width) return natural;
  const double fitted = options.width / width, points = asked * fitted / natural;
  const double least = options.font_size > 0 ? least_shrinking * asked : least_readable;
  if (points < least && options.notes != nullptr)
    options.notes->push_back({{},
                              "at a width of " + tenths(options.width) + " mm the text has " + tenths(points) + " points",
                              "text of " + tenths(least) + " points needs " + tenths(std::ceil(width * natural * least / asked)) +
                                  " mm, or draw a part of it",
                              Severity::warning});
  return fitted;
}

}  // namespace sfg
