#include "sfg/model/small_rotation.hpp"

#include <algorithm>

#include "sfg/text/scan.hpp"

namespace sfg {

std::string small_rotation_name(const std::string& speed, const std::vector<std::string>& taken, const SymbolTable& symbols) {
  std::string name = speed.starts_with('w') ? "theta" + speed.substr(1) : "theta_" + speed;
  while (std::ranges::find(taken, name) != taken.end() || symbols.find(name) != nullptr) name += '_';
  return name;
}

std::vector<std::string> small_rotations(const Multibody& model) {
  std::vector<std::string> taken = model.coordinate_names(), result;
  for (const Multibody::Joint& joint : model.joints) {
    if (joint.speeds.size() < 3) continue;  // the last three turn
    for (auto speed = joint.speeds.end() - 3; speed != joint.speeds.end(); ++speed) {
      result.push_back(small_rotation_name(*speed, taken, model.symbols));
      taken.push_back(result.back());
    }
  }
  return result;
}

MotionOutputs motion_outputs(const Multibody& model) {
  const std::vector<std::string> small = small_rotations(model);
  MotionOutputs result;
  for (const std::string& output : model.outputs)
    (std::ranges::any_of(small, [&](const std::string& name) { return has_name(output, name); }) ? result.left_out : result.names)
        .push_back(output);
  return result;
}

}  // namespace sfg
