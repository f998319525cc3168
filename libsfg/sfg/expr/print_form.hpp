#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/notation.hpp"

namespace sfg {

// An expression made ready for printing: sums of products of powers in an order that depends on names and degrees
// alone. GiNaC's own order, and even the sign it gives to a sum under a power, differ from run to run.

struct PrintFactor;

/// coefficient · Π factors; the coefficient is a real number.
struct PrintProduct {
  GiNaC::numeric coefficient = 1;
  std::vector<PrintFactor> factors;
};

struct PrintSum {
  std::vector<PrintProduct> terms;  ///< empty: 0
};

/// base ^ exponent.
struct PrintFactor {
  enum class Kind { number, constant, symbol, call, group };
  Kind kind = Kind::symbol;
  std::string name;             ///< of a constant, symbol or function
  GiNaC::numeric number;        ///< base of a power of a number
  std::vector<PrintSum> parts;  ///< arguments of a function; the one sum of a group
  GiNaC::numeric exponent = 1;  ///< a real number, unless `symbolic_exponent` holds one sum
  std::vector<PrintSum> symbolic_exponent;

  bool is_denominator() const { return symbolic_exponent.empty() && exponent.is_negative(); }
  /// The base as text, the key of all ordering.
  const std::string& key() const;
  void forget_key() { key_.clear(); }  ///< when parts have changed

 private:
  mutable std::string key_;
};

/// The form of an expression; sums are ordered by descending powers of `main`, then by names and degrees.
PrintSum print_form(const GiNaC::ex&, std::string_view main);

/// The form of a polynomial, by descending powers of its first variable, and its text straight from its terms.
PrintSum polynomial_form(const ring::Polynomial&, Terms);
std::string polynomial_text(const ring::Polynomial&, Terms);

/// In a sum without the main variable a positive number comes first, else what is positive: 1 − G·H, and b − a.
/// Where no main variable is known, any name may be one: its powers descend to the number.
void put_lead_first(PrintSum&, std::string_view main);

/// True when the first term by name and degree is negative: y − x, but not x − y.
bool leads_with_minus(const GiNaC::ex&);

/// Brings the factors and terms that were put together elsewhere into their order.
void order_factors(PrintProduct&, std::string_view main);

/// How numbers are written.
struct NumberText {
  enum class Kind {
    exact,
    doubles,  ///< so that a program reading them as doubles does not overflow
    rounded,  ///< as decimals
  };
  Kind kind = Kind::exact;
  std::size_t digits = 0;  ///< of rounded ones, at least 1
};

std::string integer_text(const GiNaC::numeric&);
/// A number without a sign printed in one piece; nothing for a fraction p/q.
std::optional<std::string> number_in_one_piece(const GiNaC::numeric&, NumberText);

Math form_tree(const PrintSum&, NumberText = {});
Math base_tree(const PrintFactor&, NumberText = {});

/// The number as text that parse() reads back; needs no parentheses in front of "*", and none elsewhere if positive.
std::string number_text(const GiNaC::numeric&);

/// The form in the grammar of parse().
std::string form_text(const PrintSum&);
std::string base_text(const PrintFactor&);

/// Whether a letter stands in front of another one in a product: by name, but a damping ratio in front of frequencies, as
/// books have it (2ζω_n s), and k_B, T_K, q_e of noise in front of all (4 k_B T R).
bool stands_before(std::string_view a, std::string_view b);

}  // namespace sfg
