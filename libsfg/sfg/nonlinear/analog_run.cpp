// Two interpreters: of the equations in the user's units, and of the patching table in machine units. They share the method of
// integration and nothing else, so that each checks the other.
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/compile.hpp"
#include "sfg/nonlinear/analog_program.hpp"
#include "sfg/nonlinear/runge_kutta.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {

namespace {

using Kind = AnalogEquations::Kind;

/// A function of one number as a tape; nothing where there is no law.
class Law {
 public:
  Law(const GiNaC::ex& law, const GiNaC::ex& of) : tape_(compile(std::vector{law}, std::vector{of})) {}
  double operator()(double x) const { return tape_.values<double>(std::span<const double>(&x, 1))[0]; }

 private:
  numeric::Tape tape_;
};

/// Jumps and corners of what drives a run.
std::vector<double> breaks(const AnalogEquations& equations, const AnalogRun& run, double until, const Budget& budget) {
  std::vector<double> all;
  const auto take = [&](const GiNaC::ex& law) {
    const auto found = switching_times(law, equations.time, until, budget).times;
    all.insert(all.end(), found.begin(), found.end());
  };
  for (const GiNaC::ex& input : run.inputs) take(input);
  for (const auto& signal : equations.signals)
    if (signal.kind == Kind::source && !signal.law.is_zero()) take(signal.law);
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

/// The equations in the user's units.
class EquationRun {
 public:
  EquationRun(const AnalogEquations& equations, const AnalogRun& run) : equations_(equations), order_(equations.order()) {
    const auto& signals = equations.signals;
    laws_.resize(signals.size());
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].kind == Kind::integral) states_.push_back(i);
      if (signals[i].kind == Kind::function) laws_[i].emplace(signals[i].law, equations.argument);
      if (signals[i].kind == Kind::source) laws_[i].emplace(signals[i].law, equations.time);
    }
    for (std::size_t i = 0; i < equations.inputs.size(); ++i)
      laws_[equations.inputs[i]].emplace(i < run.inputs.size() ? run.inputs[i] : GiNaC::ex(0), equations.time);
    values_.assign(signals.size(), 0);
    values_[0] = 1;
  }

  std::vector<double> begin() const {
    std::vector<double> x;
    for (const std::size_t state : states_) x.push_back(equations_.signals[state].initial);
    return x;
  }

  const std::vector<double>& values(double t, std::span<const double> x) {
    for (std::size_t i = 0; i < states_.size(); ++i) values_[states_[i]] = x[i];
    for (const std::size_t i : order_) values_[i] = value(i, t);
    return values_;
  }

  void rates(double t, std::span<const double> x, std::span<double> rates) {
    values(t, x);
    for (std::size_t i = 0; i < states_.size(); ++i) rates[i] = sum(equations_.signals[states_[i]]);
  }

 private:
  double sum(const AnalogEquations::Signal& signal) const {
    double total = 0;
    for (const auto& term : signal.terms) total += term.factor * values_[term.signal];
    return total;
  }
  double value(std::size_t index, double t) const {
    const auto& signal = equations_.signals[index];
    const auto term = [&](std::size_t i) { return signal.terms[i].factor * values_[signal.terms[i].signal]; };
    switch (signal.kind) {
      case Kind::unit: return 1;
      case Kind::source: return (*laws_[index])(t);
      case Kind::product: return term(0) * term(1);
      case Kind::modulus: return std::abs(term(0));
      case Kind::function: return (*laws_[index])(term(0));
      case Kind::integral:
      case Kind::sum: break;
    }
    return sum(signal);
  }

  const AnalogEquations& equations_;
  std::vector<std::size_t> order_, states_;
  std::vector<std::optional<Law>> laws_;
  std::vector<double> values_;
};

/// The elements of the table in machine units and machine time.
class TableRun {
 public:
  TableRun(const AnalogProgram& program, const AnalogRun& run) : program_(program), values_(program.elements.size(), 0) {
    const AnalogEquations& equations = program.equations;
    laws_.resize(program.elements.size());
    std::vector<bool> seen(program.elements.size(), false);
    for (std::size_t i = 0; i < program.elements.size(); ++i) {
      const AnalogElement& element = program.elements[i];
      if (element.kind == AnalogKind::INT) states_.push_back(i);
      if (element.kind == AnalogKind::FG) laws_[i].emplace(element.law, equations.argument);
      if (element.kind == AnalogKind::SRC) {
        const auto input = std::ranges::find(program.inputs, i) - program.inputs.begin();
        const bool stated = static_cast<std::size_t>(input) < program.inputs.size();
        laws_[i].emplace(stated ? run.inputs.at(static_cast<std::size_t>(input)) : equations.signals[element.signal].law,
                         equations.time);
      }
    }
    for (std::size_t i = 0; i < program.elements.size(); ++i) visit(i, seen);
  }

  std::vector<double> begin() const {
    std::vector<double> x;
    for (const std::size_t state : states_) x.push_back(program_.elements[state].initial);
    return x;
  }
  const std::vector<double>& values(double tau, std::span<const double> x) {
    for (std::size_t i = 0; i < states_.size(); ++i) values_[states_[i]] = x[i];
    for (const std::size_t i : order_) values_[i] = value(i, tau);
    return values_;
  }
  void rates(double tau, std::span<const double> x, std::span<double> rates) {
    values(tau, x);
    for (std::size_t i = 0; i < states_.size(); ++i) rates[i] = -sum(program_.elements[states_[i]]);
  }

 private:
  void visit(std::size_t element, std::vector<bool>& seen) {
    if (seen[element] || program_.elements[element].kind == AnalogKind::INT) return;
    seen[element] = true;
    for (const auto& input : program_.elements[element].inputs) visit(input.from, seen);
    order_.push_back(element);
  }
  double sum(const AnalogElement& element) const {
    double total = 0;
    for (const auto& input : element.inputs) total += input.gain * input.alpha * values_[input.from];
    return total;
  }
  double value(std::size_t index, double tau) const {
    const AnalogElement& element = program_.elements[index];
    const auto in = [&](std::size_t i) { return values_[element.inputs[i].from]; };
    switch (element.kind) {
      case AnalogKind::REF: return element.sign * program_.machine_unit;
      case AnalogKind::SRC: return element.sign * element.scale * (*laws_[index])(tau / program_.time_scale);
      case AnalogKind::MUL: return in(0) * in(1) / program_.machine_unit;
      case AnalogKind::ABS: return std::abs(in(0));
      case AnalogKind::FG: return (*laws_[index])(in(0));
      case AnalogKind::INT:
      case AnalogKind::SUM:
      case AnalogKind::INV: break;
    }
    return -sum(element);
  }

  const AnalogProgram& program_;
  std::vector<std::size_t> order_, states_;
  std::vector<std::optional<Law>> laws_;
  std::vector<double> values_;
};

/// Signals without states are seen at these times alone.
std::vector<double> even_times(double until) {
  constexpr int points = 1000;
  std::vector<double> times;
  for (int i = 0; i <= points; ++i) times.push_back(until * i / points);
  return times;
}

}  // namespace

std::vector<double> amplitudes(const AnalogEquations& equations, const AnalogOptions& options) {
  std::vector<double> largest(equations.signals.size(), 0);
  for (const AnalogRun& run : options.runs) {
    EquationRun machine(equations, run);
    const auto note = [&](double t, std::span<const double> x) {
      const std::vector<double>& values = machine.values(t, x);
      for (std::size_t i = 0; i < values.size(); ++i) largest[i] = std::max(largest[i], std::abs(values[i]));
    };
    integrate([&](double t, std::span<const double> x, std::span<double> rates) { machine.rates(t, x, rates); }, machine.begin(),
              even_times(options.until),
              {.rtol = std::max(options.rtol, 1e-8),
               .breaks = breaks(equations, run, options.until, options.budget),
               .budget = options.budget},
              note, [](double, std::span<const double>) {});
  }
  return largest;
}

AnalogTrace interpreted(const AnalogProgram& program, const AnalogRun& run, std::span<const double> times, double rtol,
                        const Budget& budget) {
  AnalogTrace trace{std::vector<std::vector<double>>(program.outputs.size()), std::vector<double>(program.elements.size(), 0)};
  if (times.empty()) return trace;
  TableRun machine(program, run);
  const double lambda = program.time_scale;
  std::vector<double> taus, jumps = breaks(program.equations, run, times.back(), budget);
  for (const double t : times) taus.push_back(lambda * t);
  for (double& t : jumps) t *= lambda;
  const auto note = [&](double tau, std::span<const double> x) {
    const std::vector<double>& values = machine.values(tau, x);
    for (std::size_t i = 0; i < values.size(); ++i) trace.peaks[i] = std::max(trace.peaks[i], std::abs(values[i]));
  };
  const auto seen = [&](double tau, std::span<const double> x) {
    const std::vector<double>& values = machine.values(tau, x);
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      const AnalogElement& element = program.elements[program.outputs[i]];
      trace.outputs[i].push_back(values[program.outputs[i]] / (element.sign * element.scale));
    }
  };
  integrate([&](double tau, std::span<const double> x, std::span<double> rates) { machine.rates(tau, x, rates); },
            machine.begin(), taus, {.rtol = rtol, .breaks = jumps, .budget = budget}, note, seen);
  return trace;
}

StaticTest static_test(const AnalogProgram& program, std::span<const double> held) {
  const AnalogRun rest{"", std::vector<GiNaC::ex>(program.inputs.size(), 0)};
  TableRun machine(program, program.runs.empty() ? rest : program.runs.front());
  StaticTest test{{}, std::vector<double>(held.size())};
  machine.rates(0, held, test.rates);
  test.outputs = machine.values(0, held);
  return test;
}

}  // namespace sfg
