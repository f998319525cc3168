#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/model/motion.hpp"
#include "sfg/model/multibody.hpp"

// Not installed.
namespace sfg {

/// What a name says of a state of motion: coordinate q, its rate "Dq" or a speed, an input u ("Du", "DDu" its rates), the time t.
struct StatePlace {
  enum class Kind { coordinate, speed, input, time };
  Kind kind = Kind::coordinate;
  std::size_t number = 0;
  std::size_t order = 0;  ///< of the rate of an input
};
std::optional<StatePlace> state_place(const EquationsOfMotion&, const std::string& name);

/// The names of coordinates, rates or speeds, and inputs.
std::vector<std::string> state_names(const EquationsOfMotion&);

/// Of a speed that is the rate of a coordinate: that coordinate; else the speed. Accelerations are named so.
std::string name_of_speed(const EquationsOfMotion&, std::size_t speed);

/// Why a name is none, and what to write instead.
struct UnknownState {
  std::string message;
  std::string hint;
};
UnknownState unknown_state(const EquationsOfMotion&, const std::string& name);

/// The outputs that a model states, without those of its linear model alone, of which a note tells.
std::vector<std::string> stated_signals(const Multibody&, std::vector<Diagnostic>& notes);

}  // namespace sfg
