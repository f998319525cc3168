// How a name looks: Greek letters, subscripts, and the identifiers of programming languages.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "sfg/expr/accented_letter.hpp"
#include "sfg/expr/latex_text.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_math.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

struct Greek {
  std::string_view name, letter, latex;
};

constexpr std::array<Greek, 35> greek{{
    {"alpha", "α", "\\alpha"},
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
    {"pi", "π", "\\pi"},
    {"rho", "ρ", "\\rho"},
    {"sigma", "σ", "\\sigma"},
    {"tau", "τ", "\\tau"},
    {"upsilon", "υ", "\\upsilon"},
    {"phi", "φ", "\\varphi"},
    {"chi", "χ", "\\chi"},
    {"psi", "ψ", "\\psi"},
    {"omega", "ω", "\\omega"},
    {"Gamma", "Γ", "\\Gamma"},
    {"Delta", "Δ", "\\Delta"},
    {"Theta", "Θ", "\\Theta"},
    {"Lambda", "Λ", "\\Lambda"},
    {"Xi", "Ξ", "\\Xi"},
    {"Pi", "Π", "\\Pi"},
    {"Sigma", "Σ", "\\Sigma"},
    {"Upsilon", "Υ", "\\Upsilon"},
    {"Phi", "Φ", "\\Phi"},
    {"Psi", "Ψ", "\\Psi"},
    {"Omega", "Ω", "\\Omega"},
    {"varphi", "φ", "\\varphi"},
}};

const Greek* greek_letter(std::string_view text) {
  const auto found = std::ranges::find_if(greek, [&](const Greek& g) { return g.name == text || g.letter == text; });
  return found == greek.end() ? nullptr : &*found;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void split_digits(NameParts& parts) {
  std::size_t end = parts.stem.size();
  while (end > 0 && is_ascii_digit(parts.stem[end - 1])) --end;
  if (end == parts.stem.size() || end == 0) return;
  parts.subscripts.push_back(parts.stem.substr(end));
  parts.stem.resize(end);
}

void split_axis(NameParts& parts) {
  constexpr std::string_view axes = "xyz";
  if (!parts.subscripts.empty() || parts.stem.size() < 3 || axes.find(parts.stem.back()) == std::string_view::npos) return;
  const std::string rest = parts.stem.substr(0, parts.stem.size() - 1);
  if (greek_letter(rest) == nullptr) return;
  parts.subscripts.emplace_back(1, parts.stem.back());
  parts.stem = rest;
}

/// "phi1" is phi with 1, "K_p" is K with p, "phix" is phi with x.
NameParts name_parts(std::string_view name) {
  NameParts parts;
  std::size_t begin = 0;
  const auto piece = [&](std::size_t end) { return std::string(name.substr(begin, end - begin)); };
  for (std::size_t end = name.find('_'); end != std::string_view::npos; end = name.find('_', begin)) {
    if (begin == 0)
      parts.stem = piece(end);
    else
      parts.subscripts.push_back(piece(end));
    begin = end + 1;
  }
  if (begin == 0)
    parts.stem = std::string(name);
  else
    parts.subscripts.push_back(piece(name.size()));
  const bool has_hole = parts.stem.empty() || std::ranges::any_of(parts.subscripts, &std::string::empty);
  if (has_hole) return {std::string(name), {}};
  if (parts.subscripts.empty()) {
    split_digits(parts);
    split_axis(parts);
  }
  return parts;
}

/// "phiy" in a subscript is φ with y, "pi16" π with 16, "mu13A" μ with 13A; nothing for other words.
struct GreekAndTail {
  const Greek* letter;
  std::string tail;
};
std::optional<GreekAndTail> greek_and_tail(const std::string& word) {
  constexpr std::string_view axes = "xyz";
  std::size_t end = std::min(word.find_first_of("0123456789"), word.size());
  if (end == word.size() && end > 1 && axes.find(word.back()) != std::string_view::npos) --end;
  if (end == word.size()) return std::nullopt;
  const Greek* letter = greek_letter(std::string_view(word).substr(0, end));
  return letter == nullptr ? std::nullopt : std::optional<GreekAndTail>({letter, word.substr(end)});
}

std::string latex_word(const std::string& word) {
  if (const Greek* letter = greek_letter(word)) return std::string(letter->latex);
  if (const auto parts = greek_and_tail(word)) {
    const bool mixed = parts->tail.size() > 1 && !std::ranges::all_of(parts->tail, is_ascii_digit);
    return std::string(parts->letter->latex) + (mixed ? "\\mathrm{" + parts->tail + "}" : " " + parts->tail);
  }
  if (const auto accented = accented_in_latex(word)) return *accented;
  if (std::ranges::all_of(word, is_ascii_digit) || word.size() == 1) return word == "_" ? "\\_" : word;
  return (is_ascii(word) ? "\\mathrm{" : "\\text{") + latex_text(word) + "}";
}

std::string latex_name(std::string_view name) {
  const NameParts parts = name_parts(name);
  std::string text = latex_word(parts.stem);
  if (parts.subscripts.empty()) return text;
  text += "_{";
  for (std::size_t i = 0; i < parts.subscripts.size(); ++i) text += (i == 0 ? "" : ",") + latex_word(parts.subscripts[i]);
  return text + "}";
}

std::string letters(const std::string& word) {
  if (const Greek* letter = greek_letter(word)) return std::string(letter->letter);
  if (const auto parts = greek_and_tail(word)) return std::string(parts->letter->letter) + parts->tail;
  return word;
}

std::string unicode_name(std::string_view name) {
  const NameParts parts = name_parts(name);
  std::string text = letters(parts.stem);
  for (const std::string& subscript : parts.subscripts) {
    const bool is_number = std::ranges::all_of(subscript, is_ascii_digit);
    if (is_number && parts.subscripts.size() == 1)
      for (const char digit : subscript) text += std::string("\xE2\x82") + static_cast<char>(0x80 + (digit - '0'));  // U+2080 …
    else
      text += "_" + letters(subscript);
  }
  return text;
}

std::string markup_word(const std::string& word) {
  const std::string text = letters(word);
  return is_slanted(text) ? "<I>" + text + "</I>" : text;
}

std::string markup_name(std::string_view name) {
  const NameParts parts = name_parts(name);
  std::string text = markup_word(parts.stem);
  if (parts.subscripts.empty()) return text;
  text += "<SUB>";
  for (std::size_t i = 0; i < parts.subscripts.size(); ++i) text += (i == 0 ? "" : ",") + letters(parts.subscripts[i]);
  return text + "</SUB>";
}

constexpr std::array<std::string_view, 50> c_words{
    "auto",     "break",    "case",      "char",     "const",   "continue", "default", "do",     "double",  "else",
    "enum",     "extern",   "float",     "for",      "goto",    "if",       "inline",  "int",    "long",    "register",
    "restrict", "return",   "short",     "signed",   "sizeof",  "static",   "struct",  "switch", "typedef", "union",
    "unsigned", "void",     "volatile",  "while",    "bool",    "true",     "false",   "class",  "new",     "delete",
    "this",     "template", "namespace", "operator", "private", "public",   "main",    "I",      "NAN",     "NULL"};
constexpr std::array<std::string_view, 37> python_words{
    "False",    "None",   "True",  "and",  "as",     "assert",   "async",   "await", "break", "class",
    "continue", "def",    "del",   "elif", "else",   "except",   "finally", "for",   "from",  "global",
    "if",       "import", "in",    "is",   "lambda", "nonlocal", "not",     "or",    "pass",  "raise",
    "return",   "try",    "while", "with", "yield",  "match",    "print"};
constexpr std::array<std::string_view, 32> octave_words{"break",
                                                        "case",
                                                        "catch",
                                                        "continue",
                                                        "do",
                                                        "else",
                                                        "elseif",
                                                        "end",
                                                        "end_try_catch",
                                                        "end_unwind_protect",
                                                        "endfor",
                                                        "endfunction",
                                                        "endif",
                                                        "endswitch",
                                                        "endwhile",
                                                        "for",
                                                        "function",
                                                        "global",
                                                        "if",
                                                        "otherwise",
                                                        "persistent",
                                                        "return",
                                                        "switch",
                                                        "try",
                                                        "until",
                                                        "unwind_protect",
                                                        "unwind_protect_cleanup",
                                                        "while",
                                                        "parfor",
                                                        "endparfor",
                                                        "classdef",
                                                        "methods"};
/// What an expression in code calls: a symbol of that name needs another.
constexpr std::array<std::string_view, 27> called{"sqrt",  "exp",  "log",  "sin",  "cos",  "tan",  "asin", "acos", "atan",
                                                  "atan2", "sinh", "cosh", "tanh", "abs",  "sign", "min",  "max",  "step",
                                                  "floor", "pow",  "fabs", "fmin", "fmax", "pi",   "e",    "i",    "j"};

bool is_taken(std::string_view name, Notation notation) {
  const auto in = [&](const auto& list) { return std::ranges::find(list, name) != list.end(); };
  const bool is_imaginary = name == "i" || name == "j" || name == "e";
  if (in(called) && (notation == Notation::octave || !is_imaginary)) return true;
  switch (notation) {
    case Notation::c: return in(c_words);
    case Notation::python: return in(python_words);
    case Notation::octave: return in(octave_words) || name == "I" || name == "J";
    default: return false;
  }
}

std::string identifier(std::string_view name, Notation notation) {
  std::string text;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t bytes = character_bytes(name, i);
    const std::string_view character = name.substr(i, bytes);
    if (bytes == 1) {
      text += character;
    } else if (const Greek* letter = greek_letter(character)) {
      text += letter->name;
    } else {
      constexpr std::string_view hexadecimal = "0123456789abcdef";
      text += 'u';
      for (const char byte : character) {
        text += hexadecimal[static_cast<unsigned char>(byte) >> 4];
        text += hexadecimal[static_cast<unsigned char>(byte) & 15];
      }
    }
    i += bytes;
  }
  return is_taken(text, notation) ? text + "_" : text;
}

}  // namespace

bool is_slanted(std::string_view shown) {
  const bool two_letters =
      character_count(shown) == 2 && shown.size() == 3 && !is_ascii(shown.substr(0, 2)) && !is_ascii_digit(shown.back());
  return two_letters || (character_count(shown) == 1 && !is_ascii_digit(shown.front()));
}

NameParts shown_name(std::string_view name) {
  NameParts parts = name_parts(name);
  parts.stem = letters(parts.stem);
  for (std::string& subscript : parts.subscripts) subscript = letters(subscript);
  return parts;
}

std::string_view greek_in_latex(std::string_view character) {
  const Greek* letter = is_ascii(character) ? nullptr : greek_letter(character);
  return letter == nullptr ? std::string_view() : letter->latex;
}

std::string print_name(std::string_view name, Notation notation) {
  switch (notation) {
    case Notation::text: return std::string(name);
    case Notation::latex: return latex_name(name);
    case Notation::unicode: return unicode_name(name);
    case Notation::markup: return markup_name(name);
    case Notation::c:
    case Notation::python:
    case Notation::octave: return identifier(name, notation);
  }
  return std::string(name);
}

}  // namespace sfg
