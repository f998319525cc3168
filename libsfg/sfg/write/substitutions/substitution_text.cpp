#include "sfg/write/substitutions/substitution_text.hpp"

#include <cctype>

#include "sfg/text/legal_names.hpp"

namespace sfg {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string text_with(const GiNaC::ex& value, Notation notation, const std::map<std::string, std::string>& names) {
  const std::string text = print(value, notation);
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (is_word(text[end]) || (end > i && text[end] == '.' && std::isdigit(text[i]) != 0))) ++end;
    if (end == i) {
      if (text[i] != ' ' || notation == Notation::python) result += text[i];  // "1 if x >= 0 else 0" needs them
      ++i;
      continue;
    }
    const std::string word = text.substr(i, end - i);
    const auto name = names.find(word);
    const bool called = end < text.size() && text[end] == '(';
    result += name == names.end() || called ? word : name->second;
    i = end;
  }
  return result;
}

SubstitutionList with_legal_results(SubstitutionList list, std::set<std::string> own) {
  own.merge(keywords());
  LegalNames legal(std::move(own));
  for (auto& array : list.results) {
    const std::string stated = array.name;
    array.name = legal(stated);
    if (array.name != stated) array.text = stated + " of the list" + (array.text.empty() ? "" : ": " + array.text);
  }
  return list;
}

std::set<std::string> keywords() {
  return {// C and C++
          "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
          "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static",
          "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "alignas", "alignof", "and", "asm",
          "bool", "catch", "class", "concept", "constexpr", "decltype", "delete", "explicit", "export", "false", "friend",
          "mutable", "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected", "public",
          "requires", "template", "this", "throw", "true", "try", "typeid", "typename", "using", "virtual", "xor",
          // Octave and MATLAB
          "end", "endif", "endfor", "endwhile", "endfunction", "end_try_catch", "end_unwind_protect", "function", "elseif",
          "global", "persistent", "otherwise", "until", "unwind_protect", "parfor", "classdef", "methods", "properties", "events",
          "endswitch",
          // macros of math.h
          "NAN", "INFINITY", "HUGE_VAL"};
}

}  // namespace sfg
