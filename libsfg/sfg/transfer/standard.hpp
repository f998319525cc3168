#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>
#include <vector>

#include "sfg/expr/math_tree.hpp"
#include "sfg/transfer/factored.hpp"

namespace sfg {

/// A transmittance as designers of circuits write it: its value at rest times factors that are 1 there,
/// T(0)·(1 + s/ω_z)…/((1 + s/ω_p)(1 + s/(Q·ω_0) + (s/ω_0)²)…). Integrators and differentiators are ω_u/s and s/ω_u, and the gain is
/// then ±1. Roots that are rational in the parameters stand by themselves, other pairs by ω_0 and Q; what is of higher degree
/// stays 1 + a₁s + a₂s² + …, and a factor with a function of s as it is. In z: factors that are 1 at z = 1, pairs by radius and
/// angle; poles and zeros at 1 stay z − 1. A factor whose value at rest or leading
/// coefficient is 0 by the stated values stays as it is.
struct StandardTransfer {
  struct Definition {
    std::string name;
    GiNaC::ex value;
    std::optional<GiNaC::ex> positive = {};  ///< what has to be > 0 for that, where it is not known to be
  };
  /// Roots that definitions name: one, or those of a pair or of a longer factor together.
  struct Roots {
    std::vector<std::string> names;
    ring::Polynomial factor;
    bool zeros = false;  ///< else poles
  };
  Question question;
  std::string variable;
  GiNaC::ex gain;                       ///< T at rest; ±1 beside ω_u; beside z − 1, what is left without it
  std::vector<Math> above, below;       ///< the factors, in the names of the definitions
  std::vector<Definition> definitions;  ///< zeros, then poles; each by ascending modulus where all letters have values
  std::vector<Roots> roots;
  std::vector<std::string> taken_as_positive;

  /// The whole, with the gain as it is written.
  Math expression(Math written_gain) const;
};

/// @param space   of the transmittance
/// @param values  of the letters, as far as they are stated
/// @param taken   names that definitions must not have: those of the graph
StandardTransfer standard(const FactoredTransfer&, const PolynomialSpace& space, const GiNaC::exmap& values,
                          const std::vector<std::string>& taken);

}  // namespace sfg
