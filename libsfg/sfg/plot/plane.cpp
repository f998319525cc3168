#include "sfg/plot/plane.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sfg {

void add_unit_circle(Panel& panel) {
  Series circle{"", {}, {}, Series::Style::guide, 5};
  for (int i = 0; i <= 180; ++i) {
    circle.x.push_back(std::cos(i * 2 * std::numbers::pi / 180));
    circle.y.push_back(std::sin(i * 2 * std::numbers::pi / 180));
  }
  panel.series.push_back(std::move(circle));
}

double reach_of(const Panel& panel) {
  double reach = 0;
  for (const Series& s : panel.series)
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (std::isfinite(s.x[i]) && std::isfinite(s.y[i])) reach = std::max(reach, std::hypot(s.x[i], s.y[i]));
  return reach > 0 ? reach : 1.0;
}

void make_discrete(Panel& panel) {
  panel.x.label = "real part";
  panel.y.label = "imaginary part";
  add_unit_circle(panel);
}

Panel plane(bool hertz) {
  Panel panel;
  panel.equal_scales = true;
  panel.x.label = hertz ? "real part/2π, Hz" : "real part, 1/s";
  panel.y.label = hertz ? "imaginary part/2π, Hz" : "imaginary part, rad/s";
  panel.rules = {{true, 0}, {false, 0}};
  return panel;
}

}  // namespace sfg
