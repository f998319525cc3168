#pragma once
#include <string_view>

#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// The circuit opened at a controlled source (E F G H): the source is an independent one now, the only input, and the only output
/// is the loop gain, minus what it would be controlled to: L = −gain · control. So 1 + L = Δ/Δ₀ with the determinants before
/// and after the source is made dead (Bode 1945, ch. IV: L is the return ratio). The other independent sources are off.
/// @throws sfg::Error when there is no controlled source of that name, in any case.
EquationSystem opened_at(const Circuit&, std::string_view element);

/// Whether the circuit has an element of that name, in any case.
bool has_element(const Circuit&, std::string_view name);

}  // namespace sfg
