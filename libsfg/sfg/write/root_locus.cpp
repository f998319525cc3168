#include "sfg/write/root_locus.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <ostream>

#include "sfg/write/json_numbers.hpp"

namespace sfg {

using json::complex;
using json::Json;
using json::numbers;

void write_text(std::ostream& out, const RootLocus& locus, const std::string& parameter) {
  const auto list = [&](const char* name, const std::vector<std::complex<double>>& points) {
    fmt::print(out, "{}:{}\n", name, points.empty() ? " none" : "");
    for (const auto& z : points) fmt::print(out, "  {:.6g} {} {:.6g}j\n", z.real(), z.imag() < 0 ? "-" : "+", std::abs(z.imag()));
  };
  list("open-loop poles", locus.start);
  list("open-loop zeros", locus.end);
  if (!locus.asymptotes_deg.empty()) {
    fmt::print(out, "asymptotes from {:.6g} at", locus.centroid);
    for (const double angle : locus.asymptotes_deg) fmt::print(out, " {:.6g}", angle);
    out << " deg\n";
  }
  for (const auto& p : locus.breakaway)
    fmt::print(out, "breakaway at {:.6g} + {:.6g}j, {} = {:.6g}\n", p.root.real(), p.root.imag(), parameter, p.parameter);
  for (const auto& p : locus.axis_crossings)
    locus.boundary == exact::Boundary::unit_circle
        ? fmt::print(out, "circle crossing at {:.6g} + {:.6g}j, {} = {:.6g}\n", p.root.real(), p.root.imag(), parameter,
                     p.parameter)
        : fmt::print(out, "axis crossing at {:.6g} rad/s, {} = {:.6g}\n", p.root.imag(), parameter, p.parameter);
}

void write_json(std::ostream& out, const RootLocus& locus, const std::string& parameter) {
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
  Json branches = Json::array();
  for (const auto& branch : locus.branches) branches.push_back(roots(branch));
  const Json j{{"schema", "sfg/rlocus/1"},
               {"parameter", parameter},
               {"values", numbers(locus.parameter)},
               {"branches", std::move(branches)},
               {"start", roots(locus.start)},
               {"end", roots(locus.end)},
               {"breakaway", points(locus.breakaway)},
               {"axis_crossings", points(locus.axis_crossings)},
               {"centroid", locus.centroid},
               {"asymptotes_deg", locus.asymptotes_deg}};
  out << j.dump() << '\n';
}

}  // namespace sfg
