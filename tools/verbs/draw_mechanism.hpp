#pragma once
#include <vector>

#include "sfg/ask/subject.hpp"
#include "sfg/draw/picture.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// draw --as mechanism: a multibody model in a position, or swinging in a mode.
int draw_mechanism(Task&, PictureFormat, const PictureOptions&);
/// --state, --mode.
std::vector<Option> mechanism_options();

/// The coordinates, as the outputs of a simulation that is shown as a mechanism.
std::vector<std::string> coordinates_of(const MultibodyEquations&);
/// simulate --as mechanism: as the name of -o says an animation, or a picture of the motion's beginning with later positions
/// behind.
void write_moving_mechanism(Task&, const Subject&, const MultibodyEquations&, const MechanismRun&);

}  // namespace sfg::command
