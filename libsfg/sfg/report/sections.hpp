#pragma once
// Not installed: the sections of a report, and what several have.
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sfg/draw/scene.hpp"
#include "sfg/report/report.hpp"
#include "sfg/report/report_work.hpp"
#include "sfg/response/time_response.hpp"

namespace sfg {

// The sections of a report; {} where one does not apply. What is without an answer throws as its pass does.

std::vector<ReportPart> model_section(ReportWork&);         ///< the input as written, its parameters
std::vector<ReportPart> equations_section(ReportWork&);     ///< of a model or circuit: d_ij, solved form, matrices
std::vector<ReportPart> graph_section(ReportWork&);         ///< the graph
std::vector<ReportPart> mason_section(ReportWork&);         ///< the derivation by Mason's rule
std::vector<ReportPart> transfer_section(ReportWork&);      ///< closed forms
std::vector<ReportPart> loop_section(ReportWork&);          ///< of a loop that is opened: L, S, T, margins
std::vector<ReportPart> poles_section(ReportWork&);         ///< poles and zeros, with numbers
std::vector<ReportPart> frequency_section(ReportWork&);     ///< Bode diagrams and margins
std::vector<ReportPart> time_section(ReportWork&);          ///< step responses
std::vector<ReportPart> sensitivity_section(ReportWork&);   ///< by the parameters
std::vector<ReportPart> reduction_section(ReportWork&);     ///< the graph reduced step by step, on request
std::vector<ReportPart> verification_section(ReportWork&);  ///< what was verified and how
std::vector<ReportPart> reproduce_section(ReportWork&);     ///< the commands that give every figure

/// Products of numerator and denominator.
std::size_t terms_of(const RationalFunction&);

/// Points in the Bode diagram of these transfer functions, and a table of misfit behind it; nothing where none was measured.
std::vector<ReportPart> add_measured_to_bode(const ReportWork&, Figure&, std::span<const ExactTransfer>);
/// The same of step responses.
std::vector<ReportPart> add_measured_to_step(const ReportWork&, Figure&, std::vector<NamedResponse> responses,
                                             std::span<const ExactTransfer>);

// Motions, of graphs with laws, and of what a file states to be simulated.

/// Of a graph with laws: its response, from a sensible input where none is stated; states of rest; a phase portrait.
std::vector<ReportPart> nonlinear_time(ReportWork&);
/// What the file states to be simulated; {} where it states nothing. A mechanism is followed with all that is nonlinear in it.
std::vector<ReportPart> stated_motion(ReportWork&);

/// The controls of a page whose parameters move: for each a slider from half to twice its value and a field for any other, its
/// unit and text, and buttons that take back what was moved. Nothing for a model without parameters.
void write_parameter_panel(std::ostream&, const MovingModel&);

/// A picture as a part of a page.
ReportPart picture_part(std::variant<Scene, Drawing>, std::string caption);
/// The graph laid out, its nodes as large as the style has them.
Drawing drawn(const ReportGraph&, const HouseStyle*, const Budget&);

}  // namespace sfg
