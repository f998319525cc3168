#include "sfg/text/unit_text.hpp"

#include <algorithm>
#include <array>

#include "sfg/text/scan.hpp"

namespace sfg {
namespace {

/// A word of a unit with its signs for the ohm and the millionth: kOhm is kΩ, uF µF.
std::string with_signs(std::string_view word) {
  static constexpr std::array<std::string_view, 22> prefixes{"",  "da", "Q", "R", "Y", "Z", "E", "P", "T", "G", "M",
                                                             "k", "h",  "d", "c", "m", "u", "n", "p", "f", "a", "z"};
  // Those that the reader takes with a prefix (expr/dimension.cpp), and Ω.
  static constexpr std::array<std::string_view, 34> after_micro{
      "g", "m", "s",  "A",   "K",  "mol", "cd", "N",   "Pa", "J",  "W",  "C",  "V",   "F",  "Ω",  "S",  "Wb",
      "T", "H", "Hz", "rad", "sr", "l",   "L",  "bar", "t",  "eV", "Wh", "VA", "var", "Ah", "lm", "lx", "Bq"};
  std::string made(word);
  const std::string_view before = word.substr(0, word.size() - std::min<std::size_t>(word.size(), 3));
  if ((word.ends_with("Ohm") || word.ends_with("ohm")) && std::ranges::find(prefixes, before) != prefixes.end())
    made.replace(before.size(), 3, "Ω");
  if (made.starts_with('u') && std::ranges::find(after_micro, std::string_view(made).substr(1)) != after_micro.end())
    made.replace(0, 1, "µ");
  return made;
}

}  // namespace

std::string unit_text(std::string_view unit) {
  static constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  static constexpr std::array<std::string_view, 3> products{"*", "·", "⋅"};
  std::string made;
  const auto is_letter = [](char c) { return is_ascii_letter(c) || static_cast<unsigned char>(c) >= 0x80; };
  for (std::size_t i = 0; i < unit.size();) {
    const std::string_view rest = unit.substr(i);
    const std::size_t mark = rest.starts_with("**") ? 2 : rest.front() == '^' ? 1 : 0;
    const std::size_t digits = mark + (mark > 0 && rest.substr(mark).starts_with('-') ? 1 : 0);
    std::size_t end = digits;
    while (end < rest.size() && is_ascii_digit(rest[end])) ++end;
    if (mark > 0 && end > digits && (end == rest.size() || rest[end] != '.')) {
      if (digits > mark) made += "⁻";
      for (const char digit : rest.substr(digits, end - digits)) made += raised[static_cast<std::size_t>(digit - '0')];
      i += end;
      continue;
    }
    std::size_t product = 0;
    for (const std::string_view sign : products)
      if (mark == 0 && product == 0 && rest.starts_with(sign)) product = sign.size();
    std::size_t word = 0;
    while (word < rest.size() && is_ascii_letter(rest[word])) ++word;
    const bool point = rest.front() == '.' && i > 0 && rest.size() > 1 && is_letter(unit[i - 1]) && is_letter(rest[1]);
    if (product > 0 || point) {
      while (made.ends_with(' ')) made.pop_back();
      made += ' ';
      i += point ? 1 : product;
      while (i < unit.size() && unit[i] == ' ') ++i;
    } else if (word > 0) {
      made += with_signs(rest.substr(0, word));
      i += word;
    } else {
      made += rest.front();
      ++i;
    }
  }
  return made;
}

}  // namespace sfg
