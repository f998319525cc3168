#pragma once
#include <span>
#include <vector>

#include "sfg/ring/jet.hpp"
#include "sfg/study/measures/coefficient_program.hpp"

// Not installed: a transfer function over a box of parameters.
namespace sfg {

/// T = e^(−τs) N/D with enclosed coefficients, lowest power first.
struct BoxTransfer {
  std::vector<ring::Jet> above, below;
  ring::Jet delay;
  double period = 0;  ///< of a system in z, s
  AtRest at_rest = {};
  bool discrete() const { return period != 0; }
};
/// @param parameters  the free ones, in the order of the program
BoxTransfer box_transfer(const CoefficientProgram&, std::span<const ring::Jet> parameters);

/// A polynomial at jω, or at e^(jωh).
ring::ComplexJet on_axis(std::span<const ring::Jet> ascending, const ring::Interval& w, double period);

/// Of a complex number, radians: continuous about its value at the centre; rough and unbounded where another may be opposite.
ring::Jet argument(const ring::ComplexJet&);

ring::Jet dc_over(const BoxTransfer&);
/// Of the open loop L: 1/(1 + L) at rest; lim s^order L there, in z of ((z − 1)/T_s)^order L; and how many poles it has there.
ring::Jet dc_error_over(const BoxTransfer&);
ring::Jet error_constant_over(const BoxTransfer&, std::size_t order);
ring::Jet type_over(const BoxTransfer&);
ring::Jet gain_over(const BoxTransfer&, double w);
/// Radians; the turn is that which the phase at the centre of the box has. Rough and unbounded where a root may cross the axis
/// below the frequency: there the phase jumps.
ring::Jet phase_over(const BoxTransfer&, double w, double at_centre);

}  // namespace sfg
