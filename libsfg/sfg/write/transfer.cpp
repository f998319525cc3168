#include "sfg/write/transfer.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ginac/operators.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/analysis/mason.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/signal_name.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t page = 100;  ///< characters of a line of text

std::string name_of(const SignalFlowGraph& graph, const Question& question, Notation notation) {
  return gain_name(graph[question.input].name, graph[question.output].name, notation);
}

void write_latex(std::ostream& out, const std::string& left, const std::string& above, const std::string& below) {
  const std::string right = below.empty() ? above : "\\frac{" + above + "}{" + below + "}";
  out << "\\begin{equation*}\n" << left << " = " << right << "\n\\end{equation*}\n";
}

/// On one line where it fits, as a fraction over two lines where that fits, else numerator and denominator apart.
void write_plain(std::ostream& out, const std::string& left, const std::string& line, const std::string& above,
                 const std::string& below) {
  const std::size_t width = std::max(above.size(), below.size());
  if (below.empty() || left.size() + line.size() + 3 <= page) {
    fmt::print(out, "{} = {}\n", left, line);
  } else if (left.size() + width + 3 <= page) {
    const std::string margin(left.size() + 3, ' ');
    fmt::print(out, "{}{}\n{} = {}\n{}{}\n", margin, std::string((width - above.size()) / 2, ' ') + above, left,
               std::string(width, '-'), margin, std::string((width - below.size()) / 2, ' ') + below);
  } else {
    fmt::print(out, "{} = N/D\n  N = {}\n  D = {}\n", left, above, below);
  }
}

void write_rational(std::ostream& out, const SignalFlowGraph& graph, const TransferFunction& transfer, Notation notation) {
  const std::string left = name_of(graph, transfer.question, notation);
  const std::string above = print(transfer.value.numerator(), notation);
  const std::string below = transfer.value.denominator().is_one() ? "" : print(transfer.value.denominator(), notation);
  if (notation == Notation::latex)
    write_latex(out, left, above, below);
  else
    write_plain(out, left,
                below.empty()                ? above
                : notation == Notation::text ? transfer.value.text()
                                             : "(" + above + ")/(" + below + ")",
                above, below);
}

void write_by_paths(std::ostream& out, const SignalFlowGraph& graph, const TransferFunction& transfer, Notation notation) {
  const auto [above, below] = gain_by_paths(mason(graph, transfer.question));
  const std::string left = name_of(graph, transfer.question, notation);
  const auto text = [&](const GiNaC::ex& e) { return print(e, notation, graph.variable); };
  if (notation == Notation::latex)
    write_latex(out, left, text(above), text(below));
  else
    write_plain(out, left, text(above / below), text(above), text(below));
}

std::string list(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + print(number);
  return "[" + text + "]";
}

/// What is known of the answer besides itself, as remarks of the notation.
void write_remarks(std::ostream& out, const TransferFunction& transfer, Notation notation) {
  const std::string mark = notation == Notation::latex ? "% " : "  ";
  if (!transfer.cancelled.is_one()) fmt::print(out, "{}cancelled: {}\n", mark, print(transfer.cancelled));
  const auto number = [](const std::string& digits) { return digits.empty() ? "very many" : digits; };
  fmt::print(out, "{}products of gains: {} in the numerator, {} in the determinant\n", mark, number(transfer.terms.numerator),
             number(transfer.terms.determinant));
  fmt::print(out, "{}verified: {} at {} points; a wrong answer would pass with a chance below {:.0e}\n", mark,
             transfer.verification.method, transfer.verification.points, transfer.verification.error_bound);
}

Json count(const std::string& digits) { return digits.empty() ? Json(nullptr) : Json(digits); }

Json json_of(const SignalFlowGraph& graph, const TransferFunction& transfer, TransferForm form) {
  Json json{{"input", graph[transfer.question.input].name}, {"output", graph[transfer.question.output].name}};
  if (transfer.question.reference) json["reference"] = graph[*transfer.question.reference].name;
  if (transfer.question.mode == Question::Mode::inject) json["injected"] = true;
  json["form"] = form == TransferForm::mason ? "mason" : form == TransferForm::numeric ? "numeric" : "rational";
  if (form == TransferForm::mason) {
    const auto [above, below] = gain_by_paths(mason(graph, transfer.question));
    json["expression"] = print(above / below);
    json["numerator"] = print(above);
    json["denominator"] = print(below);
  } else {
    json["expression"] = transfer.value.text();
    json["numerator"] = print(transfer.value.numerator());
    json["denominator"] = print(transfer.value.denominator());
  }
  if (form == TransferForm::numeric) {
    const NumericTransfer numbers = numeric_transfer(transfer, graph.symbols);
    json["num"] = numbers.num;
    json["den"] = numbers.den;
  }
  json["cancelled"] = print(transfer.cancelled);
  json["terms"] = {{"numerator", count(transfer.terms.numerator)}, {"determinant", count(transfer.terms.determinant)}};
  json["verified"] = {{"method", transfer.verification.method},
                      {"points", transfer.verification.points},
                      {"error_bound", transfer.verification.error_bound}};
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
      fmt::print(out, "{}\n  num = {}\n  den = {}\n", name_of(graph, transfer.question, Notation::text), list(numbers.num),
                 list(numbers.den));
    } else {
      write_rational(out, graph, transfer, notation);
    }
    write_remarks(out, transfer, notation);
  }
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, std::span<const TransferFunction> transfers, TransferForm form) {
  Json json{{"schema", "sfg/tf/1"}, {"variable", graph.variable}, {"transfers", Json::array()}};
  for (const TransferFunction& transfer : transfers) json["transfers"].push_back(json_of(graph, transfer, form));
  out << json.dump() << "\n";
}

}  // namespace sfg
