#include "sfg/multibody/aggregate_run.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>

#include "sfg/multibody/aggregate_parts.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "sfg/multibody/mechanism_start.hpp"
#include "sfg/multibody/state_names.hpp"
#include "sfg/nonlinear/run/checked_run.hpp"
#include "sfg/nonlinear/run/dormand_prince.hpp"
#include "sfg/nonlinear/run/drives.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/response/switching_times.hpp"
#include "sfg/response/time_scales.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// A point of the motion, ready to be looked at.
struct Sample {
  std::span<const double> state;
  std::span<const double> values;  ///< of coordinates, then speeds
  std::span<const std::array<double, 6>> wrenches;
};
using Signal = std::function<double(const Sample&)>;

/// What can be seen of an aggregate, by name.
class Signals {
 public:
  explicit Signals(const AggregateModel& model) : model_(model), aggregate_(model.aggregate()) {}

  Signal operator()(const std::string& name) const {
    const std::size_t coordinates = model_.coordinates().size();
    for (std::size_t k = 0; k < coordinates; ++k)
      if (model_.coordinates()[k] == name) return [k](const Sample& at) { return at.values[k]; };
    for (std::size_t k = 0; k < model_.speeds().size(); ++k)
      if (model_.speeds()[k] == name) return [at_speed = coordinates + k](const Sample& at) { return at.values[at_speed]; };
    const std::size_t open = name.find('(');
    if (open != std::string::npos && name.ends_with(')'))
      if (Signal found = of_thing(name.substr(0, open), name.substr(open + 1, name.size() - open - 2))) return found;
    std::vector<std::string> known = model_.coordinates();
    known.insert(known.end(), model_.speeds().begin(), model_.speeds().end());
    const std::string near = nearest(name, known);
    throw Error(SourceSpan{}, "an aggregate has no signal '" + name + "'",
                near.empty() ? "its signals are coordinates, speeds, x(body) ... wz(body) and fx(joint) ... mz(joint)"
                             : "did you mean '" + near + "'?");
  }

 private:
  Signal of_thing(const std::string& what, const std::string& of) const {
    constexpr std::array<const char*, 9> motions{"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
    constexpr std::array<const char*, 6> loads{"fx", "fy", "fz", "mx", "my", "mz"};
    const auto motion = std::ranges::find(motions, what);
    const auto load = std::ranges::find(loads, what);
    if (motion != motions.end())
      for (std::size_t part = 0; part < aggregate_.part_count(); ++part)
        if (aggregate_.name(part) == of && aggregate_.part(part).size().places > 0)
          return [&aggregate = aggregate_, part, k = std::size_t(motion - motions.begin())](const Sample& at) {
            const MovingPlace place = aggregate.motion_of({part, 0}, at.state);
            return k < 3 ? place.position[k] : place.twist[k - 3];
          };
    if (load != loads.end())
      for (std::size_t c = 0; c < aggregate_.connections().size(); ++c)
        if (aggregate_.connections()[c].name == of)
          return [c, k = std::size_t(load - loads.begin())](const Sample& at) { return at.wrenches[c][k]; };
    return nullptr;
  }

  const AggregateModel& model_;
  const Aggregate& aggregate_;
};

/// Inputs that are driven, as one function of time from corner to corner.
struct Driven {
  std::shared_ptr<Drives> drives;
  AggregateModel::Inputs inputs;
};

Driven driven(const Multibody& model, const MechanismQuestion& question) {
  SimulationQuestion asked;
  asked.time = question.time;
  std::vector<std::string> names;
  for (const auto& input : question.inputs) {
    if (std::ranges::find(model.input_names, input.name) == model.input_names.end() || model.control.contains(input.name)) {
      const std::string near = nearest(input.name, model.input_names);
      throw Error(SourceSpan{}, "there is no input '" + input.name + "'",
                  near.empty() ? Remedy() : Remedy("did you mean '" + near + "'?"));
    }
    auto at = std::ranges::find(names, input.name);
    if (at == names.end()) at = names.insert(names.end(), input.name);
    asked.drives.push_back({NodeId{static_cast<std::uint32_t>(at - names.begin())}, input.signal});
  }
  Driven result{std::make_shared<Drives>(asked, Operator("s"), 0), {}};
  for (std::size_t k = 0; k < names.size(); ++k)
    result.inputs[names[k]] = [drives = result.drives, k, count = Eigen::Index(names.size())](double t) {
      Eigen::VectorXd values = Eigen::VectorXd::Zero(count);
      drives->values(t, 0, values);
      return values[Eigen::Index(k)];
    };
  return result;
}

std::map<std::string, double> start(const Multibody& model, const MechanismQuestion& question, const EquilibriumStart& rest) {
  std::map<std::string, double> result;
  const ModelNumbers number(model.symbols);
  for (const auto& [name, value] : model.assembly) result[name] = number(value, model.where);
  for (const InitialValue& value : rest.values) result[value.name] = value.value;
  for (const InitialValue& initial : question.initial) result[initial.name] = initial.value;
  return result;
}

Normalization normalization_of(const Multibody& model) {
  switch (model.normalization.value_or(Multibody::Normalization::tree)) {
    case Multibody::Normalization::tree: return Normalization::tree;
    case Multibody::Normalization::mass: return Normalization::mass;
    case Multibody::Normalization::off: return Normalization::off;
  }
  return Normalization::tree;
}

class Recorder {
 public:
  Recorder(const AggregateModel& model, std::vector<std::string> names, AggregateMotion& out) : out_(out) {
    const Signals signals(model);
    for (const std::string& name : names) {
      signals_.push_back(signals(name));
      out_.signals.push_back({name, {}, {}, {}});
      out_.signals.back().value.final_known = false;
    }
  }

  void see(const AggregateRun& run, std::size_t k) {
    const Sample sample{run.states[k], run.followed[k], run.wrenches[k]};
    out_.time.push_back(run.times[k]);
    for (std::size_t s = 0; s < signals_.size(); ++s) {
      const double value = signals_[s](sample);
      if (!std::isfinite(value)) throw NoAnswer("the motion of the aggregate has no finite value", "ask for times before that");
      out_.signals[s].value.value.push_back(value);
      out_.signals[s].value.time.push_back(run.times[k]);
    }
    const auto& momentum = run.momentum[k];
    if (out_.time.size() == 1) out_.energy_start = run.energy[k], out_.momentum_start = momentum;
    out_.energy_end = run.energy[k];
    const auto change = [&](std::size_t from) {
      return std::hypot(momentum[from] - out_.momentum_start[from], momentum[from + 1] - out_.momentum_start[from + 1],
                        momentum[from + 2] - out_.momentum_start[from + 2]);
    };
    out_.momentum_change = std::max(out_.momentum_change, change(0));
    out_.angular_momentum_change = std::max(out_.angular_momentum_change, change(3));
  }

 private:
  AggregateMotion& out_;
  std::vector<Signal> signals_;
};

/// What all runs of a motion share.
struct Followed {
  Followed(const Multibody& stated, const MechanismQuestion& asked, std::span<const double> at, const MechanismOptions& given)
      : model(stated),
        times(at),
        options(given),
        parts(stated),
        rest(rest_of(stated, asked, given)),
        question(with(rest, asked)),
        inputs(driven(stated, question)) {
    const double until = times.empty() ? 0 : times.back();
    const std::vector<ex> functions = functions_of_time();
    scales = TimeScales(functions, time, until, options.budget);
    std::set<double> found;
    for (const double t : inputs.drives->corners(until, options.budget)) found.insert(t);
    for (const ex& function : functions)
      for (const double t : switching_times(function, time, until, options.budget).times) found.insert(t);
    found.insert(until);
    corners.assign(found.begin(), found.end());
  }

  static EquilibriumStart rest_of(const Multibody& model, const MechanismQuestion& asked, const MechanismOptions& given) {
    if (!model.equilibrium) return {};
    return equilibrium_start(model, multibody_equations(model, {}, given.budget), asked, given.budget);
  }
  static MechanismQuestion with(const EquilibriumStart& rest, MechanismQuestion question) {
    question.inputs.insert(question.inputs.end(), rest.inputs.begin(), rest.inputs.end());
    return question;
  }

  /// Inputs, and parts of what the model states that have no symbol but the time.
  std::vector<ex> functions_of_time() {
    const Symbol* known = model.symbols.find("t");
    time = known ? known->expr : ex(GiNaC::symbol("t"));
    std::vector<ex> found;
    for (const auto& input : question.inputs)
      if (const auto* signal = std::get_if<ex>(&input.signal))
        add_parts_of_time(signal->subs(question.time == time, GiNaC::subs_options::no_pattern), time, found);
    const GiNaC::exmap values = ModelNumbers(model.symbols).values();
    Multibody read = model;
    read.visit_expressions([&](ex& value, const SourceSpan&) {
      add_parts_of_time(value.subs(values, GiNaC::subs_options::no_pattern), time, found);
    });
    return found;
  }

  const Multibody& model;
  std::span<const double> times;
  const MechanismOptions& options;
  AggregateModel parts;
  EquilibriumStart rest;
  MechanismQuestion question;
  Driven inputs;
  ex time;
  TimeScales scales;
  std::vector<double> corners;  ///< when something jumps, and the end
};

AggregateMotion motion_of(const Followed& followed, const Fineness& fineness) {
  const AggregateModel& parts = followed.parts;
  const std::span<const double> times = followed.times;
  AggregateMotion result;
  for (std::size_t part = 0; part < parts.aggregate().part_count(); ++part)
    if (parts.aggregate().part(part).size().speeds > 0) ++result.parts;
  result.connections = parts.aggregate().connections().size();
  result.unknowns = parts.aggregate().unknowns();
  result.normalization = normalization_of(followed.model);
  const std::vector<std::string>& asked = followed.question.outputs;
  result.notes = followed.rest.notes;
  std::vector<std::string> names = asked.empty() ? stated_signals(followed.model, result.notes) : asked;
  if (names.empty()) names = parts.coordinates();
  Recorder recorder(parts, names, result);
  const std::map<std::string, double> begin = start(followed.model, followed.question, followed.rest);
  std::vector<double> values;  // coordinates; behind the first step with speeds
  for (const std::string& name : parts.coordinates()) values.push_back(begin.contains(name) ? begin.at(name) : 0);
  const AggregateLaw law = parts.law(followed.inputs.inputs, values);
  const AggregateRunOptions along{.normalization = result.normalization,
                                  .rtol = DormandPrince::of_step(fineness.rtol),
                                  .atol = 0.1 * fineness.atol,
                                  .allowed_gap = fineness.rtol,
                                  .longest_step = [&](double t) { return fineness.part * followed.scales.longest_step(t); },
                                  .follow = [&](std::span<const double> state) { return values = parts.values(state, values); },
                                  .budget = followed.options.budget};
  std::vector<double> state = parts.state(begin);
  double from = 0;
  std::size_t next = 0;
  for (const double corner : followed.corners) {
    // Every jump of an input is a point of its own: the integration begins anew there.
    std::vector<double> stops{from};
    const std::size_t first = next;
    while (next < times.size() && times[next] <= corner) stops.push_back(times[next++]);
    stops.push_back(corner);
    followed.inputs.drives->piece(from, corner);
    const AggregateRun piece = run(parts.aggregate(), state, stops, law, along);
    for (std::size_t k = 0; k < next - first; ++k) recorder.see(piece, k + 1);
    result.largest_gap.widen(piece.largest_gap);
    result.last_gap = piece.last_gap;
    result.steps += piece.steps;
    for (NamedResponse& signal : result.signals)
      signal.value.method = std::string("integration (") + (piece.stiff ? "CVODE" : "Dormand and Prince, order 8") +
                            ") of the parts of an aggregate";
    state = piece.states.back();
    from = corner;
  }
  return result;
}

RunSamples samples_of(const AggregateMotion& motion, const std::vector<double>& jumps) {
  RunSamples made{{}, jumps, {}};
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    made.values.emplace_back(Eigen::Index(motion.signals.size()));
    for (std::size_t k = 0; k < motion.signals.size(); ++k) made.values[i][Eigen::Index(k)] = motion.signals[k].value.value[i];
  }
  return made;
}

}  // namespace

AggregateMotion aggregate_motion(const Multibody& model, const MechanismQuestion& question, std::span<const double> times,
                                 const MechanismOptions& options) {
  require_possible(model);
  const Followed followed(model, question, times, options);
  const std::vector<double> jumps(followed.corners.begin(), followed.corners.end() - 1);
  AggregateMotion result;
  const auto run = [&](const Fineness& fineness) {
    result = motion_of(followed, fineness);
    return samples_of(result, jumps);
  };
  const CheckedRun checked = checked_run(run, times, 0, -1, {options.rtol, options.atol, 0, options.budget});
  note_unstated_inputs(model, followed.question, result.notes);
  for (std::size_t k = 0; k < checked.differences.size(); ++k) sfg::state(checked.differences[k], result.signals[k].value);
  return result;
}

}  // namespace sfg
