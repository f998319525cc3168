#include "sfg/multibody/state_names.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/model/small_rotation.hpp"

namespace sfg {

namespace {

std::optional<std::size_t> coordinate_of_speed(const EquationsOfMotion& motion, std::size_t speed) {
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i)
    if (motion.coordinates[i].rate.is_equal(motion.speeds[speed].symbol)) return i;
  return {};
}

}  // namespace

std::string name_of_speed(const EquationsOfMotion& motion, std::size_t speed) {
  const auto coordinate = coordinate_of_speed(motion, speed);
  return coordinate ? motion.coordinates[*coordinate].name : motion.speeds[speed].name;
}

std::optional<StatePlace> state_place(const EquationsOfMotion& motion, const std::string& name) {
  using Kind = StatePlace::Kind;
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i)
    if (motion.coordinates[i].name == name) return StatePlace{Kind::coordinate, i};
  for (std::size_t i = 0; i < motion.speeds.size(); ++i)
    if (motion.speeds[i].name == name) return StatePlace{Kind::speed, i};
  for (std::size_t i = 0; i < motion.inputs.size(); ++i)
    for (std::size_t order = 0; order < 3; ++order)
      if (name == std::string(order, 'D') + motion.inputs[i].name) return StatePlace{Kind::input, i, order};
  for (std::size_t i = 0; i < motion.speeds.size(); ++i)
    if (const auto coordinate = coordinate_of_speed(motion, i); coordinate && name == "D" + motion.coordinates[*coordinate].name)
      return StatePlace{Kind::speed, i};
  if (name == "t") return StatePlace{Kind::time, 0};
  return {};
}

std::vector<std::string> state_names(const EquationsOfMotion& motion) {
  std::vector<std::string> names;
  for (const auto& coordinate : motion.coordinates) names.push_back(coordinate.name);
  for (std::size_t i = 0; i < motion.speeds.size(); ++i) {
    const auto coordinate = coordinate_of_speed(motion, i);
    names.push_back(coordinate ? "D" + motion.coordinates[*coordinate].name : motion.speeds[i].name);
  }
  for (const auto& input : motion.inputs) names.push_back(input.name);
  return names;
}

UnknownState unknown_state(const EquationsOfMotion& motion, const std::string& name) {
  const std::vector<std::string> names = state_names(motion);
  const std::string near = nearest(name, names);
  if (!near.empty()) return {"there is no '" + name + "' in the state of the motion", "did you mean '" + near + "'?"};
  const bool rate_of_quaternion =
      name.starts_with("D") && std::ranges::any_of(motion.coordinates, [&](const auto& each) { return "D" + each.name == name; });
  std::string hint = rate_of_quaternion ? "its rate follows from the speeds; the names are" : "the names are";
  for (const std::string& each : names) hint += " " + each;
  return {"there is no '" + name + "' in the state of the motion", hint};
}

std::vector<std::string> stated_signals(const Multibody& model, std::vector<Diagnostic>& notes) {
  MotionOutputs outputs = motion_outputs(model);
  for (const std::string& name : outputs.left_out)
    notes.push_back({{},
                     "the output '" + name + "' has a small rotation, which only the linear model has: it is left out",
                     "name another one",
                     Severity::warning});
  return std::move(outputs.names);
}

}  // namespace sfg
