#include "sfg/read/dot/cgraph_text.hpp"

#include <algorithm>

namespace sfg {

namespace {

/// cgraph's lexer takes no run of 16 KiB in one piece.
constexpr std::size_t longest_plain = 8000;
/// Its strings grow by a copy an escape or line.
constexpr std::ptrdiff_t most_escapes = 2000;

bool breaks_text(char c) { return c == '\\' || c == '"' || c == '\n'; }

/// A run without quotes and backslashes, broken by escaped ends of line where it is long.
void append_run(std::string& clean, std::string_view run) {
  if (run == "\n") {  // cgraph drops an end of line that stands alone between escapes, but not in an HTML string
    clean += "\" + <\n> + \"";
    return;
  }
  while (run.size() > longest_plain) {
    std::size_t cut = longest_plain;
    while ((run[cut] & 0xC0) == 0x80 || run.size() - cut == 1) --cut;
    clean.append(run.substr(0, cut)) += "\\\n";
    run.remove_prefix(cut);
  }
  clean += run;
}

void append_in_quotes(std::string& clean, std::string_view value, std::string_view prefix) {
  (clean += '"') += prefix;
  while (!value.empty()) {
    const std::size_t length = std::min(value.find_first_of("\"\\"), value.size());
    append_run(clean, value.substr(0, length));
    value.remove_prefix(length);
    if (value.empty()) break;
    if (value.front() == '"') clean += '\\';
    clean += value.front();
    value.remove_prefix(1);
  }
  clean += '"';
}

/// Of an HTML string: the longest text without '<', '>' or an end of line.
std::size_t longest_run(std::string_view html) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < html.size();) {
    const std::size_t end = std::min(html.find_first_of("<>\n", begin), html.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

}  // namespace

void CgraphText::write(const DotAtom& atom, std::string_view prefix) {
  if (is_plain(atom)) {
    (file_.clean += '"').append(prefix).append(inside(atom)) += '"';
  } else if (atom.kind != DotTokenKind::html) {
    const std::string value = value_of(atom);
    if (std::ranges::count_if(value, breaks_text) > most_escapes) file_.beyond_cgraph = true;
    append_in_quotes(file_.clean, value, prefix);
  } else {
    if (longest_run(inside(atom)) > longest_plain)
      throw Error(source_.at(atom.begin, atom.end - atom.begin),
                  "an HTML string with a text of more than " + std::to_string(longest_plain) + " bytes between its marks",
                  "shorten it");
    file_.clean += inside(atom);
  }
}

std::string CgraphText::string_of(const DotAtom& atom) const {
  return is_plain(atom) ? std::string(inside(atom)) : value_of(atom);
}

/// Its text as it stands is its value, and short enough for cgraph's lexer.
bool CgraphText::is_plain(const DotAtom& atom) const {
  return atom.kind != DotTokenKind::html && !atom.joined && atom.end - atom.begin < longest_plain &&
         inside(atom).find('\\') == std::string_view::npos && inside(atom) != "\n";
}

std::string_view CgraphText::inside(const DotAtom& atom) const {
  const std::uint32_t quote = atom.kind == DotTokenKind::quoted ? 1 : 0;
  return source_.text().substr(atom.begin + quote, atom.end - atom.begin - 2 * quote);
}

std::string CgraphText::value_of(const DotAtom& atom) const {
  std::string value = dot_value(source_, atom.begin).text;
  if (value.size() > longest_)
    throw Error(source_.at(atom.begin, atom.end - atom.begin),
                "a text of " + std::to_string(value.size()) + " bytes is longer than the limit of " + std::to_string(longest_),
                "split it");
  return value;
}

}  // namespace sfg
