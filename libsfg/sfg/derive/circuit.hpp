#pragma once
#include <ginac/ex.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/noise.hpp"

namespace sfg {

/// The node from which voltages are measured.
inline const std::string ground = "0";

/// Modified nodal analysis (Ho, Ruehli, Brennan 1975): unknowns are the node voltages v(n) and the currents i(E) of voltage
/// sources, inductors, controlled voltage sources and nullors, and what the circuit is asked for (a voltage between two
/// nodes, the current of any element). One row per node (Kirchhoff's current law, currents that leave it) and one per
/// current (the law of its element). Sources are the independent voltage and current sources, by name.
/// @throws sfg::Error naming every node that no current reaches, a missing ground, a control that has no current.
EquationSystem circuit_equations(const Circuit&, const Budget& = {});

/// Two nodes at which a circuit is connected to others: the current enters at `plus` and leaves at `minus`. A mode is a port of
/// the pair of nodes against ground, with (V₊, I₊) and (V₋, I₋): the differential one has V₊ − V₋ and (I₊ − I₋)/2, the common one
/// (V₊ + V₋)/2 and I₊ + I₋, so that their powers add up to those of the pair.
struct Port {
  enum class Mode { single, differential, common };
  std::string plus;
  std::string minus = "0";
  Mode mode = Mode::single;
  friend bool operator==(const Port&, const Port&) = default;
};

/// "A" or "A,B", nodes in any case; B is ground when absent; "dm(A,B)" or "cm(A,B)" for a mode.
/// @throws sfg::Error for a node that the circuit does not have, with the nearest name, and for a port between one node.
Port port_between(std::string_view nodes, const Circuit&);
/// "port(A,B)"; nothing for any other text. @throws sfg::Error as port_between().
std::optional<Port> read_port(std::string_view text, const Circuit&);
std::string name_of(const Port&);   ///< "port(A,B)", "port(dm(A,B))"
std::string nodes_of(const Port&);  ///< "A,B", "dm(A,B)"

/// Which voltages and currents of the ports are given, and which answer.
enum class PortParameters {
  z,     ///< V = z I
  y,     ///< I = y V
  h,     ///< (V1, I2) = h (I1, V2)
  g,     ///< (I1, V2) = g (V1, I2)
  abcd,  ///< (V1, I1) = abcd (V2, −I2): −I2 leaves port 2
  s,     ///< b = s a, a = (V + z0 I)/(2√z0), b = (V − z0 I)/(2√z0)
};

/// The circuit with its independent sources off, its ports driven by what the parameters have on the right: `inputs` are those
/// columns of the matrix, `outputs` its rows. A part without a way to ground has any potential, which no port shows: one of its
/// nodes is grounded.
/// @param z0  of s: real, the same at every port; a differential mode has 2 z0, a common one z0/2 (Bockelman and Eisenstadt
/// 1995).
/// @throws std::invalid_argument without ports, and for h, g and abcd of another number of ports than two.
/// @throws sfg::Error as circuit_equations(). What does not exist shows later: the equations have no unique solution.
EquationSystem port_equations(const Circuit&, std::span<const Port>, PortParameters, const GiNaC::ex& z0 = 50);

/// The same of one port, with "port(A,B)" for its input and "z", "y" or "s" for its output.
EquationSystem port_equations(const Circuit&, const Port&, PortParameters, const GiNaC::ex& z0 = 50);

/// A circuit whose elements make noise: a current source 4 k_B T_K/R beside every resistor (Nyquist 1928; 4 k_B T_K R in series
/// where its current is an output), the independent sources that state a density, and a current source beside every other element
/// that does: of a transistor's transconductance and input, of a diode.
struct NoisyCircuit {
  Circuit circuit;  ///< `inputs` are those that it had
  std::vector<NoiseSource> sources;
};

/// @throws sfg::Error for a negative resistance, and for a parameter with a value that is named like the frequency, k_B or T_K.
NoisyCircuit noisy(const Circuit&);

/// The sources at an operating point (signal → value): what depends on the current of a diode takes it as a parameter, ID_D1,
/// which is added to the symbols with its value.
/// @throws sfg::Error where the point does not say what a diode's current depends on.
std::vector<NoiseSource> at_point(const NoisyCircuit&, const std::map<std::string, exact::Rational>& point, SymbolTable&);

/// Volts or amperes, as far as the name of the signal tells.
std::string unit_of(const NoisyCircuit&, const std::string& signal);

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
