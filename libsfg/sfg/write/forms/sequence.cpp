#include "sfg/write/forms/sequence.hpp"

#include <fmt/format.h>
#include <ginac/operators.h>

#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/forms/sequence_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

const char* method_name(TransferSequence::Method method) {
  return method == TransferSequence::Method::diagram ? "determinant diagram" : "elimination";
}

Json json_of_sequence(const SignalFlowGraph& graph, const TransferSequence& sequence) {
  Json json = answer_json(graph, sequence.question, "sequence");
  add_sequence(json, sequence);
  json["method"] = method_name(sequence.method);
  json["operations"] = {{"additions", sequence.operations.additions},
                        {"multiplications", sequence.operations.multiplications},
                        {"divisions", sequence.operations.divisions}};
  add_checks(json, sequence.terms, sequence.verification);
  return json;
}

}  // namespace

void add_sequence(AnswerPage& page, const SignalFlowGraph& graph, const TransferSequence& sequence) {
  Equations definitions{{}, graph.op.symbol()};
  for (const auto& definition : sequence.definitions)
    definitions.rows.push_back({Math::name(definition.name), {math(definition.value)}});
  if (!definitions.rows.empty()) page.add(std::move(definitions));
  page.equation(graph, sequence.question, math(sequence.numerator / sequence.denominator));
}

void add_sequence(nlohmann::ordered_json& json, const TransferSequence& sequence) {
  Json definitions = Json::array();
  for (const auto& definition : sequence.definitions) definitions.push_back({definition.name, print(definition.value)});
  json["definitions"] = std::move(definitions);
  json["expression"] = print(sequence.numerator / sequence.denominator);
  json["numerator"] = print(sequence.numerator);
  json["denominator"] = print(sequence.denominator);
}

Page page(const SignalFlowGraph& graph, std::span<const TransferSequence> sequences, Detail detail) {
  AnswerPage page(detail);
  for (const TransferSequence& sequence : sequences) {
    page.begin();
    add_sequence(page, graph, sequence);
    const OperationCounts& count = sequence.operations;
    page.remark({fmt::format("operations: {} additions, {} multiplications, {} divisions; by {}", count.additions,
                             count.multiplications, count.divisions, method_name(sequence.method))});
    page.end(sequence.terms, sequence.verification);
  }
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferSequence> sequences) {
  Json list = Json::array();
  for (const TransferSequence& sequence : sequences) list.push_back(json_of_sequence(graph, sequence));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
