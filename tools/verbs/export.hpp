#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "sfg/nonlinear/analog/analog_program.hpp"
#include "sfg/write/substitutions/substitutions.hpp"
#include "tools/frame/load.hpp"
#include "tools/verbs/export_program.hpp"

namespace sfg::command {

/// A kind of file that export writes.
struct Target {
  std::string_view name;
  int (*run)(Task&);
};

int export_analog(Task&);
int export_indexed_substitution(Task&);
int export_substitution(Task&);
/// Of a multibody model, or a list of substitutions, its equations of motion; of any other model a program.
using SubstitutionWriter = void (*)(std::ostream&, const SubstitutionList&, const SubstitutionCode&);
int export_code(Task&, SubstitutionWriter, ProgramWriter);
int export_code(Task&, SubstitutionWriter, const std::function<int(Task&, const Subject&)>& program);
int export_c(Task&);
int export_cpp(Task&);
/// derive --as substitutions: indexed where the name of -o ends in .idx.
int derive_substitutions(Task&);
/// Whether the name of a file is that of a list of substitutions: .sub, .idx.
bool names_substitutions(const std::string& path);

/// --until, --points, --input, --initial: of what is simulated.
std::vector<Option> run_options();
/// --machine-unit, --time-scale, --maximum.
std::vector<Option> analog_options();
/// All that an analog program and its runs depend on.
std::vector<Option> analog_run_options();
/// --no-prune, --no-cse, --reactions.
std::vector<Option> substitution_options();
/// The program that the arguments ask for, for export and draw.
AnalogProgram analog_program_of(Task&);

}  // namespace sfg::command
