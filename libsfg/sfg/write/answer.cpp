#include "sfg/write/answer.hpp"
#include "sfg/write/page/page_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

Json count(const std::optional<ring::Integer>& number) { return number ? Json(to_string(*number)) : Json(nullptr); }

std::string number_in_words(const std::optional<ring::Integer>& n) { return n ? to_string(*n) : "very many"; }

/// Nothing is more than any number.
std::optional<ring::Integer> larger(const std::optional<ring::Integer>& a, const std::optional<ring::Integer>& b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

std::string verified(const std::string& method, std::uint64_t points, double bound) {
  return fmt::format("verified: {}, {} points; chance of a miss below {:.0e}", method, points, bound);
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

Math answer_name(const SignalFlowGraph& graph, const Question& question) {
  return gain_name(graph[question.input].name, graph[question.output].name);
}

void AnswerPage::begin() {
  if (!page_.blocks.empty()) page_.add(Gap{});
}

void AnswerPage::equation(const SignalFlowGraph& graph, const Question& question, Expression value) {
  page_.add(Equations{{{answer_name(graph, question), {std::move(value)}}}, graph.op.symbol()});
}

void AnswerPage::remark(Prose text, std::size_t depth) { page_.add(Paragraph{std::move(text), depth}); }

void AnswerPage::end(const TermCounts& terms, const Verification& verification) {
  terms_.push_back(terms);
  verifications_.push_back(verification);
  if (detail_ == Detail::full) add_checks(terms, verification);
}

void AnswerPage::add_checks(const TermCounts& terms, const Verification& verification) {
  page_.add(Paragraph{{"products of gains: " + number_in_words(terms.numerator) + " in the numerator, " +
                       number_in_words(terms.determinant) + " in the determinant"},
                      1,
                      true});
  page_.add(Paragraph{{verified(verification.method, verification.points, verification.error_bound)}, 1, true});
}

Page AnswerPage::take() && {
  if (detail_ == Detail::full || terms_.empty()) return std::move(page_);
  if (terms_.size() == 1) {
    add_checks(terms_.front(), verifications_.front());
    return std::move(page_);
  }
  TermCounts most = terms_.front();
  Verification least = verifications_.front();
  for (const TermCounts& terms : terms_) {
    most.numerator = larger(most.numerator, terms.numerator);
    most.determinant = larger(most.determinant, terms.determinant);
  }
  for (const Verification& verification : verifications_) {
    least.points = std::min(least.points, verification.points);
    least.error_bound = std::max(least.error_bound, verification.error_bound);
    if (("; " + least.method + ";").find("; " + verification.method + ";") == std::string::npos)
      least.method += "; " + verification.method;
  }
  page_.add(Gap{});
  page_.add(Paragraph{{"products of gains: at most " + number_in_words(most.numerator) + " in a numerator, " +
                       number_in_words(most.determinant) + " in a determinant"},
                      0,
                      true});
  page_.add(Paragraph{{"each " + verified(least.method, least.points, least.error_bound)}, 0, true});
  return std::move(page_);
}

}  // namespace sfg
