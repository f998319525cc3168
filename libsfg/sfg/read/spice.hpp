#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/model/circuit.hpp"
#include "sfg/model/netlist_rest.hpp"
#include "sfg/model/simulation.hpp"
#include "sfg/read/spice/netlist.hpp"

namespace sfg {

struct SimulatorPoint;

/// Bounds of subcircuit expansion.
struct SpiceLimits {
  std::size_t elements = 200'000;  ///< and instances, after expansion
};

/// A linear circuit as a SPICE netlist: title line, R L C V I E F G H K, transistors Q and M at a stated
/// operating point, lossless lines T, subcircuits (.subckt, X), .param, and O as an ideal
/// operational amplifier "Oname in+ in- out [out-]". A number as value gives the element a symbol of its own name with that
/// value; a name or {expression} is used as it stands. Case does not matter; 0 and gnd are ground. Of an instance X1 everything
/// has its name with _X1 behind it. docs/guide/circuits.md says the rest.
/// @param notes  receives warnings and what was ignored, when given.
/// @param beside  gives the text of a file in the folder of this one, for .include and .lib.
/// @param analyses  receives what .ac and .tran state, when given.
/// @param point  what a simulator found of devices M, Q, D and J, which are then of any model and level.
/// @param temperature  whether it is asked for, and a parameter (model/temperature.hpp) where the netlist does not state it.
/// @param rest  what the operating point is solved with, and where it is, when given.
/// @throws sfg::Error with every problem found; LimitReached when it grows beyond the limits.
Circuit read_spice(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr,
                   const SpiceLimits& limits = {}, StatedAnalyses* analyses = nullptr, const NetlistFile& beside = {},
                   const SimulatorPoint* point = nullptr, bool temperature = false, SpiceRest* rest = nullptr);

/// "v(node)", "v(node1,node2)" or "i(element)", as .tf and .print state it, in the spelling of the circuit; nothing for any
/// other text.
std::optional<Circuit::Probe> read_probe(std::string_view text, const Circuit&);

/// Makes the circuit measure every voltage and current that the expression names, "v(a,b)" or "Di(R1)", under the name it has
/// there.
void measure(Circuit&, std::string_view expression);

}  // namespace sfg
