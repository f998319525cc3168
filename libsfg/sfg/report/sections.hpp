#pragma once
#include <vector>

#include "sfg/report/report_work.hpp"

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

}  // namespace sfg
