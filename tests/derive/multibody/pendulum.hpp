#pragma once
#include <string>

#include "sfg/model/lagrangian.hpp"
#include "sfg/model/multibody.hpp"

namespace sfg {

/// A chain of n links in the plane that hang from the frame: lengths l1 …, centres of mass lc1 … below the joints, masses m1 …,
/// inertias I1 … about them; relative angles s1 ….
inline Multibody pendulum(std::size_t n) {
  Multibody model;
  model.planar = true;
  const auto named = [&](const std::string& letter, std::size_t i) { return model.symbols.symbol(letter + std::to_string(i)); };
  model.gravity = {0, -model.symbols.symbol("g"), 0};
  for (std::size_t i = 1; i <= n; ++i) {
    Multibody::Body body;
    body.name = "b" + std::to_string(i);
    body.mass = named("m", i);
    body.com = {0, -named("lc", i), 0};
    body.inertia[2][2] = named("I", i);
    model.bodies.push_back(body);
    Multibody::Joint joint;
    joint.name = "J" + std::to_string(i);
    joint.places[0].body = i - 1;
    if (i > 1) joint.places[0].at = {0, -named("l", i - 1), 0};
    joint.places[1].body = i;
    joint.coordinates = {"s" + std::to_string(i)};
    model.joints.push_back(joint);
  }
  return model;
}

}  // namespace sfg
