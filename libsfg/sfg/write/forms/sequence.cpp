#include "sfg/write/forms/transfer.hpp"

#include <fmt/format.h>
#include <ginac/operators.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "sfg/expr/print.hpp"
#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

const char* method_name(TransferSequence::Method method) {
  return method == TransferSequence::Method::diagram ? "determinant diagram" : "elimination";
}

Equations equations(const SignalFlowGraph& graph, std::span<const TransferSequence::Definition> definitions) {
  Equations made{{}, graph.op.symbol()};
  for (const auto& definition : definitions) made.rows.push_back({Math::name(definition.name), {math(definition.value)}});
  return made;
}

void add_operations(AnswerPage& page, const TransferSequence& sequence) {
  const OperationCounts& count = sequence.operations;
  page.remark({fmt::format("operations: {} additions, {} multiplications, {} divisions; by {}", count.additions,
                           count.multiplications, count.divisions, method_name(sequence.method))});
  page.end(sequence.terms, sequence.verification);
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
  if (!sequence.definitions.empty()) page.add(equations(graph, sequence.definitions));
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
    add_operations(page, sequence);
  }
  return std::move(page).take();
}

Page page(const SignalFlowGraph& graph, const TransferSequence& sequence, Detail detail, const TextLayout& layout) {
  constexpr std::size_t at_once = 1000;
  std::ostringstream text;
  for (std::span<const TransferSequence::Definition> rest = sequence.definitions; !rest.empty();) {
    const std::size_t count = std::min(rest.size(), at_once);
    write_text(text, Page{{}, {equations(graph, rest.first(count))}}, layout);
    rest = rest.subspan(count);
  }
  AnswerPage last(detail);
  last.equation(graph, sequence.question, math(sequence.numerator / sequence.denominator));
  add_operations(last, sequence);
  Page whole{{}, {Listing{std::move(text).str()}}};
  whole.add(std::move(last).take());
  return whole;
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferSequence> sequences) {
  Json list = Json::array();
  for (const TransferSequence& sequence : sequences) list.push_back(json_of_sequence(graph, sequence));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
