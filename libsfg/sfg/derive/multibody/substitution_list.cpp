#include <ginac/ginac.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/elastic_constants.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using List = SubstitutionList;

std::string name_of(const ex& symbol) { return GiNaC::ex_to<GiNaC::symbol>(symbol).get_name(); }

// --- Mráz's names ----------------------------------------------------------------------------------------------------------

class ElasticNames {
 public:
  explicit ElasticNames(Multibody& model) : model_(model) {}

  void operator()() {
    for (auto& elastic : model_.elastic) {
      const std::vector<Multibody::Elastic::Point> stated = elastic.points;
      for (std::size_t k = 0; k < elastic.points.size(); ++k) point(elastic, k);
      for (std::size_t k = 0; k < stated.size(); ++k) follow(elastic.body, stated[k].at, elastic.points[k].at);
      if (!elastic.points.empty()) stiffness(elastic);
    }
  }

 private:
  /// A symbol with that value; 0 stays 0, so that the equations keep their structure.
  void name(ex& value, const ElasticConstant& constant, const SourceSpan& where) {
    if (value.is_zero()) return;
    const std::string name = constant.name();
    if (const Symbol* known = model_.symbols.find(name)) {
      if (value.is_equal(known->expr)) return;
      throw Error(where, "'" + name + "' is the name that a list of substitutions gives to another quantity of an elastic body",
                  "give the parameter '" + name + "' another name");
    }
    value = model_.symbols.add({.name = name, .value = value, .where = where}).expr;
  }

  void point(Multibody::Elastic& elastic, std::size_t k) {
    auto& point = elastic.points[k];
    const std::size_t body = elastic.body;
    name(point.mass, {ElasticConstant::Kind::mass, body, k + 1, 1, 0}, elastic.where);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      name(point.at[axis], {ElasticConstant::Kind::place, body, k + 1, 1, axis}, elastic.where);
      for (std::size_t mode = 0; mode < point.modes.size(); ++mode) {
        name(point.modes[mode].shape[axis], {ElasticConstant::Kind::translation, body, k + 1, mode + 1, axis}, elastic.where);
        name(point.modes[mode].rotation[axis], {ElasticConstant::Kind::rotation, body, k + 1, mode + 1, axis}, elastic.where);
      }
    }
  }

  /// Places that are that point go by its new name.
  void follow(std::size_t body, const Multibody::Vector& stated, const Multibody::Vector& named) {
    const auto at = [&](Multibody::Place& place) {
      if (place.body != body) return;
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (!vanishes(place.at[axis] - stated[axis])) return;
      place.at = named;
    };
    for (auto& joint : model_.joints) std::ranges::for_each(joint.places, at);
    for (auto& spring : model_.springs) std::ranges::for_each(spring.between, at);
    for (auto& force : model_.forces) at(force.on);
    for (auto& wheel : model_.flywheels) at(wheel.on);
  }

  void stiffness(Multibody::Elastic& elastic) {
    auto& K = elastic.stiffness;
    const auto stated = K;
    for (std::size_t i = 0; i < K.size(); ++i)
      for (std::size_t j = 0; j < K[i].size(); ++j) {
        if (j < i && j < stated.size() && i < stated[j].size() && stated[i][j].is_equal(stated[j][i]))
          K[i][j] = K[j][i];  // the matrix stays symmetric
        else
          name(K[i][j], {ElasticConstant::Kind::stiffness, elastic.body, i + 1, j + 1, 0}, elastic.where);
      }
  }

  Multibody& model_;
};

// --- the list --------------------------------------------------------------------------------------------------------------

class Listing {
 public:
  Listing(const MultibodyEquations& equations, const Multibody& model) : equations_(equations), model_(model) {
    list_.title = equations.motion.title;
    list_.symbols = equations.motion.symbols;
  }

  List operator()(ListedResults results) {
    const EquationsOfMotion& motion = equations_.motion;
    matrix("M", motion.M, "mass matrix, M v' = F");
    column("F", motion.F, "forces");
    if (!motion.constraints.empty()) constraints(motion);
    rates(motion);
    const bool all = results == ListedResults::with_reactions;
    if (all) reactions();
    take(all ? equations_.definitions : motion.definitions);
    rename();
    sort_names();
    return std::move(list_);
  }

 private:
  void reactions() {
    for (std::size_t i = 0; i < equations_.reactions.size(); ++i) {
      const auto& reaction = equations_.reactions[i];
      column("R" + std::to_string(i + 1), {reaction.wrench.begin(), reaction.wrench.end()},
             "what joint " + reaction.joint + " does to its second body: force and moment at the joint, inertial components");
    }
  }

  void matrix(const std::string& name, const EquationsOfMotion::Matrix& rows, const std::string& text) {
    List::Array array{.name = name, .size = {rows.size(), rows.empty() ? 0 : rows.front().size()}, .text = text};
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        if (!rows[i][j].is_zero()) array.entries.push_back({{i + 1, j + 1}, rows[i][j]});
    list_.results.push_back(std::move(array));
  }

  void column(const std::string& name, const std::vector<ex>& values, const std::string& text) {
    List::Array array{.name = name, .size = {values.size()}, .text = text};
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values[i].is_zero()) array.entries.push_back({{i + 1}, values[i]});
    list_.results.push_back(std::move(array));
  }

  void constraints(const EquationsOfMotion& motion) {
    const bool stated = std::ranges::none_of(motion.constraints, [](const auto& c) { return c.row.empty(); });
    EquationsOfMotion::Matrix J = stated ? EquationsOfMotion::Matrix() : motion.jacobian();
    std::vector<ex> phi, phit, gamma;
    for (const auto& constraint : motion.constraints) {
      phi.push_back(constraint.value);
      if (stated) J.push_back(constraint.row);
      phit.push_back(stated ? constraint.rate : constraint.value.diff(time(motion)));
      gamma.push_back(stated ? constraint.gamma : bias(motion, J[phi.size() - 1], phit.back()));
    }
    column("phi", phi, "constraints phi = 0");
    matrix("J", J, "their Jacobian: M v' = F + J^T lambda");
    column("phit", phit, "J v + phit = 0");
    column("gamma", gamma, "J v' = gamma");
  }

  static GiNaC::symbol time(const EquationsOfMotion& motion) {
    const Symbol* t = motion.symbols.find("t");
    return t == nullptr ? GiNaC::symbol("t") : GiNaC::ex_to<GiNaC::symbol>(t->expr);
  }

  /// γ of a constraint in coordinates whose rates are the speeds: −(d(J v)/dt at constant v + dφ_t/dt).
  static ex bias(const EquationsOfMotion& motion, const std::vector<ex>& row, const ex& phit) {
    ex velocity = phit;
    for (std::size_t j = 0; j < row.size(); ++j) velocity += row[j] * motion.speeds[j].symbol;
    ex sum = velocity.diff(time(motion));
    for (const auto& coordinate : motion.coordinates)
      sum += velocity.diff(GiNaC::ex_to<GiNaC::symbol>(coordinate.q)) * coordinate.rate;
    return -sum;
  }

  void rates(const EquationsOfMotion& motion) {
    std::vector<ex> rates;
    bool plain = motion.coordinates.size() == motion.speeds.size();
    for (const auto& coordinate : motion.coordinates) {
      plain = plain && coordinate.rate.is_equal(motion.speeds[rates.size()].symbol);
      rates.push_back(coordinate.rate);
    }
    if (!plain) column("Xd", rates, "rates of the coordinates");
  }

  /// The definitions that the results need, under their numbers where they have ascending ones.
  void take(const std::vector<EquationsOfMotion::Definition>& definitions) {
    std::size_t last = 0;
    bool numbered = true;
    for (const auto& definition : definitions) {
      std::size_t number = number_of(name_of(definition.symbol));
      numbered = numbered && number > last;
      last = number;
    }
    std::size_t count = 0;
    for (const auto& definition : definitions) {
      ++count;
      ex symbol = definition.symbol;
      if (!numbered) renamed_[definition.symbol] = symbol = GiNaC::symbol("sub" + std::to_string(count));
      list_.substitutions.push_back(
          {numbered ? number_of(name_of(definition.symbol)) : count, symbol, definition.value, definition.where});
    }
  }

  static std::size_t number_of(const std::string& name) {
    std::size_t number = 0;
    if (name.starts_with("sub")) {
      const auto [end, error] = std::from_chars(name.data() + 3, name.data() + name.size(), number);
      if (error != std::errc{} || end != name.data() + name.size()) number = 0;
    }
    return number;
  }

  void state(const std::vector<ex>& symbols, std::vector<ex>& into) {
    for (const ex& symbol : symbols) {
      into.push_back(symbol.subs(renamed_, GiNaC::subs_options::no_pattern));
      placed_.insert(name_of(into.back()));
    }
  }

  void sort_names() {
    const EquationsOfMotion& motion = equations_.motion;
    for (const auto& coordinate : motion.coordinates) state({coordinate.q}, list_.states);
    for (const auto& speed : motion.speeds) state({speed.symbol}, list_.states);
    for (const auto& input : motion.inputs) state(input.derivatives, list_.inputs);
    for (const auto& substitution : list_.substitutions) placed_.insert(name_of(substitution.symbol));
    const std::set<std::string> used = used_names();
    further_inputs(used);
    elastic();
    for (const Symbol& symbol : list_.symbols.all()) {
      if (!used.contains(symbol.name) || !placed_.insert(symbol.name).second) continue;
      if (symbol.kind == SymbolKind::time || symbol.name == "t")
        list_.time = symbol.expr;
      else
        list_.constants.push_back(symbol.expr);
    }
  }

  std::set<std::string> used_names() const {
    std::set<std::string> used;
    const auto use = [&](const ex& value) {
      for (std::string& name : symbol_names(value)) used.insert(std::move(name));
    };
    for (const auto& substitution : list_.substitutions) use(substitution.value);
    for (const auto& array : list_.results)
      for (const auto& entry : array.entries) use(entry.value);
    return used;
  }

  /// Accelerations and multipliers, where there are reactions, or what only these need.
  void further_inputs(const std::set<std::string>& used) {
    std::vector<ex> further = equations_.accelerations;
    for (const auto& constraint : equations_.motion.constraints) further.push_back(constraint.multiplier);
    if (std::ranges::any_of(further, [&](const ex& symbol) { return used.contains(name_of(symbol)); }))
      state(further, list_.inputs);
  }

  /// The constants of elastic bodies that have Mráz's names, those that are 0 too.
  void elastic() {
    for (const auto& elastic : model_.elastic) {
      const auto named = elastic_constants(elastic.body, elastic.points.size(), elastic.coordinates.size());
      if (elastic.points.empty() ||
          std::ranges::none_of(named, [&](const auto& c) { return model_.symbols.find(c.name()) != nullptr; }))
        continue;
      for (const ElasticConstant& constant : named) {
        Symbol* symbol = list_.symbols.find(constant.name());
        if (symbol == nullptr) symbol = &list_.symbols.add({.name = constant.name(), .value = ex(0)});
        state({symbol->expr}, list_.constants);
      }
    }
  }

  /// Dphi becomes phid where nothing has that name, and what is called as a substitution gives way.
  void rename() {
    for (const auto& coordinate : equations_.motion.coordinates) {
      const std::string name = coordinate.name + "d";
      if (!GiNaC::is_a<GiNaC::symbol>(coordinate.rate) || name_of(coordinate.rate) != "D" + coordinate.name) continue;
      if (list_.symbols.find(name) == nullptr)
        renamed_[coordinate.rate] = list_.symbols.add({.name = name, .kind = SymbolKind::coordinate}).expr;
    }
    for (const std::string& name : list_.symbols.names()) {
      Symbol symbol = list_.symbols.at(name);
      if (number_of(name) == 0 || is_definition(symbol.expr)) continue;
      while (list_.symbols.find(symbol.name) != nullptr) symbol.name += "_";
      const ex stated = std::exchange(symbol.expr, ex(GiNaC::symbol(symbol.name)));
      renamed_[stated] = list_.symbols.add(std::move(symbol)).expr;
    }
    const auto rename = [&](ex& value) { value = with_short_numbers(value.subs(renamed_, GiNaC::subs_options::no_pattern)); };
    for (auto& substitution : list_.substitutions) rename(substitution.value);
    for (auto& array : list_.results)
      for (auto& entry : array.entries) rename(entry.value);
  }

  bool is_definition(const ex& symbol) const {
    return std::ranges::any_of(list_.substitutions, [&](const auto& s) { return s.symbol.is_equal(symbol); });
  }

  const MultibodyEquations& equations_;
  const Multibody& model_;
  List list_;
  GiNaC::exmap renamed_;
  std::set<std::string> placed_;
};

}  // namespace

Multibody with_elastic_names(Multibody model) {
  ElasticNames names(model);
  names();
  return model;
}

SubstitutionList substitution_list(const MultibodyEquations& equations, const Multibody& model, ListedResults results) {
  return Listing(equations, model)(results);
}

std::size_t operations(const SubstitutionList& list) {
  std::size_t count = 0;
  for (const auto& substitution : list.substitutions) count += operations(substitution.value);
  for (const auto& array : list.results)
    for (const auto& entry : array.entries) count += operations(entry.value);
  return count;
}

}  // namespace sfg
