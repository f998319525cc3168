#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sfg/model/simulation.hpp"
#include "sfg/read/input.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// NAME=TEXT of the command line, or an entry of [simulation].
struct Statement {
  std::string option;  ///< "--input"; "" in a file
  std::string name, text;
  SourceSpan where;
};

/// Those of a repeatable option; without it those of the file.
std::vector<Statement> statements(const Arguments&, const std::string& option, const std::string& form,
                                  const std::vector<SimulationSettings::Entry>& stated);
/// Of the command line a wrong usage, of a file an error with its place.
[[noreturn]] void refuse(const Statement&, const std::string& message, const Remedy& hint);

/// The parameters of the model, and t, which is the time here.
SymbolTable symbols_in_time(const SymbolTable&);
GiNaC::ex expression_of(const Statement&, const SymbolTable&);
/// @FILE.csv; of a file, beside it.
SampledSignal csv_of(const Statement&, const Arguments&);

/// --initial NAME=VALUE, and @FILE: the last state of the answer in JSON of another simulation; what is named takes precedence.
std::vector<std::pair<std::string, double>> initial_values(const Arguments&, const SimulationSettings&, const SymbolTable&);

/// The last time that is stated; "" for none.
std::string until_of(const Arguments&, const Input&);

}  // namespace sfg::command
