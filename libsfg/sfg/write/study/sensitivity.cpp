#include "sfg/write/study/sensitivity.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/rational.hpp"
#include "sfg/write/page/page_parts.hpp"

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

/// A parameter as it stands in a formula: a branch FROM,TO in brackets.
std::string bracketed_name(const std::string& name) { return name.find(',') == std::string::npos ? name : "(" + name + ")"; }
Math gain_of(const std::string& name) { return Math::name(bracketed_name(name)); }
Math differential(const std::string& name) { return Math::product({Math::word("d"), gain_of(name)}); }

}  // namespace

Math derivative_name(const std::string& parameter) { return Math::quotient(differential("T"), differential(parameter)); }

Math relative_name(const std::string& parameter) {
  return Math::product({Math::quotient(gain_of(parameter), Math::name("T")), derivative_name(parameter)});
}

Page page(const SensitivityReport& report, bool hertz) {
  Page page;
  page.add(Paragraph{{Math::relation(Math::signal(report.input), "→", Math::signal(report.output))}});
  Equations closed{{}, report.variable, 1};
  for (const Sensitivity& s : report.parameters) {
    closed.rows.push_back({derivative_name(s.name), {s.derivative}});
    closed.rows.push_back({relative_name(s.name), {s.bode}});
  }
  for (const SecondSensitivity& s : report.second) {
    const Math below = s.first == s.second ? Math::power(differential(s.first), Math::number("2"))
                                           : Math::product({differential(s.first), differential(s.second)});
    closed.rows.push_back({Math::quotient(Math::name("d2T"), below), {s.value}});
  }
  if (!closed.rows.empty()) page.add(std::move(closed));
  if (report.values.empty()) return page;
  Table table{{{hertz ? words("f, Hz") : Prose{Math::name("omega"), ", rad/s"}, true, 12},
               {words("parameter"), false, 12},
               {words("dT/dk"), true, 26},
               {words("(k/T) dT/dk"), true, 26},
               {words("d|T|/dk"), true, 12},
               {words("d arg T/dk"), true, 12}},
              {},
              1};
  for (const SensitivityValue& v : report.values)
    table.rows.push_back({{number_math(hertz ? v.frequency / per_hertz : v.frequency)},
                          {Math::signal(v.parameter)},
                          {complex_math(v.derivative, 5)},
                          {complex_math(v.relative, 5)},
                          {number_math(v.magnitude, 5)},
                          {number_math(v.phase, 5)}});
  page.add(std::move(table));
  return page;
}

void write_json(std::ostream& out, const SensitivityReport& report) {
  Json j{{"schema", "sfg/sens/1"}, {"input", report.input}, {"output", report.output}, {"parameters", Json::array()}};
  for (const Sensitivity& s : report.parameters)
    j["parameters"].push_back({{"name", s.name}, {"derivative", s.derivative.text()}, {"bode", s.bode.text()}});
  for (const SecondSensitivity& s : report.second) j["second"][s.first][s.second] = s.value.text();
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
