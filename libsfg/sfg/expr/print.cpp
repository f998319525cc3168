// The notations of programs: the grammar of parse(), C, Python, Octave. Those for people are in print_math.cpp.
#include "sfg/expr/print.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <sstream>
#include <utility>

#include "sfg/expr/print_form.hpp"
#include "sfg/expr/print_math.hpp"

namespace sfg {

namespace {

using Number = GiNaC::numeric;
using Kind = Math::Kind;

std::string digits(const Number& integer) {
  if (integer >= Number(-1000000000) && integer <= Number(1000000000)) return std::to_string(integer.to_long());
  std::ostringstream text;
  text << integer;
  return text.str();
}

}  // namespace

std::optional<std::string> finite_decimal(const GiNaC::numeric& n) {
  if (!n.is_rational()) return std::nullopt;
  if (n.is_integer()) return digits(n);
  Number denominator = n.denom();
  long twos = 0, fives = 0;
  for (; GiNaC::irem(denominator, 2).is_zero(); ++twos) denominator = GiNaC::iquo(denominator, 2);
  for (; GiNaC::irem(denominator, 5).is_zero(); ++fives) denominator = GiNaC::iquo(denominator, 5);
  if (denominator != 1) return std::nullopt;
  long exponent = -std::max(twos, fives);
  std::string text = digits(abs(n) * Number(10).power(Number(-exponent)));
  const long point = static_cast<long>(text.size()) + exponent;  // digits before the decimal point
  if (point > 0) {
    text.insert(static_cast<std::size_t>(point), ".");
  } else if (point > -3) {
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-point), '0'));
  } else {
    constexpr long least_exponent = -400;  // of ParseLimits: what is less is no decimal that reads back
    if (point - 1 < least_exponent) return std::nullopt;
    if (text.size() > 1) text.insert(1, ".");
    text += "e" + std::to_string(point - 1);
  }
  return n.is_negative() ? "-" + text : text;
}

namespace {

/// 1e-15 rather than 1/1000000000000000.
std::optional<std::string> long_decimal(const Number& n) {
  static const Number shortest_denominator = Number(10).power(12);
  return n.denom() <= shortest_denominator ? std::nullopt : finite_decimal(n);
}

/// The grammar of parse() and what it has in common with programming languages.
class CodeWriter {
 public:
  explicit CodeWriter(Notation notation) : notation_(notation) {}

  std::string whole(const Math& m) const {
    switch (m.kind) {
      case Kind::name: return notation_ == Notation::text ? m.text : print_name(m.text, notation_);
      case Kind::constant: return notation_ == Notation::c ? "3.14159265358979323846" : m.text;
      case Kind::number: return notation_ == Notation::c && is_whole(m) ? m.text + ".0" : m.text;
      case Kind::word:
      case Kind::bold: return m.text;
      case Kind::sum: return sum(m);
      case Kind::negative: return "-" + addend(m.parts[0]);
      case Kind::product: return product(m);
      case Kind::quotient: return above(m.parts[0]) + "/" + below(m.parts[1]);
      case Kind::power: return power(m.parts[0], m.parts[1]);
      case Kind::root: return "sqrt(" + whole(m.parts[0]) + ")";
      case Kind::call: return call(m);
      case Kind::relation: return related(m);
      case Kind::matrix: return matrix(m);
      case Kind::element: return whole(m.parts[0]) + "[" + list(std::span(m.parts).subspan(1)) + "]";
    }
    return {};
  }

  /// What stands before "^".
  std::string base(const Math& m) const {
    const bool bare = m.kind == Kind::name || m.kind == Kind::constant || m.kind == Kind::call || m.kind == Kind::word ||
                      m.kind == Kind::bold || is_whole(m) || is_differential(m);
    return bare ? whole(m) : "(" + whole(m) + ")";
  }

 private:
  static bool is_whole(const Math& m) {
    return m.kind == Kind::number && std::ranges::all_of(m.text, [](char c) { return c >= '0' && c <= '9'; });
  }
  static bool is_loose(const Math& m) { return m.kind == Kind::sum || m.kind == Kind::negative || m.kind == Kind::relation; }

  std::string addend(const Math& m) const { return is_loose(m) ? "(" + whole(m) + ")" : whole(m); }
  std::string factor(const Math& m) const { return is_loose(m) || m.kind == Kind::quotient ? "(" + whole(m) + ")" : whole(m); }
  std::string above(const Math& m) const { return factor(m); }
  std::string below(const Math& m) const {
    return m.kind == Kind::product && !is_differential(m) ? "(" + whole(m) + ")" : factor(m);
  }

  std::string sum(const Math& m) const {
    std::string text;
    for (const Math& term : m.parts) {
      const bool negative = term.is_negative();
      if (text.empty() && !m.continued)
        text = negative ? "-" : "";
      else
        text += std::string(text.empty() ? "" : " ") + (negative ? "- " : "+ ");
      text += addend(negative ? term.parts[0] : term);
    }
    return text;
  }

  std::string product(const Math& m) const {
    if (is_differential(m)) return m.parts[0].text + whole(m.parts[1]);
    std::string text;
    for (const Math& part : m.parts) text += (text.empty() ? "" : "*") + factor(part);
    return text;
  }

  std::string power(const Math& b, const Math& exponent) const {
    const std::string e = is_whole(exponent) ? exponent.text : whole(exponent);
    if (notation_ == Notation::c) return "pow(" + whole(b) + ", " + e + ")";
    const bool simple =
        std::ranges::all_of(e, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
    return base(b) + (notation_ == Notation::python ? "**" : "^") + (simple ? e : "(" + e + ")");
  }

  std::string list(std::span<const Math> parts) const {
    std::string text;
    for (const Math& part : parts) text += (text.empty() ? "" : ", ") + whole(part);
    return text;
  }

  std::string call(const Math& m) const {
    const std::string arguments = list(m.parts);
    if (notation_ != Notation::text) {
      if (m.text == "step") return step(arguments);
      if (m.text == "sign" && notation_ != Notation::octave) return "((" + arguments + " > 0) - (" + arguments + " < 0))";
    }
    return function(m.text) + "(" + arguments + ")";
  }

  std::string step(const std::string& argument) const {
    if (notation_ == Notation::c) return "(" + argument + " >= 0 ? 1.0 : 0.0)";
    if (notation_ == Notation::python) return "(1 if " + argument + " >= 0 else 0)";
    return "(" + argument + " >= 0)";
  }

  std::string function(const std::string& name) const {
    if (notation_ == Notation::c && (name == "abs" || name == "min" || name == "max")) return "f" + name;
    return name;
  }

  std::string related(const Math& m) const {
    if (m.text == parallel_sign && notation_ != Notation::text)
      return whole(Math::quotient(Math::number("1"), Math::sum({Math::quotient(Math::number("1"), m.parts[0]),
                                                                Math::quotient(Math::number("1"), m.parts[1])})));
    const auto side = [&](const Math& part) { return is_loose_beside(m, part) ? "(" + whole(part) + ")" : whole(part); };
    return side(m.parts[0]) + " " + relation(m.text) + " " + side(m.parts[1]);
  }

  static std::string relation(const std::string& sign) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> spelt{
        {{"≤", "<="}, {"≥", ">="}, {"≠", "!="}, {"≈", "~"}, {"→", "->"}, {parallel_sign, "||"}}};
    const auto known = std::ranges::find(spelt, sign, &std::pair<std::string_view, std::string_view>::first);
    return known == spelt.end() ? sign : std::string(known->second);
  }

  std::string matrix(const Math& m) const {
    std::string text = "[";
    for (std::size_t i = 0; i < m.parts.size(); ++i)
      text += (i == 0 ? "" : m.columns > 0 && i % m.columns == 0 ? "; " : ", ") + whole(m.parts[i]);
    return text + "]";
  }

  Notation notation_;
};

/// A positive number with so many significant digits, half rounded up: 0.618, 1250000, 4.472e7.
std::string rounded_decimal(const Number& n, std::size_t count) {
  if (n.is_zero()) return "0";
  const long most = static_cast<long>(count);
  const auto ten_to = [](long power) { return Number(10).power(Number(power)); };
  long exponent = static_cast<long>(digits(n.numer()).size()) - static_cast<long>(digits(n.denom()).size());
  if (n < ten_to(exponent)) --exponent;
  const Number scaled = n * ten_to(most - 1 - exponent) + Number(1, 2);
  std::string text = digits(GiNaC::iquo(scaled.numer(), scaled.denom()));
  if (static_cast<long>(text.size()) > most) ++exponent;  // 9.99… became 10
  text.erase(text.find_last_not_of('0') + 1);
  constexpr long least_plain = -4, most_plain = 6;
  const long size = static_cast<long>(text.size());
  if (exponent < least_plain || exponent > std::max(most_plain, most - 1)) {
    if (size > 1) text.insert(1, ".");
    return text + "e" + std::to_string(exponent);
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + text;
  if (size <= exponent + 1) return text + std::string(static_cast<std::size_t>(exponent + 1 - size), '0');
  return text.insert(static_cast<std::size_t>(exponent + 1), ".");
}

/// Doubles are what C and Octave compute with.
NumberText numbers_of(Notation notation) {
  return notation == Notation::c || notation == Notation::octave ? NumberText{.kind = NumberText::Kind::doubles} : NumberText{};
}

}  // namespace

std::string integer_text(const Number& n) { return digits(n); }

std::optional<std::string> number_in_one_piece(const Number& n, NumberText style) {
  if (!n.is_rational()) return print(n.to_double());
  constexpr std::size_t longest_in_double = 300;  // digits; beyond, p and q overflow though p/q may not
  if (style.kind == NumberText::Kind::rounded) return rounded_decimal(n, style.digits);
  if (style.kind == NumberText::Kind::doubles) {
    const bool overflows = digits(n.numer()).size() > longest_in_double || digits(n.denom()).size() > longest_in_double;
    if (overflows) return print(n.to_double());
  }
  if (n.is_integer()) return digits(n);
  return long_decimal(n);
}

std::string write(const Math& m, Notation notation) {
  return is_mathematical(notation) ? mathematical_text(m, notation) : CodeWriter(notation).whole(m);
}

std::string number_text(const Number& n) { return form_text(PrintSum{{PrintProduct{n, {}}}}); }
std::string form_text(const PrintSum& form) { return write(form_tree(form), Notation::text); }
std::string base_text(const PrintFactor& factor) { return CodeWriter(Notation::text).base(base_tree(factor)); }

std::string print(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string print(const GiNaC::ex& e, Notation notation, std::string_view main) {
  return write(form_tree(print_form(e, main), numbers_of(notation)), notation);
}

std::string print(const ring::Polynomial& p, Notation notation, Terms terms) {
  if (notation == Notation::text) return polynomial_text(p, terms);
  return write(form_tree(polynomial_form(p, terms), numbers_of(notation)), notation);
}

}  // namespace sfg
