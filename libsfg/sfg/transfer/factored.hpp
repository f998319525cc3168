#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfg/expr/condition.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// A transmittance by its factors: gain · variable^power · Π above / Π below.
struct FactoredTransfer {
  /// What a factor of first order, a·s + b, says in the time domain.
  struct FirstOrder {
    GiNaC::ex time_constant;  ///< a/b
    GiNaC::ex corner;         ///< |b/a|: where the factor's asymptotes meet, rad/s; b/a where its sign is not known
  };
  /// What a factor of second order, a·s² + b·s + c, says where c/a > 0.
  struct SecondOrder {
    GiNaC::ex frequency;                ///< ω_n = √(c/a)
    GiNaC::ex damping;                  ///< ζ = b/(2√(ac))
    std::optional<GiNaC::ex> quality;   ///< Q = 1/(2ζ) = √(ac)/b; nothing when b = 0
    std::optional<GiNaC::ex> positive;  ///< what has to be > 0 for that, where it is not known to be
  };
  /// What a factor a·z² + b·z + c says of its pair of roots, where 4ac > b².
  struct Pair {
    GiNaC::ex radius;                   ///< √(c/a)
    GiNaC::ex angle;                    ///< arccos(−b/(2√(ac))), rad per sample
    std::optional<GiNaC::ex> positive;  ///< what has to be > 0 for that, where it is not known to be
  };
  struct Factor {
    GiNaC::ex value;  ///< irreducible over the rationals, integer coefficients
    ring::Polynomial polynomial;
    std::uint64_t multiplicity = 1;
    std::size_t order = 0;              ///< degree in the variable; 0: parameters alone
    std::optional<FirstOrder> first;    ///< of order 1, in s
    std::optional<SecondOrder> second;  ///< of order 2, in s; nothing where a root lies on either side of 0
    std::optional<Pair> pair;           ///< of order 2, in z
    std::vector<GiNaC::ex> roots = {};  ///< of order 1 in z, and of order 2 where they are known to be real and these are none
  };

  Question question;
  std::string variable;
  exact::Rational gain;
  std::int64_t power = 0;            ///< of the variable: zeros (positive) or poles (negative) at 0
  std::vector<Factor> above, below;  ///< factors without the variable first, then by order
  int at_rest = 0;                   ///< the variable of a constant signal: s = 0, z = 1
  /// The value there, by parameters; 0 for a zero there, nothing for a pole there.
  std::optional<GiNaC::ex> dc_gain;
  std::int64_t pole_at_rest = 0;       ///< its order; of (1 − e^(−s))/s there is none
  std::optional<GiNaC::ex> dead_time;  ///< τ of a factor e^(−τs)
  /// The letters without a stated value that were taken as positive, where that made a root shorter.
  std::vector<std::string> taken_as_positive;
};

/// @throws LimitReached when numerator or denominator have too many terms to be factored in reasonable time.
FactoredTransfer factored(const TransferFunction&, const PositiveLetters& = {}, const Budget& = {});

/// Whether a polynomial of the space contains a function of its first variable, a dead time say.
bool transcendental(const PolynomialSpace&, const ring::Polynomial&);

}  // namespace sfg
