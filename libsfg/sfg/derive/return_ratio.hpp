#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// The circuit opened at a controlled source (E F G H): the source is an independent one now, the only input, and the only output
/// is the loop gain, minus what it would be controlled to: L = −gain · control. So 1 + L = Δ/Δ₀ with the determinants before
/// and after the source is made dead (Bode 1945, ch. IV: L is the return ratio). The other independent sources are off.
/// @throws sfg::Error when there is no controlled source of that name, in any case.
EquationSystem opened_at(const Circuit&, std::string_view element);

/// The circuit with its own inputs and outputs, where these controlled sources are inputs beside them: each is driven by nothing,
/// and the unknown return_signal() is what would drive it, with the sign turned. A branch of gain −1 from there to the source
/// makes the circuit's own graph, which may be cut in that branch.
/// @throws as opened_at()
EquationSystem freed(const Circuit&, std::span<const std::string> elements);

/// The name of the signal that would drive a controlled source: "loop gain of E1".
std::string return_signal(std::string_view element);

/// The element of that name as the circuit spells it; "" for none.
std::string element_named(const Circuit&, std::string_view name);

}  // namespace sfg
