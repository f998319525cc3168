#pragma once
#include <ginac/numeric.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"

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

}  // namespace sfg
