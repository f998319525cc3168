// LaTeX that an author writes for a name: read into pieces, so that every notation sets it, and nothing else gets through.
#include <algorithm>
#include <array>
#include <utility>

#include "sfg/expr/latex_text.hpp"
#include "sfg/expr/names_in_use.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

using Face = NamePiece::Face;
using Words = std::pair<std::string_view, std::string_view>;

constexpr std::array<Words, 26> latex_signs{
    {{"ast", "*"},        {"star", "⋆"},  {"prime", "′"},     {"dagger", "†"},  {"ddagger", "‡"},   {"infty", "∞"},
     {"ell", "ℓ"},        {"hbar", "ħ"},  {"parallel", "∥"},  {"perp", "⊥"},    {"circ", "∘"},      {"bullet", "•"},
     {"cdot", "·"},       {"pm", "±"},    {"mp", "∓"},        {"times", "×"},   {"partial", "∂"},   {"nabla", "∇"},
     {"rightarrow", "→"}, {"to", "→"},    {"leftarrow", "←"}, {"uparrow", "↑"}, {"downarrow", "↓"}, {"angle", "∠"},
     {"oplus", "⊕"},      {"ominus", "⊖"}}};
constexpr std::array<std::pair<std::string_view, Face>, 9> faces{{{"mathrm", Face::upright},
                                                                  {"mathsf", Face::upright},
                                                                  {"text", Face::upright},
                                                                  {"textrm", Face::upright},
                                                                  {"operatorname", Face::upright},
                                                                  {"mathit", Face::slanted},
                                                                  {"textit", Face::slanted},
                                                                  {"mathbf", Face::bold},
                                                                  {"boldsymbol", Face::bold}}};
constexpr std::array<Words, 3> wide_accents{{{"widehat", "hat"}, {"overline", "bar"}, {"widetilde", "tilde"}}};

constexpr std::string_view what_is_known =
    "letters, digits, Greek letters, signs such as \\ast, \\hat \\tilde \\dot \\ddot \\bar \\vec, \\mathrm{…}, ', _ and ^ are";

class NameLatex {
 public:
  explicit NameLatex(std::string_view text) : scan_(text) {}

  NameLine whole() {
    NameLine line = pieces(0);
    if (scan_.next() == '}') fail("a brace is closed that none opens");
    if (line.empty()) fail("nothing is to be set");
    return line;
  }

 private:
  [[noreturn]] void fail(std::string message) const { throw NameLatexError{scan_.at(), std::move(message)}; }

  NameLine pieces(std::size_t depth) {
    constexpr std::size_t deepest = 6;
    if (depth > deepest) fail("groups within groups within groups: that is more than a name");
    NameLine line;
    while (!scan_.ended() && scan_.next() != '}') {
      if (scan_.take(' ')) continue;
      const char c = scan_.next();
      if (c == '_' || c == '^' || c == '\'') {
        if (line.empty()) fail(std::string("nothing stands before '") + c + "'");
        scripts(line.back(), depth);
        continue;
      }
      NameLine next = atom(depth);
      line.insert(line.end(), next.begin(), next.end());
    }
    return line;
  }

  NameLine group(std::size_t depth) {
    if (!scan_.take('{')) fail("a '{' is missing");
    NameLine line = pieces(depth + 1);
    if (!scan_.take('}')) fail("a '}' is missing");
    return line;
  }

  /// What one command or one "_" is about: a group, a command or a character.
  NameLine argument(std::size_t depth) {
    while (scan_.take(' ')) continue;
    if (scan_.ended()) fail("the text ends where something is to follow");
    if (scan_.next() == '{') return group(depth);
    if (std::string_view("_^'}").find(scan_.next()) != std::string_view::npos) fail("a letter or a '{' is to follow");
    return atom(depth);
  }

  void scripts(NamePiece& piece, std::size_t depth) {
    const char c = scan_.next();
    if (c == '\'') {
      if (std::ranges::any_of(piece.above, [](const NamePiece& p) { return p.text != "′"; })) fail("a prime behind a power");
      while (scan_.take('\'')) piece.above.push_back({.text = "′", .face = Face::upright});
      return;
    }
    NameLine& line = c == '_' ? piece.below : piece.above;
    if (!line.empty()) fail(std::string("a second '") + c + "' of one letter");
    scan_.take(c);
    line = argument(depth);
    if (line.empty()) fail(std::string("nothing stands behind '") + c + "'");
  }

  NameLine atom(std::size_t depth) {
    const char c = scan_.next();
    if (c == '{') {
      NameLine inside = group(depth);
      if (inside.empty()) return {};
      return inside.size() == 1 && inside[0].below.empty() && inside[0].above.empty() ? inside : NameLine{grouped(inside)};
    }
    if (c == '\\') return command(depth);
    if (is_ascii_digit(c)) return {{.text = digits(), .face = Face::upright}};
    if (std::string_view("$%#&~\"`").find(c) != std::string_view::npos || static_cast<unsigned char>(c) < ' ')
      fail("the character '" + std::string(1, static_cast<unsigned char>(c) < ' ' ? '?' : c) + "' means something else to LaTeX");
    const std::string text = character();
    return {{.text = text, .face = is_ascii_letter(c) || text.size() > 1 ? Face::slanted : Face::upright}};
  }

  static NamePiece grouped(NameLine inside) { return {.text = {}, .inside = std::move(inside)}; }

  std::string digits() {
    std::string text;
    while (is_ascii_digit(scan_.next())) text += character();
    return text;
  }
  std::string character() {
    const std::string taken(scan_.rest().substr(0, cluster_bytes(scan_.rest(), 0)));
    for (const char byte : taken) scan_.take(byte);
    return taken;
  }

  NameLine command(std::size_t depth) {
    const Scan before = scan_;
    scan_.take('\\');
    std::string name;
    while (is_ascii_letter(scan_.next())) name += character();
    if (name.empty()) {
      const char c = scan_.next();
      constexpr std::string_view spaces = ",;:! ", escaped = "_%&#${}";
      if (!scan_.ended() && spaces.find(c) != std::string_view::npos)
        return character(), NameLine{{.text = "\u2009", .face = Face::upright}};
      if (!scan_.ended() && escaped.find(c) != std::string_view::npos) return {{.text = character(), .face = Face::upright}};
      scan_ = before;
      fail("a backslash without the name of a command");
    }
    for (const auto& [wide, plain] : wide_accents)
      if (name == wide) name = plain;
    if (const NameAccent* accent = name_accent(name)) return {accented(*accent, depth)};
    if (const auto face = std::ranges::find(faces, name, &std::pair<std::string_view, Face>::first); face != faces.end())
      return in_face(face->second, depth);
    if (const auto sign = std::ranges::find(latex_signs, name, &Words::first); sign != latex_signs.end())
      return {{.text = std::string(sign->second), .face = Face::upright}};
    if (name == "imath" || name == "jmath") return {{.text = name.substr(0, 1)}};  // to be dotless is the accent's affair
    if (name == "phi" || name == "epsilon") return {{.text = name == "phi" ? "ϕ" : "ϵ"}};
    if (const std::string_view letter = greek_by_name(name); !letter.empty() && greek_in_latex(letter) == "\\" + name)
      return {{.text = std::string(letter)}};
    scan_ = before;
    fail("\\" + name + " is no command that a name may have: " + std::string(what_is_known));
  }

  NamePiece accented(const NameAccent& accent, std::size_t depth) {
    NameLine over = argument(depth);
    if (over.empty()) fail("nothing stands under the accent");
    const bool letter =
        over.size() == 1 && over[0].accent.empty() && over[0].below.empty() && over[0].above.empty() && over[0].inside.empty();
    if (!letter) return {.text = {}, .accent = accent.command, .inside = std::move(over)};
    over[0].accent = accent.command;
    return over[0];
  }

  /// The letters of a word in one face; Greek ones among them, and no scripts.
  NameLine in_face(Face face, std::size_t depth) {
    NameLine line, inside = argument(depth);
    for (const NamePiece& piece : inside) {
      if (!piece.accent.empty() || !piece.below.empty() || !piece.above.empty() || piece.text.empty())
        fail("accents and indices stand outside of \\mathrm{…} and the like");
      if (line.empty())
        line.push_back({.text = piece.text, .face = face});
      else
        line.front().text += piece.text;
    }
    if (line.empty()) fail("a word of no letters");
    return line;
  }

  Scan scan_;
};

}  // namespace

std::string sign_in_latex(std::string_view sign) {
  const auto found = std::ranges::find(latex_signs, sign, &Words::second);
  return found == latex_signs.end() ? "" : "\\" + std::string(found->first);
}

NameLook name_from_latex(std::string_view latex) {
  constexpr std::size_t longest = 200;
  if (latex.size() > longest) throw NameLatexError{longest, "a name of more than 200 characters"};
  const bool ascii = std::ranges::all_of(latex, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  NameLine line = NameLatex(latex).whole();
  return {std::move(line), ascii ? std::string(latex) : std::string()};
}

}  // namespace sfg
