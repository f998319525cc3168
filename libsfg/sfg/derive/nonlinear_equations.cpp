#include "sfg/derive/nonlinear_equations.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "sfg/derive/derive.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/signal_form.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;

/// A signal of the equations with its derivatives by time.
struct Signal {
  std::string name;
  bool unknown = false;
  std::size_t column = 0;
};

/// What depends on signals through one linear form of two or more: by equation its law of the form and of its rate.
struct FormLaws {
  SignalForm form;
  ex value, rate;
  std::map<std::size_t, ex> laws;
};

/// sinh/cosh is tanh, as from the potential log(cosh(x)): the quotient has no value where both are beyond all doubles.
struct HyperbolicTangents : GiNaC::map_function {
  ex operator()(const ex& e) override {
    const ex inside = e.map(*this);
    if (!GiNaC::is_exactly_a<GiNaC::mul>(inside)) return inside;
    for (std::size_t i = 0; i < inside.nops(); ++i)
      if (const ex sine = inside.op(i); GiNaC::is_the_function<GiNaC::sinh_SERIAL>(sine)) {
        const ex cosine = GiNaC::cosh(sine.op(0));
        for (std::size_t k = 0; k < inside.nops(); ++k)
          if (GiNaC::is_exactly_a<GiNaC::power>(inside.op(k)) && inside.op(k).op(0).is_equal(cosine) &&
              inside.op(k).op(1).info(GiNaC::info_flags::negint))
            return inside / sine * cosine * GiNaC::tanh(sine.op(0));
      }
    return inside;
  }
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
      signals_.push_back({input.name, false, system_.sources.size()});
      symbols_.push_back(input.derivatives);
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
    for (FormLaws& forms : forms_) add_laws(forms);
    name_the_time();
    return std::move(system_);
  }

 private:
  void add_unknown(const EquationsOfMotion::Coordinate& coordinate) {
    signals_.push_back({coordinate.name, true, system_.unknowns.size()});
    symbols_.push_back({coordinate.q, coordinate.rate, symbol_of("DD" + coordinate.name)});
    system_.unknowns.push_back({coordinate.name, coordinate.where});
  }

  ex symbol_of(const std::string& name) { return system_.symbols.add({.name = name, .kind = SymbolKind::signal}).expr; }

  /// Where the masses of linear terms are taken: at 0, unless something moves without inertia there and not elsewhere.
  void choose_place(const GiNaC::exmap& stated) {
    GiNaC::exmap zero, ones;
    for (const SignalSymbols& signal : symbols_)
      for (const ex& derivative : signal) zero[derivative] = ones[derivative] = 0;
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
    for (std::size_t j = 0; j < motion_.coordinates.size(); ++j) whole += motion_.M[i][j] * symbols_[j][2];
    ex rest = without_forms(whole, i).expand();
    for (std::size_t signal = 0; signal < signals_.size(); ++signal)
      for (std::size_t order = 0; order < symbols_[signal].size(); ++order) take_linear(rest, signal, order);
    rest = without_multiplied_forms(rest.expand(), i);
    if (!vanishes(rest)) add_law(i, rest);
  }

  /// The law of a spring between two coordinates is one of their difference: in both of their equations the same.
  ex without_forms(const ex& whole, std::size_t row) {
    ex rest = 0;
    for (const ex& term : signal_terms(whole, symbols_))
      if (!takes_form(term, row)) rest += term;
    return rest;
  }

  /// The same of what was multiplied out, degree by degree.
  ex without_multiplied_forms(const ex& rest, std::size_t row) {
    std::map<int, ex> by_degree;
    for (const ex& term : signal_terms(rest, symbols_)) {
      int degree = 0;
      for (const SignalSymbols& signal : symbols_)
        for (const ex& symbol : signal)
          if (term.has(symbol)) degree += term.is_polynomial(symbol) && degree >= 0 ? term.degree(symbol) : -1'000'000;
      by_degree[degree] += term;
    }
    ex left = 0;
    for (const auto& [degree, terms] : by_degree)
      if (degree < 0 || !takes_form(terms, row)) left += terms;
    return left;
  }

  bool takes_form(const ex& term, std::size_t row) {
    const auto form = single_form(term, symbols_);
    if (!form || form->size() < 2) return false;
    auto known = std::ranges::find_if(forms_, [&](const FormLaws& other) { return ratio(*form, other.form).has_value(); });
    if (known == forms_.end()) {
      const std::string name = free_symbol("d" + names_of(*form));
      known = forms_.insert(forms_.end(), {*form, GiNaC::symbol(name), GiNaC::symbol("D" + name), {}});
    }
    known->laws[row] += in_form(term, known->form, symbols_, known->value, known->rate);
    return true;
  }

  /// Of equal laws of several equations one stands for all.
  void add_laws(FormLaws& forms) {
    std::vector<std::pair<ex, std::size_t>> stated;  // with their sources
    for (auto& [row, law] : forms.laws) {
      take_linear(law, forms.form, {forms.value, forms.rate}, row);
      law = law.expand();
      if (vanishes(law)) continue;
      const auto multiple = [&, &law = law](const ex& other) -> std::optional<ex> {
        for (const int sign : {1, -1})
          if (vanishes(law - sign * other)) return sign;
        const ex factor = (law / other).normal();
        const bool constant = !factor.has(forms.value) && !factor.has(forms.rate) &&
                              std::ranges::none_of(times_, [&](const ex& time) { return factor.has(time); });
        return constant ? std::optional(factor) : std::nullopt;
      };
      std::optional<ex> factor;
      for (const auto& [other, source] : stated)
        if ((factor = multiple(other))) {
          system_.equations[row].right[source] = -*factor;
          break;
        }
      if (factor) continue;
      stated.emplace_back(law, system_.sources.size());
      add_law(row, "f" + names_of(forms.form), {.law = law, .arguments = {{text_of(forms.form), forms.value, forms.rate}}});
    }
  }

  /// "_x1_x2".
  std::string names_of(const SignalForm& form) const {
    std::string names;
    for (const auto& [signal, coefficient] : form) names += "_" + signals_[signal].name;
    return names;
  }

  std::string text_of(const SignalForm& form) const {
    ex sum = 0;
    for (const auto& [signal, coefficient] : form) sum += coefficient * GiNaC::symbol(signals_[signal].name);
    return print(sum);
  }

  std::string free_symbol(std::string name) const {
    while (system_.symbols.find(name) != nullptr || system_.symbols.find("D" + name) != nullptr) name += '_';
    return name;
  }

  /// The slopes at rest of a law of a form.
  void take_linear(ex& law, const SignalForm& form, const std::array<ex, 2>& symbols, std::size_t row) {
    for (std::size_t order = 0; order < symbols.size(); ++order) {
      const ex slope = slope_at(law, symbols[order], {{symbols[0], 0}, {symbols[1], 0}});
      if (slope.is_zero()) continue;
      law -= slope * symbols[order];
      for (const auto& [signal, coefficient] : form) add_linear(row, signals_[signal], order, slope * coefficient);
    }
  }

  void add_linear(std::size_t row, const Signal& signal, std::size_t order, const ex& coefficient) {
    auto& equation = system_.equations[row];
    ex& entry = (signal.unknown ? equation.left : equation.right)[signal.column];
    entry += (signal.unknown ? 1 : -1) * coefficient * GiNaC::power(p_, static_cast<long>(order));
  }

  /// Of the part that is smooth in the symbol; 0 where there is none, or where it changes in time.
  ex slope_at(const ex& law, const ex& symbol, const GiNaC::exmap& place) const {
    try {
      const ex slope = smooth_part(law, symbol).diff(ex_to<GiNaC::symbol>(symbol)).subs(place, plain);
      return std::ranges::any_of(times_, [&](const ex& time) { return slope.has(time); }) ? ex(0) : slope;
    } catch (const std::exception&) {  // no derivative at rest: dry friction, a pole
      return 0;
    }
  }

  /// The part of the form constant · symbol, away from what other signals multiply.
  void take_linear(ex& rest, std::size_t signal, std::size_t order) {
    const ex& symbol = symbols_[signal][order];
    if (!rest.has(symbol)) return;
    GiNaC::exmap zero;
    for (const SignalSymbols& other : symbols_)
      for (const ex& derivative : other) zero[derivative] = 0;
    const ex slope = slope_at(rest, symbol, order == 2 ? place_ : zero);
    if (slope.is_zero()) return;
    rest = (rest - slope * symbol).expand();
    add_linear(system_.equations.size() - 1, signals_[signal], order, slope);
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
    EquationSystem::Law law{.law = rest};
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      const SignalSymbols& symbols = symbols_[i];
      const bool has_others = rest.has(symbols[0]) || (symbols.size() > 1 && rest.has(symbols[1]));
      if (has_others) law.arguments.push_back({signals_[i].name, symbols[0], rate_of(i)});
      // The names follow those of rates, Dx and DDx, so that a graph that is written is read back.
      if (symbols.size() > 2 && rest.has(symbols[2])) law.arguments.push_back({"D" + signals_[i].name, rate_of(i), symbols[2]});
    }
    if (law.arguments.empty()) law.arguments.push_back({signals_[row].name, symbols_[row][0], rate_of(row)});
    add_law(row, "f_" + signals_[row].name, std::move(law));
  }

  void add_law(std::size_t row, const std::string& source, EquationSystem::Law law) {
    law.source = system_.sources.size();
    law.law = HyperbolicTangents()(law.law);
    law.where = motion_.coordinates[row].where;
    const bool form = law.arguments.size() == 1 && !is_declared(law.arguments[0].value);
    name_first_argument(system_, law);
    if (form && law.arguments.size() > 1)  // u and v are taken: the form goes by its own name
      for (const ex& symbol : {law.arguments[1].value, law.arguments[1].rate})
        system_.symbols.add({.name = ex_to<GiNaC::symbol>(symbol).get_name(), .kind = SymbolKind::signal, .expr = symbol});
    system_.sources.push_back({free_source(source), SourceKind::law, law.where});
    system_.equations[row].right[law.source] = -1;
    system_.laws.push_back(std::move(law));
  }

  bool is_declared(const ex& symbol) const { return system_.symbols.find(ex_to<GiNaC::symbol>(symbol).get_name()) != nullptr; }

  ex rate_of(std::size_t signal) {
    return symbols_[signal].size() > 1 ? symbols_[signal][1] : symbol_of("D" + signals_[signal].name);
  }

  std::string free_source(std::string name) const {
    const auto taken = [&](const std::string& candidate) {
      return std::ranges::any_of(signals_, [&](const Signal& s) { return s.name == candidate; }) ||
             std::ranges::any_of(system_.sources, [&](const auto& s) { return s.name == candidate; });
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
  std::vector<SignalSymbols> symbols_;  ///< by signal
  std::vector<FormLaws> forms_;
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

EquationSystem nonlinear_equations(const Lagrangian& model, const Budget& budget) {
  GiNaC::exmap place;
  if (model.equilibrium)
    for (const auto& [name, value] : model.equilibrium->values) place[model.symbols.at(name).expr] = value;
  return nonlinear_equations(equations_of_motion(model, budget, true), budget, place);
}

EquationSystem nonlinear_equations(const Multibody& model, const Budget& budget) {
  const MultibodyEquations equations = multibody_equations(model, {}, budget);
  if (!equations.quaternions.empty())
    throw Error(model.where, "an attitude is a quaternion, whose rate is no signal: the model has no graph with laws",
                "use joints whose coordinates are angles or displacements");
  return nonlinear_equations(equations.motion, budget);
}

EquationSystem nonlinear_equations(const Model& model, const Budget& budget) {
  return model_equations(model, NonlinearTerms::kept, Rest::stays, budget).system;
}

void name_first_argument(EquationSystem& system, EquationSystem::Law& law) {
  const auto is_free = [&](const char* name) {
    const Symbol* known = system.symbols.find(name);
    return known == nullptr || (known->kind == SymbolKind::signal && !known->value);
  };
  if (!is_free("u") || !is_free("v")) {
    law.arguments.insert(law.arguments.begin(), law.arguments.front());
    return;
  }
  auto& first = law.arguments.front();
  const GiNaC::ex u = system.symbols.add({.name = "u", .kind = SymbolKind::signal}).expr;
  const GiNaC::ex v = system.symbols.add({.name = "v", .kind = SymbolKind::signal}).expr;
  law.law = law.law.subs(GiNaC::exmap{{first.value, u}, {first.rate, v}}, GiNaC::subs_options::no_pattern);
  first.value = u;
  first.rate = v;
}

}  // namespace sfg
