#include "sfg/write/motion.hpp"

#include <ginac/ginac.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "sfg/expr/rational.hpp"
#include "sfg/write/json_notes.hpp"
#include "sfg/write/matrix_text.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Json = nlohmann::ordered_json;
using Matrix = EquationsOfMotion::Matrix;

Matrix column(const std::vector<ex>& entries) {
  Matrix result;
  for (const ex& entry : entries) result.push_back({entry});
  return result;
}

std::vector<ex> positions(const EquationsOfMotion& motion) {
  std::vector<ex> result;
  for (const auto& coordinate : motion.coordinates) result.push_back(coordinate.q);
  return result;
}

std::vector<ex> rates(const EquationsOfMotion& motion) {
  std::vector<ex> result;
  for (const auto& coordinate : motion.coordinates) result.push_back(coordinate.rate);
  return result;
}

/// Inputs with their derivatives as far as they occur: "z, Dz".
std::vector<ex> known_functions(const EquationsOfMotion& motion) {
  std::vector<ex> result;
  for (const auto& input : motion.inputs) result.insert(result.end(), input.derivatives.begin(), input.derivatives.end());
  return result;
}

std::vector<std::string> names(const std::vector<ex>& symbols) {
  std::vector<std::string> result;
  for (const ex& symbol : symbols) result.push_back(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name());
  return result;
}

/// Parameters that occur, in the order of the model.
std::vector<std::string> parameters(const EquationsOfMotion& motion) {
  std::set<std::string> used;
  const auto use = [&](const ex& value) {
    for (std::string& name : symbol_names(value)) used.insert(std::move(name));
  };
  for (const auto& row : motion.M)
    for (const ex& entry : row) use(entry);
  for (const ex& force : motion.F) use(force);
  for (const auto& definition : motion.definitions) use(definition.value);
  for (const auto& constraint : motion.constraints) use(constraint.value);
  std::vector<std::string> result;
  for (const Symbol& symbol : motion.symbols.all())
    if (symbol.kind == SymbolKind::parameter && used.contains(symbol.name)) result.push_back(symbol.name);
  return result;
}

/// "name = value", one a line.
void write_equalities(std::ostream& out, const TextTable& rows, Notation notation) {
  if (notation != Notation::latex) return write_table(out, rows, "  ");
  out << "\\begin{align}\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    out << rows[i][0] << " &" << rows[i][1] << (i + 1 < rows.size() ? " \\\\\n" : "\n");
  out << "\\end{align}\n";
}

/// Dz = \dot{z}, …
TextTable names_of_derivatives(const EquationsOfMotion& motion) {
  TextTable rows;
  const auto add = [&](const ex& of, const ex& symbol, const char* accent) {
    rows.push_back({print(symbol, Notation::latex), "= \\" + std::string(accent) + "{" + print(of, Notation::latex) + "}"});
  };
  for (const auto& coordinate : motion.coordinates) add(coordinate.q, coordinate.rate, "dot");
  for (const auto& input : motion.inputs)
    for (std::size_t order = 1; order < input.derivatives.size(); ++order)
      add(input.derivatives[0], input.derivatives[order], order == 1 ? "dot" : "ddot");
  return rows;
}

void write_unknowns(std::ostream& out, const EquationsOfMotion& motion, Notation notation) {
  if (notation == Notation::latex) {
    out << "\\[\n\\mathbf{q} = (" << joined(names(positions(motion)), notation) << ")^{\\mathsf{T}}\n\\]\n";
    return write_equalities(out, names_of_derivatives(motion), notation);
  }
  TextTable rows{{"coordinates", joined(names(positions(motion)), notation)}, {"rates", joined(names(rates(motion)), notation)}};
  if (!motion.inputs.empty()) rows.push_back({"inputs", joined(names(known_functions(motion)), notation)});
  write_table(out, rows, "");
}

void write_definitions(std::ostream& out, const EquationsOfMotion& motion, Notation notation) {
  if (motion.definitions.empty()) return;
  write_heading(out, "With", notation);
  TextTable rows;
  for (const auto& definition : motion.definitions)
    rows.push_back({print(definition.symbol, notation), "= " + print(definition.value, notation)});
  write_equalities(out, rows, notation);
}

void write_constraints(std::ostream& out, const EquationsOfMotion& motion, Notation notation) {
  if (motion.constraints.empty()) return;
  write_heading(out, "Constraints", notation);
  TextTable rows;
  for (const auto& constraint : motion.constraints) rows.push_back({print(constraint.value, notation), "= 0"});
  write_equalities(out, rows, notation);
  write_matrix(out, "J", motion.jacobian(), notation);
}

Json texts(const Matrix& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix) {
    rows.push_back(Json::array());
    for (const ex& entry : row) rows.back().push_back(print(entry));
  }
  return rows;
}

}  // namespace

void write_text(std::ostream& out, const EquationsOfMotion& motion, Notation notation) {
  if (!motion.title.empty()) out << (notation == Notation::latex ? "% " : "") << motion.title << '\n';
  write_unknowns(out, motion, notation);
  write_heading(out,
                motion.constraints.empty() ? "Equations of motion, M q'' = f" : "Equations of motion, M q'' = f + J^T lambda",
                notation);
  write_matrix(out, "M", motion.M, notation);
  write_matrix(out, "f", column(motion.F), notation);
  write_constraints(out, motion, notation);
  write_definitions(out, motion, notation);
  write_notes(out, motion.notes, notation);
}

void write_json(std::ostream& out, const EquationsOfMotion& motion) {
  Json result{{"schema", "sfg/derive/1"}, {"title", motion.title}, {"variable", motion.op.symbol()}, {"form", "motion"}};
  result["coordinates"] = names(positions(motion));
  result["rates"] = names(rates(motion));
  result["inputs"] = Json::array();
  for (const auto& input : motion.inputs) result["inputs"].push_back(input.name);
  result["input_derivatives"] = Json::object();
  for (const auto& input : motion.inputs) result["input_derivatives"][input.name] = names(input.derivatives);
  result["parameters"] = parameters(motion);
  result["M"] = texts(motion.M);
  result["F"] = Json::array();
  for (const ex& force : motion.F) result["F"].push_back(print(force));
  result["constraints"] = Json::array();
  for (const auto& constraint : motion.constraints) result["constraints"].push_back(print(constraint.value));
  result["jacobian"] = texts(motion.jacobian());
  result["substitutions"] = Json::array();
  for (const auto& definition : motion.definitions)
    result["substitutions"].push_back({print(definition.symbol), print(definition.value)});
  result["warnings"] = json::texts(motion.notes, true);
  result["notes"] = json::texts(motion.notes, false);
  out << result.dump(2) << '\n';
}

}  // namespace sfg
