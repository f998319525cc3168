// A name in a notation: as it looks in mathematics, or an identifier of a programming language.
#include <algorithm>
#include <array>

#include "sfg/expr/names_in_use.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

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
    } else if (const std::string_view letter = greek_word(character); !letter.empty()) {
      text += letter;
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

std::string print_name(std::string_view name, Notation notation) {
  switch (notation) {
    case Notation::text: return std::string(name);
    case Notation::latex: return latex(NamesInUse::look(name));
    case Notation::unicode:
    case Notation::markup: return write(NamesInUse::look(name).line, notation);
    case Notation::c:
    case Notation::python:
    case Notation::octave: return identifier(name, notation);
  }
  return std::string(name);
}

}  // namespace sfg
