// Two interpreters: of the equations in the user's units, and of the patching table in machine units. They share the method of
// integration and nothing else, so that each checks the other.
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/compile.hpp"
#include "sfg/nonlinear/analog/analog_motion.hpp"
#include "sfg/nonlinear/analog/analog_program.hpp"
#include "sfg/nonlinear/run/laws_with_memory.hpp"
#include "sfg/response/switching_times.hpp"
#include "sfg/response/time_scales.hpp"

namespace sfg {

namespace {

using Kind = AnalogEquations::Kind;

/// A function of one number as a tape, and those that are 0 where it bends or jumps.
class FollowedLaw {
 public:
  FollowedLaw(const GiNaC::ex& law, const GiNaC::ex& of) : tape_(compile(std::vector{law}, std::vector{of})) {
    std::vector<GiNaC::ex> functions;
    for (const Switch& each : explicit_laws({law}).switches) functions.push_back(each.function);
    if (!functions.empty()) switches_ = compile(functions, std::vector{of});
    count_ = functions.size();
  }
  double operator()(double x) const { return tape_.values<double>(std::span<const double>(&x, 1))[0]; }
  void switching(double x, std::vector<double>& g) const {
    if (count_ == 0) return;
    const std::vector<double> values = switches_.values<double>(std::span<const double>(&x, 1));
    g.insert(g.end(), values.begin(), values.end());
  }

 private:
  numeric::Tape tape_, switches_;
  std::size_t count_ = 0;
};

/// The time between two corners of the inputs, that next to each of them as it is between them.
class RunPiece {
 public:
  void set(double from, double to) {
    constexpr double beside = 1e-12;
    from_ = from + beside * (to - from);
    to_ = to - beside * (to - from);
  }
  double operator()(double t) const { return std::clamp(t, from_, to_); }

 private:
  double from_ = 0, to_ = 0;
};

/// What drives a run, as functions of the time.
std::vector<GiNaC::ex> drives_of(const AnalogEquations& equations, const AnalogRun& run) {
  std::vector<GiNaC::ex> all = run.inputs;
  for (const auto& signal : equations.signals)
    if (signal.kind == Kind::source && !signal.law.is_zero()) all.push_back(signal.law);
  return all;
}

/// Their jumps and corners.
std::vector<double> breaks(const AnalogEquations& equations, const AnalogRun& run, double until, const Budget& budget) {
  std::vector<double> all;
  for (const GiNaC::ex& drive : drives_of(equations, run)) {
    const auto found = switching_times(drive, equations.time, until, budget).times;
    all.insert(all.end(), found.begin(), found.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// What is followed: values of parts, some of them states.
class Machine {
 public:
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::vector<double> begin() const {
    std::vector<double> x;
    for (const std::size_t state : states_) x.push_back(initial(state));
    return x;
  }
  const std::vector<double>& values(double t, std::span<const double> x) {
    for (std::size_t i = 0; i < states_.size(); ++i) values_[states_[i]] = x[i];
    for (const std::size_t i : order_) values_[i] = value(i, t);
    return values_;
  }
  void rates(double t, std::span<const double> x, std::span<double> rates) {
    values(t, x);
    for (std::size_t i = 0; i < states_.size(); ++i) rates[i] = rate(states_[i]);
  }
  /// In the user's time.
  void piece(double from, double to) { piece_.set(from, to); }
  void switching(double t, std::span<const double> x, std::vector<double>& g) {
    values(t, x);
    g.clear();
    for (const std::size_t i : switches_)
      if (laws_[i])
        laws_[i]->switching(argument(i), g);
      else
        g.push_back(argument(i));
  }

 protected:
  explicit Machine(std::size_t parts) : values_(parts, 0), laws_(parts) {}
  virtual double initial(std::size_t state) const = 0;
  virtual double rate(std::size_t state) const = 0;
  virtual double value(std::size_t part, double t) const = 0;
  virtual double argument(std::size_t part) const = 0;

  std::vector<std::size_t> order_ = {}, states_ = {};
  std::vector<std::size_t> switches_ = {};  ///< moduli, and functions, which have a law
  std::vector<double> values_;
  std::vector<std::optional<FollowedLaw>> laws_;
  RunPiece piece_ = {};
};

/// The equations in the user's units.
class EquationRun : public Machine {
 public:
  EquationRun(const AnalogEquations& equations, const AnalogRun& run) : Machine(equations.signals.size()), equations_(equations) {
    order_ = equations.order();
    const auto& signals = equations.signals;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].kind == Kind::integral) states_.push_back(i);
      if (signals[i].kind == Kind::modulus || signals[i].kind == Kind::function) switches_.push_back(i);
      if (signals[i].kind == Kind::function) laws_[i].emplace(signals[i].law, equations.argument);
      if (signals[i].kind == Kind::source) laws_[i].emplace(signals[i].law, equations.time);
    }
    for (std::size_t i = 0; i < equations.inputs.size(); ++i)
      laws_[equations.inputs[i]].emplace(i < run.inputs.size() ? run.inputs[i] : GiNaC::ex(0), equations.time);
    values_[0] = 1;
  }

 private:
  double initial(std::size_t state) const override { return equations_.signals[state].initial; }
  double argument(std::size_t part) const override { return term(part, 0); }
  double term(std::size_t part, std::size_t i) const {
    const auto& term = equations_.signals[part].terms[i];
    return term.factor * values_[term.signal];
  }
  double rate(std::size_t part) const override {
    double total = 0;
    for (std::size_t i = 0; i < equations_.signals[part].terms.size(); ++i) total += term(part, i);
    return total;
  }
  double value(std::size_t part, double t) const override {
    switch (equations_.signals[part].kind) {
      case Kind::unit: return 1;
      case Kind::source: return (*laws_[part])(piece_(t));
      case Kind::product: return term(part, 0) * term(part, 1);
      case Kind::modulus: return std::abs(term(part, 0));
      case Kind::function: return (*laws_[part])(term(part, 0));
      case Kind::integral:
      case Kind::sum: break;
    }
    return rate(part);
  }

  const AnalogEquations& equations_;
};

/// The elements of the table in machine units and machine time.
class TableRun : public Machine {
 public:
  TableRun(const AnalogProgram& program, const AnalogRun& run) : Machine(program.elements.size()), program_(program) {
    const AnalogEquations& equations = program.equations;
    std::vector<bool> seen(program.elements.size(), false);
    for (std::size_t i = 0; i < program.elements.size(); ++i) {
      const AnalogElement& element = program.elements[i];
      if (element.kind == AnalogKind::INT) states_.push_back(i);
      if (element.kind == AnalogKind::ABS || element.kind == AnalogKind::FG) switches_.push_back(i);
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

 private:
  void visit(std::size_t element, std::vector<bool>& seen) {
    if (seen[element] || program_.elements[element].kind == AnalogKind::INT) return;
    seen[element] = true;
    for (const auto& input : program_.elements[element].inputs) visit(input.from, seen);
    order_.push_back(element);
  }
  double initial(std::size_t state) const override { return program_.elements[state].initial; }
  double argument(std::size_t part) const override { return in(part, 0); }
  double in(std::size_t part, std::size_t i) const { return values_[program_.elements[part].inputs[i].from]; }
  double rate(std::size_t part) const override {
    double total = 0;
    for (const auto& input : program_.elements[part].inputs) total += input.gain * input.alpha * values_[input.from];
    return -total;
  }
  double value(std::size_t part, double tau) const override {
    const AnalogElement& element = program_.elements[part];
    switch (element.kind) {
      case AnalogKind::REF: return element.sign * program_.machine_unit;
      case AnalogKind::SRC: return element.sign * element.scale * (*laws_[part])(piece_(tau / program_.time_scale));
      case AnalogKind::MUL: return in(part, 0) * in(part, 1) / program_.machine_unit;
      case AnalogKind::ABS: return std::abs(in(part, 0));
      case AnalogKind::FG: return (*laws_[part])(in(part, 0));
      case AnalogKind::INT:
      case AnalogKind::SUM:
      case AnalogKind::INV: break;
    }
    return rate(part);
  }

  const AnalogProgram& program_;
};

/// A machine as it is followed. @param lambda  its seconds for one of the user's
AnalogMotion analog_motion_of(Machine& machine, double lambda, const std::vector<double>& corners, const TimeScales& scales) {
  AnalogMotion motion{
      .start = machine.begin(),
      .piece = [&machine, lambda](double from, double to) { machine.piece(from / lambda, to / lambda); },
      .rates = [&machine](double t, std::span<const double> x, std::span<double> rates) { machine.rates(t, x, rates); },
      .switching = [&machine](double t, std::span<const double> x, std::vector<double>& g) { machine.switching(t, x, g); },
      .longest_step = [&scales, lambda](double t) { return lambda * scales.longest_step(t / lambda); }};
  for (const double corner : corners) motion.corners.push_back(lambda * corner);
  return motion;
}

/// Signals without states are seen at these times alone.
std::vector<double> even_times(double until) {
  constexpr int points = 1000;
  std::vector<double> times;
  for (int i = 0; i <= points; ++i) times.push_back(until * i / points);
  return times;
}

}  // namespace

std::vector<double> amplitudes(const AnalogEquations& equations, const AnalogOptions& options) {
  constexpr double part = 0.3;
  std::vector<double> largest(equations.signals.size(), 0);
  for (const AnalogRun& run : options.runs) {
    EquationRun machine(equations, run);
    const TimeScales scales(drives_of(equations, run), equations.time, options.until, options.budget);
    AnalogMotion motion = analog_motion_of(machine, 1, breaks(equations, run, options.until, options.budget), scales);
    motion.passed = [&](double t, std::span<const double> x) {
      const std::vector<double>& values = machine.values(t, x);
      for (std::size_t i = 0; i < values.size(); ++i) largest[i] = std::max(largest[i], std::abs(values[i]));
    };
    motion.seen = [&](double t, std::span<const double> x) {
      motion.passed(t, x);
      return Eigen::VectorXd();
    };
    followed(motion, even_times(options.until), {std::max(options.rtol, 1e-8), 1e-14, part}, options.budget);
  }
  return largest;
}

AnalogTrace interpreted(const AnalogProgram& program, const AnalogRun& run, std::span<const double> times, double rtol,
                        const Budget& budget) {
  AnalogTrace trace{std::vector<std::vector<double>>(program.outputs.size()), std::vector<double>(program.elements.size(), 0)};
  if (times.empty()) return trace;
  TableRun machine(program, run);
  const double lambda = program.time_scale;
  const TimeScales scales(drives_of(program.equations, run), program.equations.time, times.back(), budget);
  AnalogMotion motion = analog_motion_of(machine, lambda, breaks(program.equations, run, times.back(), budget), scales);
  std::vector<double> taus;
  for (const double t : times) taus.push_back(lambda * t);
  motion.passed = [&](double tau, std::span<const double> x) {
    const std::vector<double>& values = machine.values(tau, x);
    for (std::size_t i = 0; i < values.size(); ++i) trace.peaks[i] = std::max(trace.peaks[i], std::abs(values[i]));
  };
  motion.seen = [&](double tau, std::span<const double> x) {
    motion.passed(tau, x);
    const std::vector<double>& values = machine.values(tau, x);
    Eigen::VectorXd seen(static_cast<Eigen::Index>(program.outputs.size()));
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      const AnalogElement& element = program.elements[program.outputs[i]];
      seen[static_cast<Eigen::Index>(i)] = values[program.outputs[i]] / (element.sign * element.scale);
    }
    return seen;
  };
  const auto made = [&](const Fineness& fineness) {
    std::ranges::fill(trace.peaks, 0);
    return followed(motion, taus, fineness, budget);
  };
  const CheckedRun checked = checked_run(made, taus, 0, -1, {.rtol = rtol, .atol = 1e-14, .budget = budget});
  for (const Eigen::VectorXd& value : checked.samples.values)
    for (std::size_t i = 0; i < program.outputs.size(); ++i) trace.outputs[i].push_back(value[static_cast<Eigen::Index>(i)]);
  for (const RunDifference& difference : checked.differences) {
    TimeResponse stated;
    state(difference, stated);
    trace.errors.push_back(*stated.error);
  }
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
