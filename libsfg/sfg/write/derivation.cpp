#include "sfg/write/derivation.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <array>
#include <optional>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/derivation_parts.hpp"
#include "sfg/write/page/page_parts.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

Math element(const char* letter, const std::string& row, const std::string& column) {
  return Math::element(Math::name(letter), {Math::signal(row), Math::signal(column)});
}

std::optional<std::vector<std::array<double, 3>>> possible_denc(const LagrangeEquations& equations) {
  try {
    return equations.denc();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Mark, Den and, where every parameter has a value, Denc.
Table mark_table(const LagrangeEquations& equations, TableFormat format) {
  const auto denc = possible_denc(equations);
  const Math p = Math::name(equations.op.symbol());
  const std::vector<Prose> powers{{Math::power(p, Math::number("2"))}, {p}, {Math::number("1")}};
  Table table;
  for (const char* head : {"No", "signal", "group", "kind"}) table.columns.push_back({words(head)});
  for (int times = denc ? 2 : 1; times > 0; --times)
    for (const Prose& power : powers) table.columns.push_back({power});
  for (std::size_t i = 0; i < equations.mark.size(); ++i) {
    const MarkRow& mark = equations.mark[i];
    std::vector<Prose> row{words(std::to_string(mark.number)),
                           {Math::signal(mark.name)},
                           words(std::to_string(mark.group)),
                           words(mark.denominator ? "den" : "num")};
    for (const ex* coefficient : {&mark.den.a, &mark.den.b, &mark.den.c}) row.push_back({math(*coefficient)});
    if (denc)
      for (const double number : (*denc)[i])
        row.push_back(words(format == TableFormat::table ? fmt::format("{:.4e}", number) : print(number)));
    table.rows.push_back(std::move(row));
  }
  table.depth = 1;
  return table;
}

Table summary_of(const LagrangeEquations& equations) {
  std::vector<std::vector<Prose>> rows{{words("operator"), {Math::name(equations.op.symbol()), " = d/dt"}},
                                       {words("coordinates"), listed(equations.coordinates)}};
  if (!equations.redundant.empty()) rows.push_back({words("redundant"), listed(equations.redundant)});
  if (!equations.excitations.empty()) rows.push_back({words("excitations"), listed(equations.excitations)});
  std::vector<Prose> forces;
  for (const std::string& name : equations.coordinates)
    if (const auto force = equations.forces.find(name); force != equations.forces.end())
      forces.push_back({Math::signal(force->second), " along ", Math::signal(name)});
  if (!forces.empty()) rows.push_back({words("forces"), joined(forces, ", ")});
  return summary(std::move(rows));
}

void add_equilibrium(Page& page, const LagrangeEquations& equations) {
  if (!equations.equilibrium) return;
  const EquilibriumPoint& point = *equations.equilibrium;
  add_heading(page, point.found ? "Equilibrium, found" : "Equilibrium, as stated");
  Equations list{{}, {}, 1, true};
  for (const auto* names : {&equations.coordinates, &equations.redundant})
    for (const std::string& name : *names) {
      const auto value = point.values.find(name);
      list.rows.push_back(
          {Math::signal(name), {value != point.values.end() ? number_math(value->second, 17) : math(point.exact.at(name))}});
    }
  page.add(std::move(list));
  if (point.stability_known) page.add(Paragraph{words(point.stable ? "stable" : "unstable"), 1});
}

void add_reactions(Page& page, const LagrangeEquations& equations) {
  if (equations.reactions.empty()) return;
  add_heading(page, "Forces needed along the redundant coordinates");
  const ex p = equations.op.in(equations.symbols);
  Equations list{{}, equations.op.symbol(), 1, true};
  for (const std::string& row : equations.redundant)
    for (const auto* names : {&equations.coordinates, &equations.redundant, &equations.excitations})
      for (const std::string& column : *names)
        if (const OperatorPolynomial d = equations.left(row, column); !d.is_zero())
          list.rows.push_back({element("d", row, column), {operator_polynomial(d.in(p), equations.op.symbol())}});
  page.add(std::move(list));
}

void add_loads(Page& page, const LagrangeEquations& equations) {
  if (equations.constant_loads.empty()) return;
  add_heading(page, "Constant loads");
  std::vector<std::vector<Prose>> rows;
  for (const std::string& name : equations.coordinates)
    if (const auto load = equations.constant_loads.find(name); load != equations.constant_loads.end())
      rows.push_back({{"along ", Math::signal(name)}, {math(load->second)}});
  Table table = summary(std::move(rows));
  table.depth = 1;
  page.add(std::move(table));
}

}  // namespace

void add_heading(Page& page, const char* text) { page.add(Heading{words(text)}); }

void add_polynomials(Page& page, const EquationSystem& system) {
  Equations list{{}, system.op.symbol(), 1, true};
  const auto add = [&](const char* letter, const std::string& row, const std::string& column, const ex& value) {
    if (!value.is_zero()) list.rows.push_back({element(letter, row, column), {operator_polynomial(value, system.op.symbol())}});
  };
  for (const EquationSystem::Equation& equation : system.equations) {
    for (const auto& [unknown, value] : equation.left) add("d", equation.name, system.unknowns[unknown].name, value);
    for (const auto& [source, value] : equation.right) add("g", equation.name, system.sources[source].name, value);
  }
  page.add(std::move(list));
}

void add_solved(Page& page, const EquationSystem& system, const Assignment& assignment) {
  Equations list{{}, system.op.symbol(), 1};
  for (const SolvedEquation& equation : solved_equations(system, assignment))
    list.rows.push_back({Math::signal(equation.unknown), {right_side(equation, system.op.symbol())}});
  page.add(std::move(list));
}

void add_second_order(Page& page, const OperatorMatrices& matrices) {
  add_heading(page, "Matrices of M x'' + C x' + K x");
  add_matrix(page, "M", matrices.M);
  add_matrix(page, "C", matrices.C);
  add_matrix(page, "K", matrices.K);
}

/// What the sources are that follow from signals.
void add_laws(Page& page, const EquationSystem& system) {
  if (system.laws.empty()) return;
  add_heading(page, "Nonlinear laws");
  Equations list{{}, system.op.symbol(), 1, true};
  for (const EquationSystem::Law& law : system.laws)
    list.rows.push_back({Math::signal(system.sources[law.source].name), {math(law.law)}});
  page.add(std::move(list));
  for (const EquationSystem::Law& law : system.laws) {
    std::vector<Prose> meanings;
    for (const auto& argument : law.arguments)
      if (law.law.has(argument.value) || law.law.has(argument.rate)) {
        Prose meaning{math(argument.value), " is ", Math::signal(argument.signal)};
        if (law.law.has(argument.rate)) meaning.insert(meaning.end(), {", ", math(argument.rate), " its rate"});
        meanings.push_back(std::move(meaning));
      }
    Prose line{"in ", Math::signal(system.sources[law.source].name), ": "};
    const Prose all = joined(meanings, "; ");
    line.insert(line.end(), all.begin(), all.end());
    page.add(Paragraph{std::move(line), 1});
  }
}

Page page(const LagrangeEquations& equations, TableFormat format) {
  const EquationSystem system = equations.equations();
  Page page{equations.title, {}};
  page.add(summary_of(equations));
  add_equilibrium(page, equations);
  add_heading(page, "Operator polynomials, D x = F + G N");
  add_polynomials(page, system);
  if (equations.assignment) {
    add_heading(page, "Solved for the coordinates (Eq. 11)");
    add_solved(page, system, *equations.assignment);
  }
  add_heading(page, "Mark, Den, Denc");
  page.add(mark_table(equations, format));
  add_second_order(page, {equations.mass(), equations.damping(), equations.stiffness()});
  add_reactions(page, equations);
  add_loads(page, equations);
  add_notes(page, equations.notes);
  return page;
}

Page page(const EquationSystem& system, const Assignment& assignment) {
  Page page{system.title, {}};
  add_heading(page, "Operator polynomials, D x = G u");
  add_polynomials(page, system);
  add_heading(page, "Solved for the unknowns");
  add_solved(page, system, assignment);
  add_laws(page, system);
  if (const auto matrices = operator_matrices(system)) {
    add_second_order(page, *matrices);
  } else {
    page.add(Gap{});
    page.add(Paragraph{words("no matrices M, C, K: an entry is no polynomial of second degree")});
  }
  add_notes(page, assignment.notes);
  return page;
}

void write_toml(std::ostream& out, const EquationSystem& system) {
  if (!system.laws.empty())
    throw Error(system.laws.front().where,
                "the law of '" + system.sources.at(system.laws.front().source).name +
                    "' has no place in a table [matrix], which is linear",
                "write the graph, or linearise it first");
  const std::size_t n = system.equations.size();
  std::vector<std::string> unknowns, inputs, names;
  for (const auto& unknown : system.unknowns) unknowns.push_back(unknown.name);
  for (const auto& source : system.sources) inputs.push_back(source.name);
  std::vector<std::vector<ex>> D(n, std::vector<ex>(unknowns.size(), 0)), B(n, std::vector<ex>(inputs.size(), 0));
  for (std::size_t i = 0; i < n; ++i) {
    names.push_back(system.equations[i].name);
    for (const auto& [j, value] : system.equations[i].left) D[i][j] = value;
    for (const auto& [j, value] : system.equations[i].right) B[i][j] = value;
  }
  write_toml_head(out, system.title, system.op.symbol());
  out << "\n[matrix]\n";
  write_toml_list(out, "unknowns", unknowns);
  write_toml_list(out, "inputs", inputs);
  write_toml_list(out, "names", names);
  write_toml_matrix(out, "D", D);
  if (!inputs.empty()) write_toml_matrix(out, "B", B);
  write_toml_parameters(out, system.symbols);
  if (system.inputs.empty() && system.outputs.empty()) return;
  out << "\n[analysis]\n";
  if (!system.inputs.empty()) write_toml_list(out, "input", system.inputs);
  if (!system.outputs.empty()) write_toml_list(out, "output", system.outputs);
}

}  // namespace sfg
