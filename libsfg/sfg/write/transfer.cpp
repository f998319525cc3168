#include "sfg/write/transfer.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ginac/operators.h>

#include <ostream>

#include "sfg/transfer/mason.hpp"
#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

void write_rational(std::ostream& out, const SignalFlowGraph& graph, const TransferFunction& transfer, Notation notation) {
  const std::string above = print(transfer.value.numerator(), notation);
  const std::string below = transfer.value.denominator().is_one() ? "" : print(transfer.value.denominator(), notation);
  const std::string line =
      notation == Notation::text ? quotient_text(above, below.empty() ? "1" : below) : "(" + above + ")/(" + below + ")";
  write_equation(out, answer_name(graph, transfer.question, notation), below.empty() ? above : line, above, below, notation);
}

void write_by_paths(std::ostream& out, const SignalFlowGraph& graph, const TransferFunction& transfer, Notation notation) {
  const auto [above, below] = gain_by_paths(mason(graph, transfer.question));
  const auto text = [&](const GiNaC::ex& e) { return print(e, notation, graph.variable); };
  write_equation(out, answer_name(graph, transfer.question, notation), text(above / below), text(above),
                 below.is_equal(1) ? "" : text(below), notation);
}

std::string list(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + print(number);
  return "[" + text + "]";
}

Json json_of(const SignalFlowGraph& graph, const TransferFunction& transfer, TransferForm form) {
  const std::string name = form == TransferForm::mason ? "mason" : form == TransferForm::numeric ? "numeric" : "rational";
  Json json = answer_json(graph, transfer.question, name);
  if (form == TransferForm::mason) {
    const auto [above, below] = gain_by_paths(mason(graph, transfer.question));
    json["expression"] = print(above / below);
    json["numerator"] = print(above);
    json["denominator"] = print(below);
  } else {
    std::string above = print(transfer.value.numerator()), below = print(transfer.value.denominator());
    json["expression"] = quotient_text(above, below);
    json["numerator"] = std::move(above);
    json["denominator"] = std::move(below);
  }
  if (form == TransferForm::numeric) {
    const NumericTransfer numbers = numeric_transfer(transfer, graph.symbols);
    json["num"] = numbers.num;
    json["den"] = numbers.den;
  }
  json["cancelled"] = print(transfer.cancelled);
  add_checks(json, transfer.terms, transfer.verification);
  return json;
}

}  // namespace

void write_text(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers, TransferForm form,
                Notation notation) {
  for (const TransferFunction& transfer : transfers) {
    if (&transfer != &transfers.front()) out << "\n";
    if (form == TransferForm::mason) {
      write_by_paths(out, graph, transfer, notation);
    } else if (form == TransferForm::numeric) {
      const NumericTransfer numbers = numeric_transfer(transfer, graph.symbols);
      fmt::print(out, "{}\n  num = {}\n  den = {}\n", answer_name(graph, transfer.question, Notation::text), list(numbers.num),
                 list(numbers.den));
    } else {
      write_rational(out, graph, transfer, notation);
    }
    if (!transfer.cancelled.is_one()) fmt::print(out, "{}cancelled: {}\n", remark(notation), print(transfer.cancelled));
    write_checks(out, transfer.terms, transfer.verification, notation);
  }
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers, TransferForm form) {
  Json list = Json::array();
  for (const TransferFunction& transfer : transfers) list.push_back(json_of(graph, transfer, form));
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

}  // namespace sfg
