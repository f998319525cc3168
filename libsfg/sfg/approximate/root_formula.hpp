#pragma once
#include <complex>
#include <optional>
#include <vector>

#include "sfg/approximate/short_fraction.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// One root, or a pair of them.
struct SoughtRoot {
  std::complex<double> value;           ///< of a pair the one above the real axis
  std::vector<exact::Rational> wanted;  ///< −ω of a root; ω_0² and Q² of a pair
  bool zero = false;
  std::size_t count() const { return wanted.size(); }
};

/// Formulas for what is wanted of a root of det D, nothing where none is near enough: of the equations what hardly moves the root
/// is left out, and what remains is expanded, or falls apart into factors. Neighbouring coefficients give the root where others
/// are far from it; of a real one among others the same coefficients are shortened from afar.
/// @param error   of the root, relatively
/// @param budget  with its limit of terms of what is expanded
std::vector<std::optional<ShortFraction>> root_formulas(const SoughtRoot&, const EquationSystem&, const GiNaC::exmap& values,
                                                        double error, const Budget& budget);

}  // namespace sfg
