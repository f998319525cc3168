#include "sfg/write/state_space.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/text/escape.hpp"
#include "sfg/write/matrix_text.hpp"
#include "sfg/write/parameters.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

/// What the matrices stand in.
const char* equations_text(bool discrete, Notation notation) {
  if (notation == Notation::latex)
    return discrete ? "$\\mathbf{x}_{n+1} = \\mathbf{A}\\mathbf{x}_n + \\mathbf{B}\\mathbf{u}_n$, "
                      "$\\mathbf{y}_n = \\mathbf{C}\\mathbf{x}_n + \\mathbf{D}\\mathbf{u}_n$"
                    : "$\\dot{\\mathbf{x}} = \\mathbf{A}\\mathbf{x} + \\mathbf{B}\\mathbf{u}$, "
                      "$\\mathbf{y} = \\mathbf{C}\\mathbf{x} + \\mathbf{D}\\mathbf{u}$";
  return discrete ? "x[n+1] = A x[n] + B u[n], y[n] = C x[n] + D u[n]" : "x' = A x + B u, y = C x + D u";
}

/// (x1, x2)ᵀ as a displayed column.
void write_vector(std::ostream& out, const char* letter, const std::vector<std::string>& names) {
  if (names.empty()) return;
  out << "\\[\n\\mathbf{" << letter << "} = (" << joined(names, Notation::latex) << ")^{\\mathsf{T}}\n\\]\n";
}

Json rows(const StateSpace::Matrix& matrix) {
  Json result = Json::array();
  for (const auto& row : matrix) {
    Json texts = Json::array();
    for (const GiNaC::ex& entry : row) texts.push_back(print(entry));
    result.push_back(std::move(texts));
  }
  return result;
}

}  // namespace

void write_text(std::ostream& out, const StateSpace& model, Notation notation) {
  const bool latex = notation == Notation::latex;
  if (!model.title.empty()) out << (latex ? "% " : "") << model.title << '\n';
  if (!latex)
    write_table(out,
                {{"states", joined(model.states, notation)},
                 {"inputs", joined(model.inputs, notation)},
                 {"outputs", joined(model.outputs, notation)}},
                "");
  if (const auto& h = model.op.sample_time()) out << (latex ? "% " : "") << "sample time " << h->text() << " s\n";
  write_heading(out, equations_text(model.op.discrete(), notation), notation);
  if (latex) {
    write_vector(out, "x", model.states);
    write_vector(out, "u", model.inputs);
    write_vector(out, "y", model.outputs);
  }
  write_matrix(out, "A", model.A, notation);
  write_matrix(out, "B", model.B, notation);
  write_matrix(out, "C", model.C, notation);
  write_matrix(out, "D", model.D, notation);
}

void write_json(std::ostream& out, const StateSpace& model) {
  Json result{{"schema", "sfg/derive/1"}, {"form", "state-space"},  {"title", model.title},     {"variable", model.op.symbol()},
              {"states", model.states},   {"inputs", model.inputs}, {"outputs", model.outputs}, {"A", rows(model.A)},
              {"B", rows(model.B)},       {"C", rows(model.C)},     {"D", rows(model.D)}};
  if (const auto& h = model.op.sample_time()) result["sample_time"] = h->text();
  out << result.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_toml(std::ostream& out, const StateSpace& model) {
  write_toml_head(out, model.title, model.op.symbol());
  if (const auto& h = model.op.sample_time()) out << "sample_time = " << toml_string(h->text()) << '\n';
  out << "\n[state_space]\n";
  write_toml_list(out, "states", model.states);
  write_toml_list(out, "inputs", model.inputs);
  write_toml_list(out, "outputs", model.outputs);
  write_toml_matrix(out, "A", model.A);
  write_toml_matrix(out, "B", model.B);
  write_toml_matrix(out, "C", model.C);
  write_toml_matrix(out, "D", model.D);
  write_toml_parameters(out, model.symbols);
}

}  // namespace sfg
