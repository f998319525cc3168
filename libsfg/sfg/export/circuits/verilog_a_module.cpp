// The target verilog-a: the state equations of the graph with ddt(), which all compilers of Verilog-A know (laplace_nd they do
// not). A signal is the voltage of a node.

#include "sfg/export/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "sfg/error.hpp"
#include "sfg/export/circuits/verilog_language.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/stated_equations.hpp"
#include "sfg/text/legal_names.hpp"

namespace sfg {

namespace {

class AnalogModule {
 public:
  AnalogModule(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out), subject_(subject), equations_(stated_equations(subject, budget)), names_(verilog_words()) {}

  void operator()() {
    const ExportedMotion& motion = equations_.motion;
    const std::string name = names_(subject_.name);
    for (const ExportedParameter& parameter : equations_.parameters) parameters_.push_back(names_(parameter.name));
    for (const std::string& input : motion.inputs) inputs_.push_back(names_(input));
    for (const std::string& output : motion.outputs) outputs_.push_back(names_(output));
    const auto renamed = names_.renamed();
    for (const std::string& state : motion.states) states_.push_back(names_(state));
    const CodeLines lines = formulas();
    for (const std::string& line : header_lines(subject_, equations_.parameters,
                                                {"Verilog-A module: the voltages of its nodes are the signals; parsed by admsXml "
                                                 "in the tests of sfg, not simulated there",
                                                 equations_.verified, renamed}))
      out_ << "// " << line << '\n';
    for (const std::string& line : equations_.laws) out_ << "// " << comment_text(line) << '\n';
    out_ << "`include \"disciplines.vams\"\n";
    declare(name, lines);
    out_ << "  analog begin\n";
    for (const auto& [variable, formula] : lines.assignments) out_ << "    " << variable << " = " << formula << ";\n";
    for (std::size_t k = 0; k < states_.size(); ++k)
      out_ << fmt::format("    I({0}) <+ ddt(V({0})) - ({1});\n", states_[k], lines.outputs[k]);
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      out_ << fmt::format("    V({}) <+ {};\n", outputs_[k], lines.outputs[states_.size() + k]);
    out_ << "  end\nendmodule\n";
  }

 private:
  CodeLines formulas() {
    const ExportedMotion& motion = equations_.motion;
    std::vector<std::string> inputs = parameters_;
    inputs.emplace_back("$abstime");
    for (std::size_t k = 0; k < states_.size(); ++k) {
      const std::string voltage = "V(" + states_[k] + ")";
      inputs.push_back(motion.start[k] == 0 ? voltage : "(" + voltage + " + " + signed_number(motion.start[k]) + ")");
    }
    for (const std::string& input : inputs_) inputs.push_back("V(" + input + ")");
    CodeLines lines = code_lines(motion.rates, inputs, verilog_a_syntax(), step_mark);
    for (std::size_t k = 0; k < lines.assignments.size(); ++k) lines.assignments[k].first = names_("v" + std::to_string(k + 1));
    const auto step = [&](std::size_t k) { return lines.assignments[k - 1].first; };
    for (auto& [variable, formula] : lines.assignments) formula = with_steps(formula, step);
    for (std::string& formula : lines.outputs) formula = with_steps(formula, step);
    return lines;
  }
  static std::string signed_number(double x) { return x < 0 ? "(" + code_number(x) + ")" : code_number(x); }

  void declare(const std::string& name, const CodeLines& lines) {
    std::vector<std::string> ports = inputs_;
    ports.insert(ports.end(), outputs_.begin(), outputs_.end());
    out_ << fmt::format("module {}({});\n", name, fmt::join(ports, ", "));
    if (!inputs_.empty()) out_ << fmt::format("  input {};\n", fmt::join(inputs_, ", "));
    out_ << fmt::format("  output {};\n  electrical {};\n", fmt::join(outputs_, ", "), fmt::join(ports, ", "));
    for (const ExportedParameter& parameter : by_dependence(equations_.parameters)) {
      const auto place =
          std::ranges::find(equations_.parameters, parameter.name, &ExportedParameter::name) - equations_.parameters.begin();
      out_ << fmt::format("  parameter real {} = {};\n", parameters_[static_cast<std::size_t>(place)],
                          stated_formula(parameter, equations_.parameters, parameters_, verilog_a_syntax()));
    }
    for (std::size_t k = 0; k < states_.size(); ++k) {
      out_ << "  electrical " << states_[k] << ";  // state " << comment_text(equations_.motion.states[k]);
      if (equations_.motion.start[k] != 0) out_ << ", from its start at " << code_number(equations_.motion.start[k]);
      out_ << '\n';
    }
    for (const auto& [variable, formula] : lines.assignments) out_ << "  real " << variable << ";\n";
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  StatedEquations equations_;
  LegalNames names_;
  std::vector<std::string> parameters_, inputs_, outputs_, states_;
};

}  // namespace

void write_verilog_a_module(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  if (subject.graph.op.discrete())
    throw NoAnswer("the model is in z, and a circuit knows no samples", "the targets verilog, c, octave and python know them");
  AnalogModule(out, subject, budget)();
}

}  // namespace sfg
