// Text becomes a syntax tree of our own first, checked for size and depth; only then GiNaC sees it. GiNaC's parser and
// evaluator run without bounds on hostile text, give no places, and read I, Pi, G(s), 0.1 in ways an engineer does not mean.
#include "sfg/expr/parse.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/tokens.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::numeric;

enum class NodeKind { number, name, sum, product, power, negation, call };

/// Sums and products are flat lists, so that only parentheses, functions, powers and signs nest.
struct Node {
  NodeKind kind;
  const Token* token;  ///< what an error points at
  std::vector<const Node*> parts;
  std::vector<bool> inverse = {};  ///< by part: subtracted or divided by
  const FunctionRule* function = nullptr;
};

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return "'" + std::string(text) + "'";
  return "'" + std::string(cut_to_bytes(text, longest)) + "…'";
}

class Parser {
 public:
  Parser(std::string_view text, const TextPlace& place, const ParseLimits& limits)
      : place_(place), limits_(limits), tokens_(tokens(text, place, limits)) {}

  const Node& expression() {
    if (next().kind == TokenKind::end) fail("an expression is missing here", "write 0 for none, 1 for unity");
    const Node& root = sum();
    if (next().kind != TokenKind::end) refuse_rest();
    return root;
  }

 private:
  const Token& next() const { return tokens_[position_]; }
  const Token& following() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }
  bool at(char sign) const { return next().kind == TokenKind::sign && next().sign == sign; }
  const Token& take() { return tokens_[position_++]; }

  [[noreturn]] void fail(std::string message, std::string hint) const {
    throw Error(place_.at(next()), std::move(message), std::move(hint));
  }

  [[noreturn]] void refuse_rest() const {
    if (at(')')) fail("a ')' without its '('", "remove it, or write the '('");
    if (at(',') && tokens_[position_ - 1].kind == TokenKind::number && position_ + 1 < tokens_.size() &&
        tokens_[position_ + 1].kind == TokenKind::number) {
      const std::string whole(tokens_[position_ - 1].text), decimals(tokens_[position_ + 1].text);
      fail("number '" + whole + "," + decimals + "' has a decimal comma",
           "write decimals with a point: " + whole + "." + decimals);
    }
    if (at(',')) fail("a ',' outside of a function's parentheses", "write decimals with a point");
    const std::string before = in_quotes(tokens_[position_ - 1].text);
    if (tokens_[position_ - 1].kind == TokenKind::number && next().kind == TokenKind::name)
      fail("an operator is missing between " + before + " and " + in_quotes(next().text),
           "write '*' for a product (a suffix such as k or meg is read only where a number stands alone)");
    fail("an operator is missing between " + before + " and " + in_quotes(next().text), "write '*' for a product");
  }

  /// Counts the nesting while it lives.
  struct Level {
    explicit Level(Parser& parser) : parser(parser) {
      if (++parser.depth_ > parser.limits_.depth)
        parser.fail("the expression is nested more than " + std::to_string(parser.limits_.depth) + " levels deep",
                    "name a part of it as a parameter");
    }
    ~Level() { --parser.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Parser& parser;
  };

  Node& node(NodeKind kind, const Token& token, std::vector<const Node*> parts = {}) {
    return nodes_.emplace_back(Node{.kind = kind, .token = &token, .parts = std::move(parts)});
  }

  Node& sum() { return chain(NodeKind::sum, '+', '-', &Parser::product); }
  Node& product() { return chain(NodeKind::product, '*', '/', &Parser::signed_power); }

  Node& chain(NodeKind kind, char direct, char inverse, Node& (Parser::*part)()) {
    const Token& first_token = next();
    Node& first = (this->*part)();
    if (!at(direct) && !at(inverse)) return first;
    Node& list = node(kind, first_token, {&first});
    list.inverse = {false};
    while (at(direct) || at(inverse)) {
      list.inverse.push_back(take().sign == inverse);
      list.parts.push_back(&(this->*part)());
    }
    return list;
  }

  /// −x^2 is −(x^2); 2^−3 and a*−b are read too.
  Node& signed_power() {
    if (!at('-') && !at('+')) return power();
    const Level level(*this);
    const Token& token = take();
    Node& operand = signed_power();
    return token.sign == '-' ? node(NodeKind::negation, token, {&operand}) : operand;
  }

  Node& power() {
    Node& base = atom();
    if (!at('^')) return base;
    const Level level(*this);
    const Token& token = take();
    return node(NodeKind::power, token, {&base, &signed_power()});
  }

  Node& atom() {
    if (next().kind == TokenKind::number) return node(NodeKind::number, take());
    if (next().kind == TokenKind::name) {
      const bool opens = following().kind == TokenKind::sign && following().sign == '(';
      return opens ? call() : node(NodeKind::name, take());
    }
    if (at('(')) {
      const Level level(*this);
      const Token& open = take();
      Node& inner = sum();
      close(open);
      if (!inner.parts.empty() && inner.kind != NodeKind::call) inner.token = &open;  // errors point at the parenthesis
      return inner;
    }
    if (next().kind == TokenKind::end) fail("the expression ends too early: a number, a name or '(' is missing", "complete it");
    fail("a number, a name or '(' is missing before " + in_quotes(next().text), "complete the expression");
  }

  void close(const Token& open) {
    if (at(')')) {
      ++position_;
      return;
    }
    if (next().kind != TokenKind::end) refuse_inside();
    const SourceSpan opened = place_.at(open);
    fail("a ')' is missing", "close the '(' of column " + std::to_string(opened.column));
  }

  [[noreturn]] void refuse_inside() const {
    if (at(',')) fail("a ',' outside of a function's parentheses", "write decimals with a point");
    refuse_rest();
  }

  Node& call() {
    const Level level(*this);
    const Token& name = next();
    const FunctionRule* rule = function_rule(name.text);
    if (rule == nullptr) refuse_function(name);
    ++position_;
    const Token& open = take();
    std::vector<const Node*> arguments;
    if (!at(')')) {
      arguments.push_back(&sum());
      while (at(',')) {
        ++position_;
        arguments.push_back(&sum());
      }
    }
    close(open);
    if (arguments.size() < rule->least || arguments.size() > rule->most) {
      const std::string wanted = rule->most == FunctionRule::any ? "two or more arguments"
                                 : rule->least == 1              ? "one argument"
                                                                 : "two arguments";
      throw Error(place_.at(name),
                  "function " + in_quotes(name.text) + " takes " + wanted + ", not " + std::to_string(arguments.size()),
                  "correct the list in parentheses");
    }
    Node& result = node(NodeKind::call, name, std::move(arguments));
    result.function = rule;
    return result;
  }

  [[noreturn]] void refuse_function(const Token& name) const {
    const std::string near = nearest(name.text, function_names());
    std::string hint = near.empty() ? "" : "did you mean '" + near + "'? ";
    hint += "for a product write " + in_quotes(std::string(name.text) + "*(");
    if (near.empty()) {
      hint += "; the functions are";
      for (const std::string& known : function_names()) hint += ' ' + known;
    }
    throw Error(place_.at(name), "unknown function " + in_quotes(name.text), hint);
  }

  const TextPlace& place_;
  const ParseLimits& limits_;
  std::vector<Token> tokens_;
  std::deque<Node> nodes_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
};

double bits(const numeric& n) { return static_cast<double>(std::max(n.numer().int_length(), n.denom().int_length())); }

/// A value with bounds of what it may grow into: the degree when multiplied out, the size of its numbers.
struct Value {
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

  Value operator()(const Node& node) const {
    try {
      Value value = evaluated(node);
      if (GiNaC::is_exactly_a<numeric>(value.expr)) value.bits = bits(ex_to<numeric>(value.expr));
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
  SourceSpan span(const Node& node) const { return place_.at(*node.token); }

  Value evaluated(const Node& node) const {
    switch (node.kind) {
      case NodeKind::number: {
        const numeric value = decimal(node.token->text, span(node), limits_);
        return {value, 0, bits(value)};
      }
      case NodeKind::name:
        if (node.token->text == "pi") return {GiNaC::Pi, 1, 0};
        return {lookup_(node.token->text, span(node)), 1, 0};
      case NodeKind::negation: {
        Value value = (*this)(*node.parts[0]);
        value.expr = -value.expr;
        return value;
      }
      case NodeKind::sum: return sum(node);
      case NodeKind::product: return product(node);
      case NodeKind::power: return power(node);
      case NodeKind::call: return call(node);
    }
    return {};
  }

  Value sum(const Node& node) const {
    Value result;
    GiNaC::exvector terms;
    terms.reserve(node.parts.size());
    double number_size = 0;  // of the numeric terms together: denominators multiply
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const Value part = (*this)(*node.parts[i]);
      result.degree = std::max(result.degree, part.degree);
      result.bits = std::max(result.bits, part.bits);
      if (GiNaC::is_exactly_a<numeric>(part.expr)) number_size += part.bits;
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
    if (GiNaC::is_exactly_a<numeric>(e)) return bits(ex_to<numeric>(e));
    const std::size_t n = e.nops();
    const bool ends_in_number = GiNaC::is_exactly_a<GiNaC::add>(e) && n > 0 && GiNaC::is_exactly_a<numeric>(e.op(n - 1));
    return ends_in_number ? bits(ex_to<numeric>(e.op(n - 1))) : 0;
  }

  Value product(const Node& node) const {
    Value result;
    GiNaC::exvector factors;
    factors.reserve(node.parts.size());
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const Node& part_node = *node.parts[i];
      Value part = (*this)(part_node);
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

  Value power(const Node& node) const {
    Value base = (*this)(*node.parts[0]);
    const Value exponent = (*this)(*node.parts[1]);
    if (!GiNaC::is_exactly_a<numeric>(exponent.expr)) {
      if (base.expr.is_zero()) throw Error(span(node), "0 to a symbolic power has no value", "state the exponent as a number");
      return {GiNaC::power(base.expr, exponent.expr), 1, base.bits + exponent.bits};
    }
    const numeric& n = ex_to<numeric>(exponent.expr);
    if (!n.is_real() || abs(n) > numeric(limits_.power))
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

  Value call(const Node& node) const {
    GiNaC::exvector arguments;
    double size = 0;
    for (const Node* part : node.parts) {
      const Value argument = (*this)(*part);
      arguments.push_back(argument.expr);
      size = std::max(size, argument.bits);
    }
    return {node.function->apply(arguments), 1, size};
  }

  void check_degree(double degree, const Node& node) const {
    if (degree > greatest_degree())
      throw Error(span(node), "the expression is of a degree above " + std::to_string(static_cast<long>(greatest_degree())),
                  "use smaller powers");
  }

  void refuse_zero_divisor(const ex& divisor, const Node& node) const {
    if (divisor.is_zero()) throw Error(span(node), "division by zero", "correct the divisor");
    if (GiNaC::is_exactly_a<GiNaC::symbol>(divisor) || GiNaC::is_exactly_a<numeric>(divisor)) return;
    if (vanishes(divisor))
      throw Error(span(node), "division by zero: the divisor vanishes for all values of its symbols", "correct the divisor");
  }

  const TextPlace& place_;
  const ParseLimits& limits_;
  Lookup lookup_;
};

ex parsed(std::string_view text, const SourceSpan& where, const ParseLimits& limits, Evaluation::Lookup lookup) {
  const TextPlace place(where);
  Parser parser(text, place, limits);
  const Node& tree = parser.expression();
  return Evaluation(place, limits, std::move(lookup))(tree).expr;
}

}  // namespace

ex parse(std::string_view text, SymbolTable& symbols, SourceSpan where, const ParseLimits& limits) {
  return parsed(text, where, limits, [&](std::string_view name, const SourceSpan& span) { return symbols.symbol(name, span); });
}

ex parse_known(std::string_view text, const SymbolTable& symbols, SourceSpan where, const ParseLimits& limits) {
  return parsed(text, where, limits, [&](std::string_view name, const SourceSpan& span) -> ex {
    if (const Symbol* known = symbols.find(name)) return known->expr;
    const std::string near = nearest(name, symbols.names());
    throw Error(span, "unknown symbol " + in_quotes(name),
                near.empty() ? "declare it, or correct the name" : "did you mean '" + near + "'?");
  });
}

}  // namespace sfg
