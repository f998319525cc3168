#pragma once
#include <iosfwd>

#include "sfg/expr/print.hpp"
#include "sfg/model/state_space.hpp"

namespace sfg {

/// States, inputs, outputs and the four matrices; `notation` is text, unicode or latex.
void write_text(std::ostream&, const StateSpace&, Notation = Notation::text);
/// {"schema": "sfg/derive/1", "form": "state-space", "states", "inputs", "outputs", "A", "B", "C", "D"}.
void write_json(std::ostream&, const StateSpace&);
/// As a [state_space] model, which every verb reads back.
void write_toml(std::ostream&, const StateSpace&);

}  // namespace sfg
