#include "sfg/write/forms/transfer.hpp"

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

Math in_digits(double magnitude) { return Math::number(print(magnitude)); }

/// s² − 2 Re s + |r|² of a pair, s − r of a real root.
Math factor(const exact::Root& r, const Math& variable) {
  std::vector<Math> terms{r.is_real ? variable : Math::power(variable, Math::number("2"))};
  const auto add = [&](double value, bool linear) {
    if (value == 0) return;
    Math term = linear ? Math::product({in_digits(std::abs(value)), variable}) : in_digits(std::abs(value));
    terms.push_back(value < 0 ? Math::negative(std::move(term)) : std::move(term));
  };
  const double re = r.on_axis ? 0 : r.value.real();
  if (r.is_real) {
    add(-re, false);
  } else {
    add(-2 * re, true);
    add(squared_modulus(r), false);
  }
  return Math::sum(std::move(terms));
}

std::vector<Math> factors(const std::vector<exact::Root>& roots, const Math& variable) {
  std::vector<Math> result;
  for (const exact::Root& r : roots) {
    if (r.value.imag() < 0) continue;
    Math next = factor(r, variable);
    result.push_back(r.multiplicity > 1 ? Math::power(std::move(next), Math::number(std::to_string(r.multiplicity)))
                                        : std::move(next));
  }
  return result;
}

std::vector<exact::Root> pole_roots(const PolesZeros& item) {
  std::vector<exact::Root> roots;
  for (const Mode& mode : item.modes) roots.push_back(mode.pole);
  return roots;
}

/// e^(−τs).
Math dead_time_factor(const exact::Rational& delay, const Math& variable) {
  std::vector<Math> exponent;
  if (delay != 1) exponent.push_back(exact_math(delay));
  exponent.push_back(variable);
  return Math::call("exp", {Math::negative(Math::product(std::move(exponent)))});
}

Math zpk_expression(const PolesZeros& item) {
  if (item.gain == 0) return Math::number("0");
  const Math variable = Math::name(item.op.symbol());
  std::vector<Math> above = factors(item.zeros, variable);
  if (!item.dead_time.is_zero()) above.push_back(dead_time_factor(item.dead_time, variable));
  const Math gain = rational_math(item.gain->abs());
  if (above.empty() || gain != Math::number("1")) above.insert(above.begin(), gain);
  const std::vector<Math> below = factors(pole_roots(item), variable);
  Math value = Math::product(std::move(above));
  if (!below.empty()) value = Math::quotient(std::move(value), Math::product(below));
  return item.gain->sign() < 0 ? Math::negative(std::move(value)) : value;
}

}  // namespace

Page zpk_page(std::span<const PolesZeros> all) {
  Page page;
  for (const PolesZeros& item : all) {
    page.add(Paragraph{{Math::relation(Math::signal(item.input), "→", Math::signal(item.output))}});
    page.add(Equations{{{Math::name("T"), {zpk_expression(item)}}}, item.op.symbol(), 1});
  }
  return page;
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
                              {"expression", write(zpk_expression(item), Notation::text)},
                              {"zeros", repeated(item.zeros)},
                              {"poles", repeated(pole_roots(item))},
                              {"gain", item.gain->to_double()}});
    if (!item.dead_time.is_zero()) j["transfers"].back()["dead_time"] = item.dead_time.text();
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
