#include "sfg/write/forms/approximate.hpp"

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/answer.hpp"

namespace sfg {

Page page(const SignalFlowGraph& graph, std::span<const AsymptoticGain> gains, Detail detail) {
  AnswerPage page(detail);
  const std::string variable = graph.op.symbol();
  const Math L = Math::name("L"), closed = Math::sum({Math::number("1"), L});
  for (const AsymptoticGain& gain : gains) {
    page.begin();
    page.equation(
        graph, gain.transfer.question,
        Math::sum({Math::quotient(Math::product({Math::name("A_inf"), L}), closed), Math::quotient(Math::name("A_0"), closed)}));
    page.add(Equations{{{Math::name("A_inf"), {math(gain.ideal, variable)}},
                        {L, {math(gain.loop_gain, variable)}},
                        {Math::name("A_0"), {math(gain.direct, variable)}}},
                       variable,
                       1});
    page.equation(graph, gain.transfer.question, gain.transfer.value);
    page.end(gain.transfer.terms, gain.transfer.verification);
  }
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const AsymptoticGain> gains) {
  const auto text = [&](const GiNaC::ex& e) { return print(e, Notation::text, graph.op.symbol()); };
  auto list = nlohmann::ordered_json::array();
  for (const AsymptoticGain& gain : gains) {
    auto json = answer_json(graph, gain.transfer.question, "asymptotic");
    json["expression"] = gain.transfer.value.text();
    json["ideal"] = text(gain.ideal);
    json["loop_gain"] = text(gain.loop_gain);
    json["direct"] = text(gain.direct);
    add_checks(json, gain.transfer.terms, gain.transfer.verification);
    list.push_back(std::move(json));
  }
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
