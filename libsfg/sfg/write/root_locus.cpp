#include "sfg/write/margins.hpp"

#include <fmt/format.h>

#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::complex;
using json::Json;
using json::numbers;

namespace {

/// Those of simple real roots are 0 or 180: they go without saying.
void add_angles(Page& page, const std::string& what, const std::vector<RootLocus::Angles>& list) {
  for (const RootLocus::Angles& angles : list) {
    if (angles.root.imag() < 0 || (angles.root.imag() == 0 && angles.degrees.size() < 2)) continue;
    std::string text;
    for (const double angle : angles.degrees) text += fmt::format(" {:.6g}", angle);
    page.add(Paragraph{{what + " ", complex_math(angles.root, 6), " at" + text + " deg"}});
  }
}

}  // namespace

Page page(const RootLocus& locus, const std::string& parameter, const std::string& opened) {
  Page page;
  if (!opened.empty()) page.add(Paragraph{words("roots of 1 + L, opened at " + opened)});
  const auto list = [&](const std::string& name, const std::vector<std::complex<double>>& points) {
    page.add(Paragraph{words(name + (points.empty() ? ": none" : ":"))});
    for (const auto& z : points) page.add(Paragraph{{complex_math(z, 6)}, 1});
  };
  list("open-loop poles", locus.start);
  list("open-loop zeros", locus.end);
  if (!locus.asymptotes_deg.empty()) {
    std::string angles;
    for (const double angle : locus.asymptotes_deg) angles += fmt::format(" {:.6g}", angle);
    page.add(Paragraph{words(fmt::format("asymptotes from {:.6g} at{} deg", locus.centroid, angles))});
  }
  add_angles(page, "departure from", locus.departures);
  add_angles(page, "arrival at", locus.arrivals);
  const auto parameter_is = [&](double value) { return Math::equation(Math::signal(parameter), number_math(value)); };
  for (const auto& p : locus.breakaway)
    page.add(Paragraph{{"breakaway at ", complex_math(p.root, 6), ", ", parameter_is(p.parameter)}});
  for (const auto& p : locus.axis_crossings)
    if (locus.boundary == exact::Boundary::unit_circle)
      page.add(Paragraph{{"circle crossing at ", complex_math(p.root, 6), ", ", parameter_is(p.parameter)}});
    else
      page.add(Paragraph{{"axis crossing at ", number_math(p.root.imag()), " rad/s, ", parameter_is(p.parameter)}});
  return page;
}

void write_json(std::ostream& out, const RootLocus& locus, const std::string& parameter, const std::string& opened) {
  const auto points = [](const std::vector<RootLocus::Point>& list) {
    Json j = Json::array();
    for (const auto& p : list) j.push_back({{"root", complex(p.root)}, {"parameter", p.parameter}});
    return j;
  };
  const auto roots = [](const std::vector<std::complex<double>>& list) {
    Json j = Json::array();
    for (const auto& z : list) j.push_back(complex(z));
    return j;
  };
  const auto angles = [](const std::vector<RootLocus::Angles>& list) {
    Json j = Json::array();
    for (const auto& a : list) j.push_back({{"root", complex(a.root)}, {"angles_deg", a.degrees}});
    return j;
  };
  Json branches = Json::array();
  for (const auto& branch : locus.branches) branches.push_back(roots(branch));
  Json j{{"schema", "sfg/rlocus/1"},
         {"parameter", parameter},
         {"values", numbers(locus.parameter)},
         {"branches", std::move(branches)},
         {"start", roots(locus.start)},
         {"end", roots(locus.end)},
         {"breakaway", points(locus.breakaway)},
         {"axis_crossings", points(locus.axis_crossings)},
         {"centroid", locus.centroid},
         {"asymptotes_deg", locus.asymptotes_deg},
         {"departures", angles(locus.departures)},
         {"arrivals", angles(locus.arrivals)}};
  if (!opened.empty()) j["break"] = opened;
  out << j.dump() << '\n';
}

}  // namespace sfg
