#include <ginac/ginac.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/derivation_parts.hpp"
#include "sfg/write/json_numbers.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Json = nlohmann::ordered_json;

Json operator_coefficients(const OperatorPolynomial& d) { return {print(d.a), print(d.b), print(d.c)}; }

Json matrix(const OperatorMatrices::Matrix& entries) {
  Json rows = Json::array();
  for (const auto& row : entries) {
    Json texts = Json::array();
    for (const ex& entry : row) texts.push_back(print(entry));
    rows.push_back(std::move(texts));
  }
  return rows;
}

Json laws(const EquationSystem& system) {
  Json result = Json::array();
  for (const EquationSystem::Law& law : system.laws) {
    Json arguments = Json::array();
    for (const auto& argument : law.arguments)
      arguments.push_back({{"signal", argument.signal}, {"value", print(argument.value)}, {"rate", print(argument.rate)}});
    result.push_back({{"source", system.sources[law.source].name}, {"law", print(law.law)}, {"arguments", std::move(arguments)}});
  }
  return result;
}

Json source_names(const std::vector<EquationSystem::Source>& sources) {
  Json result = Json::array();
  for (const EquationSystem::Source& source : sources) result.push_back(source.name);
  return result;
}

/// {row: {column: [a, b, c]}}; the row's own column always.
Json equation_rows(const LagrangeEquations& equations, const std::vector<std::string>& row_names,
                   std::initializer_list<const std::vector<std::string>*> column_lists) {
  Json result = Json::object();
  for (const std::string& row : row_names) {
    Json columns = Json::object();
    for (const auto* list : column_lists)
      for (const std::string& column : *list)
        if (const OperatorPolynomial d = equations.left(row, column); row == column || !d.is_zero())
          columns[column] = operator_coefficients(d);
    result[row] = std::move(columns);
  }
  return result;
}

Json right_sides(const LagrangeEquations& equations) {
  Json result = Json::object();
  for (const std::string& row : equations.coordinates) {
    Json columns = Json::object();
    if (const auto force = equations.forces.find(row); force != equations.forces.end()) columns[force->second] = {"0", "0", "1"};
    for (const std::string& column : equations.excitations)
      if (const OperatorPolynomial g = equations.right(row, column); !g.is_zero()) columns[column] = operator_coefficients(g);
    result[row] = std::move(columns);
  }
  return result;
}

Json solved(const EquationSystem& system, const Assignment& assignment) {
  Json result = Json::object();
  for (const SolvedEquation& equation : solved_equations(system, assignment))
    result[equation.unknown] = write(right_side(equation, system.op.symbol()), Notation::text);
  return result;
}

Json denc(const LagrangeEquations& equations) {
  try {
    return equations.denc();
  } catch (const Error&) {
    return nullptr;
  }
}

/// -3.69 rather than -369/100: whoever reads the point takes it for a number.
std::string coordinate_text(const GiNaC::ex& value) {
  const bool is_number = GiNaC::is_a<GiNaC::numeric>(value);
  return (is_number ? finite_decimal(GiNaC::ex_to<GiNaC::numeric>(value)) : std::nullopt).value_or(print(value));
}

Json equilibrium(const LagrangeEquations& equations) {
  if (!equations.equilibrium) return nullptr;
  const EquilibriumPoint& point = *equations.equilibrium;
  Json values = Json::object(), exact = Json::object();
  for (const auto* list : {&equations.coordinates, &equations.redundant}) {
    for (const std::string& name : *list) {
      if (const auto value = point.values.find(name); value != point.values.end()) values[name] = value->second;
      if (const auto value = point.exact.find(name); value != point.exact.end()) exact[name] = coordinate_text(value->second);
    }
  }
  return {{"values", values},
          {"exact", exact},
          {"found", point.found},
          {"stable", point.stability_known ? Json(point.stable) : Json(nullptr)},
          {"residual", point.residual}};
}

/// Coefficients of an entry, highest power first: [a, b, c] where that is enough; the expression when it is no polynomial.
Json entry(const ex& value, const ex& p) {
  const auto found = polynomial_coefficients(value, p);
  if (!found) return print(value);
  Json result = Json::array();
  for (std::size_t i = found->size(); i < 3; ++i) result.push_back("0");
  for (const ex& coefficient : *found) result.push_back(print(coefficient));
  return result;
}

}  // namespace

void write_json(std::ostream& out, const LagrangeEquations& equations) {
  const EquationSystem system = equations.equations();
  Json result{{"schema", "sfg/derive/1"}, {"title", equations.title}, {"variable", equations.op.symbol()}};
  result["coordinates"] = equations.coordinates;
  result["redundant"] = equations.redundant;
  result["excitations"] = equations.excitations;
  result["inputs"] = source_names(system.sources);
  result["D"] = equation_rows(equations, equations.coordinates, {&equations.coordinates, &equations.redundant});
  result["G"] = right_sides(equations);
  result["equations"] = Json::object();
  if (equations.assignment) result["equations"] = solved(system, *equations.assignment);
  result["solved_from"] = equations.equation_of;
  result["Mark"] = Json::array();
  result["Den"] = Json::array();
  for (const MarkRow& row : equations.mark) {
    result["Mark"].push_back({row.number, row.name, row.group, row.denominator ? "den" : "num"});
    result["Den"].push_back(operator_coefficients(row.den));
  }
  result["Denc"] = denc(equations);
  result["M"] = matrix(equations.mass());
  result["C"] = matrix(equations.damping());
  result["K"] = matrix(equations.stiffness());
  result["reactions"] =
      equation_rows(equations, equations.redundant, {&equations.coordinates, &equations.redundant, &equations.excitations});
  result["constant_loads"] = Json::object();
  for (const auto& [coordinate, load] : equations.constant_loads) result["constant_loads"][coordinate] = print(load);
  result["equilibrium"] = equilibrium(equations);
  result["warnings"] = json::texts(equations.notes, true);
  result["notes"] = json::texts(equations.notes, false);
  out << result.dump(2) << '\n';
}

Json equations_json(const EquationSystem& system, const Assignment& assignment) {
  const ex p = system.op.in(system.symbols);
  Json result{{"schema", "sfg/derive/1"}, {"title", system.title}, {"variable", system.op.symbol()}};
  result["coordinates"] = Json::array();
  for (const EquationSystem::Unknown& unknown : system.unknowns) result["coordinates"].push_back(unknown.name);
  result["redundant"] = Json::array();
  result["inputs"] = source_names(system.sources);
  result["D"] = Json::object();
  result["G"] = Json::object();
  result["solved_from"] = Json::object();
  for (std::size_t i = 0; i < system.equations.size(); ++i) {
    const EquationSystem::Equation& equation = system.equations[i];
    Json& left = result["D"][equation.name] = Json::object();
    Json& right = result["G"][equation.name] = Json::object();
    for (const auto& [unknown, value] : equation.left) left[system.unknowns[unknown].name] = entry(value, p);
    for (const auto& [source, value] : equation.right) right[system.sources[source].name] = entry(value, p);
    result["solved_from"][system.unknowns[assignment.unknown_of[i]].name] = equation.name;
  }
  result["equations"] = solved(system, assignment);
  if (!system.laws.empty()) result["laws"] = laws(system);
  if (const auto matrices = operator_matrices(system)) {
    result["M"] = matrix(matrices->M);
    result["C"] = matrix(matrices->C);
    result["K"] = matrix(matrices->K);
  }
  return result;
}

void write_json(std::ostream& out, const EquationSystem& system, const Assignment& assignment) {
  Json result = equations_json(system, assignment);
  result["warnings"] = json::texts(assignment.notes, true);
  result["notes"] = json::texts(assignment.notes, false);
  out << result.dump(2) << '\n';
}

}  // namespace sfg
