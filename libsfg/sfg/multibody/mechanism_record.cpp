#include "sfg/multibody/mechanism_record.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/expr/print.hpp"
#include "sfg/multibody/mechanism_signals.hpp"

namespace sfg {

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

}  // namespace sfg
