#include "sfg/write/control.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <ostream>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"

namespace sfg {

namespace {

using json::complex;
using json::Json;
using json::number;
using json::numbers;
using json::text_or_null;

/// Doubles hold 17 digits; more are written as strings.
Json root(const exact::Root& r, std::size_t digits) {
  if (digits > 17) return Json::array({r.real, r.imaginary});
  return Json::array({r.value.real(), r.value.imag()});
}

/// An exact rational for people: as it is while it can be taken in at a glance, else as a decimal. JSON has it whole.
std::string readable(const std::string& rational) {
  constexpr std::size_t glance = 24;
  return rational.size() <= glance ? rational : print(exact::rational_double(rational));
}

std::string shown(const exact::Root& r, std::size_t digits) {
  if (digits <= 17) {
    if (r.is_real) return fmt::format("{:.10g}", r.value.real());
    return fmt::format("{}{:.10g}{}{:.10g}j", r.on_axis ? "" : " ", r.on_axis ? 0.0 : r.value.real(),
                       r.value.imag() < 0 ? " - " : " + ", std::abs(r.value.imag()));
  }
  if (r.is_real) return r.real;
  const bool negative = r.imaginary.front() == '-';
  return r.real + (negative ? " - " : " + ") + (negative ? r.imaginary.substr(1) : r.imaginary) + "j";
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

void write_modes(std::ostream& out, const std::vector<Mode>& modes, std::size_t digits) {
  std::size_t width = 4;
  for (const Mode& mode : modes) width = std::max(width, trimmed(shown(mode.pole, digits)).size());
  fmt::print(out, "  {:<{}}  {:>14}  {:>10}  {:>14}\n", "pole", width, "omega_n, rad/s", "damping", "time const., s");
  for (const Mode& mode : modes)
    for (std::size_t i = 0; i < mode.pole.multiplicity; ++i)
      fmt::print(out, "  {:<{}}  {:>14.6g}  {:>10.6g}  {:>14}\n", trimmed(shown(mode.pole, digits)), width, mode.frequency,
                 mode.damping, mode.time_constant ? fmt::format("{:.6g}", *mode.time_constant) : "-");
}

}  // namespace

void write_text(std::ostream& out, std::span<const PolesZeros> all, std::size_t digits) {
  for (const PolesZeros& item : all) {
    if (!item.output.empty()) fmt::print(out, "{} -> {}\n", item.input, item.output);
    write_modes(out, item.modes, digits);
    if (!item.output.empty()) {
      fmt::print(out, "  zeros:{}\n", item.zeros.empty() ? " none" : "");
      for (const exact::Root& zero : item.zeros)
        for (std::size_t i = 0; i < zero.multiplicity; ++i) fmt::print(out, "    {}\n", trimmed(shown(zero, digits)));
      fmt::print(out, "  gain: {}\n", readable(item.gain));
      if (item.dc_gain) fmt::print(out, "  DC gain: {}\n", readable(*item.dc_gain));
      if (!item.dead_time.empty()) fmt::print(out, "  with a dead time of {} s\n", readable(item.dead_time));
    }
    if (!item.hidden.empty()) {
      fmt::print(out, "  hidden modes (cancelled in this transfer function):\n");
      for (const Mode& mode : item.hidden)
        fmt::print(out, "    {}{}\n", trimmed(shown(mode.pole, digits)),
                   mode.time_constant && *mode.time_constant >= 0 ? "" : "   warning: not stable");
    }
    fmt::print(out, "  {}\n", item.stable ? "stable" : "not stable");
  }
}

void write_json(std::ostream& out, std::span<const PolesZeros> all, std::size_t digits) {
  const auto object = [digits](const PolesZeros& item) {
    Json j;
    Json poles = Json::array(), zeros = Json::array(), modes = Json::array(), hidden = Json::array();
    for (const Mode& mode : item.modes)
      for (std::size_t i = 0; i < mode.pole.multiplicity; ++i) {
        poles.push_back(root(mode.pole, digits));
        modes.push_back({{"pole", root(mode.pole, digits)},
                         {"frequency", number(mode.frequency)},
                         {"damping", mode.damping},
                         {"time_constant", number(mode.time_constant)}});
      }
    for (const exact::Root& zero : item.zeros)
      for (std::size_t i = 0; i < zero.multiplicity; ++i) zeros.push_back(root(zero, digits));
    for (const Mode& mode : item.hidden)
      for (std::size_t i = 0; i < mode.pole.multiplicity; ++i) hidden.push_back(root(mode.pole, digits));
    if (!item.output.empty()) j["input"] = item.input, j["output"] = item.output;
    j["poles"] = std::move(poles);
    j["zeros"] = std::move(zeros);
    j["gain"] = item.gain.empty() ? Json(nullptr) : Json(item.gain);
    j["dc_gain"] = text_or_null(item.dc_gain);
    j["modes"] = std::move(modes);
    j["hidden"] = std::move(hidden);
    if (!item.dead_time.empty()) j["dead_time"] = item.dead_time;
    j["stable"] = item.stable;
    return j;
  };
  Json j{{"schema", "sfg/poles/1"}, {"variable", all.empty() ? "s" : all.front().variable}};
  if (!all.empty()) j.update(object(all.front()));
  if (all.size() > 1) {
    j["transfers"] = Json::array();
    for (const PolesZeros& item : all) j["transfers"].push_back(object(item));
  }
  out << j.dump() << '\n';
}

namespace {

/// From the decimals of the root, of which there are more than a double holds: 450 stays 450.
double squared_modulus(const exact::Root& r) {
  const auto squared = [](const std::string& decimal) {
    const std::string exact = *rational_value(parse_number(decimal));
    return exact::rational_product(exact, exact);
  };
  return exact::rational_double(exact::rational_sum(squared(r.real), squared(r.imaginary)));
}

/// Π (s − r) over the roots, pairs of complex ones as s² − 2 Re s + |r|².
std::string product(const std::vector<exact::Root>& roots, const std::string& variable) {
  std::string text;
  const auto term = [](double value, const std::string& after) {
    return value == 0 ? std::string() : (value < 0 ? " - " : " + ") + print(std::abs(value)) + after;
  };
  for (const exact::Root& r : roots) {
    if (r.value.imag() < 0) continue;
    const double re = r.on_axis ? 0 : r.value.real();
    const std::string factor = r.is_real
                                   ? (re == 0 ? variable : "(" + variable + term(-re, "") + ")")
                                   : "(" + variable + "^2" + term(-2 * re, "*" + variable) + term(squared_modulus(r), "") + ")";
    text += (text.empty() ? "" : "*") + factor + (r.multiplicity > 1 ? "^" + std::to_string(r.multiplicity) : "");
  }
  return text;
}

std::vector<exact::Root> pole_roots(const PolesZeros& item) {
  std::vector<exact::Root> roots;
  for (const Mode& mode : item.modes) roots.push_back(mode.pole);
  return roots;
}

/// e^(−τs).
std::string dead_time_factor(const PolesZeros& item) {
  const std::string& delay = item.dead_time;
  if (delay.empty()) return "";
  return "exp(-" + (delay == "1" ? "" : (delay.find('/') == std::string::npos ? delay : "(" + delay + ")") + "*") +
         item.variable + ")";
}

std::string zpk_expression(const PolesZeros& item) {
  if (item.gain == "0") return "0";
  std::string above = product(item.zeros, item.variable);
  if (const std::string late = dead_time_factor(item); !late.empty()) above += (above.empty() ? "" : "*") + late;
  const std::string below = product(pole_roots(item), item.variable), gain = readable(item.gain);
  above = above.empty() ? gain : gain == "1" ? above : gain + "*" + above;
  const bool one = below.find(")*") == std::string::npos && !below.starts_with(item.variable + "*");
  return above + (below.empty() ? "" : one ? "/" + below : "/(" + below + ")");
}

}  // namespace

void write_zpk_text(std::ostream& out, std::span<const PolesZeros> all) {
  for (const PolesZeros& item : all) fmt::print(out, "{} -> {}\n  T = {}\n", item.input, item.output, zpk_expression(item));
}

void write_zpk_json(std::ostream& out, std::span<const PolesZeros> all) {
  Json j{{"schema", "sfg/tf/1"}, {"variable", all.empty() ? "s" : all.front().variable}, {"transfers", Json::array()}};
  const auto repeated = [](const std::vector<exact::Root>& roots) {
    Json list = Json::array();
    for (const exact::Root& r : roots)
      for (std::size_t i = 0; i < r.multiplicity; ++i) list.push_back(root(r, 17));
    return list;
  };
  for (const PolesZeros& item : all) {
    j["transfers"].push_back({{"input", item.input},
                              {"output", item.output},
                              {"form", "zpk"},
                              {"expression", zpk_expression(item)},
                              {"zeros", repeated(item.zeros)},
                              {"poles", repeated(pole_roots(item))},
                              {"gain", exact::rational_double(item.gain)}});
    if (!item.dead_time.empty()) j["transfers"].back()["dead_time"] = item.dead_time;
  }
  out << j.dump() << '\n';
}

namespace {

std::string final_text(const TimeResponse& response) {
  if (response.final) return readable(*response.final);
  return response.final_known ? "none" : "not known: poles of the loop with dead time are too near the imaginary axis";
}

void write_figures(std::ostream& out, const StepFigures& figures) {
  if (!figures.missing.empty()) {
    fmt::print(out, "  rise time, settling time, overshoot, peak: not found: {}\n", figures.missing);
    return;
  }
  const auto figure = [&](const char* name, const std::optional<double>& v, const char* unit) {
    if (v) fmt::print(out, "  {}: {:.6g} {}\n", name, *v, unit);
  };
  figure("rise time (10 % to 90 %)", figures.rise_time, "s");
  figure("settling time (2 %)", figures.settling_time, "s");
  figure("overshoot", figures.overshoot, "%");
  if (figures.grows) fmt::print(out, "  peak: none, the response grows without bound\n");
  if (figures.peak)
    fmt::print(out, "  peak: {:.6g} at {:.6g} s{}\n", *figures.peak, figures.peak_time,
               figures.until ? fmt::format(" (up to {:.6g} s)", *figures.until) : "");
}

Json impulses_json(const std::vector<exact::DelayedImpulse>& impulses) {
  Json list = Json::array();
  for (const exact::DelayedImpulse& impulse : impulses)
    list.push_back({{"at", impulse.at}, {"order", impulse.order}, {"weight", impulse.weight}});
  return list;
}

Json figures_json(const StepFigures& figures) {
  Json j{{"rise_time", number(figures.rise_time)},
         {"settling_time", number(figures.settling_time)},
         {"overshoot_percent", number(figures.overshoot)},
         {"peak", number(figures.peak)},
         {"peak_time", figures.peak ? number(figures.peak_time) : Json(nullptr)}};
  if (figures.grows) j["grows_without_bound"] = true;
  if (figures.until) j["peak_until"] = number(*figures.until);
  if (!figures.missing.empty()) j["missing"] = figures.missing;
  return j;
}

}  // namespace

void write_text(std::ostream& out, std::span<const NamedResponse> responses, const std::string& verb) {
  for (const NamedResponse& r : responses) {
    fmt::print(out, "{}\n", r.name);
    if (!r.closed_form.empty()) fmt::print(out, "  y(t) = {}\n", r.closed_form);
    if (verb == "simulate" && !r.value.method.empty()) fmt::print(out, "  method: {}\n", r.value.method);
    for (const std::string& note : r.value.notes) fmt::print(out, "  note: {}\n", note);
    for (const exact::DelayedImpulse& impulse : r.value.impulses)
      fmt::print(out, "  impulse at {}: {} * delta{}\n", readable(impulse.at), readable(impulse.weight),
                 std::string(impulse.order, '\''));
    if (r.value.initial) fmt::print(out, "  initial value (0+): {}\n", readable(*r.value.initial));
    if (verb != "simulate") fmt::print(out, "  final value: {}\n", final_text(r.value));
    if (verb == "step") write_figures(out, r.figures);
    fmt::print(out, "  {:>12}  {:>16}\n", "t, s", "y");
    for (std::size_t i = 0; i < r.value.time.size(); ++i)
      fmt::print(out, "  {:>12.6g}  {:>16.9g}\n", r.value.time[i], r.value.value[i]);
  }
}

void write_json(std::ostream& out, std::span<const NamedResponse> responses, const std::string& verb) {
  Json j{{"schema", "sfg/" + verb + "/1"},
         {"time", responses.empty() ? Json::array() : numbers(responses.front().value.time)},
         {"signals", Json::object()},
         {"figures", Json::object()}};
  for (const NamedResponse& r : responses) {
    j["signals"][r.name] = numbers(r.value.value);
    Json f = Json::object();
    if (verb == "simulate")
      f["method"] = r.value.method;
    else
      f = {{"initial", text_or_null(r.value.initial)}, {"final", text_or_null(r.value.final)}};
    if (!r.value.final_known) f["final_known"] = false;
    if (verb == "step") f.update(figures_json(r.figures));
    if (!r.value.impulses.empty()) f["impulses"] = impulses_json(r.value.impulses);
    if (!r.value.notes.empty()) f["notes"] = r.value.notes;
    if (!r.closed_form.empty()) f["expression"] = r.closed_form;
    j["figures"][r.name] = std::move(f);
  }
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, std::span<const NamedResponse> responses) {
  out << "t";
  for (const NamedResponse& r : responses) fmt::print(out, ",\"{}\"", r.name);
  out << '\n';
  if (responses.empty()) return;
  for (std::size_t i = 0; i < responses.front().value.time.size(); ++i) {
    out << print(responses.front().value.time[i]);
    for (const NamedResponse& r : responses) out << ',' << print(r.value.value[i]);
    out << '\n';
  }
}

namespace {

/// p/q, or the decimal where that is the same number and shorter.
std::string coefficient_text(const std::string& rational) {
  constexpr std::size_t readable = 12;
  if (rational.size() <= readable) return rational;
  const double value = exact::rational_double(rational);
  if (decimal_rational(value) == rational) return print(value);
  constexpr std::size_t most_digits = 60;
  std::string scaled = rational;
  for (std::size_t digits = 1; digits <= most_digits; ++digits) {  // a decimal of more digits than a double has
    scaled = exact::rational_product(scaled, "10");
    if (scaled.find('/') != std::string::npos) continue;
    const bool negative = scaled.front() == '-';
    std::string whole = negative ? scaled.substr(1) : scaled;
    if (whole.size() <= digits) whole.insert(0, digits + 1 - whole.size(), '0');
    return (negative ? "-" : "") + whole.substr(0, whole.size() - digits) + "." + whole.substr(whole.size() - digits);
  }
  return rational;
}

std::string polynomial_text(const std::vector<std::string>& coefficients, const std::string& variable) {
  std::string text;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const std::size_t power = coefficients.size() - 1 - i;
    const int sign = exact::rational_sign(coefficients[i]);
    if (sign == 0) continue;
    std::string size = coefficient_text(sign < 0 ? exact::rational_product("-1", coefficients[i]) : coefficients[i]);
    const std::string by = power == 0 ? "" : power == 1 ? variable : variable + "^" + std::to_string(power);
    if (!by.empty()) size = size == "1" ? by : size + "*" + by;
    text += (text.empty() ? (sign < 0 ? "-" : "") : (sign < 0 ? " - " : " + ")) + size;
  }
  return text.empty() ? "0" : text;
}

/// The numerator and denominator in lowest terms of what they are: the denominator monic.
std::pair<std::vector<std::string>, std::vector<std::string>> monic(const ExactTransfer& transfer) {
  std::vector<std::string> n = transfer.numerator.coefficients(), d = transfer.denominator.coefficients();
  const std::string leading = d.front();
  for (auto* list : {&n, &d})
    for (std::string& c : *list) c = exact::rational_quotient(c, leading);
  return {n, d};
}

/// As numbers, highest power first; 0 is a polynomial of one coefficient.
std::vector<double> coefficients(const std::vector<std::string>& polynomial) {
  const std::vector<double> values = exact::RationalPolynomial(polynomial).doubles();
  return values.empty() ? std::vector{0.0} : values;
}

std::string bracketed(const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

}  // namespace

void write_text(std::ostream& out, std::span<const ExactTransfer> transfers, const std::string& sample_time,
                const std::string& method) {
  for (const ExactTransfer& transfer : transfers) {
    const auto [n, d] = monic(transfer);
    const std::string above = polynomial_text(n, transfer.variable), below = polynomial_text(d, transfer.variable);
    fmt::print(out, "{}/{}, sample time {} s, {}\n  {}\n  {}\n  {}\n", transfer.output, transfer.input, sample_time, method,
               above, std::string(std::max(above.size(), below.size()), '-'), below);
  }
}

void write_json(std::ostream& out, std::span<const ExactTransfer> transfers, const std::string& sample_time,
                const std::string& method) {
  Json j{{"schema", "sfg/discretize/1"},
         {"variable", "z"},
         {"sample_time", exact::rational_double(sample_time)},
         {"method", method},
         {"transfers", Json::array()}};
  for (const ExactTransfer& transfer : transfers) {
    const auto [n, d] = monic(transfer);
    const std::string above = polynomial_text(n, transfer.variable), below = polynomial_text(d, transfer.variable);
    j["transfers"].push_back({{"input", transfer.input},
                              {"output", transfer.output},
                              {"form", "numeric"},
                              {"expression", below == "1" ? above : bracketed(above) + "/" + bracketed(below)},
                              {"numerator", above},
                              {"denominator", below},
                              {"num", coefficients(n)},
                              {"den", coefficients(d)}});
  }
  out << j.dump() << '\n';
}

void write_text(std::ostream& out, std::span<const std::pair<std::string, SymbolicResponse>> responses) {
  for (const auto& [name, r] : responses) {
    fmt::print(out, "{}\n  y(t) = {}\n", name, print(r.value));
    for (const GiNaC::ex& positive : r.positive) fmt::print(out, "  where {} > 0\n", print(positive));
    for (std::size_t k = 0; k < r.impulses.size(); ++k)
      if (!r.impulses[k].is_zero())
        fmt::print(out, "  impulse at 0: ({}) * delta{}\n", print(r.impulses[k]), std::string(k, '\''));
    fmt::print(out, "  initial value (0+): {}\n", print(r.initial));
    if (r.final) fmt::print(out, "  final value, when stable: {}\n", print(*r.final));
  }
}

void write_json(std::ostream& out, std::span<const std::pair<std::string, SymbolicResponse>> responses, const std::string& verb) {
  Json j{{"schema", "sfg/" + verb + "/1"}, {"time", Json::array()}, {"signals", Json::object()}, {"figures", Json::object()}};
  for (const auto& [name, r] : responses) {
    Json conditions = Json::array();
    for (const GiNaC::ex& positive : r.positive) conditions.push_back(print(positive) + " > 0");
    j["figures"][name] = {{"expression", print(r.value)},
                          {"conditions", std::move(conditions)},
                          {"initial", print(r.initial)},
                          {"final", r.final ? Json(print(*r.final)) : Json(nullptr)}};
    Json impulses = Json::array();
    for (std::size_t k = 0; k < r.impulses.size(); ++k)
      if (!r.impulses[k].is_zero()) impulses.push_back({{"at", "0"}, {"order", k}, {"weight", print(r.impulses[k])}});
    if (!impulses.empty()) j["figures"][name]["impulses"] = std::move(impulses);
  }
  out << j.dump() << '\n';
}

namespace {

std::string range_text(const OpenRange& range, const std::string& parameter) {
  if (!range.low && !range.high) return "every " + parameter;
  return (range.low ? range.low->text + " < " : "") + parameter + (range.high ? " < " + range.high->text : "");
}

}  // namespace

void write_text(std::ostream& out, const RouthArray& array, const std::string& parameter, std::span<const OpenRange> ranges) {
  const std::size_t n = array.rows.size() - 1;
  for (std::size_t k = 0; k <= n; ++k) {
    fmt::print(out, "  {}^{:<3}|", array.variable, n - k);
    for (const auto& element : array.rows[k]) fmt::print(out, "  {}", print(element));
    out << '\n';
  }
  for (const std::string& note : array.notes) fmt::print(out, "note: {}\n", note);
  if (array.counts)
    fmt::print(out, "roots: {} {}, {} on it, {} {}\n", array.counts->right,
               array.discrete ? "outside the unit circle" : "right of the axis", array.counts->axis, array.counts->left,
               array.discrete ? "inside" : "left of it");
  fmt::print(out, "stable if: {}\n", array.stable_if);
  if (parameter.empty()) return;
  out << "stable for: ";
  for (std::size_t i = 0; i < ranges.size(); ++i) out << (i == 0 ? "" : " or ") << range_text(ranges[i], parameter);
  out << (ranges.empty() ? "no " + parameter : "") << '\n';
}

void write_json(std::ostream& out, const RouthArray& array, const std::string& parameter, std::span<const OpenRange> ranges) {
  Json rows = Json::array(), polynomial = Json::array(), conditions = Json::array();
  for (const auto& c : array.polynomial) polynomial.push_back(print(c));
  for (const auto& row : array.rows) {
    Json list = Json::array();
    for (const auto& element : row) list.push_back(print(element));
    rows.push_back(std::move(list));
  }
  for (const auto& condition : array.conditions) conditions.push_back(print(condition) + " > 0");
  Json j{
      {"schema", "sfg/routh/1"}, {"variable", array.variable}, {"polynomial", std::move(polynomial)}, {"array", std::move(rows)}};
  j["counts"] =
      array.counts ? Json{{"rhp", array.counts->right}, {"jw", array.counts->axis}, {"lhp", array.counts->left}} : Json(nullptr);
  if (array.discrete && array.counts)
    j["unit_circle"] = {{"outside", array.counts->right}, {"on", array.counts->axis}, {"inside", array.counts->left}};
  j["conditions"] = std::move(conditions);
  j["stable_if"] = array.stable_if;
  j["notes"] = array.notes;
  if (!parameter.empty()) {
    j["parameter"] = parameter;
    j["ranges"] = Json::array();
    for (const OpenRange& range : ranges)
      j["ranges"].push_back(
          Json::array({range.low ? Json(range.low->text) : Json(nullptr), range.high ? Json(range.high->text) : Json(nullptr)}));
  }
  out << j.dump() << '\n';
}

namespace {

const char* name_of(StabilityRegion::Crossing crossing) {
  switch (crossing) {
    case StabilityRegion::Crossing::zero: return "zero";
    case StabilityRegion::Crossing::pair: return "pair";
    case StabilityRegion::Crossing::infinity: break;
  }
  return "infinity";
}

}  // namespace

void write_text(std::ostream& out, const StabilityRegion& region, const std::string& first, const std::string& second) {
  fmt::print(out, "{:>14}  stable {} within {:g} .. {:g}\n", first, second, region.second_range.first,
             region.second_range.second);
  constexpr std::size_t shown = 20;
  double next = region.first_range.first;
  const double step = (region.first_range.second - region.first_range.first) / shown;
  for (const auto& column : region.columns) {
    if (column.first < next - 1e-9 * step) continue;
    next += step;
    fmt::print(out, "{:>14.6g}  ", column.first);
    for (std::size_t i = 0; i < column.stable.size(); ++i)
      fmt::print(out, "{}{:.6g} .. {:.6g}", i == 0 ? "" : ", ", column.stable[i].first, column.stable[i].second);
    out << (column.stable.empty() ? "none\n" : "\n");
  }
}

void write_json(std::ostream& out, const StabilityRegion& region, const std::string& first, const std::string& second) {
  const auto pair = [](const StabilityRegion::Range& range) { return Json::array({range.first, range.second}); };
  Json j{{"schema", "sfg/routh/1"},
         {"parameters", {first, second}},
         {"limits", {pair(region.first_range), pair(region.second_range)}},
         {"columns", Json::array()},
         {"boundary", Json::array()}};
  for (const auto& column : region.columns) {
    Json stable = Json::array();
    for (const auto& range : column.stable) stable.push_back(pair(range));
    j["columns"].push_back({{"value", column.first}, {"stable", std::move(stable)}});
  }
  for (const auto& p : region.boundary)
    j["boundary"].push_back({{"point", {p.first, p.second}},
                             {"crossing", name_of(p.crossing)},
                             {"frequency", p.crossing == StabilityRegion::Crossing::pair ? Json(p.frequency) : Json(nullptr)}});
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, const StabilityRegion& region, const std::string& first, const std::string& second) {
  fmt::print(out, "\"{}\",\"{}\",crossing,frequency\n", first, second);
  for (const auto& p : region.boundary)
    fmt::print(out, "{},{},{},{}\n", print(p.first), print(p.second), name_of(p.crossing),
               p.crossing == StabilityRegion::Crossing::pair ? print(p.frequency) : "");
}

void write_text(std::ostream& out, const IntervalFamily& family, const std::string& variable) {
  const std::size_t n = family.low.size() - 1;
  out << "coefficients\n";
  for (std::size_t i = 0; i <= n; ++i)
    fmt::print(out, "  {}^{:<3} {} .. {}\n", variable, n - i, coefficient_text(family.low[i]), coefficient_text(family.high[i]));
  out << "Kharitonov's polynomials\n";
  for (std::size_t k = 0; k < 4; ++k)
    fmt::print(out, "  {}: {}\n", family.counts[k].right + family.counts[k].axis == 0 ? "stable    " : "not stable",
               polynomial_text(family.polynomials[k], variable));
  if (family.fixed.size() > 1)
    fmt::print(out, "note: the factor {} is the same for all of them: {}\n", polynomial_text(family.fixed, variable),
               family.fixed_stable ? "stable" : "not stable");
  if (!family.independent) {
    out << "note: the coefficients are not independent";
    for (std::size_t i = 0; i < family.shared.size(); ++i) out << (i == 0 ? ": several depend on " : ", ") << family.shared[i];
    out << "\n";
  }
  out << (family.all_stable      ? "stable: every polynomial between the bounds\n"
          : !family.fixed_stable ? "not stable: the factor that all have is not\n"
          : family.independent
              ? "not stable: a polynomial of the family is not\n"
              : "undecided: a polynomial between the bounds is not stable, which may be none of the parameters'\n");
}

void write_json(std::ostream& out, const IntervalFamily& family, const std::string& variable) {
  Json j{{"schema", "sfg/routh/1"},
         {"variable", variable},
         {"low", family.low},
         {"high", family.high},
         {"kharitonov", Json::array()}};
  for (std::size_t k = 0; k < 4; ++k)
    j["kharitonov"].push_back(
        {{"polynomial", family.polynomials[k]},
         {"expression", polynomial_text(family.polynomials[k], variable)},
         {"counts", {{"rhp", family.counts[k].right}, {"jw", family.counts[k].axis}, {"lhp", family.counts[k].left}}}});
  j["independent"] = family.independent;
  j["shared"] = family.shared;
  if (family.fixed.size() > 1) j["fixed"] = {{"polynomial", family.fixed}, {"stable", family.fixed_stable}};
  j["verdict"] = family.all_stable ? "stable" : family.independent || !family.fixed_stable ? "not stable" : "undecided";
  out << j.dump() << '\n';
}

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
    locus.discrete ? fmt::print(out, "circle crossing at {:.6g} + {:.6g}j, {} = {:.6g}\n", p.root.real(), p.root.imag(),
                                parameter, p.parameter)
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
