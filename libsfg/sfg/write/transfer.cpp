#include "sfg/write/transfer.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ginac/operators.h>

#include <ostream>

#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

std::string list(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + print(number);
  return "[" + text + "]";
}

/// One block a transfer function: `write(i)`, then what was cancelled and how it was verified.
template <class Write>
void write_blocks(std::ostream& out, std::span<const TransferFunction> transfers, Notation notation, Write write) {
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (i > 0) out << "\n";
    write(i);
    const TransferFunction& transfer = transfers[i];
    if (!transfer.cancelled.is_one()) fmt::print(out, "{}cancelled: {}\n", remark(notation), print(transfer.cancelled));
    write_checks(out, transfer.terms, transfer.verification, notation);
  }
}

/// The list of answers; `add(json, i)` says what the form has.
template <class Add>
void write_list(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers, const char* form,
                Add add) {
  Json list = Json::array();
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const TransferFunction& transfer = transfers[i];
    Json json = answer_json(graph, transfer.question, form);
    add(json, i);
    json["cancelled"] = print(transfer.cancelled);
    add_checks(json, transfer.terms, transfer.verification);
    list.push_back(std::move(json));
  }
  out << answers_json(graph, std::move(list)).dump() << "\n";
}

void add_fraction(Json& json, const RationalFunction& value) {
  std::string above = print(value.numerator()), below = print(value.denominator());
  json["expression"] = quotient_text(above, below);
  json["numerator"] = std::move(above);
  json["denominator"] = std::move(below);
}

}  // namespace

void write_text(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers, Notation notation) {
  write_blocks(out, transfers, notation, [&](std::size_t i) {
    const RationalFunction& value = transfers[i].value;
    const std::string above = print(value.numerator(), notation);
    const std::string below = value.denominator().is_one() ? "" : print(value.denominator(), notation);
    const std::string line =
        notation == Notation::text ? quotient_text(above, below.empty() ? "1" : below) : "(" + above + ")/(" + below + ")";
    write_equation(out, answer_name(graph, transfers[i].question, notation), below.empty() ? above : line, above, below,
                   notation);
  });
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers) {
  write_list(out, graph, transfers, "rational", [&](Json& json, std::size_t i) { add_fraction(json, transfers[i].value); });
}

void write_text(std::ostream& out, const SignalFlowGraph& graph, std::span<const MasonListing> listings,
                std::span<const TransferFunction> transfers, Notation notation) {
  write_blocks(out, transfers, notation, [&](std::size_t i) {
    const auto [above, below] = gain_by_paths(listings[i]);
    const auto text = [&](const GiNaC::ex& e) { return print(e, notation, graph.op.symbol()); };
    write_equation(out, answer_name(graph, transfers[i].question, notation), text(above / below), text(above),
                   below.is_equal(1) ? "" : text(below), notation);
  });
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const MasonListing> listings,
                std::span<const TransferFunction> transfers) {
  write_list(out, graph, transfers, "mason", [&](Json& json, std::size_t i) {
    const auto [above, below] = gain_by_paths(listings[i]);
    json["expression"] = print(above / below);
    json["numerator"] = print(above);
    json["denominator"] = print(below);
  });
}

void write_text(std::ostream& out, const SignalFlowGraph& graph, std::span<const NumericTransfer> numbers,
                std::span<const TransferFunction> transfers) {
  write_blocks(out, transfers, Notation::text, [&](std::size_t i) {
    fmt::print(out, "{}\n  num = {}\n  den = {}\n", answer_name(graph, transfers[i].question, Notation::text),
               list(numbers[i].num), list(numbers[i].den));
  });
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const NumericTransfer> numbers,
                std::span<const TransferFunction> transfers) {
  write_list(out, graph, transfers, "numeric", [&](Json& json, std::size_t i) {
    add_fraction(json, transfers[i].value);
    json["num"] = numbers[i].num;
    json["den"] = numbers[i].den;
  });
}

}  // namespace sfg
