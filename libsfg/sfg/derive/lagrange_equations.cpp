// What follows from d_is(p): Eq. 11, the matrices, Denc, the equation system.
#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/operating_point.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

OperatorPolynomial negated(const OperatorPolynomial& d) { return {-d.a, -d.b, -d.c}; }

/// Parameters and the operator: what occurs in coefficients.
SymbolTable coefficient_symbols(const LagrangeEquations& equations) {
  std::set<std::string> motion;
  for (const auto* names : {&equations.coordinates, &equations.redundant, &equations.excitations})
    for (const std::string& name : *names) motion.insert({name, rate_name(name)});
  for (const auto& [coordinate, force] : equations.forces) motion.insert(force);
  SymbolTable result;
  result.correlations = equations.symbols.correlations;
  for (const Symbol& symbol : equations.symbols.all())
    if (!motion.contains(symbol.name)) result.add(symbol);
  return result;
}

}  // namespace

bool OperatorPolynomial::is_zero() const { return a.is_zero() && b.is_zero() && c.is_zero(); }

ex OperatorPolynomial::in(const ex& p) const { return a * GiNaC::power(p, 2) + b * p + c; }

OperatorPolynomial LagrangeEquations::left(const std::string& equation, const std::string& variable_name) const {
  for (const auto* rows : {&d, &reactions}) {
    const auto row = rows->find(equation);
    if (row == rows->end()) continue;
    const auto entry = row->second.find(variable_name);
    if (entry != row->second.end()) return entry->second;
  }
  return {};
}

OperatorPolynomial LagrangeEquations::right(const std::string& equation, const std::string& variable_name) const {
  return negated(left(equation, variable_name));
}

ex LagrangeEquations::solved(const std::string& coordinate) const {
  const auto row = equation_of.find(coordinate);
  if (row == equation_of.end()) throw NoAnswer("the equations are dependent: none can be solved for '" + coordinate + "'");
  const ex p = op.in(symbols);
  ex right = 0;
  if (const auto force = forces.find(row->second); force != forces.end()) right += symbols.at(force->second).expr;
  for (const auto* names : {&coordinates, &redundant, &excitations})
    for (const std::string& name : *names)
      if (name != coordinate) right += this->right(row->second, name).in(p)*symbols.at(name).expr;
  return right / left(row->second, coordinate).in(p);
}

namespace {

std::vector<std::vector<ex>> matrix(const LagrangeEquations& equations, ex OperatorPolynomial::*coefficient) {
  std::vector<std::vector<ex>> result;
  for (const std::string& row : equations.coordinates) {
    result.emplace_back();
    for (const std::string& column : equations.coordinates) result.back().push_back(equations.left(row, column).*coefficient);
  }
  return result;
}

}  // namespace

std::vector<std::vector<ex>> LagrangeEquations::mass() const { return matrix(*this, &OperatorPolynomial::a); }
std::vector<std::vector<ex>> LagrangeEquations::damping() const { return matrix(*this, &OperatorPolynomial::b); }
std::vector<std::vector<ex>> LagrangeEquations::stiffness() const { return matrix(*this, &OperatorPolynomial::c); }

std::vector<std::array<double, 3>> LagrangeEquations::denc() const {
  constexpr long digits = 30;  // so that the double is the nearest one
  const Precision precision(digits);
  const GiNaC::exmap values = symbols.values();
  std::set<std::string> missing;
  std::vector<std::array<double, 3>> rows;
  for (const MarkRow& row : mark) {
    std::array<double, 3>& numbers = rows.emplace_back();
    std::size_t i = 0;
    for (const ex* coefficient : {&row.den.a, &row.den.b, &row.den.c}) {
      const ex value = coefficient->subs(values, GiNaC::subs_options::no_pattern);
      for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
        if (GiNaC::is_exactly_a<GiNaC::symbol>(*node)) missing.insert(GiNaC::ex_to<GiNaC::symbol>(*node).get_name());
      const auto number = real_number(value);
      if (!number && missing.empty())
        throw Error(where.contains(row.name) ? where.at(row.name) : SourceSpan{},
                    "line " + std::to_string(row.number) + " of Den has no real value for the stated parameters",
                    "check their values");
      numbers[i++] = number ? number->to_double() : 0;
    }
  }
  std::vector<Diagnostic> problems;
  for (const std::string& name : missing)
    problems.push_back({symbols.at(name).where, "the parameter '" + name + "' has no value: Denc needs numbers",
                        "state its value", Severity::error});
  if (!problems.empty()) throw Error(std::move(problems));
  return rows;
}

EquationSystem LagrangeEquations::equations() const {
  EquationSystem system;
  system.title = title;
  system.op = op;
  system.symbols = coefficient_symbols(*this);
  system.inputs = inputs;
  system.outputs = outputs;
  system.definitions = definitions;
  const ex p = op.in(symbols);
  const auto place = [&](const std::string& name) { return where.contains(name) ? where.at(name) : SourceSpan{}; };
  std::map<std::string, std::size_t> source, unknown;
  const auto add_source = [&](const std::string& name, SourceKind kind, SourceSpan span) {
    if (source.emplace(name, system.sources.size()).second) system.sources.push_back({name, kind, std::move(span)});
  };
  for (const std::string& name : coordinates) {
    unknown.emplace(name, system.unknowns.size());
    system.unknowns.push_back({name, place(name)});
  }
  for (const std::string& name : coordinates)
    if (const auto force = forces.find(name); force != forces.end()) add_source(force->second, SourceKind::force, place(name));
  for (const std::string& name : excitations) add_source(name, SourceKind::excitation, place(name));
  for (const std::string& name : redundant) add_source(name, SourceKind::redundant, place(name));
  for (const std::string& row : coordinates) {
    EquationSystem::Equation equation;
    equation.name = row;
    equation.where = place(row);
    if (const auto force = forces.find(row); force != forces.end()) equation.right[source.at(force->second)] = 1;
    if (const auto entries = d.find(row); entries != d.end())
      for (const auto& [name, entry] : entries->second) {
        if (entry.is_zero()) continue;
        if (const auto column = unknown.find(name); column != unknown.end())
          equation.left[column->second] = entry.in(p);
        else
          equation.right[source.at(name)] = negated(entry).in(p);
      }
    system.equations.push_back(std::move(equation));
  }
  return system;
}

}  // namespace sfg
