#include "sfg/write/study/sensitivity.hpp"

#include <fmt/format.h>
#include <ginac/operators.h>

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/answer.hpp"

namespace sfg {

using Json = nlohmann::ordered_json;

Page page(const SignalFlowGraph& graph, const SensitivitySequence& sequence, Detail detail) {
  AnswerPage page(detail);
  page.begin();
  Equations definitions{{}, graph.op.symbol()};
  for (const auto& definition : sequence.definitions)
    definitions.rows.push_back({Math::name(definition.name), {math(definition.value)}});
  if (!definitions.rows.empty()) page.add(std::move(definitions));
  page.equation(graph, sequence.question, math(sequence.transfer));
  Equations answers{{}, graph.op.symbol(), 1};
  for (const SensitivitySequence::Entry& entry : sequence.parameters) {
    answers.rows.push_back({derivative_name(entry.name), {math(entry.derivative)}});
    answers.rows.push_back({relative_name(entry.name), {math(entry.bode)}});
  }
  page.add(std::move(answers));
  const OperationCounts& count = sequence.operations;
  page.remark({fmt::format("operations: {} additions, {} multiplications, {} divisions", count.additions, count.multiplications,
                           count.divisions)});
  page.end(sequence.terms, sequence.verification);
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, const SensitivitySequence& sequence) {
  Json json = answer_json(graph, sequence.question, "sequence");
  Json all{{"schema", "sfg/sens/1"}};
  all.update(json);
  Json definitions = Json::array();
  for (const auto& definition : sequence.definitions) definitions.push_back({definition.name, print(definition.value)});
  all["definitions"] = std::move(definitions);
  all["expression"] = print(sequence.transfer);
  all["parameters"] = Json::array();
  for (const SensitivitySequence::Entry& entry : sequence.parameters)
    all["parameters"].push_back({{"name", entry.name}, {"derivative", print(entry.derivative)}, {"bode", print(entry.bode)}});
  all["operations"] = {{"additions", sequence.operations.additions},
                       {"multiplications", sequence.operations.multiplications},
                       {"divisions", sequence.operations.divisions}};
  add_checks(all, sequence.terms, sequence.verification);
  out << all.dump() << "\n";
}

}  // namespace sfg
