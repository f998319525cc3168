#include "sfg/derive/derive.hpp"

#include <algorithm>
#include <variant>

#include "sfg/derive/circuit.hpp"
#include "sfg/derive/joined.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/derive/nonlinear_equations.hpp"
#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

struct Derivation {
  ModelEquations operator()(const EquationSystem& system) const { return {system}; }
  ModelEquations operator()(const Circuit& circuit) const { return {circuit_equations(circuit, budget)}; }

  ModelEquations operator()(const PolarNetwork& network) const {
    PolarDerivation derivation = polar_derivation(network, budget);
    return {std::move(derivation.equations), std::move(derivation.notes)};
  }

  ModelEquations operator()(const Joined& model) const {
    return joined_equations(model, rest == Rest::follows ? Rest::stays : rest, budget);
  }

  ModelEquations operator()(const Multibody& model) const {
    if (laws == NonlinearTerms::kept) return {nonlinear_equations(model, budget)};
    MultibodyLinearization linear = linearized(model, multibody_equations(model, {}, budget), budget);
    ModelEquations found{std::move(linear.equations), std::move(linear.notes)};
    if (!linear.exact) found.searched = {"the position", model.equilibrium ? model.equilibrium->where : model.where};
    return found;
  }

  ModelEquations operator()(Lagrangian model) const {
    if (laws != NonlinearTerms::linearized)
      if (EquationSystem kept = nonlinear_equations(model, budget); laws == NonlinearTerms::kept || !kept.laws.empty())
        return {std::move(kept)};
    if (model.equilibrium && rest == Rest::follows) model.equilibrium->follow = true;
    LagrangeEquations equations = lagrange_equations(model, budget);
    ModelEquations found{equations.equations(), std::move(equations.notes)};
    if (equations.equilibrium && equations.equilibrium->found && shifts(model, *equations.equilibrium))
      found.searched = {"the equilibrium", model.equilibrium->where, equations.equilibrium->follows};
    return found;
  }

  /// Whether a parameter may move the equilibrium. One at 0 is there for all values, unless it follows them.
  bool shifts(Lagrangian& model, const EquilibriumPoint& point) const {
    const auto varies = [](const EquilibriumPoint& each) {
      return std::ranges::any_of(each.exact, [](const auto& entry) { return !symbol_names(entry.second).empty(); });
    };
    if (point.follows) return varies(point);
    if (std::ranges::any_of(point.values, [](const auto& entry) { return entry.second != 0; })) return true;
    if (rest != Rest::moves) return false;
    model.equilibrium->follow = true;
    return varies(*lagrange_equations(model, budget).equilibrium);
  }

  NonlinearTerms laws;
  Rest rest;
  const Budget& budget;
};

}  // namespace

ModelEquations model_equations(const Model& model, NonlinearTerms laws, Rest rest, const Budget& budget) {
  return std::visit(Derivation{laws, rest, budget}, model);
}

EquationSystem derive(const Model& model, const Budget& budget) {
  return model_equations(model, NonlinearTerms::linearized, Rest::stays, budget).system;
}

SignalFlowGraph graph_of(const Model& model, const FromEquationsOptions& options, const Budget& budget) {
  return from_equations(derive(model, budget), options).graph;
}

}  // namespace sfg
