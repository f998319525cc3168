#pragma once
#include <ginac/ex.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/lagrangian.hpp"

namespace sfg {

/// A coordinate, redundant coordinate or excitation with its symbol and that of its rate.
struct MotionVariable {
  std::string name;
  Lagrangian::Role role = Lagrangian::Role::principal;
  GiNaC::ex q;
  GiNaC::ex rate;
  SourceSpan where;
};

/// Numbers of variables by their symbols and those of their rates.
class VariableNumbers {
 public:
  explicit VariableNumbers(std::span<const MotionVariable>);
  /// Of those that occur in it, or their rates do; ascending.
  std::vector<std::size_t> in(const GiNaC::ex&) const;

 private:
  std::map<GiNaC::ex, std::size_t, GiNaC::ex_is_less> numbers_;
};

/// One summand of an energy over the variables and their rates alone.
struct EnergySummand {
  std::string energy;  ///< "T", "Pi" or "Phi", for messages
  GiNaC::ex value;
  GiNaC::ex stated;  ///< as the user wrote it, auxiliaries included
  SourceSpan where;
};

/// A Lagrangian whose auxiliary coordinates have been substituted.
struct Energies {
  SymbolTable symbols;
  std::vector<MotionVariable> variables;  ///< in the order of K
  std::vector<EnergySummand> T;
  std::vector<EnergySummand> Pi;
  std::vector<EnergySummand> Phi;
  std::vector<GiNaC::ex> auxiliaries;  ///< over the variables and rates alone, in the order of the model
  GiNaC::exset auxiliary_names;        ///< symbols of auxiliaries and of their rates
};

/// The energies with every auxiliary delta_j and its rate Ddelta_j replaced (docs/design/derivation.md, sections 1 and 2); the
/// rate follows by the chain rule. Names are checked: each means one thing.
/// @param linear  every auxiliary must be linear in the variables (Eq. 3).
/// @throws sfg::Error with every problem found.
Energies explicit_energies(const Lagrangian&, bool linear, const Budget&);

/// What energies say that was hardly meant: a coordinate that has no mass (warnings and remarks).
/// @throws sfg::Error where a term would vanish from the equations: a rate written xdot or vx, a kinetic energy or dissipation
///         without any rate.
std::vector<Diagnostic> inspect_energies(const Lagrangian&, const Energies&);

/// The checks of docs/design/derivation.md, section 2, for a model that is linear as it stands: T, Pi, Phi of degree at most 2 in
/// all variables and rates together, no rate in Pi, no coordinate in Phi.
/// @throws sfg::Error with every summand that fails, naming the term.
void check_linear_model(const Energies&);

}  // namespace sfg
