#pragma once
#include <string_view>
#include <vector>

#include "sfg/nonlinear/analog_program.hpp"
#include "tools/frame/load.hpp"

namespace sfg::command {

/// A kind of file that export writes.
struct Target {
  std::string_view name;
  int (*run)(Task&);
};

int export_analog(Task&);
int export_c(Task&);
int export_indexed_substitution(Task&);
int export_octave(Task&);
int export_substitution(Task&);
/// derive --as substitutions: indexed where the name of -o ends in .idx.
int derive_substitutions(Task&);
/// Whether the name of a file is that of a list of substitutions: .sub, .idx.
bool names_substitutions(const std::string& path);

/// --until, --points, --machine-unit, --time-scale, --maximum, --input, --initial.
std::vector<Option> analog_options();
/// --no-prune, --no-cse, --reactions.
std::vector<Option> substitution_options();
/// The program that the arguments ask for, for export and draw.
AnalogProgram analog_program_of(Task&);

}  // namespace sfg::command
