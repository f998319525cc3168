#include "sfg/derive/multibody/motion_point.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "sfg/derive/multibody/first_order.hpp"
#include "sfg/derive/multibody/rest_search.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;

class Point {
 public:
  Point(const SmallMotion& small, const Budget& budget)
      : small_(small),
        motion_(small.motion),
        budget_(budget),
        where_(small.model.equilibrium ? small.model.equilibrium->where : small.model.where),
        find_(small.model.equilibrium && small.model.equilibrium->find),
        parameters_(small.motion.symbols.values()) {}

  MotionPoint operator()() {
    read_stated();
    state_coordinates();
    state_speeds();
    state_inputs();
    if (!problems_.empty()) throw Error(std::move(problems_));
    if (find_ && !balances_exactly())
      find();
    else if (!closes_exactly())
      close_loops();
    check_rates();
    return std::move(point_);
  }

 private:
  void problem(std::string message, std::string hint) {
    problems_.push_back({where_, std::move(message), std::move(hint), Severity::error});
  }

  void read_stated() {
    if (!small_.model.equilibrium) return;
    std::set<std::string> names;
    for (const auto& coordinate : motion_.coordinates) names.insert(coordinate.name);
    for (std::size_t k = 0; k < small_.size(); ++k) {
      names.insert(motion_.speeds[k].name);
      if (const auto j = small_.coordinate_of[k]) names.insert(rate_name(motion_.coordinates[*j].name));
    }
    for (const auto& input : motion_.inputs) names.insert(input.name);
    for (const auto& law : small_.laws) names.insert(law.name);
    for (const auto& [name, value] : small_.model.equilibrium->values) {
      if (!names.contains(name)) {
        const std::vector<std::string> known(names.begin(), names.end());
        const std::string near = nearest(name, known);
        problem("the equilibrium states a value for " + quoted(name) + ", which is no coordinate, speed or input",
                near.empty() ? "name a coordinate" : "did you mean " + quoted(near) + "?");
      } else if (const auto used = moving_in(value)) {
        problem("the equilibrium value of " + quoted(name) + " contains " + quoted(*used),
                "give a number or an expression of parameters");
      }
    }
  }

  std::optional<std::string> moving_in(const ex& value) const {
    for (const ex& symbol : symbols_of(value)) {
      for (const auto& coordinate : motion_.coordinates)
        if (coordinate.q.is_equal(symbol)) return coordinate.name;
      for (const auto& speed : motion_.speeds)
        if (speed.symbol.is_equal(symbol)) return speed.name;
      for (const auto& input : motion_.inputs)
        if (input.derivatives.at(0).is_equal(symbol)) return input.name;
    }
    return std::nullopt;
  }

  const ex* stated(const std::string& name) const {
    if (!small_.model.equilibrium) return nullptr;
    const auto value = small_.model.equilibrium->values.find(name);
    return value == small_.model.equilibrium->values.end() ? nullptr : &value->second;
  }

  void state_coordinates() {
    for (const auto& coordinate : motion_.coordinates) {
      const ex* value = stated(coordinate.name);
      const auto start = small_.model.assembly.find(coordinate.name);
      point_.values[coordinate.q] = value != nullptr ? *value : start != small_.model.assembly.end() ? start->second : ex(0);
    }
    for (const auto& quaternion : small_.equations.quaternions) state_attitude(quaternion);
  }

  /// 1 where none is stated; else of length 1, to which a few digits are completed.
  void state_attitude(const std::array<std::size_t, 4>& quaternion) {
    const ex first = motion_.coordinates[quaternion[0]].q;
    ex square = 0;
    for (const std::size_t j : quaternion) square += GiNaC::power(point_.values[motion_.coordinates[j].q], 2);
    if (square.is_zero()) point_.values[first] = 1;
    if (square.is_zero() || vanishes(square - 1)) return;
    const std::string names =
        quoted(motion_.coordinates[quaternion[0]].name) + " … " + quoted(motion_.coordinates[quaternion[3]].name);
    const auto number = double_value(square.subs(parameters_, plain));
    constexpr double few_digits = 1e-3;
    if (!number || std::abs(*number - 1) > few_digits)
      return problem("the attitude " + names + " is no quaternion of length 1: the sum of the squares is " + print(square),
                     "divide by the length");
    const Precision precision(60);
    point_.rounded = true;
    for (const std::size_t j : quaternion) {
      ex& value = point_.values[motion_.coordinates[j].q];
      value = decimal_of(ex_to<GiNaC::numeric>((value / GiNaC::sqrt(square)).subs(parameters_, plain).evalf()));
    }
  }

  void state_speeds() {
    for (std::size_t k = 0; k < small_.size(); ++k) {
      const auto& speed = motion_.speeds[k];
      const ex* value = stated(speed.name);
      if (value == nullptr && small_.coordinate_of[k])
        value = stated(rate_name(motion_.coordinates[*small_.coordinate_of[k]].name));
      point_.values[speed.symbol] = value != nullptr ? *value : ex(0);
      point_.steady.push_back(value != nullptr && !value->is_zero());
      point_.is_steady = point_.is_steady || point_.steady.back();
    }
  }

  void state_inputs() {
    for (const auto& law : small_.laws)
      if (stated(law.name) != nullptr)
        problem("the equilibrium states a value for " + quoted(law.name) + ", which follows from its control law",
                "remove one of the two");
    for (const auto& input : motion_.inputs) {
      const ex* value = stated(input.name);
      for (std::size_t order = 0; order < input.derivatives.size(); ++order)
        point_.values[input.derivatives[order]] = order == 0 && value != nullptr ? *value : ex(0);
    }
    for (const Symbol& symbol : motion_.symbols.all())
      if (symbol.kind == SymbolKind::time && !symbol.value) point_.values.emplace(symbol.expr, 0);
  }

  FirstOrderExpansion expansion(const GiNaC::exmap& parameters) const {
    FirstOrderExpansion::Known known;
    for (const auto& [symbol, value] : point_.values) known[symbol].value = value.subs(parameters, plain);
    for (const auto& [symbol, value] : parameters) known.emplace(symbol, FirstOrder{value, {}});
    return {small_.definitions, std::move(known), [](const ex& value) {
              const auto number = real_number(value);
              return number ? ex(*number) : value.expand();
            }};
  }

  static bool is_zero(const ex& value) {
    static const GiNaC::numeric rounding = GiNaC::numeric(10).power(-36);
    if (value.is_zero()) return true;
    const auto number = real_number(value);
    return number ? abs(*number) < rounding : vanishes(value);
  }

  bool closes_exactly() const {
    const Precision precision(60);
    FirstOrderExpansion expand = expansion(parameters_);
    return std::ranges::all_of(motion_.constraints, [&](const auto& constraint) {
      return is_zero(expand.value(constraint.value, "the constraint " + quoted(constraint.name), constraint.where));
    });
  }

  /// Of an open tree; what loops are held by is not known yet.
  bool balances_exactly() const {
    if (!motion_.constraints.empty()) return false;
    const Precision precision(60);
    FirstOrderExpansion expand = expansion(parameters_);
    for (std::size_t i = 0; i < small_.size(); ++i)
      if (!point_.steady[i] && !is_zero(expand.value(motion_.F[i], "the force along " + quoted(small_.displacement_names[i]),
                                                     motion_.speeds[i].where)))
        return false;
    return true;
  }

  /// Rates at the point meet what is constrained: J v + ∂φ/∂t = 0.
  void check_rates() {
    const Precision precision(60);
    FirstOrderExpansion expand = expansion({});
    for (std::size_t c = 0; c < motion_.constraints.size(); ++c) {
      const auto& constraint = motion_.constraints[c];
      if (!point_.is_steady && !constraint.is_of_rates()) continue;
      ex stated = constraint.of_rates;
      if (!constraint.is_of_rates()) {
        stated = constraint.rate;
        for (std::size_t k = 0; k < small_.size(); ++k) stated += small_.J[c][k] * motion_.speeds[k].symbol;
      }
      const ex left = expand.value(stated, "the constraint " + quoted(constraint.name), constraint.where);
      if (is_zero(left)) continue;
      const auto number = double_value(left.subs(parameters_, plain));
      constexpr double rounding = 1e-9;
      if (number && std::abs(*number) < rounding) {
        if (point_.exact)
          point_.notes.push_back({constraint.where,
                                  "the steady motion meets the constraint " + quoted(constraint.name) + " only where " +
                                      print(left) + " = 0, as it is with the stated values",
                                  "state the rates by expressions of parameters", Severity::warning});
        continue;
      }
      problems_.push_back({place_of(c),
                           std::string(point_.is_steady ? "the steady motion" : "rest") + " does not meet the constraint " +
                               quoted(constraint.name) + ": " +
                               (constraint.is_of_rates() ? print(constraint.of_rates) : std::string("its rate")) + " is " +
                               (number ? print(*number) : print(left)) + " there, not 0",
                           "[equilibrium] steady = { … } has every rate that does not vanish, and these meet the constraints",
                           Severity::error});
    }
    if (!problems_.empty()) throw Error(std::move(problems_));
  }

  /// Where a steady rate stands that the constraint is about; else the constraint.
  SourceSpan place_of(std::size_t constraint) const {
    for (std::size_t k = 0; small_.model.equilibrium && k < small_.size(); ++k) {
      const auto& steady = small_.model.equilibrium->steady;
      const auto stated = steady.find(small_.coordinate_of[k] ? rate_name(motion_.coordinates[*small_.coordinate_of[k]].name)
                                                              : motion_.speeds[k].name);
      if (stated != steady.end() && !small_.J[constraint][k].is_zero()) return stated->second;
    }
    return motion_.constraints[constraint].where;
  }

  GiNaC::exmap fixed_numbers() const {
    GiNaC::exmap fixed = parameters_;
    for (const auto& [symbol, value] : point_.values) {
      if (std::ranges::any_of(motion_.coordinates, [&symbol = symbol](const auto& c) { return c.q.is_equal(symbol); })) continue;
      fixed[symbol] = number_of(value);
    }
    return fixed;
  }

  ex number_of(const ex& value) const {
    const ex result = value.subs(parameters_, plain);
    if (!real_number(result)) throw missing_values(result, motion_.symbols);
    return result;
  }

  std::vector<double> start() const {
    std::vector<double> result;
    for (const auto& coordinate : motion_.coordinates)
      result.push_back(double_value(number_of(point_.values.at(coordinate.q))).value_or(0));
    return result;
  }

  void take(const RestSearch::Position& position) {
    for (std::size_t j = 0; j < motion_.coordinates.size(); ++j)
      point_.values[motion_.coordinates[j].q] = position.coordinates[j];
    point_.exact = false;
    point_.rounded = true;
  }

  std::string text_of(const RestSearch::Position& position) const {
    std::string text;
    for (std::size_t j = 0; j < motion_.coordinates.size(); ++j)
      text +=
          (j == 0 ? "" : ", ") + motion_.coordinates[j].name + " = " + print(double_value(position.coordinates[j]).value_or(0));
    return text;
  }

  /// What is not stated closes the loops.
  RestSearch::Task closing() const {
    RestSearch::Task task{std::vector<bool>(small_.size()), std::vector<bool>(small_.size(), false)};
    for (std::size_t k = 0; k < small_.size(); ++k) task.moves[k] = !is_stated(k);
    return task;
  }

  /// Where a rest is searched from: the start on the branch of closed loops that the model states, where that can be reached.
  std::vector<double> closed_start(const RestSearch& search) const {
    std::vector<double> result = start();
    const RestSearch::Task others = closing();
    if (motion_.constraints.empty() || std::ranges::count(others.moves, true) == 0) return result;
    const auto closed = search.from(result, others, budget_);
    if (closed)
      std::ranges::transform(closed->coordinates, result.begin(), [](const ex& q) { return double_value(q).value_or(0); });
    return result;
  }

  void find() {
    constexpr std::size_t most = 4;
    RestSearch::Task task{std::vector<bool>(small_.size()), std::vector<bool>(small_.size())};
    for (std::size_t k = 0; k < small_.size(); ++k) task.moves[k] = task.balances[k] = !point_.steady[k];
    const RestSearch search(small_, fixed_numbers());
    const auto positions = search.around(closed_start(search), task, most, budget_);
    if (positions.empty())
      throw NoAnswer("no equilibrium was found: the forces do not vanish from any of the starts",
                     "check the loads, or state values near the equilibrium in [equilibrium]", where_);
    take(positions.front());
    point_.found = true;
    for (const std::string& name : positions.front().free)
      point_.notes.push_back({where_, "nothing holds " + quoted(name) + ": the equilibrium is one of a continuum",
                              "[equilibrium] states where it starts from", Severity::note});
    for (std::size_t i = 1; i < positions.size(); ++i)
      point_.notes.push_back(
          {where_, "the equilibrium is not unique: " + text_of(positions[i]) + " is another one",
           "values near the point wanted lead to it: [equilibrium] find = true, " + motion_.coordinates.front().name + " = …",
           Severity::note});
  }

  void close_loops() {
    const RestSearch search(small_, fixed_numbers());
    const std::vector<double> before = start();
    const RestSearch::Task task{std::vector<bool>(small_.size(), true), std::vector<bool>(small_.size(), false)};
    std::optional<RestSearch::Position> closed;
    const RestSearch::Task others = closing();
    if (std::ranges::count(others.moves, true) != 0) closed = search.from(before, others, budget_);
    if (!closed) closed = search.from(before, task, budget_);
    if (!closed) throw Error(where_, "the loops do not close from the stated position", closing_hint());
    constexpr double few_digits = 1e-3;
    for (std::size_t j = 0; j < before.size(); ++j) {
      const double now = double_value(closed->coordinates[j]).value_or(0);
      if (stated(motion_.coordinates[j].name) != nullptr && std::abs(now - before[j]) > few_digits * (1 + std::abs(before[j])))
        throw Error(where_,
                    "the stated position does not close the loops: the nearest one that does has " + motion_.coordinates[j].name +
                        " = " + print(now),
                    closing_hint());
    }
    take(*closed);
  }

  bool is_stated(std::size_t speed) const {
    const auto j = small_.coordinate_of[speed];
    return j ? stated(motion_.coordinates[*j].name) != nullptr
             : std::ranges::any_of(small_.equations.quaternions, [&](const auto& quaternion) {
                 return !small_.N[quaternion[0]][speed].is_zero() && stated(motion_.coordinates[quaternion[0]].name) != nullptr;
               });
  }

  std::string closing_hint() const {
    return "state as many coordinates in [equilibrium] as the motion has degrees of freedom, the others follow; or find = true";
  }

  const SmallMotion& small_;
  const EquationsOfMotion& motion_;
  const Budget& budget_;
  SourceSpan where_;
  bool find_;
  GiNaC::exmap parameters_;
  MotionPoint point_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

MotionPoint motion_point(const SmallMotion& small, const Budget& budget) { return Point(small, budget)(); }

}  // namespace sfg
