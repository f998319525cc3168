#include "sfg/transfer/printed_formula.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "sfg/expr/print_form.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

namespace {

using NodeKind = SyntaxNode::Kind;

constexpr std::size_t many = std::numeric_limits<std::uint32_t>::max();
constexpr ParseLimits own_limits{.depth = 2000, .tokens = many, .digits = many, .decimal_exponent = 1'000'000, .power = 999'999};

bool is_whole(std::string_view digits) {
  return std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

/// 2.5e-30 as a fraction of whole numbers.
std::string without_decimals(const std::string& text) {
  const TextPlace place(SourceSpan{});
  std::string result;
  std::size_t copied = 0;
  for (const Token& token : tokens(text, place, own_limits)) {
    if (token.kind != TokenKind::number || is_whole(token.text)) continue;
    const auto begin = static_cast<std::size_t>(token.text.data() - text.data());
    const GiNaC::numeric value = decimal(token.text, place.at(token), own_limits);
    result += text.substr(copied, begin - copied) + "(" + integer_text(value.numer()) + "/" + integer_text(value.denom()) + ")";
    copied = begin + token.text.size();
  }
  return result + text.substr(copied);
}

[[noreturn]] void refuse(const SyntaxNode& node) {
  throw std::logic_error("PrintedFormula: '" + std::string(node.token->text) + "' is no whole number, name or operation");
}

/// The exponent of a power: a whole number.
long exponent(const SyntaxNode& node) {
  if (node.kind == NodeKind::negation) return -exponent(*node.parts.front());
  if (node.kind != NodeKind::number || node.token->text.size() > 6) refuse(node);
  return std::stol(std::string(node.token->text));
}

void visit(const SyntaxNode& node, const std::function<void(const SyntaxNode&)>& leaf) {
  if (node.kind == NodeKind::call) refuse(node);
  if (node.kind == NodeKind::number || node.kind == NodeKind::name) leaf(node);
  if (node.kind == NodeKind::power) {
    exponent(*node.parts.at(1));
    return visit(*node.parts.front(), leaf);
  }
  for (const SyntaxNode* part : node.parts) visit(*part, leaf);
}

class Residue {
 public:
  Residue(std::uint64_t prime, const PrintedFormula::Values& values) : field_(prime), values_(values) {}

  /// @throws std::domain_error for a division by zero.
  std::uint64_t operator()(const SyntaxNode& node) const {
    switch (node.kind) {
      case NodeKind::number: return number(node.token->text);
      case NodeKind::name:
        return values_.find(node.token->text) == values_.end() ? missing(node) : values_.find(node.token->text)->second;
      case NodeKind::negation: return field_.negate((*this)(*node.parts.front()));
      case NodeKind::power: return power((*this)(*node.parts.front()), exponent(*node.parts.at(1)));
      case NodeKind::sum:
      case NodeKind::product: return chain(node);
      default: refuse(node);
    }
  }

 private:
  [[noreturn]] static std::uint64_t missing(const SyntaxNode& node) {
    throw std::out_of_range("PrintedFormula: no value for '" + std::string(node.token->text) + "'");
  }
  std::uint64_t number(std::string_view digits) const {
    std::uint64_t value = 0;
    for (const char c : digits) value = field_.add(field_.multiply(value, 10), static_cast<std::uint64_t>(c - '0'));
    return value;
  }
  std::uint64_t power(std::uint64_t base, long n) const {
    const std::uint64_t result = field_.power(base, static_cast<std::uint64_t>(std::abs(n)));
    return n < 0 ? field_.inverse(result) : result;
  }
  std::uint64_t chain(const SyntaxNode& node) const {
    const bool sum = node.kind == NodeKind::sum;
    std::uint64_t result = sum ? 0 : 1;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const std::uint64_t part = (*this)(*node.parts[i]);
      const bool inverse = node.inverse[i];
      result = sum ? (inverse ? field_.subtract(result, part) : field_.add(result, part))
                   : (inverse ? field_.divide(result, part) : field_.multiply(result, part));
    }
    return result;
  }

  ring::ModularRing field_;
  const PrintedFormula::Values& values_;
};

DegreeBound degree_of(const SyntaxNode& node, const PrintedFormula::Degrees& of_letters) {
  if (node.kind == NodeKind::number) return {};
  if (node.kind == NodeKind::name) return of_letters.find(node.token->text)->second;
  if (node.kind == NodeKind::negation) return degree_of(*node.parts.front(), of_letters);
  if (node.kind == NodeKind::power) {
    const DegreeBound base = degree_of(*node.parts.front(), of_letters);
    const long n = exponent(*node.parts.at(1));
    const cln::cl_I times = std::abs(n);
    return n < 0 ? DegreeBound{base.below * times, base.above * times} : DegreeBound{base.above * times, base.below * times};
  }
  DegreeBound result;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    DegreeBound part = degree_of(*node.parts[i], of_letters);
    if (node.kind == NodeKind::product) {
      if (node.inverse[i]) std::swap(part.above, part.below);
      result = {result.above + part.above, result.below + part.below};
    } else {
      const cln::cl_I above = cln::max(result.above + part.below, part.above + result.below);
      result = {i == 0 ? part.above : above, result.below + part.below};
    }
  }
  return result;
}

}  // namespace

PrintedFormula::PrintedFormula(const std::string& text)
    : text_(std::make_unique<const std::string>(without_decimals(text))),
      syntax_(std::make_unique<const Syntax>(*text_, TextPlace(SourceSpan{}), own_limits)) {
  visit(syntax_->root(), [](const SyntaxNode&) {});
}

std::vector<std::string> PrintedFormula::names() const {
  std::set<std::string> found;
  visit(syntax_->root(), [&](const SyntaxNode& leaf) {
    if (leaf.kind == NodeKind::name) found.emplace(leaf.token->text);
  });
  return {found.begin(), found.end()};
}

std::optional<std::uint64_t> PrintedFormula::modulo(std::uint64_t prime, const Values& values) const {
  try {
    return Residue(prime, values)(syntax_->root());
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

DegreeBound PrintedFormula::degree(const Degrees& of_letters) const { return degree_of(syntax_->root(), of_letters); }

}  // namespace sfg
