#pragma once
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "sfg/transfer/question.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/verification.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

// Not installed: what the answers to a question have in common, whatever their form.

/// {"input", "output", "form"}, and "reference" or "injected" where they matter.
nlohmann::ordered_json answer_json(const SignalFlowGraph&, const Question&, const std::string& form);
/// Adds "terms" and "verified".
void add_checks(nlohmann::ordered_json&, const TermCounts&, const Verification&);
/// {"schema": "sfg/tf/1", "variable", "transfers": […]}
nlohmann::ordered_json answers_json(const SignalFlowGraph&, nlohmann::ordered_json transfers);

/// C/R
Math answer_name(const SignalFlowGraph&, const Question&);

/// The answers one after the other. How many terms there were and how they were verified stands behind each in full detail,
/// else once behind all.
class AnswerPage {
 public:
  explicit AnswerPage(Detail detail) : detail_(detail) {}

  void begin();
  /// name = value
  void equation(const SignalFlowGraph&, const Question&, Expression value);
  void remark(Prose, std::size_t depth = 1);
  void add(Block block) { page_.add(std::move(block)); }
  void end(const TermCounts&, const Verification&);
  Page take() &&;

 private:
  void add_checks(const TermCounts&, const Verification&);

  Detail detail_;
  Page page_;
  std::vector<TermCounts> terms_;
  std::vector<Verification> verifications_;
};

/// The definitions one a line, then T(input → output) in their names.
void add_sequence(AnswerPage&, const SignalFlowGraph&, const TransferSequence&);
/// "definitions", "expression", "numerator", "denominator".
void add_sequence(nlohmann::ordered_json&, const TransferSequence&);

}  // namespace sfg
