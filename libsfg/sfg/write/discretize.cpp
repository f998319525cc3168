#include "sfg/write/time_response.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/condition.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/rational_text.hpp"

namespace sfg {

using json::Json;

namespace {

bool is_numeric(const SampledFormula& formula) {
  const auto number = [](const GiNaC::ex& c) { return GiNaC::is_a<GiNaC::numeric>(c); };
  return std::ranges::all_of(formula.numerator, number) && std::ranges::all_of(formula.denominator, number);
}

/// Numbers, of which the denominator is monic.
struct Numbers {
  explicit Numbers(const SampledFormula& formula) {
    const auto value = [](const GiNaC::ex& c) { return exact_value(GiNaC::ex_to<GiNaC::numeric>(c)); };
    for (const GiNaC::ex& c : formula.numerator) above.push_back(value(c) / value(formula.denominator.front()));
    for (const GiNaC::ex& c : formula.denominator) below.push_back(value(c) / value(formula.denominator.front()));
  }
  std::vector<exact::Rational> above, below;
};

/// As numbers, highest power first; 0 is a polynomial of one coefficient.
std::vector<double> coefficients(const std::vector<exact::Rational>& polynomial) {
  const std::vector<double> values = exact::RationalPolynomial(polynomial).doubles();
  return values.empty() ? std::vector{0.0} : values;
}

std::string bracketed_sum(const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

/// A coefficient, not 0, times something.
Math sample_term(const GiNaC::ex& coefficient, std::optional<Math> of) {
  if (GiNaC::is_a<GiNaC::numeric>(coefficient))
    return coefficient_math(exact_value(GiNaC::ex_to<GiNaC::numeric>(coefficient)), std::move(of));
  Math size = math(coefficient);
  const bool negative = size.is_negative();
  if (negative) size = Math::negative(std::move(size));
  if (of) size = Math::product({std::move(size), std::move(*of)});
  return negative ? Math::negative(std::move(size)) : size;
}

/// name[k - lag]
Math sample(const std::string& signal, std::size_t lag) {
  std::vector<Math> index{Math::name("k")};
  if (lag > 0) index.push_back(Math::negative(Math::number(std::to_string(lag))));
  return Math::element(signal_name(signal), {Math::sum(std::move(index))});
}

/// y[k] = … of past samples of y, then of samples of u.
Equation difference(const SampledFormula& formula, const DifferenceEquation& equation) {
  std::vector<Math> terms;
  for (std::size_t i = 0; i < equation.of_output.size(); ++i)
    if (!equation.of_output[i].is_zero()) terms.push_back(sample_term(equation.of_output[i], sample(formula.output, i + 1)));
  for (std::size_t i = 0; i < equation.of_input.size(); ++i)
    if (!equation.of_input[i].is_zero()) terms.push_back(sample_term(equation.of_input[i], sample(formula.input, i)));
  return {sample(formula.output, 0), {terms.empty() ? Math::number("0") : Math::sum(std::move(terms))}};
}

Equation difference(const SampledFormula& formula) { return difference(formula, formula.difference); }

/// Letters that no name of the formula begins with, digits behind it.
std::pair<std::string, std::string> free_letters(const DifferenceEquation& equation) {
  std::set<std::string> taken;
  for (const auto* list : {&equation.of_output, &equation.of_input})
    for (const GiNaC::ex& c : *list)
      for (const std::string& name : symbol_names(c)) taken.insert(name.substr(0, name.find_first_of("0123456789")));
  for (const auto& [a, b] : {std::pair{"a", "b"}, {"c", "d"}, {"alpha", "beta"}})
    if (!taken.contains(a) && !taken.contains(b)) return {a, b};
  return {"a_", "b_"};
}

/// The difference equation; where that is long, with names for its coefficients and what they are below.
std::vector<Equation> difference_lines(const SampledFormula& formula) {
  constexpr std::size_t longest = 100;
  DifferenceEquation equation = formula.difference;
  std::vector<Equation> lines{difference(formula, equation)};
  if (write(tree(lines[0].right.front()), Notation::text).size() <= longest) return lines;
  const auto [a, b] = free_letters(equation);
  const auto name = [&](std::vector<GiNaC::ex>& list, const std::string& letter, std::size_t first) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (symbol_names(list[i]).empty()) continue;
      const std::string called = letter + std::to_string(i + first);
      lines.push_back({Math::name(called), {math(list[i])}});
      list[i] = GiNaC::symbol(called);
    }
  };
  name(equation.of_output, a, 1);
  name(equation.of_input, b, 0);
  lines[0] = difference(formula, equation);
  return lines;
}

std::string difference_text(const SampledFormula& formula) {
  const Equation equation = difference(formula);
  return write(Math::equation(*equation.left, tree(equation.right.front())), Notation::text);
}

/// What all coefficients have but for a number; 1 where it is not the same.
GiNaC::ex common_factor(const std::vector<GiNaC::ex>& coefficients) {
  GiNaC::ex factor = 1;
  for (const GiNaC::ex& c : coefficients) {
    if (c.is_zero()) continue;
    factor = c;
    if (GiNaC::is_a<GiNaC::mul>(c))
      for (const GiNaC::ex& part : c)
        if (GiNaC::is_a<GiNaC::numeric>(part)) factor /= part;
    break;
  }
  for (const GiNaC::ex& c : coefficients)
    if (!GiNaC::is_a<GiNaC::numeric>(c / factor)) return 1;
  return factor;
}

Math polynomial(const std::vector<GiNaC::ex>& coefficients, const GiNaC::ex& factor) {
  std::vector<Math> terms;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const std::size_t power = coefficients.size() - 1 - i;
    if (coefficients[i].is_zero()) continue;
    std::optional<Math> by;
    if (power == 1) by = Math::name("z");
    if (power > 1) by = Math::power(Math::name("z"), Math::number(std::to_string(power)));
    terms.push_back(sample_term(coefficients[i] / factor, std::move(by)));
  }
  return terms.empty() ? Math::number("0") : Math::sum(std::move(terms));
}

Math formula_value(const SampledFormula& formula) {
  const GiNaC::ex factor = common_factor(formula.numerator);
  Math above = polynomial(formula.numerator, factor);
  if (!factor.is_equal(1)) above = above == Math::number("1") ? math(factor) : Math::product({math(factor), std::move(above)});
  Math below = polynomial(formula.denominator, 1);
  return below == Math::number("1") ? above : Math::quotient(std::move(above), std::move(below));
}

/// Of symbols that are told apart, and of pairs of poles.
std::vector<Math> conditions(const SampledFormula& formula) {
  std::vector<Math> result;
  for (const GiNaC::ex& e : formula.nonzero) result.push_back(Math::relation(math(e), "≠", Math::number("0")));
  for (const GiNaC::ex& e : formula.positive) result.push_back(positive_condition(e));
  return result;
}

Math numeric_value_of(const SampledFormula& formula) {
  const Numbers numbers(formula);
  Math value = polynomial_math(numbers.above, "z");
  return numbers.below.size() > 1 ? Math::quotient(std::move(value), polynomial_math(numbers.below, "z")) : value;
}

Json numeric_json(const SampledFormula& formula) {
  const Numbers numbers(formula);
  const std::string above = polynomial_text(numbers.above, "z"), below = polynomial_text(numbers.below, "z");
  return {{"input", formula.input},
          {"output", formula.output},
          {"form", "numeric"},
          {"expression", below == "1" ? above : bracketed_sum(above) + "/" + bracketed_sum(below)},
          {"numerator", above},
          {"denominator", below},
          {"num", coefficients(numbers.above)},
          {"den", coefficients(numbers.below)},
          {"difference", difference_text(formula)}};
}

Json rational_json(const SampledFormula& formula) {
  const auto texts = [](const std::vector<GiNaC::ex>& coefficients) {
    Json list = Json::array();
    for (const GiNaC::ex& c : coefficients) list.push_back(print(c));
    return list.empty() ? Json::array({"0"}) : list;
  };
  const std::string above = write(polynomial(formula.numerator, 1), Notation::text),
                    below = write(polynomial(formula.denominator, 1), Notation::text);
  Json where = Json::array();
  for (const Math& condition : conditions(formula)) where.push_back(write(condition, Notation::text));
  return {{"input", formula.input},
          {"output", formula.output},
          {"form", "rational"},
          {"expression", quotient_text(above, below)},
          {"numerator", above},
          {"denominator", below},
          {"num", texts(formula.numerator)},
          {"den", texts(formula.denominator)},
          {"difference", difference_text(formula)},
          {"conditions", std::move(where)}};
}

}  // namespace

Page page(std::span<const SampledFormula> formulas, const GiNaC::ex& sample_time, const std::string& method) {
  Page page;
  const std::string time = print(sample_time) + (GiNaC::is_a<GiNaC::numeric>(sample_time) ? " s" : "");
  for (const SampledFormula& formula : formulas) {
    const bool numeric = is_numeric(formula);
    Math name = gain_name(formula.input, formula.output);
    page.add(Paragraph{{name, ", sample time " + time + ", " + method}});
    page.add(Equations{{{std::move(name), {numeric ? numeric_value_of(formula) : formula_value(formula)}}}, "z", 1});
    page.add(Equations{difference_lines(formula), {}, 1});
    for (Math& condition : conditions(formula)) page.add(Paragraph{{"where ", std::move(condition)}, 1});
    if (!numeric) page.add(Paragraph{words("verified: the same as sampling gives with numbers for the names"), 1, true});
  }
  return page;
}

void write_json(std::ostream& out, std::span<const SampledFormula> formulas, const GiNaC::ex& sample_time,
                const std::string& method) {
  const auto number = rational_value(sample_time);
  Json j{{"schema", "sfg/discretize/1"},
         {"variable", "z"},
         {"sample_time", number ? Json(number->to_double()) : Json(print(sample_time))},
         {"method", method},
         {"transfers", Json::array()}};
  for (const SampledFormula& formula : formulas)
    j["transfers"].push_back(is_numeric(formula) ? numeric_json(formula) : rational_json(formula));
  out << j.dump() << '\n';
}

}  // namespace sfg
