
#include "sfg/derive/energies.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// The x of xdot, x_dot, dx, vx and the other ways to write a rate; "" for a name that is none of them.
std::string moved_by(const std::string& name, const std::set<std::string>& moving) {
  static constexpr std::array<std::string_view, 12> before{"d",   "d_",   "v",   "v_",   "V",  "V_",
                                                           "dot", "dot_", "Dot", "Dot_", "D_", "delta_t_"};
  static constexpr std::array<std::string_view, 10> behind{"dot",  "_dot", "d",  "_d",    "Dot",
                                                           "_Dot", "DOT",  "_t", "_rate", "\u0307"};
  for (const std::string_view prefix : before)
    if (name.starts_with(prefix) && moving.contains(name.substr(prefix.size()))) return name.substr(prefix.size());
  for (const std::string_view suffix : behind)
    if (name.ends_with(suffix) && moving.contains(name.substr(0, name.size() - suffix.size())))
      return name.substr(0, name.size() - suffix.size());
  return {};
}

/// The file says more of the name than that it occurs.
bool is_stated(const Symbol& symbol) { return symbol.value || !symbol.unit.empty() || !symbol.text.empty() || symbol.tolerance; }

class Inspection {
 public:
  Inspection(const Lagrangian& model, const Energies& energies) : model_(model), energies_(energies) {
    for (const MotionVariable& variable : energies.variables) {
      moving_.insert(variable.name);
      rates_.insert(variable.rate);
    }
    for (const Lagrangian::Auxiliary& auxiliary : model.auxiliaries) moving_.insert(auxiliary.name);
    for (const EnergySummand& summand : energies.T)
      for (auto node = summand.value.preorder_begin(); node != summand.value.preorder_end(); ++node)
        if (GiNaC::is_exactly_a<GiNaC::symbol>(*node)) in_T_.insert(*node);
  }

  std::vector<Diagnostic> problems() {
    for (const auto& [name, summands] : {std::pair{"T", &model_.T}, {"Pi", &model_.Pi}, {"Phi", &model_.Phi}})
      for (const Lagrangian::Energy& summand : *summands) names(name, summand.value, summand.where);
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries)
      names("the auxiliary " + quoted(auxiliary.name), auxiliary.value, auxiliary.where);
    if (!problems_.empty()) return std::move(problems_);
    kinetic_energy();
    dissipation();
    if (problems_.empty()) masses();
    return std::move(problems_);
  }

 private:
  void say(Severity severity, const SourceSpan& where, std::string message, std::string hint) {
    problems_.push_back({where, std::move(message), std::move(hint), severity});
  }

  void names(const std::string& what, const ex& value, const SourceSpan& where) {
    for (const std::string& name : symbol_names(value)) {
      const Symbol* symbol = model_.symbols.find(name);
      if (!symbol || symbol->kind != SymbolKind::parameter || is_stated(*symbol)) continue;
      const std::string variable = moved_by(name, moving_);
      if (variable.empty() || !said_.insert(name).second) continue;
      const bool in_it = symbol->where.line == where.line && symbol->where.column >= where.column;
      say(Severity::error, in_it ? symbol->where : where,
          "name " + quoted(name) + " in " + what + " is no rate, and the term would be lost",
          "write " + rate_name(variable) + " for the rate of " + quoted(variable) + "; if a parameter is meant, state its value");
    }
  }

  bool has_rate(const ex& value) const {
    return std::any_of(value.preorder_begin(), value.preorder_end(), [&](const ex& part) { return rates_.contains(part); });
  }

  std::string how_to_write_a_rate() const {
    return energies_.variables.empty() ? ""
                                       : "the rate of '" + energies_.variables.front().name + "' is written " +
                                             rate_name(energies_.variables.front().name);
  }

  void kinetic_energy() {
    const EnergySummand* stated = nullptr;
    for (const EnergySummand& summand : energies_.T) {
      if (has_rate(summand.value)) return;
      if (!stated && !vanishes(summand.value)) stated = &summand;
    }
    if (stated)
      say(Severity::error, stated->where, "T contains no rate: " + print(stated->stated) + " moves no mass",
          how_to_write_a_rate());
  }

  void dissipation() {
    for (const EnergySummand& summand : energies_.Phi)
      if (!has_rate(summand.value) && !vanishes(summand.value))
        say(Severity::error, summand.where, "Phi contains no rate: " + print(summand.stated) + " dissipates nothing",
            how_to_write_a_rate());
  }

  /// A coordinate that stands in T, but never its rate, has lost its D; one that stands nowhere in T may be meant to have no
  /// mass.
  void masses() {
    bool any = false;
    for (const EnergySummand& summand : energies_.T) any = any || !vanishes(summand.value);
    if (!any) return;
    for (const MotionVariable& variable : energies_.variables) {
      if (variable.role != Lagrangian::Role::principal || in_T_.contains(variable.rate)) continue;
      if (in_T_.contains(variable.q))
        say(Severity::warning, variable.where,
            "coordinate " + quoted(variable.name) + " stands in T, but not its rate: no mass moves with it",
            "write " + rate_name(variable.name) + " where the rate is meant");
      else
        say(Severity::remark, variable.where,
            "coordinate " + quoted(variable.name) + " has no mass: T does not contain " + rate_name(variable.name),
            "add its kinetic energy if it has one");
    }
  }

  const Lagrangian& model_;
  const Energies& energies_;
  std::set<std::string> moving_, said_;
  GiNaC::exset rates_, in_T_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

std::vector<Diagnostic> inspect_energies(const Lagrangian& model, const Energies& energies) {
  std::vector<Diagnostic> doubts = Inspection(model, energies).problems();
  if (std::ranges::any_of(doubts, [](const Diagnostic& doubt) { return doubt.severity == Severity::error; }))
    throw Error(std::move(doubts));
  return doubts;
}

}  // namespace sfg
