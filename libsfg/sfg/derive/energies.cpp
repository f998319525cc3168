#include "sfg/derive/energies.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "sfg/derive/degree.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

VariableNumbers::VariableNumbers(std::span<const MotionVariable> variables) {
  for (std::size_t i = 0; i < variables.size(); ++i)
    for (const GiNaC::ex* symbol : {&variables[i].q, &variables[i].rate}) numbers_.emplace(*symbol, i);
}

std::vector<std::size_t> VariableNumbers::in(const GiNaC::ex& value) const {
  std::set<std::size_t> found;
  for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
    if (const auto known = numbers_.find(*node); known != numbers_.end()) found.insert(known->second);
  return {found.begin(), found.end()};
}

namespace {

using GiNaC::ex;

bool contains_symbol_of(const ex& value, const GiNaC::exset& symbols) {
  for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
    if (symbols.contains(*node)) return true;
  return false;
}

const char* role_name(Lagrangian::Role role) {
  switch (role) {
    case Lagrangian::Role::principal: return "a coordinate";
    case Lagrangian::Role::redundant: return "a redundant coordinate";
    case Lagrangian::Role::excitation: return "an excitation";
  }
  return "a variable";
}

/// Every name means one thing.
class NameCheck {
 public:
  NameCheck(const Lagrangian& model, std::vector<Diagnostic>& problems) : model_(model), problems_(problems) {}

  void operator()() {
    bool any_principal = false;
    for (const Lagrangian::Variable& variable : model_.variables) {
      any_principal = any_principal || variable.role == Lagrangian::Role::principal;
      claim(variable.name, role_name(variable.role), variable.where);
      refuse_value(variable.name, role_name(variable.role), variable.where);
    }
    if (!any_principal)
      report(model_.where, "the model has no coordinate: there is no equation to form",
             "name the coordinates that get an equation");
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries)
      claim(auxiliary.name, "an auxiliary coordinate", auxiliary.where);
    for (const Lagrangian::Variable& variable : model_.variables) claim_rate(variable.name, variable.where);
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries) claim_rate(auxiliary.name, auxiliary.where);
    for (const Lagrangian::Variable& variable : model_.variables) check_force(variable);
    if (const auto taken = meaning_.find(model_.op.symbol()); taken != meaning_.end())
      report(model_.where, "name " + quoted(model_.op.symbol()) + " is " + taken->second + " and the operator d/dt as well",
             "choose another operator: variable = \"s\"");
  }

 private:
  void report(SourceSpan where, std::string message, std::string hint) {
    problems_.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  void claim(const std::string& name, const std::string& meaning, const SourceSpan& where) {
    const auto [known, is_new] = meaning_.emplace(name, meaning);
    if (is_new) return;
    const std::string what =
        known->second == meaning ? " is named twice as " + meaning : " is " + known->second + " and " + meaning;
    report(where, "name " + quoted(name) + what, "give each its own name");
  }

  void claim_rate(const std::string& name, const SourceSpan& where) {
    const std::string rate = rate_name(name);
    claim(rate, "the rate of " + quoted(name), where);
    refuse_value(rate, "the rate of " + quoted(name), where);
  }

  void refuse_value(const std::string& name, const std::string& meaning, const SourceSpan& where) {
    const Symbol* symbol = model_.symbols.find(name);
    if (symbol != nullptr && symbol->value)
      report(symbol->where.line != 0 ? symbol->where : where,
             "name " + quoted(name) + " is " + meaning + ": it cannot have a fixed value",
             "rename the parameter, or leave its value out");
  }

  void check_force(const Lagrangian::Variable& variable) {
    if (variable.force.empty()) return;
    const SourceSpan& where = variable.force_where.line != 0 ? variable.force_where : variable.where;
    if (variable.role != Lagrangian::Role::principal)
      report(where,
             "the force " + quoted(variable.force) + " acts along " + quoted(variable.name) + ", which is " +
                 role_name(variable.role) + " and has no equation",
             "let it act along a coordinate, or make " + quoted(variable.name) + " one");
    if (const auto taken = meaning_.find(variable.force); taken != meaning_.end())
      report(where, "the force " + quoted(variable.force) + " has the name of " + taken->second, "give each its own name");
    refuse_value(variable.force, "a force", where);
  }

  const Lagrangian& model_;
  std::vector<Diagnostic>& problems_;
  std::map<std::string, std::string> meaning_;
};

/// Replaces auxiliaries, in any order of definition.
class EnergyElimination {
 public:
  EnergyElimination(const Lagrangian& model, Energies& result, std::vector<Diagnostic>& problems)
      : model_(model),
        result_(result),
        problems_(problems),
        numbers_(result.variables),
        values_(model.auxiliaries.size()),
        rates_(model.auxiliaries.size()) {
    for (std::size_t i = 0; i < model.auxiliaries.size(); ++i) {
      const std::string& name = model.auxiliaries[i].name;
      value_symbols_[result_.symbols.symbol(name)] = i;
      result_.auxiliary_names.insert(result_.symbols.symbol(name));
      const Symbol* rate = result_.symbols.find(rate_name(name));
      if (rate == nullptr) continue;
      rate_symbols_[rate->expr] = i;
      result_.auxiliary_names.insert(rate->expr);
    }
    for (const MotionVariable& variable : result_.variables) {
      rate_names_.insert(variable.rate);
      moving_.insert({variable.q, variable.rate});
    }
    for (const Symbol& symbol : result_.symbols.all())
      if (symbol.kind == SymbolKind::time) times_.push_back(symbol.expr);
  }

  const ex& value(std::size_t i) {
    if (values_[i]) return *values_[i];
    const Lagrangian::Auxiliary& auxiliary = model_.auxiliaries[i];
    for (std::size_t k = 0; k < open_.size(); ++k) {
      if (open_[k] != i) continue;
      std::string circle;
      for (; k < open_.size(); ++k) circle += model_.auxiliaries[open_[k]].name + " → ";
      throw Error(auxiliary.where,
                  "the auxiliary coordinate " + quoted(auxiliary.name) + " is defined by itself: " + circle + auxiliary.name,
                  "define one of them by coordinates alone");
    }
    open_.push_back(i);
    const ex substituted = without_auxiliaries(auxiliary.value);
    open_.pop_back();
    check_size(substituted, auxiliary);
    return *(values_[i] = substituted);
  }

  /// Ddelta_j, by the chain rule.
  const ex& rate(std::size_t i) {
    if (rates_[i]) return *rates_[i];
    const ex& delta = value(i);
    const Lagrangian::Auxiliary& auxiliary = model_.auxiliaries[i];
    if (contains_symbol_of(delta, rate_names_))
      throw Error(auxiliary.where, "the rate of " + quoted(auxiliary.name) + " is a second derivative: it is defined by rates",
                  "energies contain coordinates and rates only");
    ex result = 0;
    for (const std::size_t k : numbers_.in(delta)) {
      const MotionVariable& variable = result_.variables[k];
      if (delta.has(variable.q)) result += delta.diff(GiNaC::ex_to<GiNaC::symbol>(variable.q)) * variable.rate;
    }
    for (const ex& time : times_)
      if (delta.has(time)) result += delta.diff(GiNaC::ex_to<GiNaC::symbol>(time));
    return *(rates_[i] = result);
  }

  ex without_auxiliaries(const ex& stated) {
    GiNaC::exmap replacements;
    for (auto node = stated.preorder_begin(); node != stated.preorder_end(); ++node) {
      if (const auto known = value_symbols_.find(*node); known != value_symbols_.end())
        replacements[*node] = value(known->second);
      else if (const auto rated = rate_symbols_.find(*node); rated != rate_symbols_.end())
        replacements[*node] = rate(rated->second);
    }
    return replacements.empty() ? stated : stated.subs(replacements, plain);
  }

  /// Resolves all; checks linearity and stated rates.
  void check(bool linear) {
    for (std::size_t i = 0; i < model_.auxiliaries.size(); ++i) {
      try {
        const ex& delta = value(i);
        if (linear) check_linear(model_.auxiliaries[i], delta);
        if (model_.auxiliaries[i].rate) check_rate(model_.auxiliaries[i], rate(i));
      } catch (const Error& error) {
        for (const Diagnostic& diagnostic : error.diagnostics()) add(diagnostic);
      }
    }
  }

 private:
  void add(const Diagnostic& diagnostic) {
    for (const Diagnostic& known : problems_)
      if (known.message == diagnostic.message && known.where == diagnostic.where) return;
    problems_.push_back(diagnostic);
  }

  /// Definitions built on definitions can double at every line.
  static void check_size(const ex& value, const Lagrangian::Auxiliary& auxiliary) {
    constexpr std::size_t most_nodes = 200'000;
    std::size_t nodes = 0;
    for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
      if (++nodes > most_nodes)
        throw LimitReached("the auxiliary coordinate " + quoted(auxiliary.name) + " has more than " + std::to_string(most_nodes) +
                               " terms when all others are substituted",
                           "define it by fewer others");
  }

  void check_linear(const Lagrangian::Auxiliary& auxiliary, const ex& delta) {
    const auto problem = degree_problem(delta, moving_, 1);
    if (!problem) return;
    add({auxiliary.where,
         "the auxiliary coordinate " + quoted(auxiliary.name) + " is not linear in the coordinates: it contains " +
             print(problem->term),
         "correct it, or state an equilibrium to linearise at: equilibrium = \"find\"", Severity::error});
  }

  void check_rate(const Lagrangian::Auxiliary& auxiliary, const ex& derived) {
    const ex stated = without_auxiliaries(*auxiliary.rate);
    if (vanishes(stated - derived)) return;
    add({auxiliary.rate_where,
         "rate " + quoted(rate_name(auxiliary.name)) + " is stated as " + print(stated.expand()) + ", but " +
             quoted(auxiliary.name) + " of " +
             (auxiliary.where.line != 0 ? "line " + std::to_string(auxiliary.where.line) : std::string("its definition")) +
             " has the rate " + print(derived.expand()),
         "correct one of the two, or leave the rate out: it follows", Severity::error});
  }

  const Lagrangian& model_;
  Energies& result_;
  std::vector<Diagnostic>& problems_;
  VariableNumbers numbers_;
  std::vector<std::optional<ex>> values_, rates_;
  std::map<ex, std::size_t, GiNaC::ex_is_less> value_symbols_, rate_symbols_;
  GiNaC::exset rate_names_, moving_;  ///< rates; coordinates and rates
  std::vector<ex> times_;
  std::vector<std::size_t> open_;
};

void add_variables(const Lagrangian& model, Energies& result) {
  for (const Lagrangian::Variable& variable : model.variables) {
    const ex q = result.symbols.symbol(variable.name, variable.where);
    const std::string rated = rate_name(variable.name);
    if (result.symbols.find(rated) == nullptr) {
      Symbol rate;
      rate.name = rated;
      rate.kind = SymbolKind::signal;
      rate.where = variable.where;
      result.symbols.add(std::move(rate));
    }
    result.variables.push_back({variable.name, variable.role, q, result.symbols.at(rated).expr, variable.where});
  }
}

/// A force in an energy, the operator, a second derivative: not what energies are made of.
class ContentsCheck {
 public:
  ContentsCheck(const Lagrangian& model, const Energies& energies) : symbols_(energies.symbols), op_(model.op.symbol()) {
    for (const Lagrangian::Variable& variable : model.variables) {
      if (!variable.force.empty()) forces_.insert(variable.force);
      second_.insert(rate_name(rate_name(variable.name)));
    }
  }

  void operator()(const EnergySummand& summand, std::vector<Diagnostic>& problems) const {
    for (const std::string& name : symbol_names(summand.value)) {
      const Symbol* symbol = symbols_.find(name);
      if (symbol == nullptr || symbol->value) continue;
      if (forces_.contains(name))
        problems.push_back({summand.where, "the force " + quoted(name) + " occurs in " + summand.energy,
                            "name it in the list of forces only: it acts along its coordinate", Severity::error});
      if (name == op_)
        problems.push_back(
            {summand.where, summand.energy + " contains the operator " + quoted(name),
             "energies are functions of the coordinates and rates; for a parameter of that name choose another variable",
             Severity::error});
      if (second_.contains(name))
        problems.push_back({summand.where, summand.energy + " contains " + quoted(name) + ", a second derivative",
                            "energies contain coordinates and rates only", Severity::error});
    }
  }

 private:
  const SymbolTable& symbols_;
  std::string op_;
  std::set<std::string> forces_, second_;
};

}  // namespace

Energies explicit_energies(const Lagrangian& model, bool linear, const Budget& budget) {
  std::vector<Diagnostic> problems;
  NameCheck(model, problems)();
  if (!problems.empty()) throw Error(std::move(problems));
  Energies result;
  result.symbols = model.symbols;
  add_variables(model, result);
  EnergyElimination elimination(model, result, problems);
  elimination.check(linear);
  if (!problems.empty()) throw Error(std::move(problems));
  for (std::size_t i = 0; i < model.auxiliaries.size(); ++i) result.auxiliaries.push_back(elimination.value(i));
  const ContentsCheck check_contents(model, result);
  const auto fill = [&](const char* name, const std::vector<Lagrangian::Energy>& stated, std::vector<EnergySummand>& summands) {
    for (const Lagrangian::Energy& energy : stated) {
      budget.check("the elimination of auxiliary coordinates");
      try {
        summands.push_back({name, elimination.without_auxiliaries(energy.value), energy.value, energy.where});
        check_contents(summands.back(), problems);
      } catch (const Error& error) {
        for (Diagnostic diagnostic : error.diagnostics()) {
          diagnostic.where = energy.where;
          problems.push_back(std::move(diagnostic));
        }
      }
    }
  };
  fill("T", model.T, result.T);
  fill("Pi", model.Pi, result.Pi);
  fill("Phi", model.Phi, result.Phi);
  if (!problems.empty()) throw Error(std::move(problems));
  return result;
}

}  // namespace sfg
