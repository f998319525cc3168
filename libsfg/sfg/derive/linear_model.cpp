
#include "sfg/derive/energies.hpp"

#include <ginac/ginac.h>

#include "sfg/derive/degree.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

const char* const linearize_hint =
    "correct a misprint; of a model that is meant to be nonlinear state the point to linearise at: equilibrium = \"find\" or "
    "values";

std::string shortened(std::string text) {
  constexpr std::size_t longest = 160;
  if (text.size() <= longest) return text;
  return std::string(cut_to_bytes(text, longest)) + " …";
}

void check_degree(const EnergySummand& summand, const GiNaC::exset& variables, std::vector<Diagnostic>& problems) {
  const auto problem = degree_problem(summand.value, variables, 2);
  if (!problem) return;
  const std::string term = shortened(print(problem->term));
  const std::string stated = shortened(print(summand.stated));
  const std::string where_in = term == stated ? "" : " in the summand " + stated;
  if (problem->degree == 0)
    problems.push_back({summand.where, summand.energy + " is not a quadratic form: it contains " + term + where_in,
                        linearize_hint, Severity::error});
  else
    problems.push_back({summand.where,
                        summand.energy + " has a term of degree " + std::to_string(problem->degree) +
                            " in the coordinates and their rates: " + term + where_in + "; the equations would not be linear",
                        linearize_hint, Severity::error});
}

GiNaC::exset symbols_in(const ex& value) {
  GiNaC::exset result;
  for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
    if (GiNaC::is_exactly_a<GiNaC::symbol>(*node)) result.insert(*node);
  return result;
}

/// A summand of `energy` may not depend on this symbol, which occurs in it.
void check_free_of(const EnergySummand& summand, const MotionVariable& variable, const ex& symbol, const char* kind,
                   std::vector<Diagnostic>& problems) {
  if (vanishes(summand.value.diff(GiNaC::ex_to<GiNaC::symbol>(symbol)))) return;
  const std::string name = GiNaC::ex_to<GiNaC::symbol>(symbol).get_name();
  problems.push_back(
      {summand.where, summand.energy + " contains " + kind + " '" + name + "': " + shortened(print(summand.stated)),
       summand.energy == "Pi" ? "the potential energy is a function of the coordinates; a term with '" + variable.name +
                                    "' and its rate belongs to T or Phi"
                              : "the dissipation function is one of the rates: did you mean 'D" + variable.name + "'?",
       Severity::error});
}

}  // namespace

void check_linear_model(const Energies& energies) {
  std::vector<Diagnostic> problems;
  GiNaC::exset variables;
  for (const MotionVariable& variable : energies.variables) {
    variables.insert(variable.q);
    variables.insert(variable.rate);
  }
  for (const auto* summands : {&energies.T, &energies.Pi, &energies.Phi})
    for (const EnergySummand& summand : *summands) check_degree(summand, variables, problems);
  const auto check_free = [&](const std::vector<EnergySummand>& summands, const ex MotionVariable::*symbol, const char* kind) {
    for (const EnergySummand& summand : summands) {
      const GiNaC::exset present = symbols_in(summand.value);
      for (const MotionVariable& variable : energies.variables)
        if (present.contains(variable.*symbol)) check_free_of(summand, variable, variable.*symbol, kind, problems);
    }
  };
  check_free(energies.Pi, &MotionVariable::rate, "the rate");
  check_free(energies.Phi, &MotionVariable::q, "the coordinate");
  if (!problems.empty()) throw Error(std::move(problems));
}

}  // namespace sfg
