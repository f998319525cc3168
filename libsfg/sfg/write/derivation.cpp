#include "sfg/write/derivation.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ostream>

#include "sfg/write/equation_text.hpp"
#include "sfg/write/matrix_text.hpp"
#include "sfg/write/parameters.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Table = TextTable;

void write_latex_table(std::ostream& out, const Table& rows) {
  out << "\\[\n\\begin{array}{" << std::string(rows.front().size(), 'l') << "}\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) out << (j == 0 ? "" : " & ") << rows[i][j];
    out << (i == 0 ? " \\\\ \\hline\n" : " \\\\\n");
  }
  out << "\\end{array}\n\\]\n";
}

/// d_ij and g_ie, one a line.
void write_polynomials(std::ostream& out, const EquationSystem& system, Notation notation) {
  const bool latex = notation == Notation::latex;
  Table rows;
  const auto add = [&](const char* letter, const std::string& row, const std::string& column, const ex& value) {
    if (value.is_zero()) return;
    const std::string index = print_name(row, notation) + ", " + print_name(column, notation);
    rows.push_back({latex ? std::string(letter) + "_{" + index + "}" : std::string(letter) + "[" + index + "]",
                    "= " + polynomial_text(value, system.op.symbol(), notation)});
  };
  for (const EquationSystem::Equation& equation : system.equations) {
    for (const auto& [unknown, value] : equation.left) add("d", equation.name, system.unknowns[unknown].name, value);
    for (const auto& [source, value] : equation.right) add("g", equation.name, system.sources[source].name, value);
  }
  if (!latex) return write_table(out, rows, "  ");
  out << "\\begin{align}\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    out << rows[i][0] << " &" << rows[i][1] << (i + 1 < rows.size() ? " \\\\\n" : "\n");
  out << "\\end{align}\n";
}

/// Eq. 11 for every unknown.
void write_solved(std::ostream& out, const EquationSystem& system, const Assignment& assignment, Notation notation) {
  const bool latex = notation == Notation::latex;
  const std::vector<SolvedEquation> equations = solved_equations(system, assignment);
  if (latex) out << "\\begin{align}\n";
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const std::string name = print_name(equations[i].unknown, notation);
    const std::string right = right_side_text(equations[i], system.op.symbol(), notation);
    if (latex)
      out << name << " &= " << right << (i + 1 < equations.size() ? " \\\\\n" : "\n");
    else
      out << "  " << name << " = " << right << '\n';
  }
  if (latex) out << "\\end{align}\n";
}

std::optional<std::vector<std::array<double, 3>>> possible_denc(const LagrangeEquations& equations) {
  try {
    return equations.denc();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Mark, Den and, where every parameter has a value, Denc.
Table mark_table(const LagrangeEquations& equations, Notation notation, TableFormat format) {
  const bool latex = notation == Notation::latex;
  const auto denc = possible_denc(equations);
  const std::string p = print_name(equations.op.symbol(), notation);
  const std::string square = notation == Notation::latex ? p + "^{2}" : notation == Notation::unicode ? p + "²" : p + "^2";
  Table rows{{"No", "signal", "group", "kind", square, p, "1"}};
  if (latex) rows.front() = {"\\text{No}", "\\text{signal}", "\\text{group}", "\\text{kind}", square, p, "1"};
  if (denc) rows.front().insert(rows.front().end(), {square, p, "1"});
  for (std::size_t i = 0; i < equations.mark.size(); ++i) {
    const MarkRow& mark = equations.mark[i];
    const std::string kind = mark.denominator ? "den" : "num";
    rows.push_back({std::to_string(mark.number), print_name(mark.name, notation), std::to_string(mark.group),
                    latex ? "\\text{" + kind + "}" : kind, print(mark.den.a, notation), print(mark.den.b, notation),
                    print(mark.den.c, notation)});
    if (!denc) continue;
    for (const double number : (*denc)[i])
      rows.back().push_back(format == TableFormat::table ? fmt::format("{:.4e}", number) : print(number));
  }
  return rows;
}

void write_summary(std::ostream& out, const LagrangeEquations& equations, Notation notation) {
  if (!equations.title.empty()) out << (notation == Notation::latex ? "% " : "") << equations.title << '\n';
  if (notation == Notation::latex) return;
  Table rows{{"operator", print_name(equations.op.symbol(), notation) + " = d/dt"},
             {"coordinates", joined(equations.coordinates, notation)}};
  if (!equations.redundant.empty()) rows.push_back({"redundant", joined(equations.redundant, notation)});
  if (!equations.excitations.empty()) rows.push_back({"excitations", joined(equations.excitations, notation)});
  std::string forces;
  for (const std::string& name : equations.coordinates)
    if (const auto force = equations.forces.find(name); force != equations.forces.end())
      forces += (forces.empty() ? "" : ", ") + print_name(force->second, notation) + " along " + print_name(name, notation);
  if (!forces.empty()) rows.push_back({"forces", forces});
  write_table(out, rows, "");
}

void write_equilibrium(std::ostream& out, const LagrangeEquations& equations, Notation notation) {
  if (!equations.equilibrium) return;
  const EquilibriumPoint& point = *equations.equilibrium;
  write_heading(out, point.found ? "Equilibrium, found" : "Equilibrium, as stated", notation);
  Table rows;
  for (const auto* names : {&equations.coordinates, &equations.redundant}) {
    for (const std::string& name : *names) {
      const auto value = point.values.find(name);
      rows.push_back({print_name(name, notation),
                      "= " + (value != point.values.end() ? print(value->second) : print(point.exact.at(name), notation))});
    }
  }
  if (notation == Notation::latex) {
    out << "\\begin{align}\n";
    for (std::size_t i = 0; i < rows.size(); ++i)
      out << rows[i][0] << " &" << rows[i][1] << (i + 1 < rows.size() ? " \\\\\n" : "\n");
    out << "\\end{align}\n";
    return;
  }
  write_table(out, rows, "  ");
  if (point.stability_known) out << "  " << (point.stable ? "stable" : "unstable") << '\n';
}

void write_reactions(std::ostream& out, const LagrangeEquations& equations, Notation notation) {
  if (equations.reactions.empty()) return;
  write_heading(out, "Forces needed along the redundant coordinates", notation);
  const bool latex = notation == Notation::latex;
  const ex p = equations.op.in(equations.symbols);
  Table rows;
  for (const std::string& row : equations.redundant)
    for (const auto* names : {&equations.coordinates, &equations.redundant, &equations.excitations})
      for (const std::string& column : *names)
        if (const OperatorPolynomial d = equations.left(row, column); !d.is_zero())
          rows.push_back(
              {(latex ? "d_{" : "d[") + print_name(row, notation) + ", " + print_name(column, notation) + (latex ? "}" : "]"),
               "= " + polynomial_text(d.in(p), equations.op.symbol(), notation)});
  if (!latex) return write_table(out, rows, "  ");
  out << "\\begin{align}\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    out << rows[i][0] << " &" << rows[i][1] << (i + 1 < rows.size() ? " \\\\\n" : "\n");
  out << "\\end{align}\n";
}

void write_loads(std::ostream& out, const LagrangeEquations& equations, Notation notation) {
  if (equations.constant_loads.empty()) return;
  write_heading(out, "Constant loads", notation);
  Table rows;
  for (const std::string& name : equations.coordinates)
    if (const auto load = equations.constant_loads.find(name); load != equations.constant_loads.end())
      rows.push_back({"along " + print_name(name, notation), print(load->second, notation)});
  if (notation == Notation::latex) {
    for (const auto& row : rows)
      out << "\\[ \\text{"
          << "along } " << row[0].substr(6) << ": " << row[1] << " \\]\n";
    return;
  }
  write_table(out, rows, "  ");
}

}  // namespace

void write_text(std::ostream& out, const LagrangeEquations& equations, Notation notation, TableFormat format) {
  const EquationSystem system = equations.equations();
  write_summary(out, equations, notation);
  write_equilibrium(out, equations, notation);
  write_heading(out, "Operator polynomials, D x = F + G N", notation);
  write_polynomials(out, system, notation);
  if (equations.assignment) {
    write_heading(out, "Solved for the coordinates (Eq. 11)", notation);
    write_solved(out, system, *equations.assignment, notation);
  }
  write_heading(out, "Mark, Den, Denc", notation);
  const Table table = mark_table(equations, notation, format);
  if (notation == Notation::latex)
    write_latex_table(out, table);
  else
    write_table(out, table, "  ");
  write_heading(out, "Matrices of M x'' + C x' + K x", notation);
  write_matrix(out, "M", equations.mass(), notation);
  write_matrix(out, "C", equations.damping(), notation);
  write_matrix(out, "K", equations.stiffness(), notation);
  write_reactions(out, equations, notation);
  write_loads(out, equations, notation);
  write_notes(out, equations.notes, notation);
}

void write_text(std::ostream& out, const EquationSystem& system, const Assignment& assignment, Notation notation) {
  if (!system.title.empty()) out << (notation == Notation::latex ? "% " : "") << system.title << '\n';
  write_heading(out, "Operator polynomials, D x = G u", notation);
  write_polynomials(out, system, notation);
  write_heading(out, "Solved for the unknowns", notation);
  write_solved(out, system, assignment, notation);
  if (const auto matrices = operator_matrices(system)) {
    write_heading(out, "Matrices of M x'' + C x' + K x", notation);
    write_matrix(out, "M", matrices->M, notation);
    write_matrix(out, "C", matrices->C, notation);
    write_matrix(out, "K", matrices->K, notation);
  } else {
    out << (notation == Notation::latex ? "\n% " : "\n") << "no matrices M, C, K: an entry is no polynomial of second degree\n";
  }
  write_notes(out, assignment.notes, notation);
}

void write_toml(std::ostream& out, const EquationSystem& system) {
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
