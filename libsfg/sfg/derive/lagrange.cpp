#include "sfg/derive/lagrange.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sfg/derive/energies.hpp"
#include "sfg/derive/linearize.hpp"
#include "sfg/derive/second_derivatives.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Role = Lagrangian::Role;

LagrangeEquations frame(const Lagrangian& model, const Energies& energies) {
  LagrangeEquations result;
  result.title = model.title;
  result.op = model.op;
  result.symbols = energies.symbols;
  result.inputs = model.inputs;
  result.outputs = model.outputs;
  for (const Lagrangian::Variable& variable : model.variables) {
    result.where[variable.name] = variable.where;
    if (variable.role == Role::principal) result.coordinates.push_back(variable.name);
    if (variable.role == Role::redundant) result.redundant.push_back(variable.name);
    if (variable.role == Role::excitation) result.excitations.push_back(variable.name);
    if (!variable.force.empty()) {
      result.forces[variable.name] = variable.force;
      result.symbols.symbol(variable.force, variable.force_where);
    }
  }
  result.op.declare(result.symbols);
  return result;
}

/// Names the summand in which the time occurs.
void refuse_explicit_time(const Lagrangian& model, const Energies& energies, const LagrangeEquations& result) {
  for (const Symbol& time : energies.symbols.all()) {
    if (time.kind != SymbolKind::time || time.value) continue;
    const auto depends = [&](const ex& value) { return value.has(time.expr); };
    bool found = false;
    for (const auto* rows : {&result.d, &result.reactions})
      for (const auto& [row, columns] : *rows)
        for (const auto& [column, d] : columns) found = found || depends(d.a) || depends(d.b) || depends(d.c);
    for (const auto& [coordinate, load] : result.constant_loads) found = found || depends(load);
    if (!found) continue;
    SourceSpan where = model.where;
    std::string energy = "the model";
    for (const auto* summands : {&energies.T, &energies.Pi, &energies.Phi})
      for (const EnergySummand& summand : *summands)
        if (depends(summand.value)) where = summand.where, energy = summand.energy;
    throw Error(where, energy + " depends on the time " + quoted(time.name) + " explicitly: the equations are not stationary",
                "name the function of time as an excitation");
  }
}

/// Mark and Den (docs/design/derivation.md, section 5): a group for every principal coordinate, lines in the order of K.
std::vector<MarkRow> mark_rows(const Lagrangian& model, const LagrangeEquations& equations) {
  std::vector<MarkRow> rows;
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < model.variables.size(); ++i) number.emplace(model.variables[i].name, i);
  std::size_t group = 0;
  const auto add = [&](const std::string& name, bool denominator, OperatorPolynomial den) {
    rows.push_back({rows.size() + 1, name, group, denominator, std::move(den)});
  };
  for (const Lagrangian::Variable& i : model.variables) {
    if (i.role != Role::principal) continue;
    ++group;
    add(i.name, true, equations.left(i.name, i.name));
    if (!i.force.empty()) add(i.force, false, {0, 0, 1});
    std::set<std::pair<bool, std::size_t>> others;  // excitations last
    if (const auto row = equations.d.find(i.name); row != equations.d.end())
      for (const auto& [name, entry] : row->second)
        if (const std::size_t s = number.at(name); name != i.name && !entry.is_zero())
          others.emplace(model.variables[s].role == Role::excitation, s);
    for (const auto& [excited, s] : others) add(model.variables[s].name, false, equations.right(i.name, model.variables[s].name));
  }
  return rows;
}

/// Which equation is solved for which coordinate; where that is impossible the equations stand, and it is said.
void assign(LagrangeEquations& result) {
  try {
    const EquationSystem system = result.equations();
    const Assignment& chosen = result.assignment.emplace(assignment(system));
    for (std::size_t i = 0; i < chosen.unknown_of.size(); ++i)
      result.equation_of[system.unknowns[chosen.unknown_of[i]].name] = system.equations[i].name;
    result.notes.insert(result.notes.end(), chosen.notes.begin(), chosen.notes.end());
  } catch (const NoAnswer& problem) {
    result.notes.push_back({problem.where(), problem.what(), problem.remedy(), Severity::warning});
  }
}

/// The auxiliary coordinates as signals: small motions about the point. One that is not smooth there, or that moves by itself,
/// is no such signal.
std::vector<EquationSystem::Definition> definitions(const Lagrangian& model, const Energies& energies,
                                                    const OperatingPoint& point, const ex& p) {
  std::vector<EquationSystem::Definition> result;
  const VariableNumbers numbers(energies.variables);
  for (std::size_t i = 0; i < model.auxiliaries.size(); ++i) {
    const Lagrangian::Auxiliary& auxiliary = model.auxiliaries[i];
    const ex& value = energies.auxiliaries[i];
    if (std::ranges::any_of(energies.symbols.all(),
                            [&](const Symbol& s) { return s.kind == SymbolKind::time && value.has(s.expr); }))
      continue;
    EquationSystem::Definition definition{auxiliary.name};
    const auto slope = [&](const ex& q) {
      return value.has(q) ? point.value(value.diff(GiNaC::ex_to<GiNaC::symbol>(q)), quoted(auxiliary.name), auxiliary.where) : 0;
    };
    try {
      for (const std::size_t k : numbers.in(value)) {
        const MotionVariable& variable = energies.variables[k];
        if (const ex coefficient = slope(variable.q) + p * slope(variable.rate); !coefficient.is_zero())
          definition.terms.emplace_back(variable.name, coefficient);
      }
      result.push_back(std::move(definition));
    } catch (const Error&) {  // whoever asks for it is told that there is no signal of that name
    }
  }
  return result;
}

std::vector<Diagnostic> load_notes(const LagrangeEquations& result) {
  std::vector<Diagnostic> notes;
  for (const std::string& coordinate : result.coordinates) {
    const auto load = result.constant_loads.find(coordinate);
    if (load == result.constant_loads.end()) continue;
    notes.push_back({result.where.at(coordinate),
                     "a constant load of " + print(load->second) + " acts along " + quoted(coordinate) +
                         ": it shifts the equilibrium and does not enter the equations of motion about it",
                     "", Severity::note});
  }
  return notes;
}

/// Stability by the stiffness at the equilibrium, and a warning when there is none.
std::vector<Diagnostic> judge_stability(const Energies& energies, const LagrangeEquations& result,
                                        EquilibriumPoint& equilibrium) {
  const std::optional<Stability> kind = stability(result.stiffness(), energies.symbols.values());
  equilibrium.stability_known = kind.has_value();
  equilibrium.stable = kind != Stability::unstable;
  if (equilibrium.stable) return {};
  return {{energies.variables.front().where, "the equilibrium is unstable: its stiffness matrix has a negative eigenvalue",
           "the equations hold for small motions only as long as something else stabilises it", Severity::warning}};
}

}  // namespace

LagrangeEquations lagrange_equations(const Lagrangian& model, const Budget& budget) {
  const bool linearized = is_linearized(model);
  const Energies energies = explicit_energies(model, !linearized, budget);
  if (!linearized) check_linear_model(energies);
  const std::vector<Diagnostic> doubts = inspect_energies(model, energies);
  LagrangeEquations result = frame(model, energies);
  const auto note = [&](const std::vector<Diagnostic>& notes) {
    result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  };
  note(doubts);
  OperatingPoint point = rest_at_zero(energies);
  if (linearized) {
    const Equilibrium here = equilibrium(model, energies, budget);
    point = here.point;
    result.equilibrium = here.description;
    note(here.notes);
  }
  result.definitions = definitions(model, energies, point, result.op.in(result.symbols));
  Coefficients derived = coefficients(energies, point, budget);
  for (auto& [row, columns] : derived.d) {
    const bool redundant = std::find(result.redundant.begin(), result.redundant.end(), row) != result.redundant.end();
    (redundant ? result.reactions : result.d)[row] = std::move(columns);
  }
  ConstantLoads loads = constant_loads(model, energies, point, result.equilibrium);
  result.constant_loads = std::move(loads.along);
  note(loads.notes);
  refuse_explicit_time(model, energies, result);
  if (linearized) {
    result.equilibrium->residual = std::max(result.equilibrium->residual, loads.residual);
    note(without_influence(energies, derived));
    note(judge_stability(energies, result, *result.equilibrium));
  } else {
    note(load_notes(result));
  }
  result.mark = mark_rows(model, result);
  assign(result);
  return result;
}

}  // namespace sfg
