#pragma once
#include <ginac/ex.h>

#include <optional>

namespace sfg {

/// What keeps an expression from being a polynomial of a wanted degree in some variables.
struct DegreeProblem {
  GiNaC::ex term;   ///< a monomial of too high a degree, or a subexpression that is no polynomial
  long degree = 0;  ///< 0 when it is no polynomial
};

/// A term of `value` of a degree above `most` in the variables together; nothing when there is none.
/// Terms that cancel do not count. Expressions that would expand to very many terms are judged by their factors.
std::optional<DegreeProblem> degree_problem(const GiNaC::ex& value, const GiNaC::exset& variables, long most);

}  // namespace sfg
