#pragma once
#include <ginac/numeric.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/tables.hpp"

namespace sfg {

enum class TokenKind { number, name, sign, text, end };

struct Token {
  TokenKind kind = TokenKind::end;
  char sign = 0;  ///< one of + - * / ^ ( ) , [ ]; | for "||"
  std::string_view text;
  std::uint32_t line = 0;    ///< line breaks before it
  std::uint32_t column = 0;  ///< characters before it on its line
};

/// Where an expression stands in the user's file; gives the places of its pieces.
class TextPlace {
 public:
  explicit TextPlace(SourceSpan where);
  SourceSpan at(const Token&) const;
  /// The span of `bytes` bytes of the text from offset `begin`.
  SourceSpan at(std::string_view text, std::size_t begin, std::size_t bytes = 1) const;

 private:
  SourceSpan at(std::uint32_t line, std::uint32_t column, std::uint32_t length) const;
  SourceSpan where_;
};

/// Splits the text; the last token is the end. Throws sfg::Error at a character that is in no token.
std::vector<Token> tokens(std::string_view text, const TextPlace& place, const ParseLimits& limits);

/// The length of the unsigned decimal at the front of the text ("12", ".5", "1.", "1e-9"); 0 when there is none.
std::size_t decimal_length(std::string_view text);

/// p/10^k of such a decimal, exactly; its digits and exponent are bounded first, so that no huge integer is ever built.
GiNaC::numeric decimal(std::string_view text, const SourceSpan& where, const ParseLimits& limits);

/// A piece of an expression. Sums and products are flat lists, so that only parentheses, functions, powers and signs nest.
struct SyntaxNode {
  enum class Kind { number, name, sum, product, power, negation, call };

  Kind kind;
  const Token* token;  ///< what an error points at
  std::vector<const SyntaxNode*> parts;
  std::vector<bool> inverse = {};          ///< by part: subtracted or divided by
  const FunctionRule* function = nullptr;  ///< of a call, unless it is of a table
  std::optional<std::size_t> table = {};   ///< of a call: its number
  std::string_view text = {};  ///< of summands, factors, arguments and the whole: as it was written, with its parentheses
};

/// The structure of an expression as it was written, before anything is simplified. Text becomes a tree of our own, checked for
/// size and depth; only then GiNaC sees it: its parser and evaluator run without bounds on hostile text, give no places, and read
/// I, Pi, G(s), 0.1 in ways an engineer does not mean.
class Syntax {
 public:
  /// The text must outlive this. @throws sfg::Error with the place of the offending character.
  /// @param tables  that may be called
  explicit Syntax(std::string_view text, const TextPlace& place, const ParseLimits& limits = {}, const TableNames& tables = {});
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  const SyntaxNode& root() const noexcept { return *root_; }

 private:
  std::vector<Token> tokens_;
  std::deque<SyntaxNode> nodes_;
  const SyntaxNode* root_;
};

}  // namespace sfg
