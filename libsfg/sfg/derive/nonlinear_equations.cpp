#include "sfg/derive/nonlinear_equations.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>
#include <variant>

#include "sfg/derive/derive.hpp"
#include "sfg/derive/law_arguments.hpp"
#include "sfg/derive/motion.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
constexpr unsigned plain = GiNaC::subs_options::no_pattern;

/// A signal of the equations with its derivatives by time.
struct Signal {
  std::string name;
  std::vector<ex> derivatives;  ///< its symbol, that of its rate, of its acceleration
  bool unknown = false;
  std::size_t column = 0;
};

class Splitting {
 public:
  Splitting(const EquationsOfMotion& motion, const Budget& budget, const GiNaC::exmap& place) : motion_(motion), budget_(budget) {
    system_.title = motion.title;
    system_.op = motion.op;
    system_.symbols = motion.symbols;
    system_.inputs = motion.stated_inputs;
    system_.outputs = motion.stated_outputs;
    p_ = system_.op.declare(system_.symbols);
    for (const auto& coordinate : motion.coordinates) add_unknown(coordinate);
    for (const auto& input : motion.inputs) {
      signals_.push_back({input.name, input.derivatives, false, system_.sources.size()});
      system_.sources.push_back({input.name, input.kind, input.where});
    }
    for (const Symbol& symbol : motion.symbols.all())
      if (symbol.kind == SymbolKind::time && !symbol.value) times_.push_back(symbol.expr);
    choose_place(place);
  }

  EquationSystem operator()() {
    for (std::size_t i = 0; i < motion_.coordinates.size(); ++i) {
      budget_.check("the nonlinear equations");
      equation(i);
    }
    name_the_time();
    return std::move(system_);
  }

 private:
  void add_unknown(const EquationsOfMotion::Coordinate& coordinate) {
    Signal signal{
        coordinate.name, {coordinate.q, coordinate.rate, symbol_of("DD" + coordinate.name)}, true, system_.unknowns.size()};
    system_.unknowns.push_back({coordinate.name, coordinate.where});
    signals_.push_back(std::move(signal));
  }

  ex symbol_of(const std::string& name) { return system_.symbols.add({.name = name, .kind = SymbolKind::signal}).expr; }

  /// Where the masses of linear terms are taken: at 0, unless something moves without inertia there and not elsewhere.
  void choose_place(const GiNaC::exmap& stated) {
    GiNaC::exmap zero, ones;
    for (const Signal& signal : signals_)
      for (const ex& derivative : signal.derivatives) zero[derivative] = ones[derivative] = 0;
    for (const ex& time : times_) zero[time] = ones[time] = 0;
    GiNaC::exmap there = ones;
    for (const auto& coordinate : motion_.coordinates) ones[coordinate.q] = 1;
    for (const auto& [q, value] : stated) there[q] = value;
    place_ = zero;
    if (!is_singular(zero)) return;
    for (const GiNaC::exmap& candidate : {there, ones})
      if (!is_singular(candidate)) {
        place_ = candidate;
        return;
      }
  }

  bool is_singular(const GiNaC::exmap& place) const {
    constexpr std::size_t largest = 12;
    const std::size_t n = motion_.M.size();
    if (n == 0 || n > largest) return false;
    GiNaC::matrix masses(static_cast<unsigned>(n), static_cast<unsigned>(n));
    try {
      for (unsigned i = 0; i < n; ++i)
        for (unsigned j = 0; j < n; ++j) masses(i, j) = motion_.M[i][j].subs(place, plain);
      return vanishes(masses.determinant());
    } catch (const std::exception&) {  // no mass there: a pole
      return true;
    }
  }

  /// Σ M q̈ − F = 0.
  void equation(std::size_t i) {
    const auto& coordinate = motion_.coordinates[i];
    system_.equations.push_back({coordinate.name, {}, {}, coordinate.where});
    ex whole = -motion_.F[i];
    for (std::size_t j = 0; j < motion_.coordinates.size(); ++j) whole += motion_.M[i][j] * signals_[j].derivatives[2];
    ex rest = whole.expand();
    for (const Signal& signal : signals_)
      for (std::size_t order = 0; order < signal.derivatives.size(); ++order) take_linear(rest, signal, order);
    rest = rest.expand();
    if (!vanishes(rest)) add_law(i, rest);
  }

  /// The part of the form constant · symbol, away from what other signals multiply.
  void take_linear(ex& rest, const Signal& signal, std::size_t order) {
    const ex& symbol = signal.derivatives[order];
    if (!rest.has(symbol)) return;
    GiNaC::exmap zero;
    for (const Signal& other : signals_)
      for (const ex& derivative : other.derivatives) zero[derivative] = 0;
    ex coefficient;
    try {
      coefficient = smooth_part(rest, symbol).diff(ex_to<GiNaC::symbol>(symbol)).subs(order == 2 ? place_ : zero, plain);
    } catch (const std::exception&) {  // no derivative at rest: dry friction, a pole
      return;
    }
    if (coefficient.is_zero() || std::ranges::any_of(times_, [&](const ex& time) { return coefficient.has(time); })) return;
    rest = (rest - coefficient * symbol).expand();
    auto& equation = system_.equations.back();
    auto& side = signal.unknown ? equation.left : equation.right;
    side[signal.column] += (signal.unknown ? 1 : -1) * coefficient * GiNaC::power(p_, static_cast<long>(order));
  }

  static ex smooth_part(const ex& law, const ex& symbol) {
    if (!GiNaC::is_exactly_a<GiNaC::add>(law)) return is_smooth(law, symbol) ? law : ex(0);
    GiNaC::exvector terms;
    for (std::size_t i = 0; i < law.nops(); ++i)
      if (is_smooth(law.op(i), symbol)) terms.push_back(law.op(i));
    return GiNaC::add(terms);
  }

  /// Whether no corner or jump of the law hangs on the symbol: there the slope at rest says nothing.
  static bool is_smooth(const ex& law, const ex& symbol) {
    static const std::set<std::string> corners{"abs", "sign", "step", "min", "max", "floor", "lookup", "backlash", "hysteresis"};
    for (auto i = law.preorder_begin(); i != law.preorder_end(); ++i)
      if (GiNaC::is_exactly_a<GiNaC::function>(*i) && i->has(symbol) && corners.contains(ex_to<GiNaC::function>(*i).get_name()))
        return false;
    return true;
  }

  /// A source that pushes against the rest of the equation.
  void add_law(std::size_t row, const ex& rest) {
    const auto& coordinate = motion_.coordinates[row];
    EquationSystem::Law law;
    law.source = system_.sources.size();
    law.where = coordinate.where;
    law.law = rest;
    for (const Signal& signal : signals_) {
      const bool has_acceleration = signal.derivatives.size() > 2 && rest.has(signal.derivatives[2]);
      const bool has_others =
          rest.has(signal.derivatives[0]) || (signal.derivatives.size() > 1 && rest.has(signal.derivatives[1]));
      if (has_others) law.arguments.push_back({signal.name, signal.derivatives[0], rate_of(signal)});
      // The names follow those of rates, Dx and DDx, so that a graph that is written is read back.
      if (has_acceleration) law.arguments.push_back({"D" + signal.name, rate_of(signal), signal.derivatives[2]});
    }
    if (law.arguments.empty()) law.arguments.push_back({coordinate.name, signals_[row].derivatives[0], rate_of(signals_[row])});
    name_first_argument(system_, law);
    system_.sources.push_back({free_source("f_" + coordinate.name), SourceKind::law, coordinate.where});
    system_.equations[row].right[law.source] = -1;
    system_.laws.push_back(std::move(law));
  }

  ex rate_of(const Signal& signal) {
    return signal.derivatives.size() > 1 ? signal.derivatives[1] : symbol_of("D" + signal.name);
  }

  std::string free_source(std::string name) const {
    const auto taken = [&](const std::string& candidate) {
      return std::ranges::any_of(signals_, [&](const Signal& s) { return s.name == candidate; });
    };
    while (taken(name)) name += '_';
    return name;
  }

  void name_the_time() {
    for (const ex& time : times_)
      if (const std::string name = ex_to<GiNaC::symbol>(time).get_name(); name != "t")
        for (auto& law : system_.laws)
          if (law.law.has(time))
            throw Error(law.where, "a law depends on the time '" + name + "'", "call the time t in this model");
  }

  const EquationsOfMotion& motion_;
  const Budget& budget_;
  EquationSystem system_;
  ex p_;
  std::vector<Signal> signals_;
  std::vector<ex> times_;
  GiNaC::exmap place_;
};

}  // namespace

EquationSystem nonlinear_equations(const EquationsOfMotion& motion, const Budget& budget, const GiNaC::exmap& place) {
  const EquationsOfMotion explicit_motion = motion.without_definitions();
  if (!explicit_motion.constraints.empty())
    throw Error(explicit_motion.constraints.front().where, "the motion has constraints, whose reactions are no laws of signals",
                "state the model in independent coordinates");
  return Splitting(explicit_motion, budget, place)();
}

EquationSystem nonlinear_equations(const Model& model, const Budget& budget) {
  if (const auto* lagrangian = std::get_if<Lagrangian>(&model)) {
    GiNaC::exmap place;
    if (lagrangian->equilibrium)
      for (const auto& [name, value] : lagrangian->equilibrium->values) place[lagrangian->symbols.at(name).expr] = value;
    return nonlinear_equations(equations_of_motion(*lagrangian, budget), budget, place);
  }
  if (const auto* bodies = std::get_if<Multibody>(&model)) {
    const MultibodyEquations equations = multibody_equations(*bodies, {}, budget);
    if (!equations.quaternions.empty())
      throw Error(bodies->where, "an attitude is a quaternion, whose rate is no signal: the model has no graph with laws",
                  "use joints whose coordinates are angles or displacements");
    return nonlinear_equations(equations.motion, budget);
  }
  return derive(model, budget);
}

}  // namespace sfg
