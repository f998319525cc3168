#pragma once
#include <ginac/ex.h>

#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// What is known of the letters: √(w²) is w where w is positive, and stays elsewhere.
struct PositiveLetters {
  GiNaC::exmap values = {};  ///< those with a positive value are
  bool all = false;          ///< the others are taken as positive

  bool has_value(const GiNaC::ex& letter) const;
  bool contains(const GiNaC::ex& letter) const;
  /// A sum of products of positive letters with positive coefficients.
  bool makes_positive(const ring::Polynomial&, const PolynomialSpace&) const;
};

/// "e > 0" as one reads it: factors that are known to be positive and squares are left out (where they vanish nothing is
/// said), what is subtracted stands on the other side: 4w² − 4d²w² > 0 is d² < 1, and d < 1 of positive letters.
Math positive_condition(const GiNaC::ex& e, const PositiveLetters& = {});

}  // namespace sfg
