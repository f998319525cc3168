#include "sfg/derive/derive.hpp"

#include <variant>

#include "sfg/derive/circuit.hpp"
#include "sfg/derive/joined.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/polar/polar_derivation.hpp"

namespace sfg {

namespace {

struct Derivation {
  EquationSystem operator()(const EquationSystem& system) const { return system; }
  EquationSystem operator()(const Lagrangian& model) const { return lagrange_equations(model, budget).equations(); }
  EquationSystem operator()(const Circuit& circuit) const { return circuit_equations(circuit, budget); }
  EquationSystem operator()(const PolarNetwork& network) const { return polar_derivation(network, budget).equations; }
  EquationSystem operator()(const Multibody& model) const { return linear_equations(model, budget); }
  EquationSystem operator()(const Joined& model) const { return joined_equations(model, budget); }

  const Budget& budget;
};

}  // namespace

EquationSystem derive(const Model& model, const Budget& budget) { return std::visit(Derivation{budget}, model); }

SignalFlowGraph graph_of(const Model& model, const FromEquationsOptions& options, const Budget& budget) {
  return from_equations(derive(model, budget), options).graph;
}

}  // namespace sfg
