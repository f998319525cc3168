#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

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

}  // namespace sfg
