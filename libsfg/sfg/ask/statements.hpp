#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <string>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/read/input.hpp"

// Not installed: what is stated of a simulation, in a file or on a command line, read in one way.
namespace sfg {

/// The parameters of the model, and t, which is the time here.
/// @param settings  "NAME=VALUE": what they name is gone from the model, and expressions may name it
SymbolTable symbols_in_time(const SymbolTable&, std::span<const std::string> settings = {});

/// With the values of the parameters; what has none stays.
/// @throws sfg::Error at its place
GiNaC::ex stated_expression(const SimulationSettings::Entry&, const SymbolTable&);

/// Of "@FILE.csv".
/// @param stated_in  the file that names it, beside which it lies; "" where it lies anywhere
SampledSignal stated_samples(const SimulationSettings::Entry&, const std::string& stated_in);

/// The last time, s: of the table [simulation], or of a netlist.
std::optional<double> stated_end(const Input&);

}  // namespace sfg
