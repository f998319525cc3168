#include "sfg/write/sensitivity.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

/// Appended as it is written: there may be a hundred thousand entries.
class ValueText {
 public:
  void add(const SensitivityValue& v) {
    text_ += text_.empty() ? "{\"frequency\":" : ",{\"frequency\":";
    add(v.frequency);
    text_ += ",\"parameter\":";
    text_ += name(v.parameter);
    text_ += ",\"dT\":";
    add(v.derivative);
    text_ += ",\"S\":";
    add(v.relative);
    text_ += ",\"magnitude\":";
    add(v.magnitude);
    text_ += ",\"phase\":";
    add(v.phase);
    text_ += '}';
  }
  const std::string& text() const { return text_; }

 private:
  void add(double x) {
    if (!std::isfinite(x)) {
      text_ += "null";
      return;
    }
    const std::size_t start = text_.size();
    fmt::format_to(std::back_inserter(text_), "{}", x);
    if (text_.find_first_of(".e", start) == std::string::npos) text_ += ".0";
  }
  void add(std::complex<double> z) {
    if (!std::isfinite(z.real()) || !std::isfinite(z.imag())) {
      text_ += "null";
      return;
    }
    text_ += '[';
    add(z.real());
    text_ += ',';
    add(z.imag());
    text_ += ']';
  }
  const std::string& name(const std::string& parameter) {
    std::string& quoted = names_[parameter];
    if (quoted.empty()) quoted = Json(parameter).dump();
    return quoted;
  }

  std::string text_;
  std::map<std::string, std::string> names_;
};

}  // namespace

void write_text(std::ostream& out, const SensitivityReport& report) {
  fmt::print(out, "{} -> {}\n", report.input, report.output);
  for (const Sensitivity& s : report.parameters)
    fmt::print(out, "  dT/d{0} = {1}\n  ({0}/T) dT/d{0} = {2}\n", s.name, s.derivative.text(), s.bode.text());
  if (report.values.empty()) return;
  fmt::print(out, "  {:>12}  {:<12}  {:>26}  {:>26}  {:>12}  {:>12}\n", "omega, rad/s", "parameter", "dT/dk", "(k/T) dT/dk",
             "d|T|/dk", "d arg T/dk");
  const auto shown = [](std::complex<double> z) {
    return fmt::format("{:.5g} {} {:.5g}j", z.real(), z.imag() < 0 ? '-' : '+', std::abs(z.imag()));
  };
  std::string rows;
  for (const SensitivityValue& v : report.values)
    fmt::format_to(std::back_inserter(rows), "  {:>12.6g}  {:<12}  {:>26}  {:>26}  {:>12.5g}  {:>12.5g}\n", v.frequency,
                   v.parameter, shown(v.derivative), shown(v.relative), v.magnitude, v.phase);
  out << rows;
}

void write_json(std::ostream& out, const SensitivityReport& report) {
  Json j{{"schema", "sfg/sens/1"}, {"input", report.input}, {"output", report.output}, {"parameters", Json::array()}};
  for (const Sensitivity& s : report.parameters)
    j["parameters"].push_back({{"name", s.name}, {"derivative", s.derivative.text()}, {"bode", s.bode.text()}});
  std::string head = j.dump();
  if (!report.values.empty()) {
    head.pop_back();
    ValueText values;
    for (const SensitivityValue& v : report.values) values.add(v);
    out << head << ",\"values\":[" << values.text() << "]}\n";
    return;
  }
  out << head << '\n';
}

}  // namespace sfg
