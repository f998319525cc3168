#include "sfg/expr/syntax.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sfg/text/utf8.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using NodeKind = SyntaxNode::Kind;

/// Recursive descent, a function a rule.
class Parser {
 public:
  Parser(const std::vector<Token>& tokens, std::deque<SyntaxNode>& nodes, const TextPlace& place, const ParseLimits& limits,
         const TableNames& tables)
      : place_(place), limits_(limits), tables_(tables), tokens_(tokens), nodes_(nodes) {}

  const SyntaxNode& expression() {
    if (next().kind == TokenKind::end) fail("an expression is missing here", "write 0 for none, 1 for unity");
    const SyntaxNode& root = written(&Parser::sum);
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
    const std::string before = shown_in_quotes(tokens_[position_ - 1].text);
    if (tokens_[position_ - 1].kind == TokenKind::number && next().kind == TokenKind::name)
      fail("an operator is missing between " + before + " and " + shown_in_quotes(next().text),
           "write '*' for a product (a suffix such as k or meg is read only where a number stands alone)");
    fail("an operator is missing between " + before + " and " + shown_in_quotes(next().text), "write '*' for a product");
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

  SyntaxNode& node(NodeKind kind, const Token& token, std::vector<const SyntaxNode*> parts = {}) {
    return nodes_.emplace_back(SyntaxNode{.kind = kind, .token = &token, .parts = std::move(parts)});
  }

  SyntaxNode& sum() { return chain(NodeKind::sum, '+', '-', &Parser::parallel); }

  /// a || b || c between products and sums, as designers of circuits write it: a call of parallel(a, b, c).
  SyntaxNode& parallel() {
    SyntaxNode& first = written(&Parser::product);
    if (!at('|')) return first;
    SyntaxNode& list = node(NodeKind::call, next(), {&first});
    list.function = function_rule("parallel");
    while (at('|')) {
      take();
      list.parts.push_back(&written(&Parser::product));
    }
    return list;
  }

  SyntaxNode& product() { return chain(NodeKind::product, '*', '/', &Parser::signed_power); }

  SyntaxNode& chain(NodeKind kind, char direct, char inverse, SyntaxNode& (Parser::*part)()) {
    const Token& first_token = next();
    SyntaxNode& first = written(part);
    if (!at(direct) && !at(inverse)) return first;
    SyntaxNode& list = node(kind, first_token, {&first});
    list.inverse = {false};
    while (at(direct) || at(inverse)) {
      list.inverse.push_back(take().sign == inverse);
      list.parts.push_back(&written(part));
    }
    return list;
  }

  /// The part with the text that it was read from, parentheses included.
  SyntaxNode& written(SyntaxNode& (Parser::*part)()) {
    const char* const begin = next().text.data();
    SyntaxNode& result = (this->*part)();
    const std::string_view last = tokens_[position_ - 1].text;
    result.text = {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
    return result;
  }

  /// −x^2 is −(x^2); 2^−3 and a*−b are read too.
  SyntaxNode& signed_power() {
    if (!at('-') && !at('+')) return power();
    const Level level(*this);
    const Token& token = take();
    SyntaxNode& operand = signed_power();
    return token.sign == '-' ? node(NodeKind::negation, token, {&operand}) : operand;
  }

  SyntaxNode& power() {
    SyntaxNode& base = atom();
    if (!at('^')) return base;
    const Level level(*this);
    const Token& token = take();
    return node(NodeKind::power, token, {&base, &signed_power()});
  }

  SyntaxNode& atom() {
    if (next().kind == TokenKind::number) return node(NodeKind::number, take());
    if (next().kind == TokenKind::name) {
      const bool opens = following().kind == TokenKind::sign && following().sign == '(';
      return opens ? call() : node(NodeKind::name, take());
    }
    if (at('(')) {
      const Level level(*this);
      const Token& open = take();
      SyntaxNode& inner = sum();
      close(open);
      if (!inner.parts.empty() && inner.kind != NodeKind::call) inner.token = &open;  // errors point at the parenthesis
      return inner;
    }
    if (next().kind == TokenKind::end) fail("the expression ends too early: a number, a name or '(' is missing", "complete it");
    fail("a number, a name or '(' is missing before " + shown_in_quotes(next().text), "complete the expression");
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

  SyntaxNode& call() {
    const Level level(*this);
    const Token& name = next();
    if (interpolation_of(name.text) || tables_.contains(name.text)) return table_call(name);
    const FunctionRule* rule = function_rule(name.text);
    if (rule == nullptr) refuse_function(name);
    ++position_;
    const Token& open = take();
    std::vector<const SyntaxNode*> arguments;
    if (!at(')')) {
      arguments.push_back(&written(&Parser::sum));
      while (at(',')) {
        ++position_;
        arguments.push_back(&written(&Parser::sum));
      }
    }
    close(open);
    if (arguments.size() < rule->least || arguments.size() > rule->most) {
      const std::string wanted = wanted_arguments(*rule);
      throw Error(place_.at(name),
                  "function " + shown_in_quotes(name.text) + " takes " + wanted + ", not " + std::to_string(arguments.size()),
                  "correct the list in parentheses");
    }
    SyntaxNode& result = node(NodeKind::call, name, std::move(arguments));
    result.function = rule;
    return result;
  }

  /// name(u), table(u, "file.csv"), table(u, [x1, y1], [x2, y2], …).
  SyntaxNode& table_call(const Token& name) {
    ++position_;
    const Token& open = take();
    if (at(')')) fail("the argument of the table is missing", "write " + std::string(name.text) + "(u)");
    SyntaxNode& argument = written(&Parser::sum);
    std::optional<std::size_t> table;
    if (const auto known = tables_.find(name.text); known != tables_.end()) {
      table = known->second;
    } else {
      if (!at(',')) fail("the points of the table are missing", "write table(u, [x1, y1], [x2, y2]) or table(u, \"file.csv\")");
      ++position_;
      table = next().kind == TokenKind::text ? table_of_file(name) : table_of_points(name);
    }
    close(open);
    SyntaxNode& result = node(NodeKind::call, name, {&argument});
    result.table = table;
    return result;
  }

  std::size_t table_of_file(const Token& function) {
    const Token& file = take();
    const auto known = tables_.find(file_key(function.text, file.text));
    if (known == tables_.end())
      throw Error(place_.at(file), "the file " + shown_in_quotes(file.text) + " cannot be read here",
                  "state it as a table of the model, or write its points: table(u, [x1, y1], [x2, y2])");
    return known->second;
  }

  std::size_t table_of_points(const Token& function) {
    std::vector<double> x, y;
    --position_;
    while (at(',')) {
      ++position_;
      bracket('[', "a point of a table is missing its '['");
      x.push_back(coordinate());
      bracket(',', "a point of a table has two numbers");
      y.push_back(coordinate());
      bracket(']', "a point of a table is missing its ']'");
    }
    try {
      return numeric::table_number({"", *interpolation_of(function.text), std::move(x), std::move(y)});
    } catch (const std::invalid_argument& problem) {
      throw Error(place_.at(function), problem.what(), "order the points by x, two or more of them");
    }
  }

  void bracket(char sign, const char* message) {
    if (!at(sign)) fail(message, "write [x, y] with two numbers");
    ++position_;
  }

  double coordinate() {
    const bool negative = at('-');
    if (negative || at('+')) ++position_;
    if (next().kind != TokenKind::number) fail("a coordinate of a point is no number", "write [x, y] with two numbers");
    const auto one = [&] {
      const Token& number = take();
      return decimal(number.text, place_.at(number), limits_);
    };
    GiNaC::numeric size = one();
    if (at('/') && following().kind == TokenKind::number) {
      const Token& slash = take();
      const GiNaC::numeric divisor = one();
      if (divisor.is_zero()) throw Error(place_.at(slash), "division by zero", "correct the divisor");
      size /= divisor;
    }
    return negative ? -size.to_double() : size.to_double();
  }

  static std::string wanted_arguments(const FunctionRule& rule) {
    static constexpr std::array<const char*, 5> counts{"no", "one", "two", "three", "four"};
    if (rule.most == FunctionRule::any) return "two or more arguments";
    if (rule.most == 1) return "one argument";
    return (rule.least < rule.most ? std::string(counts.at(rule.least)) + " or " : "") + counts.at(rule.most) + " arguments";
  }

  [[noreturn]] void refuse_function(const Token& name) const {
    const std::string near = nearest(name.text, function_names());
    std::string hint = near.empty() ? "" : "did you mean '" + near + "'? ";
    hint += "for a product write " + shown_in_quotes(std::string(name.text) + "*(");
    if (near.empty()) {
      hint += "; the functions are";
      for (const std::string& known : function_names()) hint += ' ' + known;
    }
    throw Error(place_.at(name), "unknown function " + shown_in_quotes(name.text), hint);
  }

  const TextPlace& place_;
  const ParseLimits& limits_;
  const TableNames& tables_;
  const std::vector<Token>& tokens_;
  std::deque<SyntaxNode>& nodes_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Syntax::Syntax(std::string_view text, const TextPlace& place, const ParseLimits& limits, const TableNames& tables)
    : tokens_(tokens(text, place, limits)) {
  root_ = &Parser(tokens_, nodes_, place, limits, tables).expression();
}

}  // namespace sfg
