#include "sfg/model/small_rotation.hpp"

#include <algorithm>
#include <cctype>

namespace sfg {

namespace {

bool has_name(const std::string& text, const std::string& name) {
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if ((at == 0 || !is_word(at - 1)) && !is_word(at + name.size())) return true;
  return false;
}

}  // namespace

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
