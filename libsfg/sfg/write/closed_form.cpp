#include "sfg/write/closed_form.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"

namespace sfg {

using json::Json;

std::string shown_text(const ClosedForm& f) {
  constexpr std::size_t longest = 500;
  std::string text = f.value.is_zero() && !f.impulses.empty() ? "" : print(f.value);
  for (const exact::DelayedImpulse& impulse : f.impulses) {
    const bool negative = impulse.weight.sign() < 0;
    const exact::Rational size = impulse.weight.abs();
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    text += (size == 1 ? "" : size.text() + "*") + "delta" + std::string(impulse.order, '\'') +
            (impulse.at.is_zero() ? "(t)" : "(t - " + impulse.at.text() + ")");
  }
  return text.size() <= longest ? text : std::string();
}

void write_text(std::ostream& out, std::span<const std::pair<std::string, SymbolicResponse>> responses,
                const PositiveLetters& letters) {
  for (const auto& [name, r] : responses) {
    fmt::print(out, "{}\n  y(t) = {}\n", name, print(r.value));
    for (const GiNaC::ex& positive : r.positive)
      fmt::print(out, "  where {}\n", write(positive_condition(positive, letters), Notation::text));
    for (std::size_t k = 0; k < r.impulses.size(); ++k)
      if (!r.impulses[k].is_zero())
        fmt::print(out, "  impulse at 0: ({}) * delta{}\n", print(r.impulses[k]), std::string(k, '\''));
    fmt::print(out, "  initial value (0+): {}\n", print(r.initial));
    if (r.final) fmt::print(out, "  final value, when stable: {}\n", print(*r.final));
  }
}

void write_json(std::ostream& out, std::span<const std::pair<std::string, SymbolicResponse>> responses, const std::string& verb,
                const PositiveLetters& letters) {
  Json j{{"schema", "sfg/" + verb + "/1"}, {"time", Json::array()}, {"signals", Json::object()}, {"figures", Json::object()}};
  for (const auto& [name, r] : responses) {
    Json conditions = Json::array();
    for (const GiNaC::ex& positive : r.positive)
      conditions.push_back(write(positive_condition(positive, letters), Notation::text));
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

}  // namespace sfg
