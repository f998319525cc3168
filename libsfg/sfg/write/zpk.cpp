#include "sfg/write/zpk.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;
using json::root;

namespace {

/// From more digits than a double holds: 450 stays 450.
double squared_modulus(const exact::Root& r) { return (r.real * r.real + r.imaginary * r.imaginary).to_double(); }

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
  const exact::Rational& delay = item.dead_time;
  if (delay.is_zero()) return "";
  return "exp(-" + (delay == 1 ? "" : (delay.is_integer() ? delay.text() : "(" + delay.text() + ")") + "*") + item.op.symbol() +
         ")";
}

std::string zpk_expression(const PolesZeros& item) {
  if (item.gain == 0) return "0";
  std::string above = product(item.zeros, item.op.symbol());
  if (const std::string late = dead_time_factor(item); !late.empty()) above += (above.empty() ? "" : "*") + late;
  const std::string below = product(pole_roots(item), item.op.symbol()), gain = readable(*item.gain);
  above = above.empty() ? gain : gain == "1" ? above : gain + "*" + above;
  const bool one = below.find(")*") == std::string::npos && !below.starts_with(item.op.symbol() + "*");
  return above + (below.empty() ? "" : one ? "/" + below : "/(" + below + ")");
}

}  // namespace

void write_zpk_text(std::ostream& out, std::span<const PolesZeros> all) {
  for (const PolesZeros& item : all) fmt::print(out, "{} -> {}\n  T = {}\n", item.input, item.output, zpk_expression(item));
}

void write_zpk_json(std::ostream& out, std::span<const PolesZeros> all) {
  Json j{{"schema", "sfg/tf/1"}, {"variable", all.empty() ? "s" : all.front().op.symbol()}, {"transfers", Json::array()}};
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
                              {"gain", item.gain->to_double()}});
    if (!item.dead_time.is_zero()) j["transfers"].back()["dead_time"] = item.dead_time.text();
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
