#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/notation.hpp"
#include "sfg/ring/multivariate.hpp"

namespace sfg {

/// A formula as its parts: made from expressions in the order in which print() writes them, or by hand, and written in
/// every notation from here. Parentheses are no part of it: a writer sets them where its notation needs them.
struct Math {
  enum class Kind {
    name,      ///< text: a name of the grammar, as typed: K_p, phi1
    constant,  ///< text: pi
    number,    ///< text: digits, or a decimal such as 1.5e-13; without a sign
    word,      ///< text: anything, upright and as it is
    bold,      ///< text: the letter of a matrix or of a vector
    sum,       ///< parts: the terms; what is subtracted is a negative
    negative,  ///< parts: what is negated
    product,   ///< parts: the factors
    quotient,  ///< parts: numerator, denominator
    power,     ///< parts: base, exponent
    root,      ///< parts: what the square root is taken of
    call,      ///< text: the function, as typed; parts: its arguments
    relation,  ///< text: = < > ≤ ≥ ≠ ≈ →; parts: left, right
    matrix,    ///< parts: the entries row by row
    element,   ///< parts: what has elements, then the indices of one: d[x, y]
  };
  Kind kind = Kind::number;
  std::string text = "0";
  std::vector<Math> parts = {};
  std::size_t columns = 0;  ///< of a matrix
  bool continued = false;   ///< a sum that continues the line before: its first term shows its sign

  bool operator==(const Math&) const = default;

  static Math name(std::string_view);
  /// The name of a signal: a name where the grammar has it, else a word.
  static Math signal(std::string_view);
  static Math number(std::string_view unsigned_digits);
  static Math word(std::string_view);
  static Math bold(std::string_view);
  static Math sum(std::vector<Math> terms);
  static Math negative(Math);
  static Math product(std::vector<Math> factors);
  static Math quotient(Math numerator, Math denominator);
  static Math power(Math base, Math exponent);
  static Math root(Math);
  static Math call(std::string_view function, std::vector<Math> arguments);
  static Math relation(Math left, std::string_view sign, Math right);
  static Math equation(Math left, Math right) { return relation(std::move(left), "=", std::move(right)); }
  static Math matrix(std::vector<Math> entries, std::size_t columns);
  static Math element(Math of, std::vector<Math> indices);

  bool is_negative() const noexcept { return kind == Kind::negative; }
};

/// The expression in the order of print(); a sum that is a polynomial of `main` by descending powers of it.
Math math(const GiNaC::ex&, std::string_view main = {});
Math math(const ring::Polynomial&, Terms = Terms::collected);

/// The terms of a sum, each with its sign; anything else is its own only term. What breaks a formula does it between them.
std::vector<Math> terms(const Math&);
/// The terms from `begin` up to `end` as a line of their own: from the second line on with the sign of the first of them.
Math line_of_terms(const Math& sum, std::size_t begin, std::size_t end);

/// The formula in a notation; in that of parse(), C, Python and Octave only what an expression is made of has a meaning.
std::string write(const Math&, Notation);
/// The formula as an element `<math>` of MathML Core, in a line of text or on a line of its own.
std::string mathml(const Math&, bool display = false);

}  // namespace sfg
