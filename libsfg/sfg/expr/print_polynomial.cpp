#include <algorithm>
#include <charconv>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_form.hpp"
#include "sfg/expr/print_math.hpp"

namespace sfg {

namespace {

using ring::Polynomial;
using Exponents = std::span<const std::uint64_t>;

/// True for "x" and "sin(x + 1)": what may stand before "^" as it is.
bool is_atom(std::string_view text) {
  if (is_name(text)) return true;
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !is_name(text.substr(0, open))) return false;
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1 == text.size();
  }
  return false;
}

void append_number(std::string& text, std::uint64_t n) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

/// Writes a polynomial in the grammar of parse(), straight from its terms: closed forms may have 10^5 of them.
class PolynomialText {
 public:
  PolynomialText(const Polynomial& p, bool collect) : polynomial_(p), collect_(collect && !p.context()->variables().empty()) {
    for (const std::string& name : p.context()->variables()) {
      bases_.push_back(name);
      powered_.push_back(is_atom(name) ? name : "(" + name + ")");
    }
  }

  std::string operator()() {
    if (polynomial_.is_zero()) return "0";
    polynomial_.visit_terms([&](std::string_view coefficient, Exponents exponents) {
      if (!collect_) {
        append_term(text_, coefficient, exponents, 0);
        return;
      }
      if (!group_.empty() && exponents[0] != power_) flush();
      power_ = exponents[0];
      append_term(group_, coefficient, exponents, 1);
      if (++group_terms_ == 1) single_.assign(coefficient), single_exponents_.assign(exponents.begin(), exponents.end());
    });
    if (collect_) flush();
    return std::move(text_);
  }

 private:
  /// Appends " + term", or the term alone to an empty text.
  void append_term(std::string& text, std::string_view coefficient, Exponents exponents, std::size_t first) {
    const bool negative = coefficient.front() == '-';
    if (negative) coefficient.remove_prefix(1);
    if (text.empty())
      text += negative ? "-" : "";
    else
      text += negative ? " - " : " + ";
    const std::size_t slash = coefficient.find('/');
    const std::string_view top = coefficient.substr(0, slash);
    bool empty = top == "1";
    if (!empty) text += top;
    for (std::size_t v = std::max<std::size_t>(first, 1); v < exponents.size(); ++v) append_power(text, v, exponents[v], empty);
    if (first == 0 && !exponents.empty()) append_power(text, 0, exponents[0], empty);
    if (empty) text += '1';
    if (slash != std::string_view::npos) text += coefficient.substr(slash);
  }

  void append_power(std::string& text, std::size_t v, std::uint64_t exponent, bool& empty) const {
    if (exponent == 0) return;
    if (!empty) text += '*';
    empty = false;
    text += exponent == 1 ? bases_[v] : powered_[v];
    if (exponent == 1) return;
    text += '^';
    append_number(text, exponent);
  }

  /// Appends what was gathered for one power of the main variable.
  void flush() {
    if (group_terms_ == 1) {
      append_term(text_, single_, single_exponents_, 0);
    } else if (power_ == 0) {
      if (!text_.empty()) text_ += group_.front() == '-' ? " - " : " + ";
      text_ += std::string_view(group_).substr(!text_.empty() && group_.front() == '-' ? 1 : 0);
    } else {
      text_ += text_.empty() ? "(" : " + (";
      text_ += group_ + ")";
      bool empty = false;
      append_power(text_, 0, power_, empty);
    }
    group_.clear();
    group_terms_ = 0;
  }

  const Polynomial& polynomial_;
  bool collect_;
  std::vector<std::string> bases_, powered_;
  std::string text_, group_, single_;
  std::vector<std::uint64_t> single_exponents_;
  std::size_t group_terms_ = 0;
  std::uint64_t power_ = 0;
};

}  // namespace

std::string print(const ring::Polynomial& p, Notation, bool collect) { return PolynomialText(p, collect)(); }

}  // namespace sfg
