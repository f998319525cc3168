#include "sfg/write/forms/transfer.hpp"

#include <ginac/operators.h>

#include <ostream>

#include "sfg/expr/decimal_fraction.hpp"
#include "sfg/expr/parallel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/answer.hpp"
#include "sfg/write/mason.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

/// A polynomial of so many terms is written from its own form: the tree of a million terms would need a gigabyte.
Expression in_print(const RationalFunction& value) {
  constexpr std::size_t most_terms = 5000;
  if (value.numerator().term_count() + value.denominator().term_count() > most_terms) return value;
  return tree(value);
}

Math list(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + print(number);
  return Math::word("[" + text + "]");
}

/// One answer a transfer function: `add(page, i)`, then what was cancelled and how it was verified.
template <class Add>
Page answers(std::span<const TransferFunction> transfers, Detail detail, Add add) {
  AnswerPage page(detail);
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const TransferFunction& transfer = transfers[i];
    page.begin();
    add(page, i);
    if (!transfer.cancelled.is_one()) page.remark({"cancelled: ", math(transfer.cancelled)});
    page.end(transfer.terms, transfer.verification);
  }
  return std::move(page).take();
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

Page page(const SignalFlowGraph& graph, std::span<const TransferFunction> transfers, Detail detail,
          std::optional<std::size_t> digits) {
  return answers(transfers, detail, [&](AnswerPage& page, std::size_t i) {
    if (!digits) return page.equation(graph, transfers[i].question, in_print(transfers[i].value));
    const DecimalFraction decimals = decimal_fraction(transfers[i].value, *digits);
    page.equation(graph, transfers[i].question,
                  decimals.below ? Math::quotient(decimals.above, *decimals.below) : decimals.above);
    if (decimals.rounded) page.remark({"rounded: to " + std::to_string(*digits) + " significant digits"});
  });
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers) {
  write_list(out, graph, transfers, "rational", [&](Json& json, std::size_t i) { add_fraction(json, transfers[i].value); });
}

Page parallel_page(const SignalFlowGraph& graph, std::span<const TransferFunction> transfers, Detail detail) {
  return answers(transfers, detail, [&](AnswerPage& page, std::size_t i) {
    const RationalFunction& value = transfers[i].value;
    const std::optional<Math> combined = parallel_form(value);
    page.equation(graph, transfers[i].question, combined ? Expression(*combined) : in_print(value));
  });
}

void write_parallel_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers) {
  write_list(out, graph, transfers, "rational", [&](Json& json, std::size_t i) {
    add_fraction(json, transfers[i].value);
    const std::optional<Math> combined = parallel_form(transfers[i].value);
    json["parallel"] = combined ? Json(write(*combined, Notation::text)) : json["expression"];
  });
}

Page page(const SignalFlowGraph& graph, std::span<const MasonListing> listings, std::span<const TransferFunction> transfers,
          Detail detail) {
  return answers(transfers, detail, [&](AnswerPage& page, std::size_t i) {
    const auto [above, below] = gain_by_paths(listings[i]);
    Math value = math(above, graph.op.symbol());
    const bool ratio = listings[i].question.mode == Question::Mode::ratio;
    if (!below.is_equal(1))
      value = Math::quotient(std::move(value), ratio ? math(below, graph.op.symbol()) : loop_sum(listings[i]));
    page.equation(graph, transfers[i].question, std::move(value));
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

Page page(const SignalFlowGraph& graph, std::span<const NumericTransfer> numbers, std::span<const TransferFunction> transfers,
          Detail detail) {
  return answers(transfers, detail, [&](AnswerPage& page, std::size_t i) {
    page.add(Paragraph{{answer_name(graph, transfers[i].question)}});
    page.remark({Math::equation(Math::name("num"), list(numbers[i].num))});
    page.remark({Math::equation(Math::name("den"), list(numbers[i].den))});
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
