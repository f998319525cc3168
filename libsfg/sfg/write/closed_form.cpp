#include "sfg/write/closed_form.hpp"

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page_parts.hpp"

namespace sfg {

using json::Json;

Page page(std::span<const std::pair<std::string, SymbolicResponse>> responses) {
  Page page;
  for (const auto& [name, r] : responses) {
    page.add(Paragraph{words(name)});
    page.add(Equations{{{Math::call("y", {Math::name("t")}), {math(r.value)}}}, {}, 1});
    for (const GiNaC::ex& positive : r.positive)
      page.add(Paragraph{{"where ", Math::relation(math(positive), ">", Math::number("0"))}, 1});
    for (std::size_t k = 0; k < r.impulses.size(); ++k)
      if (!r.impulses[k].is_zero()) page.add(Paragraph{{"impulse at 0: ", impulse(math(r.impulses[k]), k)}, 1});
    page.add(Paragraph{{"initial value (0+): ", math(r.initial)}, 1});
    if (r.final) page.add(Paragraph{{"final value, when stable: ", math(*r.final)}, 1});
  }
  return page;
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

}  // namespace sfg
