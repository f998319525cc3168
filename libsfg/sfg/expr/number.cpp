#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/tokens.hpp"

namespace sfg {

using GiNaC::numeric;

numeric decimal(std::string_view text, const SourceSpan& where, const ParseLimits& limits) {
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
  return numeric(digits.c_str()) * numeric(10).power(numeric(exponent));
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

  numeric whole() {
    const numeric numerator = signed_decimal();
    numeric result = numerator;
    skip_spaces();
    if (position_ < text_.size() && text_[position_] == '/') {
      ++position_;
      skip_spaces();
      const std::size_t begin = position_;
      const numeric denominator = signed_decimal();
      if (denominator.is_zero()) throw Error(place_.at(text_, begin), "division by zero", "correct the denominator");
      result = numerator / denominator;
    } else {
      result = numerator * suffix();
    }
    if (position_ != text_.size()) refuse();
    return result;
  }

 private:
  void skip_spaces() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0) ++position_;
  }

  numeric signed_decimal() {
    bool negative = false;
    if (position_ < text_.size() && (text_[position_] == '-' || text_[position_] == '+')) negative = text_[position_++] == '-';
    const std::string_view digits = text_.substr(position_, decimal_length(text_.substr(position_)));
    if (digits.empty()) refuse();
    const numeric value = decimal(digits, place_.at(text_, position_, digits.size()), limits_);
    position_ += digits.size();
    return negative ? -value : value;
  }

  numeric suffix() {
    const std::string rest = lower_case(text_.substr(position_));
    for (const Suffix& known : suffixes) {
      if (known.text.empty() || !rest.starts_with(known.text)) continue;
      if (!is_unit(std::string_view(rest).substr(known.text.size()))) break;
      position_ = text_.size();
      return numeric(known.numerator) * numeric(10).power(numeric(known.power_of_ten));
    }
    return 1;
  }

  [[noreturn]] void refuse() const {
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

numeric parse_number(std::string_view text, SourceSpan where, const ParseLimits& limits) {
  const TextPlace place(std::move(where));
  return NumberReader(text, place, limits).whole();
}

}  // namespace sfg
