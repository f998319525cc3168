#pragma once
#include <iosfwd>

#include "sfg/ask/subject.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/read/input.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// What a target can say beyond linear graphs, and whether its files print numbers.
struct ProgramNeeds {
  bool laws = false;      ///< nonlinear branches: of a Lagrange model its nonlinear terms are kept
  bool questions = true;  ///< transfer functions; false: of the graph alone, whether it can be asked or not
  bool samples = false;   ///< times and frequencies of the file's own tables
};

/// What the arguments ask for: the graph, the questions, the name, times and frequencies.
ExportSubject export_subject(Task&, ProgramNeeds, Subject);

/// Of a file without responses of its own it is said which options do not matter.
void note_without_tables(Task&);

/// --precision, --fixed: of programs.
std::vector<Option> program_options();

/// A target whose file a writer of the library makes.
using ProgramWriter = void (*)(std::ostream&, const ExportSubject&, const Budget&);
int export_program(Task&, ProgramNeeds, ProgramWriter);
int export_program(Task&, ProgramNeeds, ProgramWriter, const Subject&);

}  // namespace sfg::command
