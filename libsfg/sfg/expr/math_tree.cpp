#include "sfg/expr/math_tree.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <utility>

#include "sfg/expr/print_form.hpp"

namespace sfg {

using Kind = Math::Kind;

namespace {

Math leaf(Kind kind, std::string_view text) { return {.kind = kind, .text = std::string(text)}; }
Math inner(Kind kind, std::vector<Math> parts) { return {.kind = kind, .text = {}, .parts = std::move(parts)}; }

/// Products of one factor and sums of one term are that.
Math joined(Kind kind, std::vector<Math> parts) {
  return parts.size() == 1 ? std::move(parts.front()) : inner(kind, std::move(parts));
}

Math number_tree(const GiNaC::numeric& n, NumberText style) { return form_tree(PrintSum{{PrintProduct{n, {}}}}, style); }

Math factor_tree(const PrintFactor& f, const GiNaC::numeric& exponent, NumberText style) {
  static const GiNaC::numeric half(1, 2);
  if (!f.symbolic_exponent.empty()) return Math::power(base_tree(f, style), form_tree(f.symbolic_exponent[0], style));
  if (exponent == 1) return base_tree(f, style);
  if (exponent == half) return Math::root(base_tree(f, style));
  return Math::power(base_tree(f, style), number_tree(exponent, {}));
}

/// The product without its sign.
Math magnitude(const PrintProduct& p, NumberText style) {
  const GiNaC::numeric coefficient = abs(p.coefficient);
  std::vector<Math> top, bottom;
  if (const auto whole = number_in_one_piece(coefficient, style)) {
    if (*whole != "1") top.push_back(Math::number(*whole));
  } else {
    if (coefficient.numer() != 1) top.push_back(Math::number(integer_text(coefficient.numer())));
    bottom.push_back(Math::number(integer_text(coefficient.denom())));
  }
  for (const PrintFactor& factor : p.factors) {
    if (factor.is_denominator())
      bottom.push_back(factor_tree(factor, -factor.exponent, style));
    else
      top.push_back(factor_tree(factor, factor.exponent, style));
  }
  if (top.empty()) top.push_back(Math::number("1"));
  Math above = Math::product(std::move(top));
  return bottom.empty() ? above : Math::quotient(std::move(above), Math::product(std::move(bottom)));
}

}  // namespace

Math form_tree(const PrintSum& form, NumberText style) {
  if (form.terms.empty()) return Math::number("0");
  std::vector<Math> terms;
  terms.reserve(form.terms.size());
  for (const PrintProduct& term : form.terms) {
    Math size = magnitude(term, style);
    terms.push_back(term.coefficient.is_negative() ? Math::negative(std::move(size)) : std::move(size));
  }
  return Math::sum(std::move(terms));
}

Math base_tree(const PrintFactor& f, NumberText style) {
  switch (f.kind) {
    case PrintFactor::Kind::number: return number_tree(f.number, style);
    case PrintFactor::Kind::constant: return leaf(Kind::constant, f.name);
    case PrintFactor::Kind::symbol: return Math::name(f.name);
    case PrintFactor::Kind::call: {
      std::vector<Math> arguments;
      for (const PrintSum& part : f.parts) arguments.push_back(form_tree(part, style));
      return Math::call(f.name, std::move(arguments));
    }
    case PrintFactor::Kind::group: return form_tree(f.parts[0], style);
  }
  return {};
}

Math Math::name(std::string_view text) { return leaf(Kind::name, text); }
Math Math::signal(std::string_view text) { return leaf(Kind::name, text); }
Math Math::number(std::string_view text) { return leaf(Kind::number, text); }
Math Math::word(std::string_view text) { return leaf(Kind::word, text); }
Math Math::bold(std::string_view text) { return leaf(Kind::bold, text); }
Math Math::sum(std::vector<Math> terms) { return joined(Kind::sum, std::move(terms)); }
Math Math::product(std::vector<Math> factors) { return joined(Kind::product, std::move(factors)); }
Math Math::root(Math inside) { return inner(Kind::root, {std::move(inside)}); }
Math Math::power(Math base, Math exponent) { return inner(Kind::power, {std::move(base), std::move(exponent)}); }
Math Math::negative(Math positive) {
  return positive.is_negative() ? std::move(positive.parts.front()) : inner(Kind::negative, {std::move(positive)});
}
Math Math::quotient(Math numerator, Math denominator) {
  return inner(Kind::quotient, {std::move(numerator), std::move(denominator)});
}
Math Math::call(std::string_view function, std::vector<Math> arguments) {
  return {.kind = Kind::call, .text = std::string(function), .parts = std::move(arguments)};
}
Math Math::relation(Math left, std::string_view sign, Math right) {
  return {.kind = Kind::relation, .text = std::string(sign), .parts = {std::move(left), std::move(right)}};
}
Math Math::matrix(std::vector<Math> entries, std::size_t columns) {
  return {.kind = Kind::matrix, .text = {}, .parts = std::move(entries), .columns = columns};
}

Math Math::element(Math of, std::vector<Math> indices) {
  indices.insert(indices.begin(), std::move(of));
  return inner(Kind::element, std::move(indices));
}

Math math(const GiNaC::ex& e, std::string_view main) { return form_tree(print_form(e, main), NumberText{}); }

std::vector<Math> terms(const Math& formula) { return formula.kind == Kind::sum ? formula.parts : std::vector<Math>{formula}; }

Math line_of_terms(const Math& sum, std::size_t begin, std::size_t end) {
  const std::vector<Math> all = terms(sum);
  const auto at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(std::min(i, all.size())); };
  Math line = inner(Kind::sum, std::vector<Math>(at(begin), at(end)));
  line.continued = begin > 0;
  return line;
}

}  // namespace sfg
