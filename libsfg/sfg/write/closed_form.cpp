#include "sfg/write/time_response.hpp"

#include <ostream>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/root_terms.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;

std::optional<Math> shown_expression(const ClosedForm& f) {
  constexpr std::size_t longest = 500;
  std::vector<Math> all;
  if (!f.value.is_zero() || f.impulses.empty()) all = terms(math(with_shortest_roots(f.value)));
  for (const exact::DelayedImpulse& impulse : f.impulses) {
    const exact::Rational size = impulse.weight.abs();
    std::vector<Math> time{Math::name("t")};
    if (!impulse.at.is_zero()) time.push_back(Math::negative(exact_math(impulse.at)));
    Math delta = Math::call("delta" + std::string(impulse.order, '\''), {Math::sum(std::move(time))});
    if (size != 1) delta = Math::product({exact_math(size), std::move(delta)});
    all.push_back(impulse.weight.sign() < 0 ? Math::negative(std::move(delta)) : std::move(delta));
  }
  Math sum = Math::sum(std::move(all));
  if (write(sum, Notation::text).size() > longest) return std::nullopt;
  return sum;
}

Page page(std::span<const std::pair<std::string, SymbolicResponse>> responses, const PositiveLetters& letters) {
  Page page;
  for (const auto& [name, r] : responses) {
    page.add(Paragraph{words(name)});
    page.add(Equations{{{Math::call("y", {Math::name("t")}), {math(r.value)}}}, {}, 1});
    for (const GiNaC::ex& positive : r.positive) page.add(Paragraph{{"where ", positive_condition(positive, letters)}, 1});
    for (std::size_t k = 0; k < r.impulses.size(); ++k)
      if (!r.impulses[k].is_zero()) page.add(Paragraph{{"impulse at 0: ", impulse(math(r.impulses[k]), k)}, 1});
    page.add(Paragraph{{"initial value (0+): ", math(r.initial)}, 1});
    if (r.final) page.add(Paragraph{{"final value, when stable: ", math(*r.final)}, 1});
  }
  return page;
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
