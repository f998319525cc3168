#include "sfg/write/answer.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <utility>

#include "sfg/text/utf8.hpp"
#include "sfg/write/signal_name.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t page = 100;  ///< characters of a line of text

Json count(const std::optional<ring::Integer>& number) { return number ? Json(to_string(*number)) : Json(nullptr); }

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

/// True when the text has that name, alone.
bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_in_name(text[at - 1])) && (end == text.size() || !is_in_name(text[end]))) return true;
  }
  return false;
}

/// Names for numerator and denominator that mean nothing else in them.
std::pair<std::string, std::string> names_of_parts(const std::string& above, const std::string& below) {
  const auto taken = [&](const std::string& name) { return mentions(above, name) || mentions(below, name); };
  std::string N = "N", D = "D";
  while (taken(N) || taken(D)) {
    N += "_";
    D += "_";
  }
  return {N, D};
}

}  // namespace

Json answer_json(const SignalFlowGraph& graph, const Question& question, const std::string& form) {
  Json json{{"input", graph[question.input].name}, {"output", graph[question.output].name}};
  if (question.reference) json["reference"] = graph[*question.reference].name;
  if (question.mode == Question::Mode::inject) json["injected"] = true;
  json["form"] = form;
  return json;
}

void add_checks(Json& json, const TermCounts& terms, const Verification& verification) {
  json["terms"] = {{"numerator", count(terms.numerator)}, {"determinant", count(terms.determinant)}};
  json["verified"] = {
      {"method", verification.method}, {"points", verification.points}, {"error_bound", verification.error_bound}};
}

Json answers_json(const SignalFlowGraph& graph, Json transfers) {
  return {{"schema", "sfg/tf/1"}, {"variable", graph.op.symbol()}, {"transfers", std::move(transfers)}};
}

std::string answer_name(const SignalFlowGraph& graph, const Question& question, Notation notation) {
  return gain_name(graph[question.input].name, graph[question.output].name, notation);
}

std::string remark(Notation notation) { return notation == Notation::latex ? "% " : "  "; }

void write_checks(std::ostream& out, const TermCounts& terms, const Verification& verification, Notation notation) {
  const auto number = [](const std::optional<ring::Integer>& n) { return n ? to_string(*n) : "very many"; };
  fmt::print(out, "{}products of gains: {} in the numerator, {} in the determinant\n", remark(notation), number(terms.numerator),
             number(terms.determinant));
  fmt::print(out, "{}verified: {}, {} points; a wrong answer would pass with a chance below {:.0e}\n", remark(notation),
             verification.method, verification.points, verification.error_bound);
}

void write_equation(std::ostream& out, const std::string& left, const std::string& line, const std::string& above,
                    const std::string& below, Notation notation) {
  const std::size_t margin = character_count(left) + 3, width = std::max(character_count(above), character_count(below));
  if (notation == Notation::latex) {
    const std::string right = below.empty() ? above : "\\frac{" + above + "}{" + below + "}";
    fmt::print(out, "\\begin{{equation*}}\n{} = {}\n\\end{{equation*}}\n", left, right);
  } else if (below.empty() || margin + character_count(line) <= page) {
    fmt::print(out, "{} = {}\n", left, line);
  } else if (margin + width <= page) {
    const auto centred = [&](const std::string& text) {
      return std::string(margin + (width - character_count(text)) / 2, ' ') + text;
    };
    fmt::print(out, "{}\n{} = {}\n{}\n", centred(above), left, std::string(width, '-'), centred(below));
  } else {
    const auto [N, D] = names_of_parts(above, below);
    fmt::print(out, "{0} = {1}/{2}\n  {1} = {3}\n  {2} = {4}\n", left, N, D, above, below);
  }
}

}  // namespace sfg
