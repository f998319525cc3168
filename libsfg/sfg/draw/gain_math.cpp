#include "sfg/draw/gain_math.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sfg/draw/typed_decimals.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_form.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {
namespace {

using Kind = Math::Kind;

constexpr std::size_t most_digits = 12;         // of a number that stands as it is
constexpr std::size_t digits_kept = 6;          // of a longer one
constexpr std::size_t most_digits_read = 20;    // of one that must not look simpler than it is
constexpr long least_decimal_denominator = 10;  // below, 1/2 and 3/8 read as well as decimals

bool is_integer(const Math& m) {
  return m.kind == Kind::number && std::ranges::all_of(m.text, [](char c) { return c >= '0' && c <= '9'; });
}

std::size_t significant_digits(std::string_view decimal) {
  const std::string_view mantissa = decimal.substr(0, decimal.find('e'));
  const std::size_t first = mantissa.find_first_of("123456789"), last = mantissa.find_last_of("123456789");
  if (first == std::string_view::npos) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(mantissa.substr(first, last - first + 1), [](char c) { return c != '.'; }));
}

/// The number that leads a product, and the rest of it.
struct Led {
  GiNaC::numeric number = 1;
  std::vector<Math> rest;
};

Led led(const Math& m) {
  if (is_integer(m)) return {GiNaC::numeric(m.text.c_str()), {}};
  if (m.kind != Kind::product) return {1, {m}};
  if (!is_integer(m.parts.front())) return {1, m.parts};
  return {GiNaC::numeric(m.parts.front().text.c_str()), {m.parts.begin() + 1, m.parts.end()}};
}

bool is_decimal(const GiNaC::numeric& n) { return !n.is_integer() && finite_decimal(n).has_value(); }

/// The value of "0.25" or "1.5e-13".
GiNaC::numeric value_of(std::string_view decimal) {
  const std::size_t e = std::min(decimal.find('e'), decimal.size());
  std::string digits(decimal.substr(0, e));
  long exponent = e == decimal.size() ? 0 : std::stol(std::string(decimal.substr(e + 1)));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    digits.erase(point, 1);
    exponent -= static_cast<long>(digits.size() - point);
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return GiNaC::numeric(digits.c_str()) * GiNaC::numeric(10).power(GiNaC::numeric(exponent));
}

/// "2.5e18" with all six digits: 2.50000e18.
std::string with_all_digits(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  std::string mantissa = text.substr(0, e);
  const auto digits = std::ranges::count_if(mantissa.substr(std::min(mantissa.find_first_of("123456789"), e)), is_ascii_digit);
  const std::size_t zeros = digits_kept - std::min<std::size_t>(digits_kept, static_cast<std::size_t>(digits));
  if (zeros > 0 && mantissa.find('.') == std::string::npos) mantissa += '.';
  return mantissa + std::string(zeros, '0') + text.substr(e);
}

/// With six digits. Where that would be a much simpler number, 0.99999999999999 is not 1: nothing, and of very many digits
/// (`length`) also the zeros behind it.
std::optional<std::string> rounded(const GiNaC::numeric& n, std::size_t length) {
  auto text = number_in_one_piece(n, {.kind = NumberText::Kind::rounded, .digits = digits_kept});
  if (!text || significant_digits(*text) > 2) return text;
  return length > most_digits_read ? std::optional(with_all_digits(*text)) : std::nullopt;
}

class Numbers {
 public:
  /// Whether the model is written in decimals: then 1/2 is one, too.
  void look(const Math& m) {
    if (m.kind == Kind::quotient) {
      const GiNaC::numeric ratio = led(m.parts[0]).number / led(m.parts[1]).number;
      in_decimals_ = in_decimals_ || (is_decimal(ratio) && ratio.denom() >= least_decimal_denominator);
    }
    for (const Math& part : m.parts) look(part);
  }

  Math shown(Math m) const {
    if (m.kind == Kind::number && m.text.find('.') != std::string::npos && significant_digits(m.text) > most_digits)
      return Math::number(rounded(value_of(m.text), significant_digits(m.text)).value_or(m.text));
    if (m.kind == Kind::power) {
      m.parts[0] = shown(std::move(m.parts[0]));
      return m;
    }
    for (Math& part : m.parts) part = shown(std::move(part));
    if (m.kind != Kind::quotient) return m;
    Led top = led(m.parts[0]), bottom = led(m.parts[1]);
    const bool scaled = take_out_scales(top) | take_out_scales(bottom);
    const GiNaC::numeric ratio = top.number / bottom.number;
    auto text = bottom.number == 1 && !scaled ? std::nullopt : decimal(ratio);
    if (!text && !scaled) return m;
    if (!text) {
      text = integer_text(ratio.numer());
      if (ratio.denom() != 1) bottom.rest.insert(bottom.rest.begin(), Math::number(integer_text(ratio.denom())));
    }
    if (*text != "1" || top.rest.empty()) top.rest.insert(top.rest.begin(), Math::number(*text));
    Math above = Math::product(std::move(top.rest));
    return bottom.rest.empty() ? above : Math::quotient(std::move(above), Math::product(std::move(bottom.rest)));
  }

 private:
  /// Where the terms of a sum have very long numbers in front, their power of ten: the sum is then one of short numbers. Else 1.
  static GiNaC::numeric take_out_scale(Math& sum) {
    if (sum.kind != Kind::sum) return 1;
    std::size_t longest = 0;
    for (const Math& term : sum.parts) {
      const Math& body = term.is_negative() ? term.parts[0] : term;
      if (body.kind == Kind::quotient) return 1;
      longest = std::max(longest, integer_text(led(body).number).size());
    }
    if (longest <= most_digits) return 1;
    const GiNaC::numeric scale = GiNaC::numeric(10).power(GiNaC::numeric(static_cast<long>(longest) - 1));
    for (Math& term : sum.parts) {
      Led parts = led(term.is_negative() ? term.parts[0] : term);
      const GiNaC::numeric number = parts.number / scale;
      const std::string whole = finite_decimal(number).value_or("");
      const std::size_t digits = significant_digits(whole);
      const std::string text = digits <= most_digits ? whole : rounded(number, digits).value_or(whole);
      if (text != "1" || parts.rest.empty()) parts.rest.insert(parts.rest.begin(), Math::number(text));
      Math changed = Math::product(std::move(parts.rest));
      term = term.is_negative() ? Math::negative(std::move(changed)) : std::move(changed);
    }
    return scale;
  }

  static bool take_out_scales(Led& side) {
    GiNaC::numeric scale = 1;
    for (Math& factor : side.rest) scale *= take_out_scale(factor);
    if (scale == 1) return false;
    if (side.rest.front().kind == Kind::number) {  // a decimal
      scale *= value_of(side.rest.front().text);
      side.rest.erase(side.rest.begin());
    }
    side.number *= scale;
    return true;
  }

  std::optional<std::string> decimal(const GiNaC::numeric& ratio) const {
    const auto whole = finite_decimal(ratio);
    if (whole && !in_decimals_ && ratio.denom() < least_decimal_denominator) return std::nullopt;
    if (whole && significant_digits(*whole) <= most_digits) return whole;
    const std::size_t digits = integer_text(ratio.numer()).size() + integer_text(ratio.denom()).size();
    if (!whole && digits <= most_digits) return std::nullopt;
    return rounded(ratio, whole ? significant_digits(*whole) : digits);
  }

  bool in_decimals_ = false;
};

/// Of long whole numbers 1000000 as 10^6, and those of more digits than one reads rounded as decimals are; exponents stay.
Math with_powers_of_ten(Math m) {
  constexpr std::size_t long_number = 7, fewest_zeros = 4;
  const std::size_t parts = m.kind == Kind::power ? 1 : m.parts.size();
  for (std::size_t i = 0; i < parts; ++i) m.parts[i] = with_powers_of_ten(std::move(m.parts[i]));
  if (!is_integer(m) || m.text.size() < long_number) return m;
  const std::size_t significant = significant_digits(m.text), zeros = m.text.size() - significant;
  if (significant > most_digits) return Math::number(rounded(value_of(m.text), significant).value_or(m.text));
  if (zeros < fewest_zeros) return m;
  const std::string point = significant > 1 ? "." + m.text.substr(1, significant - 1) : "";
  return Math::number(m.text.substr(0, 1) + point + "e" + std::to_string(m.text.size() - 1));
}

/// K/z^2 as K z⁻²; in sums term by term.
Math with_delays(Math m, const std::string& z) {
  if (m.kind == Kind::sum || m.kind == Kind::negative) {
    for (Math& part : m.parts) part = with_delays(std::move(part), z);
    return m;
  }
  if (m.kind != Kind::quotient || m.parts[0].kind == Kind::sum || m.parts[0].kind == Kind::quotient) return m;
  const Math &top = m.parts[0], &bottom = m.parts[1], operator_name = Math::name(z);
  const bool plain = bottom == operator_name;
  const bool power = bottom.kind == Kind::power && bottom.parts[0] == operator_name && is_integer(bottom.parts[1]);
  if (!plain && !power) return m;
  std::vector<Math> factors = top.kind == Kind::product ? top.parts : std::vector<Math>{top};
  if (top == Math::number("1")) factors.clear();
  factors.push_back(Math::power(operator_name, Math::negative(plain ? Math::number("1") : bottom.parts[1])));
  return Math::product(std::move(factors));
}

}  // namespace

std::vector<Math> gain_math(const SignalFlowGraph& graph, const std::vector<exact::Rational>& decimals) {
  const TypedDecimals typed(decimals);
  std::vector<Math> gains;
  Numbers numbers;
  for (const Branch& branch : graph.branches()) {
    const GiNaC::ex& law = branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law;
    gains.push_back(typed.restored(math(law, graph.op.symbol())));
    numbers.look(gains.back());
  }
  for (Math& gain : gains) {
    gain = with_powers_of_ten(numbers.shown(std::move(gain)));
    if (graph.op.discrete()) gain = with_delays(std::move(gain), std::string(graph.op.symbol()));
  }
  return gains;
}

}  // namespace sfg
