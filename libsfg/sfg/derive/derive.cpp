#include "sfg/derive/derive.hpp"

#include <variant>

#include "sfg/derive/circuit.hpp"
#include "sfg/derive/lagrange.hpp"

namespace sfg {

namespace {

struct Derivation {
  EquationSystem operator()(const EquationSystem& system) const { return system; }
  EquationSystem operator()(const Lagrangian& model) const { return lagrange_equations(model).equations(); }
  EquationSystem operator()(const Circuit& circuit) const { return circuit_equations(circuit); }
};

}  // namespace

EquationSystem derive(const Model& model) { return std::visit(Derivation{}, model); }

SignalFlowGraph graph_of(const Model& model, const FromEquationsOptions& options) {
  return from_equations(derive(model), options).graph;
}

}  // namespace sfg
