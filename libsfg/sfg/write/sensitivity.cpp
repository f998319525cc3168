#include "sfg/write/sensitivity.hpp"

#include <fmt/ostream.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

Json complex(std::complex<double> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag()) ? Json::array({z.real(), z.imag()}) : Json(nullptr);
}
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

void write_text(std::ostream& out, const SensitivityReport& report) {
  fmt::print(out, "{} -> {}\n", report.input, report.output);
  for (const Sensitivity& s : report.parameters)
    fmt::print(out, "  dT/d{0} = {1}\n  ({0}/T) dT/d{0} = {2}\n", s.name, s.derivative, s.bode);
  if (report.values.empty()) return;
  fmt::print(out, "  {:>12}  {:<12}  {:>26}  {:>26}  {:>12}  {:>12}\n", "omega, rad/s", "parameter", "dT/dk", "(k/T) dT/dk",
             "d|T|/dk", "d arg T/dk");
  const auto shown = [](std::complex<double> z) {
    return fmt::format("{:.5g} {} {:.5g}j", z.real(), z.imag() < 0 ? '-' : '+', std::abs(z.imag()));
  };
  for (const SensitivityValue& v : report.values)
    fmt::print(out, "  {:>12.6g}  {:<12}  {:>26}  {:>26}  {:>12.5g}  {:>12.5g}\n", v.frequency, v.parameter, shown(v.derivative),
               shown(v.relative), v.magnitude, v.phase);
}

void write_json(std::ostream& out, const SensitivityReport& report) {
  Json j{{"schema", "sfg/sens/1"}, {"input", report.input}, {"output", report.output}, {"parameters", Json::array()}};
  for (const Sensitivity& s : report.parameters)
    j["parameters"].push_back({{"name", s.name}, {"derivative", s.derivative}, {"bode", s.bode}});
  if (!report.values.empty()) {
    j["values"] = Json::array();
    for (const SensitivityValue& v : report.values)
      j["values"].push_back({{"frequency", v.frequency},
                             {"parameter", v.parameter},
                             {"dT", complex(v.derivative)},
                             {"S", complex(v.relative)},
                             {"magnitude", number(v.magnitude)},
                             {"phase", number(v.phase)}});
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
