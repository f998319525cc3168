#include "sfg/derive/linearize.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sfg/derive/degree.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Role = Lagrangian::Role;

std::optional<double> number(const ex& value, const GiNaC::exmap& parameters) {
  const auto result = real_number(value.subs(parameters, plain));
  return result ? std::optional(result->to_double()) : std::nullopt;
}

bool occurs(const Energies& energies, const ex& symbol) {
  for (const auto* summands : {&energies.T, &energies.Pi, &energies.Phi})
    for (const EnergySummand& summand : *summands)
      if (summand.value.has(symbol)) return true;
  return false;
}

/// The stated values, checked: each belongs to a variable or to the steady rate of a cyclic coordinate.
class StatedValues {
 public:
  StatedValues(const Lagrangian& model, const Energies& energies) : stated_(*model.equilibrium), energies_(energies) {
    for (const auto& [name, value] : stated_.values) check(name, value);
    for (const auto& [name, load] : model.static_forces) check_load(name, load);
    if (!problems_.empty()) throw Error(std::move(problems_));
  }

  ex operator()(const std::string& name) const {
    const auto value = stated_.values.find(name);
    return value == stated_.values.end() ? ex(0) : value->second;
  }

 private:
  void check(const std::string& name, const ex& value) {
    for (const MotionVariable& variable : energies_.variables) {
      if (name == variable.name) return check_constant(name, value);
      if (name != rate_name(variable.name)) continue;
      if (variable.role != Role::principal || occurs(energies_, variable.q))
        add("name " + quoted(name) + " has a steady rate, but " + quoted(variable.name) +
                " is no cyclic coordinate: the energies depend on it",
            "state positions only, or remove " + quoted(variable.name) + " from the energies");
      return check_constant(name, value);
    }
    std::vector<std::string> names;
    for (const MotionVariable& variable : energies_.variables) names.push_back(variable.name);
    const std::string near = nearest(name, names);
    add("the equilibrium states a value for " + quoted(name) + ", which is no coordinate",
        near.empty() ? "name a coordinate" : "did you mean " + quoted(near) + "?");
  }

  void check_constant(const std::string& name, const ex& value) {
    if (const auto used = variable_in(value))
      add("the equilibrium value of " + quoted(name) + " contains " + quoted(*used),
          "give a number or an expression of parameters");
  }

  void check_load(const std::string& name, const ex& load) {
    const auto known = std::find_if(energies_.variables.begin(), energies_.variables.end(),
                                    [&](const MotionVariable& v) { return v.name == name && v.role == Role::principal; });
    if (known == energies_.variables.end())
      add("the static force along " + quoted(name) + " has no equation", "name a coordinate");
    if (const auto used = variable_in(load))
      add("the static force along " + quoted(name) + " contains " + quoted(*used),
          "a force that depends on the motion belongs to Pi or Phi");
  }

  std::optional<std::string> variable_in(const ex& value) const {
    for (const MotionVariable& variable : energies_.variables) {
      if (value.has(variable.q)) return variable.name;
      if (value.has(variable.rate)) return rate_name(variable.name);
    }
    for (const ex& auxiliary : energies_.auxiliary_names)
      if (value.has(auxiliary)) return GiNaC::ex_to<GiNaC::symbol>(auxiliary).get_name();
    return std::nullopt;
  }

  void add(std::string message, std::string hint) {
    problems_.push_back({stated_.where, std::move(message), std::move(hint), Severity::error});
  }

  const Lagrangian::Equilibrium& stated_;
  const Energies& energies_;
  std::vector<Diagnostic> problems_;
};

ex static_load(const Lagrangian& model, const std::string& coordinate) {
  const auto load = model.static_forces.find(coordinate);
  return load == model.static_forces.end() ? ex(0) : load->second;
}

/// Coordinates in steady motion: their position is any, their equation is the drive's.
bool is_steady(const Lagrangian& model, const MotionVariable& variable) {
  return model.equilibrium && model.equilibrium->values.contains(rate_name(variable.name));
}

struct Search {
  StaticConditions conditions;
  std::vector<ex> start;
  std::vector<std::string> names;
};

/// G with the numbers put in.
Search search(const Lagrangian& model, const Energies& energies, const GiNaC::exmap& fixed, const StatedValues& stated) {
  const GiNaC::exmap parameters = energies.symbols.values();
  const std::vector<ex> forces = static_forces(energies, OperatingPoint(fixed));
  Search found;
  std::set<std::string> missing;
  GiNaC::exset unknowns;
  std::size_t row = 0;
  for (const MotionVariable& variable : energies.variables) {
    if (variable.role != Role::principal) continue;
    const ex residual = (forces[row++] - static_load(model, variable.name)).subs(parameters, plain);
    if (is_steady(model, variable)) continue;
    found.names.push_back(variable.name);
    found.conditions.unknowns.push_back(variable.q);
    found.conditions.residuals.push_back(residual);
    unknowns.insert(variable.q);
    found.start.push_back(stated(variable.name).subs(parameters, plain));
  }
  std::vector<ex> numeric_wanted = found.conditions.residuals;
  numeric_wanted.insert(numeric_wanted.end(), found.start.begin(), found.start.end());
  for (const ex& value : numeric_wanted)
    for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
      if (GiNaC::is_exactly_a<GiNaC::symbol>(*node) && !unknowns.contains(*node))
        missing.insert(GiNaC::ex_to<GiNaC::symbol>(*node).get_name());
  std::vector<Diagnostic> problems;
  for (const std::string& name : missing)
    problems.push_back({model.equilibrium->where,
                        "the parameter " + quoted(name) + " has no value: the equilibrium cannot be searched",
                        "give it a value, or state the equilibrium as expressions", Severity::error});
  if (!problems.empty()) throw Error(std::move(problems));
  return found;
}

std::string point_text(const Search& search, const StaticSolution& solution) {
  std::string text;
  for (std::size_t i = 0; i < search.names.size(); ++i)
    text += (i == 0 ? "" : ", ") + search.names[i] + " = " + print(GiNaC::ex_to<GiNaC::numeric>(solution.point[i]).to_double());
  return text;
}

const char* stability_name(Stability stability) {
  switch (stability) {
    case Stability::stable: return "stable";
    case Stability::neutral: return "neutral";
    case Stability::unstable: return "unstable";
  }
  return "";
}

std::vector<Diagnostic> other_solutions(const Lagrangian& model, const Search& search,
                                        const std::vector<StaticSolution>& solutions) {
  std::vector<Diagnostic> notes;
  if (!solutions.front().isolated)
    notes.push_back({model.equilibrium->where,
                     "the equilibrium is not unique: the stiffness is singular there, " + point_text(search, solutions.front()) +
                         " is one of a continuum or a multiple one",
                     "hold the free motion by a spring, or state the point wanted", Severity::warning});
  for (std::size_t i = 1; i < solutions.size(); ++i)
    notes.push_back({model.equilibrium->where,
                     "the equilibrium is not unique: " + point_text(search, solutions[i]) + " is another one, " +
                         stability_name(solutions[i].stability),
                     "a start near the point wanted leads to it: equilibrium = { find = true, " + search.names.front() + " = … }",
                     Severity::warning});
  return notes;
}

/// How the point that was found moves: x + Σ (∂x/∂k)(k − k₀) with G(x; k) = 0 differentiated, G_x ∂x/∂k = −G_k. Nothing where the
/// stiffness is singular: the point has no derivative.
std::optional<std::vector<ex>> followed(const Lagrangian& model, const Energies& energies, const GiNaC::exmap& fixed,
                                        const Search& wanted, const std::vector<ex>& point) try {
  const GiNaC::exmap parameters = energies.symbols.values(), derived = definitions(energies.symbols);
  const std::vector<ex>& x = wanted.conditions.unknowns;
  const auto n = static_cast<unsigned>(x.size());
  GiNaC::exmap here = parameters;
  for (unsigned i = 0; i < n; ++i) here[x[i]] = point[i];
  const auto value = [&](const ex& e) {
    const auto found = real_number(e.subs(here, plain));
    if (!found) throw std::domain_error("no number");
    return ex(*found);
  };
  const std::vector<ex> forces = static_forces(energies, OperatingPoint(fixed));
  std::vector<ex> G;
  std::size_t row = 0;
  for (const MotionVariable& variable : energies.variables) {
    if (variable.role != Role::principal) continue;
    const ex force = forces[row++] - static_load(model, variable.name);
    if (!is_steady(model, variable)) G.push_back(force.subs(derived, plain));
  }
  GiNaC::matrix stiffness(n, n), unknowns(n, 1);
  for (unsigned i = 0; i < n; ++i) {
    unknowns(i, 0) = GiNaC::symbol();
    for (unsigned j = 0; j < n; ++j) stiffness(i, j) = value(G[i].diff(GiNaC::ex_to<GiNaC::symbol>(x[j])));
  }
  std::vector<ex> result = point;
  for (const Symbol& symbol : energies.symbols.all()) {
    if (symbol.kind != SymbolKind::parameter || is_derived(symbol) || !parameters.contains(symbol.expr)) continue;
    GiNaC::matrix load(n, 1);
    bool any = false;
    for (unsigned i = 0; i < n; ++i) {
      load(i, 0) = -value(G[i].diff(GiNaC::ex_to<GiNaC::symbol>(symbol.expr)));
      any = any || !load(i, 0).is_zero();
    }
    if (!any) continue;
    const GiNaC::matrix slope = stiffness.solve(unknowns, load);
    for (unsigned i = 0; i < n; ++i) {
      const double rounded = GiNaC::ex_to<GiNaC::numeric>(slope(i, 0)).to_double();
      result[i] += numeric_value(exact::Rational::of(rounded)) * (symbol.expr - parameters.at(symbol.expr));
    }
  }
  return result;
} catch (const std::exception&) {  // GiNaC's of a singular matrix, a derivative without a value
  return std::nullopt;
}

/// Newton's method for the principal coordinates; the others stay as `stated_point` has them.
Equilibrium found(const Lagrangian& model, const Energies& energies, const StatedValues& stated, const Equilibrium& stated_point,
                  const Budget& budget) {
  GiNaC::exmap values = stated_point.point.values();
  GiNaC::exmap fixed = values;
  for (const MotionVariable& variable : energies.variables)
    if (variable.role == Role::principal && !is_steady(model, variable)) fixed.erase(variable.q);
  const Search wanted = search(model, energies, fixed, stated);
  const std::vector<StaticSolution> solutions = static_solutions(wanted.conditions, wanted.start, budget);
  if (solutions.empty())
    throw NoAnswer(
        "no equilibrium was found: the static forces do not vanish from any of the starts",
        "check the loads, or give a start near the equilibrium: equilibrium = { find = true, " + wanted.names.front() + " = … }",
        model.equilibrium->where);
  EquilibriumPoint description = stated_point.description;
  std::vector<ex> point = solutions.front().point;
  if (model.equilibrium->follow && solutions.front().isolated)
    if (auto moving = followed(model, energies, fixed, wanted, point)) {
      point = std::move(*moving);
      description.follows = true;
    }
  for (std::size_t i = 0; i < wanted.names.size(); ++i) {
    values[wanted.conditions.unknowns[i]] = point[i];
    description.exact[wanted.names[i]] = point[i];
    description.values[wanted.names[i]] = GiNaC::ex_to<GiNaC::numeric>(solutions.front().point[i]).to_double();
  }
  description.residual = solutions.front().residual;
  return {OperatingPoint(std::move(values)), std::move(description), other_solutions(model, wanted, solutions)};
}

/// Size of a balance of forces: the sum of the magnitudes of its terms.
double magnitude(const ex& balance, const GiNaC::exmap& parameters) {
  const ex terms = balance.expand();
  if (!GiNaC::is_exactly_a<GiNaC::add>(terms)) return std::abs(number(terms, parameters).value_or(0));
  double sum = 0;
  for (const ex& term : terms) sum += std::abs(number(term, parameters).value_or(0));
  return sum;
}

/// How well a stated point balances the forces along a coordinate.
struct Balance {
  bool is_load = false;  ///< a force is left
  double residual = 0;
  std::optional<Diagnostic> note;
};

Balance balance(const Lagrangian& model, const std::string& coordinate, const ex& load, const GiNaC::exmap& parameters) {
  constexpr double rounding = 1e-9;    // of values computed elsewhere and written with all digits
  constexpr double few_digits = 1e-3;  // of values written with a few digits
  const SourceSpan& where = model.equilibrium->where;
  const auto rest = number(load, parameters);
  if (!rest)
    return {true, 0,
            Diagnostic{where,
                       "along " + quoted(coordinate) + " the stated point is an equilibrium only where " + print(load) + " = 0",
                       "", Severity::warning}};
  const double relative = std::abs(*rest) / magnitude(load, parameters);
  if (!(relative > rounding)) return {false, std::abs(*rest), std::nullopt};
  const bool rough = relative <= few_digits;
  return {!rough, std::abs(*rest),
          Diagnostic{where,
                     std::string("the stated point is ") + (rough ? "only nearly" : "not") + " an equilibrium: a force of " +
                         print(*rest) + " is left along " + quoted(coordinate),
                     "equilibrium = \"find\" finds it", rough ? Severity::note : Severity::warning}};
}

}  // namespace

bool is_linearized(const Lagrangian& model) {
  return model.equilibrium && (model.equilibrium->find || !model.equilibrium->values.empty());
}

OperatingPoint rest_at_zero(const Energies& energies) {
  GiNaC::exmap values;
  for (const MotionVariable& variable : energies.variables) values[variable.q] = values[variable.rate] = 0;
  return OperatingPoint(std::move(values));
}

Equilibrium equilibrium(const Lagrangian& model, const Energies& energies, const Budget& budget) {
  const StatedValues stated(model, energies);
  GiNaC::exmap values;
  for (const MotionVariable& variable : energies.variables) {
    values[variable.q] = stated(variable.name);
    values[variable.rate] = stated(rate_name(variable.name));
  }
  EquilibriumPoint description;
  description.found = model.equilibrium->find;
  for (const MotionVariable& variable : energies.variables)
    if (variable.role != Role::excitation) description.exact[variable.name] = stated(variable.name);
  if (description.found)
    return found(model, energies, stated, {OperatingPoint(std::move(values)), std::move(description), {}}, budget);
  const GiNaC::exmap parameters = energies.symbols.values();
  for (const auto& [name, exact] : description.exact)
    if (const auto value = number(exact, parameters)) description.values[name] = *value;
  return {OperatingPoint(std::move(values)), std::move(description), {}};
}

ConstantLoads constant_loads(const Lagrangian& model, const Energies& energies, const OperatingPoint& point,
                             const std::optional<EquilibriumPoint>& equilibrium) {
  ConstantLoads loads;
  const std::vector<ex> forces = static_forces(energies, point);
  const GiNaC::exmap parameters = equilibrium ? energies.symbols.values() : GiNaC::exmap{};
  std::size_t row = 0;
  for (const MotionVariable& variable : energies.variables) {
    if (variable.role != Role::principal) continue;
    const ex load = tidy(static_load(model, variable.name) - forces[row++]);
    if (load.is_zero()) continue;
    if (equilibrium && !is_steady(model, variable)) {
      if (equilibrium->found) continue;
      const Balance rest = balance(model, variable.name, load, parameters);
      loads.residual = std::max(loads.residual, rest.residual);
      if (rest.note) loads.notes.push_back(*rest.note);
      if (!rest.is_load) continue;
    }
    loads.along[variable.name] = load;
  }
  return loads;
}

std::vector<Diagnostic> without_influence(const Energies& energies, const Coefficients& derived) {
  GiNaC::exset variables;
  for (const MotionVariable& variable : energies.variables) {
    variables.insert(variable.q);
    variables.insert(variable.rate);
  }
  std::vector<Diagnostic> notes;
  for (const EnergySummand* summand : derived.without_influence)
    if (degree_problem(summand->value, variables, 1))
      notes.push_back({summand->where,
                       summand->energy + ": " + print(summand->stated) + " contributes nothing at the equilibrium",
                       "its second derivatives vanish there", Severity::note});
  return notes;
}

std::optional<Stability> stability(const std::vector<std::vector<ex>>& stiffness, const GiNaC::exmap& parameters) {
  std::vector<std::vector<double>> numbers;
  for (const auto& row : stiffness) {
    numbers.emplace_back();
    for (const ex& entry : row) {
      const auto value = number(entry, parameters);
      if (!value) return std::nullopt;
      numbers.back().push_back(*value);
    }
  }
  return stability(std::move(numbers));
}

}  // namespace sfg
