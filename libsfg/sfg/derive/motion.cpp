#include "sfg/derive/lagrange.hpp"

#include <ginac/ginac.h>

#include <utility>

#include "sfg/derive/energies.hpp"
#include "sfg/derive/second_derivatives.hpp"
#include "sfg/derive/signal_form.hpp"
#include "sfg/expr/derivative.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Role = Lagrangian::Role;

std::size_t terms(const ex& value) { return GiNaC::is_exactly_a<GiNaC::add>(value) ? value.nops() : 1; }

/// Tidied, with sin² + cos² = 1 where that makes it shorter: the speed of a point that turns has both.
ex shortened_value(const ex& value) {
  const ex tidied = tidy(value);
  GiNaC::exmap squares;
  for (auto node = tidied.preorder_begin(); node != tidied.preorder_end(); ++node)
    if (GiNaC::is_the_function<GiNaC::sin_SERIAL>(*node))
      squares[GiNaC::power(*node, 2)] = 1 - GiNaC::power(GiNaC::cos(node->op(0)), 2);
  if (squares.empty()) return tidied;
  const ex other = tidy(tidied.subs(squares, GiNaC::subs_options::no_pattern));
  return terms(other) < terms(tidied) ? other : tidied;
}

/// Lagrange's equations of explicit energies, term by term.
class Formation {
 public:
  Formation(const Lagrangian& model, const Energies& energies, bool keep_forms) : energies_(energies), keep_forms_(keep_forms) {
    result_.title = model.title;
    result_.op = model.op;
    result_.symbols = energies.symbols;
    result_.stated_inputs = model.inputs;
    result_.stated_outputs = model.outputs;
    for (const MotionVariable& variable : energies.variables)
      if (variable.role == Role::principal) {
        result_.coordinates.push_back({variable.name, variable.q, variable.rate, variable.where});
        result_.speeds.push_back({rate_name(variable.name), variable.rate, variable.where});
      }
    add_forces(model);
    add_inputs(Role::excitation, SourceKind::excitation);
    add_inputs(Role::redundant, SourceKind::redundant);
    for (const Symbol& symbol : energies.symbols.all())
      if (symbol.kind == SymbolKind::time && !symbol.value) times_.push_back(symbol.expr);
  }

  EquationsOfMotion operator()(const Budget& budget) {
    for (std::size_t i = 0; i < result_.coordinates.size(); ++i) {
      const EquationsOfMotion::Coordinate& coordinate = result_.coordinates[i];
      budget.check("the equations of motion");
      const ex momentum = gradient(energies_.T, coordinate.rate);
      result_.M.emplace_back();
      for (const auto& s : result_.coordinates) {
        budget.check("the equations of motion");
        result_.M.back().push_back(shortened_value(derivative(momentum, s.rate)));
      }
      result_.F.push_back(tidied_force(loads_[i] - known_rate(momentum) + gradient(energies_.T, coordinate.q) -
                                       gradient(energies_.Pi, coordinate.q) - gradient(energies_.Phi, coordinate.rate)));
    }
    keep_what_occurs();
    return std::move(result_);
  }

 private:
  ex tidied_force(const ex& force) const {
    if (!keep_forms_) return shortened_value(force);
    std::vector<SignalSymbols> symbols;
    for (const MotionVariable& variable : energies_.variables) symbols.push_back({variable.q, variable.rate});
    ex kept = 0, others = 0;
    for (const ex& term : signal_terms(force, symbols)) {
      const auto form = single_form(term, symbols);
      (form && form->size() > 1 ? kept : others) += term;
    }
    return shortened_value(others) + kept;
  }

  static ex gradient(const std::vector<EnergySummand>& summands, const ex& symbol) {
    GiNaC::exvector parts;
    for (const EnergySummand& summand : summands)
      if (summand.value.has(symbol)) parts.push_back(derivative(summand.value, symbol));
    return GiNaC::add(parts);
  }

  /// d/dt of a momentum without the accelerations of the coordinates.
  ex known_rate(const ex& momentum) const {
    GiNaC::exvector parts;
    for (const MotionVariable& variable : energies_.variables) parts.push_back(derivative(momentum, variable.q) * variable.rate);
    for (const EquationsOfMotion::Input& input : result_.inputs)
      if (input.derivatives.size() > 2) parts.push_back(derivative(momentum, input.derivatives[1]) * input.derivatives[2]);
    for (const ex& time : times_) parts.push_back(derivative(momentum, time));
    return GiNaC::add(parts);
  }

  void add_forces(const Lagrangian& model) {
    for (const Lagrangian::Variable& variable : model.variables) {
      if (variable.role != Role::principal) continue;
      const auto load = model.static_forces.find(variable.name);
      loads_.push_back(load == model.static_forces.end() ? ex(0) : load->second);
      if (variable.force.empty()) continue;
      const ex force = result_.symbols.symbol(variable.force, variable.force_where);
      result_.inputs.push_back({variable.force, SourceKind::force, {force}, variable.where});
      loads_.back() += force;
    }
  }

  void add_inputs(Role role, SourceKind kind) {
    for (const MotionVariable& variable : energies_.variables)
      if (variable.role == role)
        result_.inputs.push_back({variable.name, kind, {variable.q, variable.rate, acceleration(variable)}, variable.where});
  }

  ex acceleration(const MotionVariable& variable) {
    const std::string name = rate_name(rate_name(variable.name));
    if (const Symbol* taken = result_.symbols.find(name); taken != nullptr && taken->value)
      throw Error(taken->where, "name '" + name + "' is a parameter and the second derivative of '" + variable.name + "' as well",
                  "rename the parameter");
    Symbol symbol;
    symbol.name = name;
    symbol.kind = SymbolKind::signal;
    symbol.where = variable.where;
    return GiNaC::ex(result_.symbols.add(std::move(symbol)).expr);
  }

  /// The highest derivatives of an input that occur nowhere are not asked for.
  void keep_what_occurs() {
    for (EquationsOfMotion::Input& input : result_.inputs) {
      const auto occurs = [&](const ex& symbol) {
        for (const ex& force : result_.F)
          if (force.has(symbol)) return true;
        return false;
      };
      while (input.derivatives.size() > 1 && !occurs(input.derivatives.back())) input.derivatives.pop_back();
    }
  }

  const Energies& energies_;
  EquationsOfMotion result_;
  std::vector<ex> loads_;  ///< Q, by coordinate
  std::vector<ex> times_;
  bool keep_forms_;
};

}  // namespace

EquationsOfMotion equations_of_motion(const Lagrangian& model, const Budget& budget, bool keep_forms) {
  const Energies energies = explicit_energies(model, false, budget);
  std::vector<Diagnostic> doubts = inspect_energies(model, energies);
  EquationsOfMotion result = Formation(model, energies, keep_forms)(budget);
  result.notes = std::move(doubts);
  return result;
}

}  // namespace sfg
