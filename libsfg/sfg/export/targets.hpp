#pragma once
#include <iosfwd>

#include "sfg/budget.hpp"
#include "sfg/export/export_subject.hpp"

namespace sfg {

// The targets of an export, a file each; that of C has choices of its own (export/c/c_program.hpp).
// @throws NoAnswer naming the branch that a target cannot express; sfg::Error naming parameters without values

void write_branch_list(std::ostream&, const ExportSubject&, const Budget& = {});             ///< csv
void write_functional_mockup_unit(std::ostream&, const ExportSubject&, const Budget& = {});  ///< fmu
void write_graphml_file(std::ostream&, const ExportSubject&, const Budget& = {});            ///< graphml
void write_html_snippet(std::ostream&, const ExportSubject&, const Budget& = {});            ///< html-snippet
void write_json_export(std::ostream&, const ExportSubject&, const Budget& = {});             ///< json
void write_latex_document(std::ostream&, const ExportSubject&, const Budget& = {});          ///< latex
void write_maxima_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< maxima
void write_modelica_model(std::ostream&, const ExportSubject&, const Budget& = {});          ///< modelica
void write_octave_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< octave
void write_python_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< python
void write_scilab_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< scilab
void write_simulink_model(std::ostream&, const ExportSubject&, const Budget& = {});          ///< simulink
void write_spice_netlist(std::ostream&, const ExportSubject&, const Budget& = {});           ///< spice
void write_verilog_module(std::ostream&, const ExportSubject&, const Budget& = {});          ///< verilog
void write_verilog_a_module(std::ostream&, const ExportSubject&, const Budget& = {});        ///< verilog-a

}  // namespace sfg
