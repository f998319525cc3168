#include "sfg/write/sequence.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ginac/operators.h>

#include <ostream>

#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

const char* method_name(TransferSequence::Method method) {
  return method == TransferSequence::Method::diagram ? "determinant diagram" : "elimination";
}

void write_definitions(std::ostream& out, const TransferSequence& sequence, Notation notation) {
  if (sequence.definitions.empty()) return;
  const bool latex = notation == Notation::latex;
  if (latex) out << "\\begin{align*}\n";
  for (const auto& definition : sequence.definitions) {
    out << print_name(definition.name, notation) << (latex ? " &= " : " = ") << print(definition.value, notation);
    out << (latex ? " \\\\\n" : "\n");
  }
  if (latex) out << "\\end{align*}\n";
}

Json json_of(const SignalFlowGraph& graph, const TransferSequence& sequence) {
  Json json = answer_json(graph, sequence.question, "sequence");
  Json definitions = Json::array();
  for (const auto& definition : sequence.definitions) definitions.push_back({definition.name, print(definition.value)});
  json["definitions"] = std::move(definitions);
  json["expression"] = print(sequence.numerator / sequence.denominator);
  json["numerator"] = print(sequence.numerator);
  json["denominator"] = print(sequence.denominator);
  json["method"] = method_name(sequence.method);
  json["operations"] = {{"additions", sequence.operations.additions},
                        {"multiplications", sequence.operations.multiplications},
                        {"divisions", sequence.operations.divisions}};
  add_checks(json, sequence.terms, sequence.verification);
  return json;
}

}  // namespace

void write_text(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferSequence> sequences, Notation notation) {
  for (const TransferSequence& sequence : sequences) {
    if (&sequence != &sequences.front()) out << "\n";
    write_definitions(out, sequence, notation);
    write_equation(out, answer_name(graph, sequence.question, notation),
                   print(sequence.numerator / sequence.denominator, notation), print(sequence.numerator, notation),
                   sequence.denominator.is_equal(1) ? "" : print(sequence.denominator, notation), notation);
    const OperationCounts& count = sequence.operations;
    fmt::print(out, "{}operations: {} additions, {} multiplications, {} divisions; by {}\n", remark(notation), count.additions,
               count.multiplications, count.divisions, method_name(sequence.method));
    write_checks(out, sequence.terms, sequence.verification, notation);
  }
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferSequence> sequences) {
  Json list = Json::array();
  for (const TransferSequence& sequence : sequences) list.push_back(json_of(graph, sequence));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
