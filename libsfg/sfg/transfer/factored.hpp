#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// A transmittance by its factors: gain · variable^power · Π above / Π below.
struct FactoredTransfer {
  /// What a factor of first order, a·s + b, says in the time domain.
  struct FirstOrder {
    GiNaC::ex time_constant;  ///< a/b
    GiNaC::ex corner;         ///< b/a: where the factor's asymptotes meet, rad/s
  };
  /// What a factor of second order, a·s² + b·s + c, says.
  struct SecondOrder {
    GiNaC::ex frequency;               ///< ω_n = √(c/a)
    GiNaC::ex damping;                 ///< ζ = b/(2√(ac))
    std::optional<GiNaC::ex> quality;  ///< Q = 1/(2ζ) = √(ac)/b; nothing when b = 0
  };
  struct Factor {
    GiNaC::ex value;  ///< irreducible over the rationals, integer coefficients
    ring::Polynomial polynomial;
    std::uint64_t multiplicity = 1;
    std::size_t order = 0;              ///< degree in the variable; 0: parameters alone
    std::optional<FirstOrder> first;    ///< of order 1
    std::optional<SecondOrder> second;  ///< of order 2
  };

  Question question;
  std::string variable;
  exact::Rational gain;
  std::int64_t power = 0;            ///< of the variable: zeros (positive) or poles (negative) at 0
  std::vector<Factor> above, below;  ///< factors without the variable first, then by order
  /// The value at 0, by parameters; 0 for a zero there, nothing for a pole there.
  std::optional<GiNaC::ex> dc_gain;
  std::int64_t pole_at_zero = 0;       ///< its order; of (1 − e^(−s))/s there is none
  std::optional<GiNaC::ex> dead_time;  ///< τ of a factor e^(−τs)
  /// The letters without a stated value that were taken as positive, where that made a root shorter.
  std::vector<std::string> taken_as_positive;
};

/// What is known of the letters: √(w²) is w where w is positive, and stays elsewhere.
struct PositiveLetters {
  GiNaC::exmap values = {};  ///< those with a positive value are
  bool all = false;          ///< the others are taken as positive, and named
};

/// @throws LimitReached when numerator or denominator have too many terms to be factored in reasonable time.
FactoredTransfer factored(const TransferFunction&, const PositiveLetters& = {}, const Budget& = {});

}  // namespace sfg
