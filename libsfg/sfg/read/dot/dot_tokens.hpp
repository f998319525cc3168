#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sfg/read/source_text.hpp"

namespace sfg {

enum class DotTokenKind { end, word, number, quoted, html, sign, arrow, line, bad };

/// A token of the DOT language. Keywords are words; the scan tells them apart.
struct DotToken {
  DotTokenKind kind = DotTokenKind::end;
  std::uint32_t begin = 0;  ///< byte offsets in the file
  std::uint32_t end = 0;
  char sign = 0;  ///< one of { } [ ] = ; , : +

  bool is(char c) const noexcept { return kind == DotTokenKind::sign && sign == c; }
  bool is_atom() const noexcept {
    return kind == DotTokenKind::word || kind == DotTokenKind::number || kind == DotTokenKind::quoted ||
           kind == DotTokenKind::html;
  }
};

/// An identifier or value: a token, or quoted strings joined by '+'.
struct DotAtom {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  DotTokenKind kind = DotTokenKind::word;
  bool joined = false;
};

/// The tokens of a DOT text, comments passed over, one at a time.
class DotTokens {
 public:
  explicit DotTokens(const SourceText& source, std::size_t from = 0);

  const DotToken& next() const noexcept { return next_; }
  std::string_view text(const DotToken& token) const { return source_.text().substr(token.begin, token.end - token.begin); }
  /// A string or comment has no end, so nothing after it can be trusted.
  bool unclosed() const noexcept { return unclosed_; }
  /// Moves on by one token. @throws sfg::Error at text that is no token; it is passed over as a `bad` one.
  DotToken take();
  /// Takes an atom; next() must be one.
  DotAtom take_atom();

 private:
  void read();
  void skip_blanks();
  void read_quoted();
  void read_html();
  void read_number();
  void refuse_arrow_in(std::string_view word);
  [[noreturn]] void refuse_arrow(std::size_t begin, std::size_t bytes);
  [[noreturn]] void refuse_unclosed(std::size_t begin, std::size_t bytes, const char* what, const char* hint);

  const SourceText& source_;
  std::size_t position_;
  DotToken next_;
  bool unclosed_ = false;
};

/// The value of the atom at an offset as cgraph has it: \" is a quote, an escaped end of line is nothing, and every
/// other backslash stays.
Passage dot_value(const SourceText&, std::size_t offset);
/// The value as it is meant where it means something to us: \\ is a backslash too.
Passage dot_meaning(const Passage& value);
/// The name of an attribute that is only kept: backslashes before the end or before a quote are undoubled, so that
/// every text can be written.
std::string kept_name(const std::string& name);
/// Its value likewise; an HTML string keeps its angle brackets, and a quoted one that looks like it gets a backslash in front.
std::string kept_value(const std::string& value, bool html);

}  // namespace sfg
