#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

/// A piece of a SPICE statement.
struct NetlistToken {
  enum class Kind { word, expression, sign };  ///< sign: ( ) =
  Kind kind = Kind::word;
  std::string text;           ///< of an expression: without its braces or quotes
  SourceSpan where;           ///< of the text
  bool quoted = false;        ///< an expression in double quotes, which may be a name
  bool behind_comma = false;  ///< as in 4,7k: a digit, a comma and a digit without blanks

  bool is(char sign) const { return kind == Kind::sign && text[0] == sign; }
};

using NetlistStatement = std::vector<NetlistToken>;

/// A netlist cut into statements: comments removed, continuation lines joined, commas and spaces gone.
struct NetlistText {
  std::string title;
  SourceSpan title_where;
  NetlistStatement title_words;              ///< of a title that is no comment, as if it were a statement
  std::vector<NetlistStatement> statements;  ///< up to .end
  std::vector<Diagnostic> notes;
};

/// The text of a file in the folder of another one, by its name.
using NetlistFile = std::function<std::string(const std::string& name)>;

/// Also what .include and .lib name: files of the same folder, each at the place where it is named. "* sfg: …", a comment to
/// simulators, is a statement ".sfg …".
/// @throws sfg::Error with every problem: an open brace or quote, a continuation of nothing, a control character; a file that is
/// not there, is in another folder, or includes itself.
NetlistText netlist_text(std::string_view text, const std::string& file, const NetlistFile& beside = {});

/// What is said of a title that reads as a statement.
Diagnostic title_warning(const NetlistText&);

/// ASCII letters in lower case: names are compared so.
std::string lower_case(std::string_view text);

}  // namespace sfg
