// Formulas as texts: what sfg.Formula is calculated with. Every function takes texts of the grammar and gives one.
#include <ginac/symbol.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "python/calls.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/settings.hpp"

namespace sfg::python {

namespace {

namespace py = pybind11;
using Words = std::vector<std::string>;

/// A text read; its problems say that it is what it is.
GiNaC::ex read_formula(const std::string& text, SymbolTable& symbols) {
  try {
    return parse(text, symbols,
                 SourceSpan{.file = nullptr, .line = 1, .column = 1, .length = static_cast<std::uint32_t>(text.size())});
  } catch (const Error& error) {
    std::vector<Diagnostic> problems(error.diagnostics().begin(), error.diagnostics().end());
    for (Diagnostic& problem : problems) problem.message = "formula '" + text + "': " + problem.message;
    throw Error(std::move(problems));
  }
}

/// The operator of a formula, which its sums are ordered by: s, p or z.
std::string main_of(const GiNaC::ex& formula) {
  const Words names = symbol_names(formula);
  for (const char* name : {"s", "p", "z"})
    if (std::ranges::binary_search(names, name)) return name;
  return {};
}

std::string text_of(const GiNaC::ex& formula) { return print(formula, Notation::text, main_of(formula)); }

GiNaC::ex symbol_of(const SymbolTable& symbols, const std::string& name) {
  const Symbol* known = symbols.find(name);
  return known ? known->expr : GiNaC::ex(0);
}

/// (numerator, denominator), in lowest terms.
std::pair<std::string, std::string> lowest_terms(const GiNaC::ex& formula, const SymbolTable& symbols) {
  const GiNaC::ex main = symbol_of(symbols, main_of(formula));
  const PolynomialSpace space =
      main.is_zero() ? PolynomialSpace(std::span(&formula, 1)) : PolynomialSpace(std::span(&formula, 1), main);
  const RationalFunction value = space.rational(formula).reduced();
  return {print(value.numerator()), print(value.denominator())};
}

void require(const Words& names, const std::string& name) {
  if (std::ranges::find(names, name) != names.end()) return;
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  throw Error(SourceSpan{}, "name '" + name + "' is not in the formula", known.empty() ? "it has none" : "it has " + known);
}

/// work(formula, symbols) on the formula thread.
template <class Work>
auto on_formula(const std::string& text, Work work) {
  return on_thread({}, [text, work](const Budget&) {
    SymbolTable symbols;
    const GiNaC::ex formula = read_formula(text, symbols);
    return work(formula, symbols);
  });
}

std::string substituted_text(const std::string& text, const Words& values) {
  return on_formula(text, [values](const GiNaC::ex& formula, SymbolTable& symbols) {
    const Words names = symbol_names(formula);
    for (const std::string& value : values) require(names, value.substr(0, value.find('=')));
    return text_of(substituted(formula, settings(values, symbols), {}));
  });
}

std::string derivative_text(const std::string& text, const std::string& name, unsigned order) {
  return on_formula(text, [name, order](const GiNaC::ex& formula, const SymbolTable& symbols) {
    const GiNaC::ex by = symbol_of(symbols, name);
    if (by.is_zero()) return std::string(order > 0 ? "0" : text_of(formula));
    const auto [numerator, denominator] = lowest_terms(formula.diff(GiNaC::ex_to<GiNaC::symbol>(by), order), symbols);
    return quotient_text(numerator, denominator);
  });
}

}  // namespace

void define_formulas(py::module_& m) {
  m.def("formula_read", [](const std::string& text) {
    return on_formula(text, [](const GiNaC::ex& formula, const SymbolTable&) { return text_of(formula); });
  });
  m.def("formula_fraction", [](const std::string& text) { return on_formula(text, lowest_terms); });
  m.def("formula_normal", [](const std::string& text) {
    return on_formula(text, [](const GiNaC::ex& formula, const SymbolTable& symbols) {
      const auto [numerator, denominator] = lowest_terms(formula, symbols);
      return quotient_text(numerator, denominator);
    });
  });
  m.def("formula_vanishes", [](const std::string& text) {
    return on_formula(text, [](const GiNaC::ex& formula, const SymbolTable&) { return vanishes(formula); });
  });
  m.def("formula_names", [](const std::string& text) {
    return on_formula(text, [](const GiNaC::ex& formula, const SymbolTable&) { return symbol_names(formula); });
  });
  m.def("formula_latex", [](const std::string& text) {
    return on_formula(
        text, [](const GiNaC::ex& formula, const SymbolTable&) { return print(formula, Notation::latex, main_of(formula)); });
  });
  m.def("formula_subs", substituted_text);
  m.def("formula_diff", derivative_text);
}

}  // namespace sfg::python
