#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "sfg/nonlinear/analog/analog_program.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Scales, patching table, potentiometers and check list.
Page page(const AnalogProgram&);
void write_json(std::ostream&, const AnalogProgram&);
/// The patching table, RFC 4180: a line for every input of every element, one for an element without inputs.
void write_csv(std::ostream&, const AnalogProgram&);

/// What a netlist for ngspice is made of.
enum class AnalogNetlist {
  user,        ///< behavioural integrators, a volt for a unit of the user and a second for a second
  machine,     ///< the same in machine units and machine time
  amplifiers,  ///< operational amplifiers with resistors and capacitors, potentiometers with buffers; machine units and time
};

struct AnalogNetlistOptions {
  AnalogNetlist kind = AnalogNetlist::user;
  std::string name = "analog";           ///< the simulator writes NAME_step.txt
  std::vector<std::string> header = {};  ///< further lines of comment
  std::size_t points = 201;              ///< from 0 to the last time, evenly
};

/// A subcircuit of the program, an instance for every run, and commands that run it and write, for every run and output, the
/// columns t and y in the user's units.
void write_netlist(std::ostream&, const AnalogProgram&, const AnalogNetlistOptions& = {});

}  // namespace sfg
