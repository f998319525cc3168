
#include <cln/malloc.h>
#include <ginac/ginac.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <new>

#include "sfg/expr/number_memory.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/syntax.hpp"

namespace sfg {

GiNaC::numeric decimal(std::string_view text, const SourceSpan& where, const ParseLimits& limits) {
  std::string digits;
  long exponent = 0;
  std::size_t i = 0;
  bool after_point = false;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      after_point = true;
      continue;
    }
    digits += text[i];
    if (after_point) --exponent;
  }
  if (digits.size() > limits.digits)
    throw Error(where, "the number has more than " + std::to_string(limits.digits) + " digits", "round it");
  if (i < text.size()) {
    const bool negative = text[++i] == '-';
    if (text[i] == '-' || text[i] == '+') ++i;
    long stated = 0;
    for (; i < text.size() && stated <= limits.decimal_exponent; ++i) stated = 10 * stated + (text[i] - '0');
    if (stated > limits.decimal_exponent)
      throw Error(where, "the exponent of the number is beyond ±" + std::to_string(limits.decimal_exponent),
                  "choose other units");
    exponent += negative ? -stated : stated;
  }
  return GiNaC::numeric(digits.c_str()) * GiNaC::numeric(10).power(GiNaC::numeric(exponent));
}

namespace {

struct Suffix {
  std::string_view text;
  long numerator;
  long power_of_ten;
};

/// Longest first: "meg" and "mil" before "m".
constexpr std::array<Suffix, 13> suffixes{{{"meg", 1, 6},
                                           {"mil", 254, -7},
                                           {"f", 1, -15},
                                           {"p", 1, -12},
                                           {"n", 1, -9},
                                           {"u", 1, -6},
                                           {"\u00B5", 1, -6},
                                           {"\u03BC", 1, -6},
                                           {"m", 1, -3},
                                           {"k", 1, 3},
                                           {"g", 1, 9},
                                           {"t", 1, 12},
                                           {"", 1, 0}}};

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
  return result;
}

bool is_unit(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c < 0x80 && std::isalpha(c) != 0; });
}

/// Reads numbers from the front of a text.
class NumberReader {
 public:
  NumberReader(std::string_view text, const TextPlace& place, const ParseLimits& limits)
      : text_(text), place_(place), limits_(limits) {
    constexpr std::string_view spaces = " \t\r\n";
    while (!text_.empty() && spaces.find(text_.back()) != std::string_view::npos) text_.remove_suffix(1);
    skip_spaces();
  }

  GiNaC::numeric whole() {
    const GiNaC::numeric numerator = signed_decimal();
    GiNaC::numeric result = numerator;
    const std::size_t behind = position_;
    skip_spaces();
    if (position_ < text_.size() && text_[position_] == '/') {
      ++position_;
      skip_spaces();
      const std::size_t begin = position_;
      const GiNaC::numeric denominator = signed_decimal();
      if (denominator.is_zero()) throw Error(place_.at(text_, begin), "division by zero", "correct the denominator");
      result = numerator / denominator;
    } else if (position_ == behind) {  // "10 m" is a length, and no 10 milli
      result = numerator * suffix();
    }
    if (position_ != text_.size()) refuse();
    return result;
  }

 private:
  void skip_spaces() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0) ++position_;
  }

  GiNaC::numeric signed_decimal() {
    bool negative = false;
    if (position_ < text_.size() && (text_[position_] == '-' || text_[position_] == '+')) negative = text_[position_++] == '-';
    const std::string_view digits = text_.substr(position_, decimal_length(text_.substr(position_)));
    if (digits.empty()) refuse();
    const GiNaC::numeric value = decimal(digits, place_.at(text_, position_, digits.size()), limits_);
    position_ += digits.size();
    return negative ? -value : value;
  }

  GiNaC::numeric suffix() {
    const std::string rest = lower_case(text_.substr(position_));
    for (const Suffix& known : suffixes) {
      if (known.text.empty() || !rest.starts_with(known.text)) continue;
      if (!is_unit(std::string_view(rest).substr(known.text.size()))) break;
      position_ = text_.size();
      return GiNaC::numeric(known.numerator) * GiNaC::numeric(10).power(GiNaC::numeric(known.power_of_ten));
    }
    return 1;
  }

  [[noreturn]] void refuse() const {
    if (auto foreign = foreign_number(text_, place_.at(text_, 0, text_.size()))) throw Error(std::move(*foreign));
    const std::size_t left = position_ < text_.size() ? text_.size() - position_ : 1;
    throw Error(place_.at(text_, position_, left), text_.empty() ? "a number is missing" : "this is not a number",
                "write a decimal, a fraction such as 1/3, or a decimal with a suffix f p n u m k meg g t");
  }

  std::string_view text_;
  const TextPlace& place_;
  const ParseLimits& limits_;
  std::size_t position_ = 0;
};

}  // namespace

namespace {

/// A decimal with its sign, cut into itself and what stands behind it, blanks apart.
struct NumberAndRest {
  std::string_view number;
  std::string_view rest;
  bool apart = false;  ///< blanks between them
};

NumberAndRest cut(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  const auto trim = [&] { text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size())); };
  trim();
  while (!text.empty() && spaces.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t digits = decimal_length(text.substr(std::min(sign, text.size())));
  if (digits == 0) return {};
  NumberAndRest result{text.substr(0, sign + digits), {}, false};
  text.remove_prefix(sign + digits);
  const std::size_t left = text.size();
  trim();
  result.rest = text;
  result.apart = text.size() != left;
  return result;
}

/// N/m, kg*m^2, %, °C: what a unit is written with, a letter or sign first.
bool looks_like_a_unit(std::string_view text) {
  if (text.empty() || std::string_view("+-*/^().,").find(text[0]) != std::string_view::npos) return false;
  return std::ranges::all_of(text, [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 ||
           std::string_view("/*^%.-() ").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

/// A decimal with letters behind it, and nothing else: 10, 2.2k, 4.7meg, 1e-9.
bool is_suffixed_number(std::string_view text) {
  const auto skip = [&](std::string_view set) { text.remove_prefix(std::min(text.find_first_not_of(set), text.size())); };
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  skip(" ");
  const std::size_t whole = text.size();
  skip("0123456789.");
  if (text.size() == whole) return false;
  if (text.size() >= 2 && (text[0] == 'e' || text[0] == 'E') &&
      std::string_view("+-0123456789").find(text[1]) != std::string_view::npos) {
    text.remove_prefix(2);
    skip("0123456789");
  }
  return std::ranges::none_of(text, [](char c) { return std::string_view("+-*/^() ,").find(c) != std::string_view::npos; });
}

}  // namespace

std::optional<Diagnostic> foreign_number(std::string_view text, const SourceSpan& where) {
  const auto [number, rest, apart] = cut(text);
  if (number.empty() || rest.empty()) return {};
  const std::string whole(number);
  if (rest[0] == ',' && rest.size() > 1 && std::isdigit(static_cast<unsigned char>(rest[1])) != 0) {
    const std::size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    const std::string decimals(rest.substr(1, end - 1));
    return Diagnostic{where, "number '" + whole + "," + decimals + "' has a decimal comma",
                      "write decimals with a point: " + whole + "." + decimals};
  }
  const bool compound = rest.find_first_of("/*^") != std::string_view::npos;
  if (!looks_like_a_unit(rest) || (!apart && (!compound || std::isdigit(static_cast<unsigned char>(rest[0])) != 0))) return {};
  SourceSpan place = where.shifted(static_cast<std::uint32_t>(rest.data() - text.data()));
  if (place.line != 0) place.length = static_cast<std::uint32_t>(rest.size());
  return Diagnostic{std::move(place),
                    "'" + std::string(rest) + "' behind the number " + whole + " is neither a suffix nor a factor",
                    "of a unit, write the number alone and unit = \"" + std::string(rest) +
                        "\" beside it (units=\"NAME=" + std::string(rest) + "\" in DOT); of a product write '*'"};
}

std::optional<Diagnostic> doubtful_number(std::string_view text, const SourceSpan& where) {
  const auto [number, rest, apart] = cut(text);
  if (number.empty() || apart || !rest.starts_with('M') || !is_unit(rest)) return {};
  if (const std::string lower = lower_case(rest); lower.starts_with("meg") || lower.starts_with("mil")) return {};
  const std::string whole(number);
  return Diagnostic{where, "number " + whole + std::string(rest) + " is " + whole + " milli (" + whole + "e-3), as in SPICE",
                    "10^6 is meg: " + whole + "meg; write " + whole + "m where milli is meant", Severity::warning};
}

GiNaC::ex parse_value(std::string_view text, SymbolTable& symbols, const SourceSpan& where) {
  if (auto foreign = foreign_number(text, where)) throw Error(std::move(*foreign));
  if (is_suffixed_number(text)) return parse_number(text, where);
  return parse(text, symbols, where);
}

GiNaC::numeric parse_number(std::string_view text, SourceSpan where, const ParseLimits& limits) {
  const TextPlace place(std::move(where));
  return NumberReader(text, place, limits).whole();
}

}  // namespace sfg

namespace sfg {

namespace {

void* memory_for_numbers(std::size_t bytes) {
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void report_memory_of_numbers() { cln::malloc_hook = memory_for_numbers; }

}  // namespace sfg
