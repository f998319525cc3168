#include "sfg/write/poles.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page_parts.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::root;
using json::text_or_null;

namespace {

Math signed_number(const std::string& text) {
  return text.starts_with('-') ? Math::negative(Math::number(text.substr(1))) : Math::number(text);
}

/// A root with so many digits.
Math shown(const exact::Root& r, std::size_t digits) {
  const auto text = [&](const exact::Rational& exact, double value) {
    return digits > 17 ? decimal(exact, digits) : fmt::format("{:.10g}", value);
  };
  if (r.is_real) return signed_number(text(r.real, r.value.real()));
  Math imaginary = Math::word(text(r.imaginary.abs(), std::abs(r.value.imag())) + "j");
  return Math::sum({r.on_axis && digits <= 17 ? Math::number("0") : signed_number(text(r.real, r.value.real())),
                    r.imaginary.sign() < 0 ? Math::negative(std::move(imaginary)) : std::move(imaginary)});
}

Table modes_table(const std::vector<Mode>& modes, std::size_t digits) {
  Table table{{{words("pole"), false, 4},
               {{Math::name("omega_n"), ", rad/s"}, true, 14},
               {words("damping"), true, 10},
               {words("time const., s"), true, 14}},
              {},
              1};
  for (const Mode& mode : modes)
    for (std::size_t i = 0; i < mode.pole.multiplicity; ++i)
      table.rows.push_back({{shown(mode.pole, digits)},
                            {number_math(mode.frequency)},
                            {number_math(mode.damping)},
                            mode.time_constant ? Prose{number_math(*mode.time_constant)} : words("-")});
  return table;
}

void add_zeros(Page& page, const std::vector<exact::Root>& zeros, std::size_t digits) {
  page.add(Paragraph{words(zeros.empty() ? "zeros: none" : "zeros:"), 1});
  for (const exact::Root& zero : zeros)
    for (std::size_t i = 0; i < zero.multiplicity; ++i) page.add(Paragraph{{shown(zero, digits)}, 2});
}

}  // namespace

Page page(std::span<const PolesZeros> all, std::size_t digits) {
  Page page;
  for (const PolesZeros& item : all) {
    const bool of_transfer = !item.output.empty();
    if (of_transfer) page.add(Paragraph{{Math::relation(Math::signal(item.input), "→", Math::signal(item.output))}});
    page.add(modes_table(item.modes, digits));
    if (of_transfer) {
      add_zeros(page, item.zeros, digits);
      page.add(Paragraph{{"gain: ", rational_math(*item.gain)}, 1});
      if (item.dc_gain) page.add(Paragraph{{"DC gain: ", rational_math(*item.dc_gain)}, 1});
      if (!item.dead_time.is_zero()) page.add(Paragraph{{"with a dead time of ", rational_math(item.dead_time), " s"}, 1});
    }
    if (!item.hidden.empty()) {
      page.add(Paragraph{words("hidden modes (cancelled in this transfer function):"), 1});
      for (const Mode& mode : item.hidden) {
        const bool decays = mode.time_constant && *mode.time_constant >= 0;
        page.add(Paragraph{{shown(mode.pole, digits), decays ? "" : "   warning: not stable"}, 2});
      }
    }
    page.add(Paragraph{words(item.stable ? "stable" : "not stable"), 1});
  }
  return page;
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
