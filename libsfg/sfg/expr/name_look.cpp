// The one rule for names: what is base, what is index, and how that is written.
#include "sfg/expr/names_in_use.hpp"

#include <algorithm>
#include <array>

#include "sfg/expr/latex_text.hpp"
#include "sfg/expr/name.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

using Face = NamePiece::Face;

struct Greek {
  std::string_view name, letter, latex;
  std::string_view alike = {};  ///< what a reader takes it for
};

constexpr std::array<Greek, 57> greek{{{"alpha", "α", "\\alpha"},
                                       {"beta", "β", "\\beta"},
                                       {"gamma", "γ", "\\gamma"},
                                       {"delta", "δ", "\\delta"},
                                       {"epsilon", "ε", "\\varepsilon"},
                                       {"zeta", "ζ", "\\zeta"},
                                       {"eta", "η", "\\eta"},
                                       {"theta", "θ", "\\theta"},
                                       {"iota", "ι", "\\iota"},
                                       {"kappa", "κ", "\\kappa"},
                                       {"lambda", "λ", "\\lambda"},
                                       {"mu", "μ", "\\mu"},
                                       {"nu", "ν", "\\nu"},
                                       {"xi", "ξ", "\\xi"},
                                       {"omicron", "ο", "o", "o"},
                                       {"pi", "π", "\\pi"},
                                       {"rho", "ρ", "\\rho"},
                                       {"sigma", "σ", "\\sigma"},
                                       {"tau", "τ", "\\tau"},
                                       {"upsilon", "υ", "\\upsilon"},
                                       {"phi", "φ", "\\varphi"},
                                       {"chi", "χ", "\\chi"},
                                       {"psi", "ψ", "\\psi"},
                                       {"omega", "ω", "\\omega"},
                                       {"Alpha", "Α", "\\mathrm{A}", "A"},
                                       {"Beta", "Β", "\\mathrm{B}", "B"},
                                       {"Gamma", "Γ", "\\Gamma"},
                                       {"Delta", "Δ", "\\Delta"},
                                       {"Epsilon", "Ε", "\\mathrm{E}", "E"},
                                       {"Zeta", "Ζ", "\\mathrm{Z}", "Z"},
                                       {"Eta", "Η", "\\mathrm{H}", "H"},
                                       {"Theta", "Θ", "\\Theta"},
                                       {"Iota", "Ι", "\\mathrm{I}", "I"},
                                       {"Kappa", "Κ", "\\mathrm{K}", "K"},
                                       {"Lambda", "Λ", "\\Lambda"},
                                       {"Mu", "Μ", "\\mathrm{M}", "M"},
                                       {"Nu", "Ν", "\\mathrm{N}", "N"},
                                       {"Xi", "Ξ", "\\Xi"},
                                       {"Omicron", "Ο", "\\mathrm{O}", "O"},
                                       {"Pi", "Π", "\\Pi"},
                                       {"Rho", "Ρ", "\\mathrm{P}", "P"},
                                       {"Sigma", "Σ", "\\Sigma"},
                                       {"Tau", "Τ", "\\mathrm{T}", "T"},
                                       {"Upsilon", "Υ", "\\Upsilon", "Y"},
                                       {"Phi", "Φ", "\\Phi"},
                                       {"Chi", "Χ", "\\mathrm{X}", "X"},
                                       {"Psi", "Ψ", "\\Psi"},
                                       {"Omega", "Ω", "\\Omega"},
                                       {"varphi", "φ", "\\varphi"},
                                       {"varepsilon", "ε", "\\varepsilon"},
                                       {"vartheta", "ϑ", "\\vartheta", "\\theta"},
                                       {"varrho", "ϱ", "\\varrho", "\\rho"},
                                       {"varsigma", "ς", "\\varsigma", "\\sigma"},
                                       {"varpi", "ϖ", "\\varpi", "\\pi"},
                                       {"", "ϕ", "\\phi", "\\varphi"},
                                       {"", "ϵ", "\\epsilon", "\\varepsilon"},
                                       {"", "µ", "\\mu"}}};

const Greek* greek_letter(std::string_view text) {
  if (text.empty()) return nullptr;
  const auto found = std::ranges::find_if(greek, [&](const Greek& g) { return g.name == text || g.letter == text; });
  return found == greek.end() ? nullptr : &*found;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
bool all_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_ascii_digit); }
bool is_letter(std::string_view text) {
  return !text.empty() && !is_ascii_digit(text.front()) && cluster_bytes(text, 0) == text.size();
}

std::size_t letters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); i += cluster_bytes(text, i)) ++count;
  return count;
}

NamePiece letter(std::string_view text) { return {.text = std::string(text), .face = Face::slanted}; }
NamePiece word(std::string_view text) { return {.text = std::string(text), .face = Face::upright}; }

/// A letter is slanted; what has several, and numbers, stand upright.
void put(NameLine& line, std::string_view text) {
  if (!text.empty()) line.push_back(is_letter(text) ? letter(text) : word(text));
}

/// The Greek letter that the run of letters begins with, and what follows it; a run that is none is a whole.
struct Split {
  std::string_view first;  ///< "" of a run that is none
  std::string_view rest;
};
Split greek_and_rest(std::string_view run) {
  constexpr std::size_t most_behind = 2;
  for (const Greek& g : greek) {
    if (g.name.empty() || !run.starts_with(g.name)) continue;
    const std::string_view rest = run.substr(g.name.size());
    const bool short_name = g.name.size() == 2;  // mu, nu, xi, pi are beginnings of too many words
    if (letters(rest) <= (short_name ? 0 : most_behind)) return {g.letter, rest};
  }
  return {};
}

/// "rpi" is r with π: a letter and the name of a Greek one.
const Greek* greek_behind_letter(std::string_view run) {
  const std::size_t first = run.empty() ? 0 : cluster_bytes(run, 0);
  const Greek* found = first < run.size() && run.size() > first + 1 ? greek_letter(run.substr(first)) : nullptr;
  return found != nullptr && !found->name.empty() && found->name == run.substr(first) ? found : nullptr;
}

std::string_view run_of_letters(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && !is_ascii_digit(text[end])) ++end;
  return text.substr(0, end);
}

/// One index: Greek words become letters.
void put_index(NameLine& line, std::string_view text) {
  const std::string_view run = run_of_letters(text), behind = text.substr(run.size());
  if (const Split split = greek_and_rest(run); !split.first.empty()) {
    line.push_back(letter(split.first));
    put(line, std::string(split.rest) + std::string(behind));
  } else if (const Greek* g = greek_behind_letter(run)) {
    put(line, run.substr(0, cluster_bytes(run, 0)));
    line.push_back(letter(g->letter));
    put(line, behind);
  } else {
    put(line, text);
  }
}

// The last three name lists and coefficients of ours.
constexpr std::array<std::string_view, 14> upright_words{"in",  "out", "ref", "err", "sum", "set", "cmd",
                                                         "max", "min", "dis", "gnd", "sub", "num", "den"};

/// The base, and the index that stands behind it without a "_".
NamePiece base_piece(std::string_view text) {
  constexpr std::size_t shortest_word = 4;
  const std::string_view run = run_of_letters(text), behind = text.substr(run.size());
  NamePiece base;
  if (const Split split = greek_and_rest(run); !split.first.empty()) {
    base = letter(split.first);
    put_index(base.below, std::string(split.rest) + std::string(behind));
  } else if (std::ranges::find(upright_words, run) != upright_words.end()) {
    base = word(run);
    put_index(base.below, behind);
  } else if (const Greek* g = greek_behind_letter(run)) {
    base = letter(run.substr(0, cluster_bytes(run, 0)));
    base.below.push_back(letter(g->letter));
    put(base.below, behind);
  } else if (letters(run) >= shortest_word) {
    base = word(run);
    put_index(base.below, behind);
  } else {
    const std::size_t first = cluster_bytes(text, 0);
    base = letter(text.substr(0, first));
    put_index(base.below, text.substr(first));
  }
  return base;
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return parts;
    begin = end + 1;
  }
}

void put_comma(NameLine& line) {
  if (!line.empty()) line.push_back(word(","));
}

/// "v(out)" and "i(R1)": the letter of the quantity; '\0' of anything else.
char quantity(std::string_view name) {
  const char c = place_in_name(name).empty() || name[1] != '(' ? '\0' : name[0];
  return c == 'v' || c == 'V' ? 'V' : c == 'i' || c == 'I' ? 'I' : '\0';
}

void put_place(NameLine& line, std::string_view place) {
  for (const std::string_view part : split_at(place, ',')) {
    put_comma(line);
    if (!part.empty() && (is_name(part) || all_digits(part) || is_name(std::string("n") += part)) && !part.ends_with('_')) {
      bool first = true;
      for (const std::string_view piece : split_at(part, '_')) {
        if (!first) put_comma(line);
        put_index(line, piece);
        first = false;
      }
    } else {
      line.push_back(word(part));
    }
  }
}

bool has_hole(const std::vector<std::string_view>& parts) { return std::ranges::any_of(parts, &std::string_view::empty); }

/// A letter under signs or with primes behind it, "ẋ" and "ω̄′", is mathematics of its own.
std::string one_letter_in_latex(const NamePiece& piece, bool dotless) {
  if (dotless && (piece.text == "i" || piece.text == "j")) return piece.text == "i" ? "\\imath" : "\\jmath";
  if (const Greek* g = greek_letter(piece.text)) return std::string(g->latex);
  if (const auto accented = accented_in_latex(piece.text)) return *accented;
  return latex_text(piece.text);
}

std::string in_latex(const NameLine& line, bool dotless = false);

std::string bare_latex(const NamePiece& piece, bool dotless) {
  if (!piece.inside.empty() || piece.text.empty()) return in_latex(piece.inside, dotless);
  const std::string& text = piece.text;
  if (piece.face == Face::bold) return "\\mathbf{" + latex_text(text) + "}";
  if (text == "," || all_digits(text)) return text;
  if (text == "\u2009") return "\\,";
  if (const std::string sign = sign_in_latex(text); !sign.empty()) return sign;
  if (text.size() == 1 && std::string_view("+-*/=<>.;:()[]|!?@").find(text[0]) != std::string_view::npos) return text;
  if (piece.face == Face::slanted && (greek_letter(text) || accented_in_latex(text) || (is_letter(text) && is_ascii(text))))
    return one_letter_in_latex(piece, dotless);
  if (piece.face == Face::slanted && !is_letter(text) && is_ascii(text)) return "\\mathit{" + latex_text(text) + "}";
  const bool plain = piece.face == Face::upright && is_ascii(text) && is_name("n" + text);
  return (plain ? "\\mathrm{" : "\\text{") + latex_text(text) + "}";
}

std::string in_latex(const NameLine& line, bool dotless) {
  std::string all;
  for (const NamePiece& piece : line) {
    std::string next = bare_latex(piece, dotless || !piece.accent.empty());
    if (!piece.accent.empty()) next = "\\" + std::string(piece.accent) + "{" + next + "}";
    if (!piece.below.empty()) next += "_{" + in_latex(piece.below) + "}";
    if (!piece.above.empty()) next += "^{" + in_latex(piece.above) + "}";
    const std::size_t command = all.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const bool open = command != std::string::npos && command + 1 < all.size() && all[command] == '\\';
    const bool letter_next = !next.empty() && (is_ascii_digit(next[0]) || (static_cast<unsigned char>(next[0] | 0x20) >= 'a' &&
                                                                           static_cast<unsigned char>(next[0] | 0x20) <= 'z'));
    all += (open && letter_next ? " " : "") + next;
  }
  return all;
}

/// Digits alone are lowered; there are no letters for the rest.
std::string in_unicode(const NameLine& line) {
  std::string all;
  for (const NamePiece& piece : line) {
    all += piece.text.empty() ? in_unicode(piece.inside) : piece.text;
    if (const NameAccent* accent = name_accent(piece.accent)) all += accent->mark;
    if (piece.below.size() == 1 && all_digits(piece.below[0].text))
      for (const char digit : piece.below[0].text) all += std::string("\xE2\x82") + static_cast<char>(0x80 + (digit - '0'));
    else if (!piece.below.empty())
      all += "_" + in_unicode(piece.below);
    const std::string raised = in_unicode(piece.above);
    const bool primes = !raised.empty() && raised.find_first_not_of("′") == std::string::npos;
    if (!raised.empty()) all += (primes ? "" : "^") + raised;
  }
  return all;
}

std::string in_markup(const NameLine& line, bool outer = true) {
  std::string all;
  for (const NamePiece& piece : line) {
    std::string text = piece.text.empty() ? in_markup(piece.inside, outer) : xml_text(piece.text);
    if (const NameAccent* accent = name_accent(piece.accent)) text += accent->mark;
    const bool slanted = outer && piece.face == Face::slanted && !piece.text.empty();
    all += slanted ? "<I>" + text + "</I>" : piece.face == Face::bold ? "<B>" + text + "</B>" : text;
    if (!piece.below.empty()) all += "<SUB>" + in_markup(piece.below, false) + "</SUB>";
    if (!piece.above.empty()) all += "<SUP>" + in_markup(piece.above, false) + "</SUP>";
  }
  return all;
}

constexpr std::array<NameAccent, 10> name_accents{{{"hat", "ˆ", "\u0302"},
                                                   {"tilde", "˜", "\u0303"},
                                                   {"dot", "˙", "\u0307"},
                                                   {"ddot", "¨", "\u0308"},
                                                   {"dddot", "⃛", "\u20DB"},
                                                   {"bar", "¯", "\u0304"},
                                                   {"breve", "˘", "\u0306"},
                                                   {"check", "ˇ", "\u030C"},
                                                   {"vec", "→", "\u20D7"},
                                                   {"mathring", "˚", "\u030A"}}};

}  // namespace

const NameAccent* name_accent(std::string_view command) {
  const auto found = std::ranges::find(name_accents, command, &NameAccent::command);
  return found == name_accents.end() ? nullptr : &*found;
}

bool is_accent_sign(std::string_view text) {
  return std::ranges::find(name_accents, text, &NameAccent::sign) != name_accents.end();
}

NameLine name_as_written(std::string_view name) {
  if (!is_name(name) && accented_in_latex(name)) return {letter(name)};
  return {word(name)};
}

std::string_view place_in_name(std::string_view name) {
  const std::size_t open = name.find('(');
  if (open == 0 || open == std::string_view::npos || name.back() != ')') return {};
  const std::string_view place = name.substr(open + 1, name.size() - open - 2);
  return place.find_first_of("()") == std::string_view::npos ? place : std::string_view();
}

NameLine name_at_place(std::string_view name) {
  const std::string_view place = place_in_name(name), of = name.substr(0, name.find('('));
  if (place.empty() || quantity(name) != '\0' || !is_name(of) || has_hole(split_at(of, '_'))) return name_line(name);
  NameLine line = name_line(of);
  put_place(line.front().below, place);
  return line;
}

NameLine name_line(std::string_view name) {
  const bool of_excitation = name.starts_with("e_");  // of a polar graph: the one at v(out)
  if (const char letter_of = quantity(of_excitation ? name.substr(2) : name)) {
    NamePiece base = letter(of_excitation ? "e" : std::string_view(&letter_of, 1));
    if (of_excitation) base.below = {letter(std::string_view(&letter_of, 1)), word(",")};
    NameLine place;
    put_place(place, name.substr((of_excitation ? 4 : 2), name.size() - (of_excitation ? 5 : 3)));
    base.below.insert(base.below.end(), place.begin(), place.end());
    return {base};
  }
  const std::vector<std::string_view> parts = split_at(name, '_');
  if (!is_name(name) || has_hole(parts)) return name_as_written(name);
  NamePiece base = base_piece(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    put_comma(base.below);
    put_index(base.below, parts[i]);
  }
  return {base};
}

NameLine with_dots(NameLine line, int dots) {
  if (line.empty() || dots == 0) return line;
  NamePiece& base = line.front();
  const std::string_view accent = dots == 1 ? "dot" : dots == 2 ? "ddot" : "dddot";
  if (base.accent.empty()) {
    base.accent = accent;
  } else {
    NamePiece under = base;
    under.below.clear();
    under.above.clear();
    base = {.text = {}, .face = base.face, .accent = accent, .inside = {under}, .below = base.below, .above = base.above};
  }
  return line;
}

NameLine flattened(const NameLine& line) {
  NameLine flat;
  for (const NamePiece& piece : line) {
    NameLine below = flattened(piece.below);
    flat.push_back(piece);
    flat.back().below.clear();
    flat.insert(flat.end(), below.begin(), below.end());
  }
  return flat;
}

bool needs_brackets_for_power(const NameLine& line) {
  return line.size() != 1 || !line.front().above.empty() || line.front().text.find("′") != std::string::npos ||
         line.front().text.find('\'') != std::string::npos;
}

std::string look_key(const NameLine& line) {
  std::string key;
  for (const NamePiece& piece : line) {
    const Greek* g = greek_letter(piece.text);
    const auto accented = accented_in_latex(piece.text);
    std::string text = piece.text.empty() ? look_key(piece.inside)
                       : g                ? std::string(g->alike.empty() ? g->latex : g->alike)
                                          : accented.value_or(piece.text);
    if (!piece.accent.empty()) text = "\\" + std::string(piece.accent) + "{" + text + "}";
    key += text;
    if (!piece.below.empty()) key += "_" + look_key(piece.below);  // as it would be written
    const std::string raised = look_key(piece.above);
    const bool primes = std::ranges::all_of(piece.above, [](const NamePiece& p) { return p.text == "′"; });
    if (!raised.empty()) key += primes ? std::string(piece.above.size(), '\'') : "^{" + raised + "}";
  }
  return key;
}

std::string write(const NameLine& line, Notation notation) {
  return notation == Notation::latex ? in_latex(line) : notation == Notation::markup ? in_markup(line) : in_unicode(line);
}

std::string latex(const NameLook& look) { return look.latex.empty() ? in_latex(look.line) : look.latex; }

std::string_view greek_in_latex(std::string_view character) {
  const Greek* letter = is_ascii(character) ? nullptr : greek_letter(character);
  return letter == nullptr ? std::string_view() : letter->latex;
}
std::string_view greek_by_name(std::string_view word) {
  const Greek* letter = is_ascii(word) ? greek_letter(word) : nullptr;
  return letter == nullptr ? std::string_view() : letter->letter;
}
std::string_view greek_word(std::string_view character) {
  const Greek* letter = is_ascii(character) ? nullptr : greek_letter(character);
  return letter == nullptr ? std::string_view() : letter->name;
}

}  // namespace sfg
