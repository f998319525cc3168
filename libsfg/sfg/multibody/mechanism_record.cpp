#include "sfg/multibody/mechanism_record.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/expr/print.hpp"
#include "sfg/multibody/mechanism_signals.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"
#include "sfg/nonlinear/run/run_keeper.hpp"

namespace sfg {

namespace {

/// Every number of a motion that changes on its way.
template <class Run, class Visit>
void visit(Run& run, Visit number) {
  auto& energy = run.energy;
  for (auto* x : {&energy.start, &energy.end, &energy.work, &energy.events, &energy.unaccounted}) number(*x);
  for (auto* momentum : {&run.momentum, &run.angular_momentum}) {
    for (auto& x : momentum->start) number(x);
    for (auto& x : momentum->end) number(x);
    number(momentum->change);
  }
  auto& drift = run.drift;
  for (auto* x :
       {&drift.position_before, &drift.position_after, &drift.velocity_before, &drift.velocity_after, &drift.quaternion_before})
    number(*x);
}

}  // namespace

using Eigen::Index;
using Eigen::VectorXd;
using GiNaC::ex;
using State = MovingMechanism::State;

MechanismRecord::MechanismRecord(const MovingMechanism& mechanism, std::vector<std::string> names, MechanismRun& into)
    : mechanism_(mechanism), motion_(mechanism.motion()), found_(into) {
  const MechanismSignals named(motion_);
  if (names.empty())
    for (const auto& coordinate : motion_.equations().motion.coordinates) names.push_back(coordinate.name);
  std::vector<ex> values, turning;
  for (const std::string& name : names) {
    const MechanismSignals::Signal signal = named(name);
    values.push_back(signal.value);
    turning.push_back(signal.turning);
    found_.signals.push_back({name, {}, {}, {}});
    found_.signals.back().value.final_known = false;
  }
  for (std::size_t k = 0; k < names.size(); ++k)
    if (!turning[k].is_zero()) {
      angles_.push_back({k, values.size()});
      values.push_back(turning[k]);
    }
  momentum_ = static_cast<Index>(values.size());
  const MultibodyEquations& equations = motion_.equations();
  values.insert(values.end(), equations.momentum.begin(), equations.momentum.end());
  values.insert(values.end(), equations.angular_momentum.begin(), equations.angular_momentum.end());
  outputs_ = motion_.outputs(values);
}

void MechanismRecord::see(double t, const State& at) {
  const Constrained solved = mechanism_.solved(t, at);
  const VectorXd values = outputs_(at.q, at.v, mechanism_.inputs(t), t, solved.a, solved.lambda.head(motion_.constraints()));
  if (!values.allFinite() || !at.q.allFinite())
    throw NoAnswer("the motion has no finite value at t = " + print(t), "ask for times before that");
  found_.time.push_back(t);
  for (std::size_t k = 0; k < found_.signals.size(); ++k) found_.signals[k].value.value.push_back(values[static_cast<Index>(k)]);
  turn(t, values);
  const double energy = mechanism_.energy(t, at);
  found_.energy.end = energy;
  found_.energy.work = at.work;
  found_.energy.unaccounted =
      std::max(found_.energy.unaccounted, std::abs(energy - found_.energy.start - at.work - found_.energy.events));
  note_momentum(found_.momentum, values.segment(momentum_, 3));
  note_momentum(found_.angular_momentum, values.segment(momentum_ + 3, 3));
}

/// Angles go on from sample to sample, by whole turns as their rates say.
void MechanismRecord::turn(double t, const VectorXd& values) {
  for (Angle& angle : angles_) {
    std::vector<double>& seen = found_.signals[angle.signal].value.value;
    const double rate = values[static_cast<Index>(angle.rate)];
    if (seen.size() > 1) {
      const double expected = seen[seen.size() - 2] + (t - angle.time) * (rate + angle.before) / 2;
      seen.back() += 2 * std::numbers::pi * std::round((expected - seen.back()) / (2 * std::numbers::pi));
    }
    angle.before = rate;
    angle.time = t;
  }
}

void MechanismRecord::note_momentum(MechanismRun::Momentum& momentum, const VectorXd& now) const {
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = now[static_cast<Index>(i)];
    if (found_.time.size() == 1) momentum.start[i] = value;
    momentum.end[i] = value;
    momentum.change = std::max(momentum.change, std::abs(value - momentum.start[i]));
  }
}

void MechanismRecord::pack(Packer& packer) const {
  for (const Angle& angle : angles_) {
    packer.add(angle.before);
    packer.add(angle.time);
  }
}

void MechanismRecord::unpack(Unpacker& from) {
  for (Angle& angle : angles_) {
    angle.before = from.take<double>();
    angle.time = from.take<double>();
  }
}

RunSamples samples_of_run(const MechanismRun& run, const std::vector<double>& jumps, std::size_t count) {
  RunSamples made{
      std::vector<Eigen::VectorXd>(count, Eigen::VectorXd::Constant(static_cast<Eigen::Index>(run.signals.size()), NAN)),
      jumps,
      {}};
  for (std::size_t k = 0; k < run.signals.size(); ++k)
    for (std::size_t i = 0; i < std::min(count, run.time.size()); ++i)
      made.values[i][static_cast<Eigen::Index>(k)] = run.signals[k].value.value[i];
  return made;
}

void pack(Packer& packer, const MechanismRun& run) {
  packer.add(run.time);
  pack_each(packer, run.signals, [&](const NamedResponse& signal) { packer.add(signal.value.value); });
  visit(run, [&](const double& x) { packer.add(x); });
  packer.add(run.energy.conserved);
  for (const std::size_t count : {run.drift.projections, run.steps}) packer.add(static_cast<std::uint64_t>(count));
  pack(packer, run.events);
  pack_each(packer, run.last_state, [&](const InitialValue& value) {
    packer.add(std::string_view(value.name));
    packer.add(value.value);
  });
  pack_each(packer, run.notes, [&](const Diagnostic& note) {
    packer.add(std::string_view(note.message));
    packer.add(std::string_view(note.hint.text()));
    packer.add(static_cast<int>(note.severity));
  });
}

void unpack(Unpacker& from, MechanismRun& run) {
  run.time = from.list<double>();
  const auto values = unpacked_each<std::vector<double>>(from, [&] { return from.list<double>(); });
  for (std::size_t k = 0; k < std::min(values.size(), run.signals.size()); ++k) run.signals[k].value.value = values[k];
  visit(run, [&](double& x) { x = from.take<double>(); });
  run.energy.conserved = from.take<bool>();
  for (std::size_t* count : {&run.drift.projections, &run.steps}) *count = from.take<std::uint64_t>();
  run.events = unpacked_events(from);
  run.last_state = unpacked_each<InitialValue>(from, [&] {
    std::string name = from.text();
    return InitialValue{std::move(name), from.take<double>()};
  });
  const std::vector<Diagnostic> begun = std::move(run.notes);
  run.notes.clear();
  for (auto left = from.take<std::uint64_t>(); left > 0; --left) {
    const std::string message = from.text(), hint = from.text();
    const auto severity = static_cast<Severity>(from.take<int>());
    if (run.notes.size() < begun.size() && begun[run.notes.size()].message == message)
      run.notes.push_back(begun[run.notes.size()]);
    else
      run.notes.push_back({{}, message, hint, severity});
  }
}

Identity identity_of(const MultibodyEquations& equations, const Multibody& model, const MechanismQuestion& question,
                     std::span<const double> times, const MechanismOptions& options) {
  std::string text;
  const auto add = [&text](const GiNaC::ex& e) { text += print(e) + "\n"; };
  for (const auto* definitions : {&equations.motion.definitions, &equations.definitions})
    for (const auto& definition : *definitions) add(definition.value);
  for (const auto& row : equations.motion.M)
    for (const GiNaC::ex& entry : row) add(entry);
  for (const GiNaC::ex& force : equations.motion.F) add(force);
  for (const auto& event : model.events) {
    text += event.name + "\n";
    add(event.when);
    add(event.restitution);
    for (const std::string& name : event.releases) text += name + "\n";
  }
  for (const Symbol& symbol : model.symbols.all())
    if (symbol.value) text += symbol.name + "=" + print(*symbol.value) + "\n";
  text += model.normalization ? std::to_string(static_cast<int>(*model.normalization)) : std::string("usual");
  std::vector<std::string> inputs;
  for (const auto& input : question.inputs) inputs.push_back(input.name + " = " + text_of(input.signal));
  return identity_of(text, inputs, question.initial, question.outputs, times, options.rtol, options.atol);
}

}  // namespace sfg
