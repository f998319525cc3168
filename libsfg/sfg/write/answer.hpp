#pragma once
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "sfg/expr/print.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/term_counts.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

/// What the answers to a question have in common, whatever their form.

/// {"input", "output", "form"}, and "reference" or "injected" where they matter.
nlohmann::ordered_json answer_json(const SignalFlowGraph&, const Question&, const std::string& form);
/// Adds "terms" and "verified".
void add_checks(nlohmann::ordered_json&, const TermCounts&, const Verification&);
/// {"schema": "sfg/tf/1", "variable", "transfers": […]}
nlohmann::ordered_json answers_json(const SignalFlowGraph&, nlohmann::ordered_json transfers);

/// "C/R" or \frac{C}{R}.
std::string answer_name(const SignalFlowGraph&, const Question&, Notation);
/// Lines about the numbers of terms and the verification; comments in LaTeX.
void write_checks(std::ostream&, const TermCounts&, const Verification&, Notation);
/// The beginning of such a line.
std::string remark(Notation);

/// left = above/below: in plain text on one line where it fits, as a fraction over two lines where that fits, else apart.
/// `below` is empty when there is no denominator; `line` is the whole on one line.
void write_equation(std::ostream&, const std::string& left, const std::string& line, const std::string& above,
                    const std::string& below, Notation);

}  // namespace sfg
