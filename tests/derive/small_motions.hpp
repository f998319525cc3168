// The equations of small motions on another way than the library goes: the residual M q̈ − F − Jᵀ λ of every equation and φ of
// every constraint, differentiated by all that moves.
#pragma once
#include <ginac/ginac.h>

#include <set>
#include <utility>

#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/linearize.hpp"
#include "sfg/derive/second_derivatives.hpp"

namespace sfg::test {

class SmallMotions {
 public:
  SmallMotions(const EquationsOfMotion& motion, const OperatingPoint& point) : motion_(motion), point_(complete(motion, point)) {
    system_.title = motion.title;
    system_.op = motion.op;
    system_.inputs = motion.stated_inputs;
    system_.outputs = motion.stated_outputs;
    add_symbols();
    for (const auto& coordinate : motion.coordinates) system_.unknowns.push_back({coordinate.name, coordinate.where});
    for (const auto& constraint : motion.constraints)
      system_.unknowns.push_back({GiNaC::ex_to<GiNaC::symbol>(constraint.multiplier).get_name(), constraint.where});
    for (const auto& input : motion.inputs) system_.sources.push_back({input.name, input.kind, input.where});
  }

  EquationSystem operator()(const Budget& budget) {
    const EquationsOfMotion::Matrix J = motion_.jacobian();
    const std::size_t n = motion_.coordinates.size();
    for (std::size_t i = 0; i < n; ++i) {
      budget.check("the equations of small motions");
      GiNaC::ex residual = -motion_.F[i];
      for (std::size_t c = 0; c < J.size(); ++c) residual -= J[c][i] * motion_.constraints[c].multiplier;
      EquationSystem::Equation row = equation(motion_.coordinates[i].name, residual, motion_.coordinates[i].where);
      for (std::size_t j = 0; j < n; ++j) add(row.left, j, value(motion_.M[i][j], row) * GiNaC::power(p_, 2), row);
      system_.equations.push_back(std::move(row));
    }
    for (const auto& constraint : motion_.constraints)
      system_.equations.push_back(equation(constraint.name, constraint.value, constraint.where));
    return std::move(system_);
  }

 private:
  /// A value for every symbol that moves.
  static OperatingPoint complete(const EquationsOfMotion& motion, const OperatingPoint& point) {
    GiNaC::exmap values = point.values();  // emplace keeps what is there
    for (const auto& coordinate : motion.coordinates) values.emplace(coordinate.q, 0), values.emplace(coordinate.rate, 0);
    for (const auto& input : motion.inputs)
      for (const GiNaC::ex& derivative : input.derivatives) values.emplace(derivative, 0);
    for (const auto& constraint : motion.constraints) values.emplace(constraint.multiplier, 0);
    return OperatingPoint(std::move(values));
  }

  /// Parameters and the operator: what occurs in coefficients.
  void add_symbols() {
    for (const Symbol& symbol : motion_.symbols.all())
      if (!point_.values().contains(symbol.expr) && !is_rate_of_input(symbol.name)) system_.symbols.add(symbol);
    p_ = system_.op.declare(system_.symbols);
  }

  /// Also of an input whose rate no force depends on.
  bool is_rate_of_input(const std::string& name) const {
    for (const auto& input : motion_.inputs)
      if (input.kind != SourceKind::force && (name == rate_name(input.name) || name == rate_name(rate_name(input.name))))
        return true;
    return false;
  }

  EquationSystem::Equation equation(const std::string& name, const GiNaC::ex& residual, const SourceSpan& where) {
    EquationSystem::Equation row{name, {}, {}, where};
    value(residual, row);  // a force that jumps here has a derivative on either side
    std::size_t column = 0;
    for (const auto& coordinate : motion_.coordinates) {
      add(row.left, column, slope(residual, coordinate.q, row), row);
      add(row.left, column++, slope(residual, coordinate.rate, row) * p_, row);
    }
    for (const auto& constraint : motion_.constraints) add(row.left, column++, slope(residual, constraint.multiplier, row), row);
    for (std::size_t u = 0; u < motion_.inputs.size(); ++u)
      for (std::size_t order = 0; order < motion_.inputs[u].derivatives.size(); ++order)
        add(row.right, u, -slope(residual, motion_.inputs[u].derivatives[order], row) * GiNaC::power(p_, order), row);
    return row;
  }

  GiNaC::ex slope(const GiNaC::ex& residual, const GiNaC::ex& symbol, const EquationSystem::Equation& row) const {
    return residual.has(symbol) ? value(residual.diff(GiNaC::ex_to<GiNaC::symbol>(symbol)), row) : GiNaC::ex(0);
  }

  GiNaC::ex value(const GiNaC::ex& coefficient, const EquationSystem::Equation& row) const {
    return tidy(point_.value(coefficient, "the equation of '" + row.name + "'", row.where));
  }

  void add(std::map<std::size_t, GiNaC::ex>& columns, std::size_t column, const GiNaC::ex& term,
           const EquationSystem::Equation& row) const {
    if (term.is_zero()) return;
    for (const Symbol& symbol : motion_.symbols.all())
      if (symbol.kind == SymbolKind::time && !symbol.value && term.has(symbol.expr))
        throw Error(row.where,
                    "the equation of '" + row.name + "' depends on the time '" + symbol.name +
                        "' explicitly: the equations are not stationary",
                    "name the function of time as an input");
    columns.emplace(column, 0).first->second += term;
  }

  const EquationsOfMotion& motion_;
  OperatingPoint point_;
  EquationSystem system_;
  GiNaC::ex p_;
};

/// The point that the model states or asks to find; all 0 when it asks for none.
inline OperatingPoint operating_point(const Lagrangian& model) {
  const Energies energies = explicit_energies(model, false, {});
  return is_linearized(model) ? equilibrium(model, energies, {}).point : rest_at_zero(energies);
}

/// About a point; loads that balance there, or do not, are left out. Unknowns are the coordinates and then the multipliers.
inline EquationSystem small_motions(const EquationsOfMotion& motion, const OperatingPoint& point, const Budget& budget = {}) {
  return motion.definitions.empty() ? SmallMotions(motion, point)(budget)
                                    : small_motions(motion.without_definitions(), point, budget);
}

}  // namespace sfg::test
