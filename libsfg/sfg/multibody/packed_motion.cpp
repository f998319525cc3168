#include "sfg/multibody/packed_motion.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"
#include "sfg/nonlinear/run/run_identity.hpp"

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
