// The notations of programs: the grammar of parse(), C, Python, Octave. Those for people are in print_math.cpp.
#include "sfg/expr/print.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include "sfg/expr/print_form.hpp"
#include "sfg/expr/print_math.hpp"

namespace sfg {

namespace {

using GiNaC::numeric;

std::string digits(const numeric& integer) {
  if (integer >= numeric(-1000000000) && integer <= numeric(1000000000)) return std::to_string(integer.to_long());
  std::ostringstream text;
  text << integer;
  return text.str();
}

}  // namespace

std::optional<std::string> finite_decimal(const GiNaC::numeric& n) {
  if (!n.is_rational()) return std::nullopt;
  if (n.is_integer()) return digits(n);
  numeric denominator = n.denom();
  long twos = 0, fives = 0;
  for (; GiNaC::irem(denominator, 2).is_zero(); ++twos) denominator = GiNaC::iquo(denominator, 2);
  for (; GiNaC::irem(denominator, 5).is_zero(); ++fives) denominator = GiNaC::iquo(denominator, 5);
  if (denominator != 1) return std::nullopt;
  long exponent = -std::max(twos, fives);
  std::string text = digits(abs(n) * numeric(10).power(numeric(-exponent)));
  const long point = static_cast<long>(text.size()) + exponent;  // digits before the decimal point
  if (point > 0) {
    text.insert(static_cast<std::size_t>(point), ".");
  } else if (point > -3) {
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-point), '0'));
  } else {
    if (text.size() > 1) text.insert(1, ".");
    text += "e" + std::to_string(point - 1);
  }
  return n.is_negative() ? "-" + text : text;
}

namespace {

/// 1e-15 rather than 1/1000000000000000.
std::optional<std::string> long_decimal(const numeric& n) {
  static const numeric shortest_denominator = numeric(10).power(12);
  return n.denom() <= shortest_denominator ? std::nullopt : finite_decimal(n);
}

/// Code in one of the programming notations.
class CodePrinter {
 public:
  explicit CodePrinter(Notation notation) : notation_(notation) {}

  std::string sum(const PrintSum& s) const {
    if (s.terms.empty()) return literal(numeric(0));
    std::string text;
    for (const PrintProduct& term : s.terms) {
      const bool negative = term.coefficient.is_negative();
      if (text.empty())
        text = negative ? "-" : "";
      else
        text += negative ? " - " : " + ";
      text += magnitude(term);
    }
    return text;
  }

  std::string base(const PrintFactor& f) const {
    switch (f.kind) {
      case PrintFactor::Kind::number: return f.number.is_pos_integer() ? literal(f.number) : "(" + signed_number(f.number) + ")";
      case PrintFactor::Kind::constant: return notation_ == Notation::c ? "3.14159265358979323846" : f.name;
      case PrintFactor::Kind::symbol: return notation_ == Notation::text ? f.name : print_name(f.name, notation_);
      case PrintFactor::Kind::call: return call(f);
      case PrintFactor::Kind::group: return "(" + sum(f.parts[0]) + ")";
    }
    return {};
  }

 private:
  /// The product without its sign.
  std::string magnitude(const PrintProduct& p) const {
    const numeric coefficient = abs(p.coefficient);
    std::string top, bottom;
    std::size_t bottom_count = 0;
    const auto append = [](std::string& text, const std::string& factor) { text += text.empty() ? factor : "*" + factor; };
    if (const auto decimal = whole_literal(coefficient)) {
      if (*decimal != literal(1)) append(top, *decimal);
    } else {
      if (coefficient.numer() != 1) append(top, literal(coefficient.numer()));
      append(bottom, literal(coefficient.denom()));
      ++bottom_count;
    }
    for (const PrintFactor& factor : p.factors) {
      if (factor.is_denominator()) {
        append(bottom, power(factor, -factor.exponent));
        ++bottom_count;
      } else {
        append(top, power(factor, factor.exponent));
      }
    }
    if (top.empty()) top = literal(1);
    if (bottom_count == 0) return top;
    return top + "/" + (bottom_count == 1 ? bottom : "(" + bottom + ")");
  }

  std::string literal(const numeric& integer) const {
    const std::string text = digits(integer);
    return notation_ == Notation::c ? text + ".0" : text;
  }

  /// A number printed in one piece; nothing for a fraction.
  std::optional<std::string> whole_literal(const numeric& n) const {
    if (!n.is_rational()) return print(n.to_double());
    constexpr std::size_t longest_in_double = 300;  // digits; beyond, p and q overflow though p/q may not
    if (notation_ != Notation::text && notation_ != Notation::python) {
      const bool overflows = digits(n.numer()).size() > longest_in_double || digits(n.denom()).size() > longest_in_double;
      if (overflows) return print(n.to_double());
    }
    if (n.is_integer()) return literal(n);
    return long_decimal(n);
  }

  std::string signed_number(const numeric& n) const { return sum(PrintSum{{PrintProduct{n, {}}}}); }

  std::string power(const PrintFactor& f, const numeric& exponent) const {
    static const numeric half(1, 2);
    if (f.symbolic_exponent.empty() && exponent == 1) return base(f);
    if (f.symbolic_exponent.empty() && exponent == half) return "sqrt(" + inner(f) + ")";
    const std::string e = f.symbolic_exponent.empty() ? number_exponent(exponent) : sum(f.symbolic_exponent[0]);
    if (notation_ == Notation::c) return "pow(" + inner(f) + ", " + e + ")";
    const bool simple =
        std::ranges::all_of(e, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
    return base(f) + (notation_ == Notation::python ? "**" : "^") + (simple ? e : "(" + e + ")");
  }

  std::string number_exponent(const numeric& exponent) const {
    return exponent.is_integer() ? digits(exponent) : signed_number(exponent);
  }

  /// The base inside of parentheses that are there anyway.
  std::string inner(const PrintFactor& f) const {
    if (f.kind == PrintFactor::Kind::group) return sum(f.parts[0]);
    if (f.kind == PrintFactor::Kind::number) return signed_number(f.number);
    return base(f);
  }

  std::string call(const PrintFactor& f) const {
    std::string arguments;
    for (const PrintSum& part : f.parts) arguments += (arguments.empty() ? "" : ", ") + sum(part);
    if (notation_ != Notation::text) {
      if (f.name == "step") return step(arguments);
      if (f.name == "sign" && notation_ != Notation::octave) return "((" + arguments + " > 0) - (" + arguments + " < 0))";
    }
    return function(f.name) + "(" + arguments + ")";
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

  Notation notation_;
};

}  // namespace

std::string number_text(const numeric& n) { return CodePrinter(Notation::text).sum(PrintSum{{PrintProduct{n, {}}}}); }
std::string form_text(const PrintSum& form) { return CodePrinter(Notation::text).sum(form); }
std::string form_in(const PrintSum& form, Notation notation) {
  return is_mathematical(notation) ? mathematical_text(form, notation) : CodePrinter(notation).sum(form);
}
std::string base_text(const PrintFactor& factor) { return CodePrinter(Notation::text).base(factor); }

std::string print(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string print(const GiNaC::ex& e, Notation notation, std::string_view main) { return form_in(print_form(e, main), notation); }

}  // namespace sfg
