#pragma once
#include <map>
#include <string>
#include <vector>

#include "sfg/plot/figures.hpp"
#include "sfg/study/measures/measure.hpp"
#include "sfg/study/study_parameters.hpp"
#include "sfg/study/variation.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// What the studies of a model are about: one transfer function, the open loop of --break, measures, and what varies.
struct Study {
  MeasuredSystem system;
  std::vector<Measure> measures;  ///< of --measure
  Variation variation;            ///< of the model and of the options of tolerances; may be empty
};

/// @throws UsageError quoting what is wrong on the command line; sfg::Error with the place of what is wrong in the model.
Study study_of(Task&);
MeasuredSystem measured_system_of(Task&);
/// Of --break without --of: the open loop, whose the margins are.
void add_open_loop(const Arguments&, MeasuredSystem&);
/// @throws UsageError for --break where neither measures nor an answer of the loop are asked for.
void refuse_idle_break(const Arguments&);
/// With --break: which measures are of the loop and which of the closed transfer function, where both are asked.
void note_subjects(Task&, const MeasuredSystem&, const std::vector<Measure>&, Severity = Severity::remark);
std::vector<Measure> measures_of(const Arguments&, const SymbolTable&);
/// --spec. @param equality  whether "=" is one
std::vector<Spec> specs_of(const Arguments&, const SymbolTable&, bool equality = false);
StatedVariation stated_variation(const Arguments&, const SymbolTable&);
/// The graph with what --wrt names; without it all parameters. @throws UsageError for a name that is not there.
StudiedGraph studied_of(const Arguments&, const SignalFlowGraph&, StudyParameter::Role gains = StudyParameter::Role::added);
/// @throws UsageError saying how a tolerance is stated, where nothing varies.
void require_variation(const Study&);

/// Of the parameters and gains that are numbers.
std::map<std::string, double> numbers_of(const std::vector<StudyParameter>&, const SymbolTable&);
/// --hz, and the units of the parameters and measures.
FigureOptions figure_options(const Task&, const Study&);
/// The answers of a study besides text and JSON.
inline constexpr Answer pictures[]{Answer::picture};

std::vector<Option> measure_options();
std::vector<Option> tolerance_options();

}  // namespace sfg::command
