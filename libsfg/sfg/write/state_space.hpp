#pragma once
#include <iosfwd>

#include "sfg/model/state_space.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// States, inputs, outputs and the four matrices.
Page page(const StateSpace&);
/// {"schema": "sfg/derive/1", "form": "state-space", "states", "inputs", "outputs", "A", "B", "C", "D"}.
void write_json(std::ostream&, const StateSpace&);
/// As a [state_space] model, which every verb reads back.
void write_toml(std::ostream&, const StateSpace&);

}  // namespace sfg
