#include "sfg/multibody/mechanism_position.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/control/modes.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/derive/multibody/motion_point.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/multibody/mechanism_motion.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

double number_of(const ex& value, const GiNaC::exmap& values, const SymbolTable& symbols) {
  const ex known = substituted(value, values, {});
  const auto number = double_value(known);
  if (!number) throw missing_values(known, symbols);
  return *number;
}

std::vector<double> at_equilibrium(const Multibody& model, const MultibodyEquations& equations, const Budget& budget) {
  const MotionPoint point = motion_point(SmallMotion(model, equations), budget);
  const GiNaC::exmap values = equations.motion.symbols.values();
  std::vector<double> result;
  for (const auto& coordinate : equations.motion.coordinates) {
    const auto found = point.values.find(coordinate.q);
    result.push_back(found == point.values.end() ? 0 : number_of(found->second, values, equations.motion.symbols));
  }
  return result;
}

void check_names(const EquationsOfMotion& motion, const std::map<std::string, double>& given) {
  for (const auto& [name, value] : given) {
    if (std::ranges::find(motion.coordinates, name, &EquationsOfMotion::Coordinate::name) != motion.coordinates.end()) continue;
    std::vector<std::string> names;
    for (const auto& coordinate : motion.coordinates) names.push_back(coordinate.name);
    const std::string near = nearest(name, names);
    throw Error(SourceSpan{}, "there is no coordinate '" + name + "'", near.empty() ? "" : "did you mean '" + near + "'?");
  }
}

/// How far the picture moves: of the points where bodies have something.
double farthest(const Mechanism& m, const MechanismPose& a, const MechanismPose& b) {
  double most = 0;
  const auto compare = [&](const Mechanism::Point& p, const Mechanism::Point& q) {
    most = std::max(most, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  };
  const auto place = [&](const Mechanism::Place& at) { compare(a.at(at), b.at(at)); };
  for (const auto& joint : m.joints) std::ranges::for_each(joint.places, place);
  for (std::size_t i = 1; i <= m.bodies.size(); ++i) {
    compare(a.frames[i].position, b.frames[i].position);
    const auto& body = m.bodies[i - 1];
    if (body.com) place({i, *body.com});
    if (!body.elastic) continue;
    for (std::size_t k = 0; k < body.elastic->points.size(); ++k) {
      std::array<Mechanism::Point, 2> bent{body.elastic->points[k], body.elastic->points[k]};
      for (std::size_t j = 0; j < body.elastic->shapes[k].size(); ++j)
        for (std::size_t c = 0; c < 3; ++c) {
          bent[0][c] += body.elastic->shapes[k][j][c] * a.frames[i].modal.at(j);
          bent[1][c] += body.elastic->shapes[k][j][c] * b.frames[i].modal.at(j);
        }
      compare(a.at(i, bent[0]), b.at(i, bent[1]));
    }
  }
  for (std::size_t i = 0; i < m.particles.size(); ++i) compare(a.particles[i], b.particles[i]);
  return most;
}

double size_of(const Mechanism& m, const MechanismPose& pose) {
  Mechanism::Point low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  const auto add = [&](const Mechanism::Point& p) {
    for (std::size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  };
  for (const auto& joint : m.joints)
    for (const auto& place : joint.places) add(pose.at(place));
  for (std::size_t i = 1; i <= m.bodies.size(); ++i) {
    if (m.bodies[i - 1].com) add(pose.at(i, *m.bodies[i - 1].com));
    if (m.bodies[i - 1].elastic)
      for (const auto& point : m.bodies[i - 1].elastic->points) add(pose.at(i, point));
  }
  for (const auto& particle : pose.particles) add(particle);
  double size = 0;
  for (std::size_t i = 0; i < 3; ++i) size = std::max(size, high[i] - low[i]);
  return size > 0 ? size : 1;
}

/// N(q) and R of q − q_e = N R y in numbers, with everything at the equilibrium.
std::vector<double> displaced(const SmallMotion& small, const MultibodyLinearization& linear, const std::vector<double>& rest,
                              const std::map<std::string, double>& y) {
  const EquationsOfMotion& motion = small.motion;
  std::vector<ex> change;
  for (const auto& row : small.N) {
    ex sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
      for (std::size_t k = 0; k < linear.coordinates.size(); ++k)
        if (const auto amount = y.find(linear.coordinates[k]); amount != y.end())
          sum += row[j] * linear.R[j][k] * ex(amount->second);
    change.push_back(sum);
  }
  std::vector<ex> inputs;
  std::vector<double> numbers = rest;
  for (const auto& coordinate : motion.coordinates) inputs.push_back(coordinate.q);
  const auto zero = [&](const ex& symbol, double value) {
    inputs.push_back(symbol);
    numbers.push_back(value);
  };
  for (const auto& speed : motion.speeds) {
    const auto stated = linear.point.find(speed.name);
    zero(speed.symbol, stated == linear.point.end() ? 0 : double_value(stated->second).value_or(0));
  }
  if (const Symbol* time = motion.symbols.find("t")) zero(time->expr, 0);
  std::vector<std::pair<ex, ex>> definitions;
  for (const auto& definition : needed(small.definitions, change)) definitions.emplace_back(definition.symbol, definition.value);
  const std::vector<double> values =
      compile(change, inputs, motion.symbols.values(), definitions).values<double>(std::span<const double>(numbers));
  return values;
}

}  // namespace

std::vector<double> mechanism_position(const Multibody& model, const MultibodyEquations& equations,
                                       const std::map<std::string, double>& given, std::vector<Diagnostic>* notes,
                                       const Budget& budget) {
  const EquationsOfMotion& motion = equations.motion;
  check_names(motion, given);
  if (given.empty() && model.equilibrium) return at_equilibrium(model, equations, budget);
  std::vector<double> result;
  if (motion.constraints.empty()) {
    const GiNaC::exmap values = motion.symbols.values();
    for (const auto& coordinate : motion.coordinates) {
      const auto stated = given.find(coordinate.name);
      const auto assembly = model.assembly.find(coordinate.name);
      result.push_back(stated != given.end()              ? stated->second
                       : assembly != model.assembly.end() ? number_of(assembly->second, values, motion.symbols)
                                                          : 0);
    }
    return result;
  }
  // What is assembled is near the start; what is given stays as it is.
  MechanismQuestion question;
  for (const auto& [name, value] : given) question.initial.push_back({name, value});
  for (const auto& coordinate : motion.coordinates) question.outputs.push_back(coordinate.name);
  const std::vector<double> times{0};
  const MechanismRun run = mechanism_run(model, equations, question, times, {.budget = budget});
  if (notes != nullptr) notes->insert(notes->end(), run.notes.begin(), run.notes.end());
  for (const auto& signal : run.signals) result.push_back(signal.value.value.front());
  return result;
}

MechanismMode mechanism_mode(const Multibody& model, const MultibodyEquations& equations, std::size_t number, double swing,
                             const Budget& budget) {
  const MultibodyLinearization linear = linearized(model, equations, budget);
  const PolesZeros found = poles(linear.equations, {.shapes = true, .budget = budget});
  std::vector<const Mode*> modes;
  for (const Mode& mode : found.modes)
    if (mode.pole.value.imag() >= 0) modes.push_back(&mode);
  if (number == 0 || number > modes.size())
    throw NoAnswer("there is no mode " + std::to_string(number),
                   "the modes are numbered from 1 to " + std::to_string(modes.size()));
  const Mode& mode = *modes[number - 1];
  if (mode.shapes.empty()) throw NoAnswer("mode " + std::to_string(number) + " has no shape", "take another one");
  std::map<std::string, double> y;
  for (std::size_t i = 0; i < found.signals.size(); ++i) y[found.signals[i]] = mode.shapes.front()[i].real();
  const std::vector<double> rest = at_equilibrium(model, equations, budget);
  const std::vector<double> change = displaced(SmallMotion(model, equations), linear, rest, y);
  const MechanismPoses poses(model, equations);
  const Mechanism shown = mechanism(model);
  const auto pose = [&](double amplitude) {
    std::vector<double> q = rest;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += amplitude * change[i];
    return poses(q);
  };
  MechanismMode result{mode.frequency, mode.damping, modes.size(), {}, pose(0)};
  constexpr double small = 1e-4;
  const double moved = farthest(shown, pose(small), result.rest);
  const double amplitude = moved > 0 ? small * swing * size_of(shown, result.rest) / moved : 0;
  for (std::size_t end = 0; end < 2; ++end) {
    result.ends[end] = pose(end == 0 ? amplitude : -amplitude);
    if (equations.motion.constraints.empty()) continue;
    std::map<std::string, double> near;  // a swing that is large enough to be seen opens loops by its square
    for (std::size_t i = 0; i < rest.size(); ++i)
      near[equations.motion.coordinates[i].name] = rest[i] + (end == 0 ? amplitude : -amplitude) * change[i];
    result.ends[end] = poses(mechanism_position(model, equations, near, nullptr, budget));
  }
  return result;
}

}  // namespace sfg
