#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// The text of a file, and its places: byte offsets become line and column in characters. A byte-order mark at the
/// front is passed over. The text must outlive this.
class SourceText {
 public:
  SourceText(std::string_view text, std::string file);

  std::string_view text() const noexcept { return text_; }
  /// The span of `bytes` bytes from an offset; constant time, also in a file of one long line.
  SourceSpan at(std::size_t offset, std::size_t bytes = 0) const;
  /// The offset of a 1-based line and column in characters.
  std::size_t offset(std::size_t line, std::size_t column) const;
  /// @throws sfg::Error at the first byte that is not text: NUL and other control characters, invalid UTF-8.
  void check_characters() const;

 private:
  std::size_t characters_before(std::size_t offset) const;
  std::size_t line_of(std::size_t offset) const;  ///< 0-based

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::vector<std::size_t> line_starts_;
  std::vector<std::size_t> block_characters_;  ///< characters before every block of bytes
  bool plain_ = true;                          ///< a byte a character: every place of every gain is asked for
};

/// A piece of text taken out of a file, with escapes resolved and parts joined, that knows where each of its bytes was.
struct Passage {
  struct Piece {
    std::size_t begin;   ///< offset in `text`
    std::size_t source;  ///< offset in the file
  };
  std::string text;
  std::vector<Piece> pieces;  ///< from each on, text and file run in step

  /// Appends text that stands at `source` in the file.
  void append(std::string_view bytes, std::size_t source);
  std::size_t source_of(std::size_t offset) const;
  /// A part of it.
  Passage part(std::size_t begin, std::size_t count) const;
  /// Without blanks at both ends.
  Passage trimmed() const;
};

/// The span of a passage, or of a part of it.
SourceSpan place(const SourceText&, const Passage&);

/// parse() of a passage: places of errors and of new symbols are those of the file, through all escapes.
GiNaC::ex parse(const Passage&, const SourceText&, SymbolTable&);
/// The value of a parameter: a number, with a SPICE suffix where one is given, or an expression of numbers and names.
GiNaC::ex parse_value(const Passage&, const SourceText&, SymbolTable&);

/// The places in `text` where a separator stands outside of parentheses and is not escaped by a backslash.
std::vector<Passage> split(const Passage&, char separator);

/// What is wrong with an input, gathered.
class Problems {
 public:
  void error(SourceSpan where, std::string message, Remedy hint = {});
  void warn(SourceSpan where, std::string message, Remedy hint = {});
  void remark(SourceSpan where, std::string message, Remedy hint = {});  ///< a warning on which no answer depends
  /// Runs the function; an sfg::Error joins the list, and false is returned.
  template <class Function>
  bool attempt(Function&& function) {
    try {
      std::forward<Function>(function)();
      return true;
    } catch (const Error& error) {
      add(error);
      return false;
    }
  }
  void add(const Error&);
  bool any_errors() const noexcept { return !errors_.empty(); }
  /// Enough is enough: a file with more errors than this is not read further.
  bool full() const noexcept { return errors_.size() >= most; }
  /// When there are errors, throws them in the order of the file, the warnings after them; else hands the warnings over.
  void finish(std::vector<Diagnostic>* notes);

  static constexpr std::size_t most = 100;

 private:
  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> warnings_;
};

/// "did you mean 'x'?", or the candidates when none is near and they are few, or "".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

/// A name for a message: in quotes, shortened, control characters replaced.
std::string in_quotes(std::string_view name);
/// "1 row", "2 rows", "0 entries"
std::string counted(std::size_t count, std::string_view noun);

}  // namespace sfg
