#include <ginac/ginac.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/name.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print_form.hpp"

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

/// "k^(1/3)" is a root: its base as text, and 3.
struct RootText {
  std::string base;
  std::uint64_t degree = 1;
};

RootText root_text(const std::string& name) {
  constexpr std::string_view opening = "^(1/";
  const std::size_t begin = name.rfind(opening);
  if (begin == std::string::npos || name.back() != ')') return {name, 1};
  const char* const last = name.data() + name.size() - 1;
  RootText root{name.substr(0, begin), 1};
  const auto [end, problem] = std::from_chars(name.data() + begin + opening.size(), last, root.degree);
  return end == last && problem == std::errc() ? root : RootText{name, 1};
}

/// The variables but for the first in the order in which they stand in a product: pi, the letters, what is no letter.
std::vector<std::size_t> order_in_products(std::span<const std::string> variables) {
  std::vector<std::size_t> order;
  for (std::size_t v = 1; v < variables.size(); ++v) order.push_back(v);
  const auto rank = [&](std::size_t v) { return variables[v] == "pi" ? 0 : is_name(variables[v]) ? 1 : 2; };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return rank(a) == 1 && stands_before(variables[a], variables[b]);
  });
  return order;
}

void append_number(std::string& text, std::uint64_t n) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
}

/// Writes a polynomial in the grammar of parse(), straight from its terms: closed forms may have 10^5 of them.
class PolynomialText {
 public:
  PolynomialText(const Polynomial& p, bool collect)
      : polynomial_(p),
        collect_(collect && !p.context()->variables().empty()),
        order_(order_in_products(p.context()->variables())) {
    for (const std::string& name : p.context()->variables()) {
      bases_.push_back(name);
      powered_.push_back(root_text(name));
      std::string& base = powered_.back().base;
      if (powered_.back().degree == 1 && !is_atom(base)) base = "(" + base + ")";
    }
  }

  std::string operator()() {
    if (polynomial_.is_zero()) return "0";
    polynomial_.visit_terms([&](const exact::Rational& coefficient, Exponents exponents) {
      if (!collect_) {
        append_term(text_, coefficient, exponents, 0);
        return;
      }
      if (!group_.empty() && exponents[0] != power_) flush();
      power_ = exponents[0];
      const std::size_t begin = group_.size();
      append_term(group_, coefficient, exponents, 1);
      note_lead(begin, coefficient, exponents);
      if (++group_terms_ == 1) single_ = coefficient, single_exponents_.assign(exponents.begin(), exponents.end());
    });
    if (collect_) flush();
    return std::move(text_);
  }

 private:
  /// Appends " + term", or the term alone to an empty text.
  void append_term(std::string& text, const exact::Rational& coefficient, Exponents exponents, std::size_t first) {
    const bool negative = coefficient.sign() < 0;
    if (text.empty())
      text += negative ? "-" : "";
    else
      text += negative ? " - " : " + ";
    const exact::Rational top = coefficient.numerator();
    bool empty = top == 1 || top == -1;
    if (!empty) append_size(text, top);
    for (const std::size_t v : order_) append_power(text, v, exponents[v], empty);
    if (first == 0 && !exponents.empty()) append_power(text, 0, exponents[0], empty);
    if (empty) text += '1';
    if (coefficient.is_integer()) return;
    text += '/';
    append_size(text, coefficient.denominator());
  }

  static void append_size(std::string& text, const exact::Rational& whole) {
    if (const auto value = whole.to_integer())
      append_number(text, static_cast<std::uint64_t>(*value < 0 ? -*value : *value));
    else
      text += whole.abs().text();
  }

  void append_power(std::string& text, std::size_t v, std::uint64_t exponent, bool& empty) const {
    if (exponent == 0) return;
    if (!empty) text += '*';
    empty = false;
    if (exponent == 1) {
      text += bases_[v];
      return;
    }
    const auto& [base, degree] = powered_[v];
    const std::uint64_t common = std::gcd(exponent, degree);
    text += base;
    if (exponent == degree) return;
    text += degree == common ? "^" : "^(";
    append_number(text, exponent / common);
    if (degree == common) return;
    text += '/';
    append_number(text, degree / common);
    text += ')';
  }

  /// A positive number is to come first, else the first positive term.
  void note_lead(std::size_t begin, const exact::Rational& coefficient, Exponents exponents) {
    if (coefficient.sign() < 0) return;
    const bool is_number = std::ranges::all_of(exponents.subspan(1), [](std::uint64_t e) { return e == 0; });
    if (lead_end_ == 0 || is_number) lead_begin_ = begin, lead_end_ = group_.size();
  }

  void put_lead_first() {
    if (lead_begin_ == 0 || lead_end_ == 0) return;
    constexpr std::size_t sign = 3;  // " + "
    std::string lead = group_.substr(lead_begin_ + sign, lead_end_ - lead_begin_ - sign);
    group_.erase(lead_begin_, lead_end_ - lead_begin_);
    const bool negative = group_.front() == '-';
    group_ = std::move(lead) + (negative ? " - " : " + ") + group_.substr(negative ? 1 : 0);
  }

  /// Appends what was gathered for one power of the main variable.
  void flush() {
    if (group_terms_ > 1 && (power_ != 0 || text_.empty())) put_lead_first();
    lead_begin_ = lead_end_ = 0;
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
  std::vector<std::size_t> order_;
  std::vector<std::string> bases_;
  std::vector<RootText> powered_;
  std::string text_, group_;
  exact::Rational single_;
  std::vector<std::uint64_t> single_exponents_;
  std::size_t group_terms_ = 0;
  std::size_t lead_begin_ = 0, lead_end_ = 0;  ///< the term of the group that is to come first
  std::uint64_t power_ = 0;
};

}  // namespace

namespace {

/// The polynomial in the form that the other notations print.
class PolynomialForm {
 public:
  explicit PolynomialForm(const Polynomial& p) : polynomial_(p), order_(order_in_products(p.context()->variables())) {
    SymbolTable symbols;
    for (const std::string& name : p.context()->variables())
      generators_.push_back(print_form(parse(name, symbols), {}).terms.front());
  }

  PrintSum operator()(bool collect) const {
    PrintSum result;
    if (!collect || generators_.empty()) {
      for (const Polynomial::Term& term : polynomial_.terms()) result.terms.push_back(product(term));
      return result;
    }
    for (const auto& [power, coefficient] : polynomial_.sparse_coefficients(0)) {
      const std::vector<Polynomial::Term> terms = coefficient.terms();
      if (power == 0 || terms.size() == 1) {
        for (Polynomial::Term term : terms) {
          if (power != 0) term.powers.emplace_back(0, power);
          result.terms.push_back(product(term));
        }
      } else {
        PrintFactor group;
        group.kind = PrintFactor::Kind::group;
        group.parts.emplace_back();
        for (const Polynomial::Term& term : terms) group.parts[0].terms.push_back(product(term));
        put_lead_first(group.parts[0], main());
        PrintProduct& collected = result.terms.emplace_back();
        collected.factors.push_back(std::move(group));
        append_power(collected, 0, power);
      }
    }
    if (!polynomial_.depends_on(0)) put_lead_first(result, main());
    return result;
  }

 private:
  const std::string& main() const { return polynomial_.context()->variables()[0]; }

  PrintProduct product(const Polynomial::Term& term) const {
    PrintProduct result;
    result.coefficient = numeric_value(term.coefficient);
    const auto power_of = [&](std::size_t variable) {
      const auto found = std::ranges::find(term.powers, variable, [](const auto& p) { return p.first; });
      return found == term.powers.end() ? std::uint64_t{0} : found->second;
    };
    for (const std::size_t variable : order_)
      if (const std::uint64_t power = power_of(variable); power != 0) append_power(result, variable, power);
    if (const std::uint64_t power = power_of(0); power != 0) append_power(result, 0, power);
    return result;
  }

  void append_power(PrintProduct& product, std::size_t variable, std::uint64_t power) const {
    for (PrintFactor factor : generators_[variable].factors) {
      if (factor.symbolic_exponent.empty()) {
        factor.exponent *= GiNaC::numeric(static_cast<unsigned long>(power));
      } else if (power != 1) {
        PrintFactor group;
        group.kind = PrintFactor::Kind::group;
        group.parts.push_back(PrintSum{{PrintProduct{1, {factor}}}});
        group.exponent = GiNaC::numeric(static_cast<unsigned long>(power));
        factor = std::move(group);
      }
      product.factors.push_back(std::move(factor));
    }
  }

  const Polynomial& polynomial_;
  std::vector<std::size_t> order_;
  std::vector<PrintProduct> generators_;
};

}  // namespace

std::string polynomial_text(const ring::Polynomial& p, Terms terms) { return PolynomialText(p, terms == Terms::collected)(); }

PrintSum polynomial_form(const ring::Polynomial& p, Terms terms) { return PolynomialForm(p)(terms == Terms::collected); }

Math math(const ring::Polynomial& p, Terms terms) { return form_tree(polynomial_form(p, terms)); }

}  // namespace sfg
