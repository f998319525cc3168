#include "sfg/expr/parse.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/syntax.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;

double bits(const Number& n) { return static_cast<double>(std::max(n.numer().int_length(), n.denom().int_length())); }

/// A value with bounds of what it may grow into: the degree when multiplied out, the size of its numbers.
struct ParsedValue {
  ex expr;
  double degree = 0;
  double bits = 0;
};

/// The GiNaC expression of a checked tree.
class Evaluation {
 public:
  using Lookup = std::function<ex(std::string_view, const SourceSpan&)>;

  Evaluation(const TextPlace& place, const ParseLimits& limits, Lookup lookup)
      : place_(place), limits_(limits), lookup_(std::move(lookup)) {}

  ParsedValue operator()(const SyntaxNode& node) const {
    try {
      ParsedValue value = evaluated(node);
      if (GiNaC::is_exactly_a<Number>(value.expr)) value.bits = bits(ex_to<Number>(value.expr));
      if (value.bits > number_bits())
        throw Error(
            span(node),
            "the expression makes a number of about " + std::to_string(static_cast<long>(value.bits * 0.30103)) + " digits",
            "name a part of it as a parameter");
      return value;
    } catch (const GiNaC::pole_error&) {
      throw Error(span(node), "the expression has a pole here: its value is infinite", "correct the argument");
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& problem) {
      if (dynamic_cast<const Error*>(&problem) != nullptr) throw;
      throw Error(span(node), "the expression has no value here", "correct the operands");
    }
  }

 private:
  double number_bits() const { return 64.0 * static_cast<double>(limits_.digits); }
  double greatest_degree() const { return 100.0 * static_cast<double>(limits_.power); }
  SourceSpan span(const SyntaxNode& node) const { return place_.at(*node.token); }

  ParsedValue evaluated(const SyntaxNode& node) const {
    switch (node.kind) {
      case SyntaxNode::Kind::number: {
        const Number value = decimal(node.token->text, span(node), limits_);
        return {value, 0, bits(value)};
      }
      case SyntaxNode::Kind::name:
        if (node.token->text == "pi") return {GiNaC::Pi, 1, 0};
        return {lookup_(node.token->text, span(node)), 1, 0};
      case SyntaxNode::Kind::negation: {
        ParsedValue value = (*this)(*node.parts[0]);
        value.expr = -value.expr;
        return value;
      }
      case SyntaxNode::Kind::sum: return sum(node);
      case SyntaxNode::Kind::product: return product(node);
      case SyntaxNode::Kind::power: return power(node);
      case SyntaxNode::Kind::call: return call(node);
    }
    return {};
  }

  ParsedValue sum(const SyntaxNode& node) const {
    ParsedValue result;
    GiNaC::exvector terms;
    terms.reserve(node.parts.size());
    double number_size = 0;  // of the numeric terms together: denominators multiply
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const ParsedValue part = (*this)(*node.parts[i]);
      result.degree = std::max(result.degree, part.degree);
      result.bits = std::max(result.bits, part.bits);
      if (GiNaC::is_exactly_a<Number>(part.expr)) number_size += part.bits;
      if (number_size > number_bits() && number_size > result.bits) {
        terms = {ex(GiNaC::add(terms))};
        number_size = numeric_bits(terms.front());
        result.bits = std::max(result.bits, number_size);
        if (result.bits > number_bits()) return result;
      }
      terms.push_back(node.inverse[i] ? -part.expr : part.expr);
    }
    result.expr = GiNaC::add(terms);
    return result;
  }

  static double numeric_bits(const ex& e) {
    if (GiNaC::is_exactly_a<Number>(e)) return bits(ex_to<Number>(e));
    const std::size_t n = e.nops();
    const bool ends_in_number = GiNaC::is_exactly_a<GiNaC::add>(e) && n > 0 && GiNaC::is_exactly_a<Number>(e.op(n - 1));
    return ends_in_number ? bits(ex_to<Number>(e.op(n - 1))) : 0;
  }

  ParsedValue product(const SyntaxNode& node) const {
    ParsedValue result;
    GiNaC::exvector factors;
    factors.reserve(node.parts.size());
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const SyntaxNode& part_node = *node.parts[i];
      ParsedValue part = (*this)(part_node);
      if (node.inverse[i]) {
        refuse_zero_divisor(part.expr, part_node);
        part.expr = GiNaC::power(part.expr, -1);
      }
      result.degree += part.degree;
      result.bits += part.bits;
      if (result.bits > number_bits()) return result;
      check_degree(result.degree, part_node);
      factors.push_back(part.expr);
    }
    result.expr = GiNaC::mul(factors);
    return result;
  }

  ParsedValue power(const SyntaxNode& node) const {
    ParsedValue base = (*this)(*node.parts[0]);
    const ParsedValue exponent = (*this)(*node.parts[1]);
    if (!GiNaC::is_exactly_a<Number>(exponent.expr)) {
      if (base.expr.is_zero()) throw Error(span(node), "0 to a symbolic power has no value", "state the exponent as a number");
      return {GiNaC::power(base.expr, exponent.expr), 1, base.bits + exponent.bits};
    }
    const Number& n = ex_to<Number>(exponent.expr);
    if (!n.is_real() || abs(n) > Number(limits_.power))
      throw Error(span(node), "the exponent is beyond ±" + std::to_string(limits_.power), "use a smaller power");
    const double size = std::abs(n.to_double());
    if (!n.is_positive()) {
      if (n.is_zero() && base.expr.is_zero()) throw Error(span(node), "0^0 has no value", "correct the operands");
      if (n.is_negative()) refuse_zero_divisor(base.expr, *node.parts[0]);
    }
    base.degree *= std::max(size, 1.0);
    base.bits *= std::max(size, 1.0);
    if (base.bits > number_bits()) return base;
    check_degree(base.degree, node);
    base.expr = GiNaC::power(base.expr, n);
    return base;
  }

  ParsedValue call(const SyntaxNode& node) const {
    GiNaC::exvector arguments;
    double size = 0, degree = 0;
    for (const SyntaxNode* part : node.parts) {
      const ParsedValue argument = (*this)(*part);
      arguments.push_back(argument.expr);
      size = std::max(size, argument.bits);
      degree += argument.degree;
    }
    if (node.table) return {table_value(arguments.front(), *node.table), 1, size};
    const bool rational = node.function == function_rule("parallel");
    if (rational) check_degree(degree, node);
    try {
      return {node.function->apply(arguments), rational ? degree : 1, size};
    } catch (const Error& problem) {
      throw Error(span(node), problem.diagnostics().front().message, problem.remedy());  // rules know no places
    }
  }

  void check_degree(double degree, const SyntaxNode& node) const {
    if (degree > greatest_degree())
      throw Error(span(node), "the expression is of a degree above " + std::to_string(static_cast<long>(greatest_degree())),
                  "use smaller powers");
  }

  void refuse_zero_divisor(const ex& divisor, const SyntaxNode& node) const {
    if (divisor.is_zero()) throw Error(span(node), "division by zero", "correct the divisor");
    if (GiNaC::is_exactly_a<GiNaC::symbol>(divisor) || GiNaC::is_exactly_a<Number>(divisor)) return;
    if (vanishes(divisor))
      throw Error(span(node), "division by zero: the divisor vanishes for all values of its symbols", "correct the divisor");
  }

  const TextPlace& place_;
  const ParseLimits& limits_;
  Lookup lookup_;
};

ex parsed(std::string_view text, const SourceSpan& where, const ParseLimits& limits, Evaluation::Lookup lookup,
          const TableNames& tables) {
  const TextPlace place(where);
  const Syntax syntax(text, place, limits, tables);
  return Evaluation(place, limits, std::move(lookup))(syntax.root()).expr;
}

}  // namespace

ex parse(std::string_view text, SymbolTable& symbols, SourceSpan where, const ParseLimits& limits) {
  return parsed(
      text, where, limits, [&](std::string_view name, const SourceSpan& span) { return symbols.symbol(name, span); },
      symbols.tables());
}

ex parse_known(std::string_view text, const SymbolTable& symbols, SourceSpan where, const ParseLimits& limits) {
  return parsed(
      text, where, limits,
      [&](std::string_view name, const SourceSpan& span) -> ex {
        if (const Symbol* known = symbols.find(name)) return known->expr;
        const std::string near = nearest(name, symbols.names());
        throw Error(span, "unknown symbol " + shown_in_quotes(name),
                    near.empty() ? "declare it, or correct the name" : "did you mean '" + near + "'?");
      },
      symbols.tables());
}

}  // namespace sfg
