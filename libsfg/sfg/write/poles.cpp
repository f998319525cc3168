#include "sfg/write/poles.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::root;
using json::text_or_null;

namespace {

std::string shown(const exact::Root& r, std::size_t digits) {
  if (digits <= 17) {
    if (r.is_real) return fmt::format("{:.10g}", r.value.real());
    return fmt::format("{}{:.10g}{}{:.10g}j", r.on_axis ? "" : " ", r.on_axis ? 0.0 : r.value.real(),
                       r.value.imag() < 0 ? " - " : " + ", std::abs(r.value.imag()));
  }
  if (r.is_real) return decimal(r.real, digits);
  return decimal(r.real, digits) + (r.imaginary.sign() < 0 ? " - " : " + ") + decimal(r.imaginary.abs(), digits) + "j";
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
      fmt::print(out, "  gain: {}\n", readable(*item.gain));
      if (item.dc_gain) fmt::print(out, "  DC gain: {}\n", readable(*item.dc_gain));
      if (!item.dead_time.is_zero()) fmt::print(out, "  with a dead time of {} s\n", readable(item.dead_time));
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
    j["gain"] = text_or_null(item.gain);
    j["dc_gain"] = text_or_null(item.dc_gain);
    j["modes"] = std::move(modes);
    j["hidden"] = std::move(hidden);
    if (!item.dead_time.is_zero()) j["dead_time"] = item.dead_time.text();
    j["stable"] = item.stable;
    return j;
  };
  Json j{{"schema", "sfg/poles/1"}, {"variable", all.empty() ? "s" : all.front().op.symbol()}};
  if (!all.empty()) j.update(object(all.front()));
  if (all.size() > 1) {
    j["transfers"] = Json::array();
    for (const PolesZeros& item : all) j["transfers"].push_back(object(item));
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
