#pragma once
#include <ginac/ex.h>
#include <ginac/operators.h>

#include <optional>
#include <string>
#include <vector>

#include "sfg/model/circuit.hpp"
#include "sfg/read/spice/netlist_statements.hpp"

namespace sfg {

/// The entries name=value behind the nodes and the value of R, C, L, V and I, as ngspice and LTspice write them.
struct ElementEntries {
  /// A part of a real element: Rser=50.
  struct Part {
    std::string name;  ///< "Rser"
    Circuit::Kind kind = Circuit::Kind::resistor;
    enum class Place {
      series,  ///< between the element and its second node
      shunt,   ///< across the part before, an inductance in series
      across   ///< across the element and what is in series with it
    } place = Place::series;
    NetlistToken key, value;
  };
  /// TC1=, TC2=, and the temperature of the element where it is not that of the circuit.
  struct Temperature {
    std::optional<NetlistToken> first, second, own, beside;
  };
  Temperature temperature;
  std::optional<NetlistToken> multiplicity;  ///< m=
  std::optional<NetlistToken> scale;
  std::optional<NetlistToken> noise;  ///< of V, I, G, Y and Z
  bool noiseless = false;             ///< noisy=0 of a resistor
  std::vector<Part> parts;            ///< in series first, then across
};

/// What does not matter to small signals (IC=, V=, mfg=) goes to the notes.
/// @throws sfg::Error at an entry that is not known.
ElementEntries element_entries(const NetlistToken& element, NetlistTokens, std::vector<Diagnostic>& notes);

/// The value of so many equal elements side by side.
inline GiNaC::ex in_parallel(Circuit::Kind kind, const GiNaC::ex& one, const GiNaC::ex& units) {
  return kind == Circuit::Kind::capacitor ? one * units : one / units;
}

/// A source of current that its own voltage controls conducts as the resistor does, and makes no noise.
void make_noiseless(Circuit::Element& resistor);

inline bool is_source(const Circuit::Element& element) {
  return element.kind == Circuit::Kind::voltage_source || element.kind == Circuit::Kind::current_source;
}

/// A source of current that its own voltage controls conducts as the resistor does, and makes no noise.
void make_noiseless(Circuit::Element& resistor);

}  // namespace sfg
