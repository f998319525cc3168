// The target modelica: a model of equations, without libraries, and beside it a bench that drives its inputs.

#include "sfg/export/targets.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/error.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/stated_equations.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/write/page/table_formula.hpp"

namespace sfg {

namespace {

using numeric::Operation;

/// Keywords, built-in types, functions and variables of Modelica 3.5.
constexpr std::string_view reserved =
    "algorithm and annotation assert block break class connect connector constant constrainedby der discrete each else elseif "
    "elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import impure "
    "in initial inner input loop model not operator or outer output package parameter partial protected public pure record "
    "redeclare replaceable return stream then true type when while within Real Integer Boolean String Clock ExternalObject "
    "StateSelect AssertionLevel Connections time abs sign sqrt min max sin cos tan asin acos atan atan2 sinh cosh tanh exp log "
    "log10 floor ceil div mod rem integer semiLinear delay cardinality homotopy inStream actualStream spatialDistribution "
    "getInstanceName terminal noEvent smooth sample pre edge change reinit terminate ndims size scalar vector matrix identity "
    "diagonal zeros ones fill linspace sum product transpose outerProduct symmetric cross skew cat array previous hold interval "
    "Modelica";

CodeText function_text(Operation operation, const std::string& left, const std::string& right) {
  switch (operation) {
    case Operation::step: return {"(if " + left + " < 0 then 0.0 else 1.0)"};
    case Operation::power: return {"(" + left + ")^(" + right + ")", Binding::power};
    case Operation::lookup:
      return {table_formula(static_cast<std::uint32_t>(std::stoul(right)), "(" + left + ")",
                            [](const std::string& difference) { return "max(" + difference + ", 0.0)"; })};
    default: return {std::string(name(operation)) + "(" + left + (right.empty() ? "" : ", " + right) + ")"};
  }
}

CodeSyntax syntax() {
  return {code_number,
          [](const std::string& base, int exponent) {
            return CodeText{base + "^" + std::to_string(exponent), Binding::power};
          },
          function_text};
}

std::string string_text(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : comment_text(bytes)) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

/// Passes over kg.m2 or s-1; whether it stood there.
bool take_units(Scan& scan, bool negative) {
  do {
    if (scan.run(is_ascii_letter).empty()) return false;
    const bool minus = negative && scan.take('-');
    if (scan.run(is_ascii_digit).empty() && minus) return false;
  } while (scan.take('.'));
  return true;
}

/// kg*m^2/s as Modelica writes units, kg.m2/s; "" where it has no such form.
std::string unit_text(const std::string& unit) {
  std::string text;
  for (const char c : unit)
    if (c != '^' && c != ' ') text += c == '*' ? '.' : c;
  Scan scan(text);
  bool known = take_units(scan, true);
  if (known && scan.take('/')) {
    if (scan.take('('))
      known = take_units(scan, false) && scan.take(')');
    else
      known = take_units(scan, false) && text.find('.', text.find('/')) == std::string::npos;
  }
  return known && scan.ended() ? text : "";
}

class ModelText {
 public:
  ModelText(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out),
        subject_(subject),
        equations_(stated_equations(subject, budget)),
        motion_(equations_.motion),
        names_(words_in(reserved)) {
    name_ = names_(subject.name);
    bench_ = names_(subject.name + "_bench");
    for (const ExportedParameter& parameter : equations_.parameters) parameters_.push_back(names_(parameter.name));
    for (const std::string& input : motion_.inputs) inputs_.push_back(names_(input));
    for (const std::string& output : motion_.outputs) outputs_.push_back(names_(output));
    renamed_ = names_.renamed();
    for (const std::string& state : motion_.states) states_.push_back(names_(state));
  }

  void operator()() {
    const CodeLines lines = formulas();
    head();
    out_ << "model " << name_ << " " << string_text(subject_.graph.title) << '\n';
    declare();
    out_ << "equation\n";
    subject_.graph.op.discrete() ? samples(lines) : rates(lines);
    out_ << "end " << name_ << ";\n";
    bench();
  }

 private:
  void head() {
    for (const std::string& line : header_lines(subject_, equations_.parameters,
                                                {"Modelica model without libraries, and a bench that drives its inputs; no "
                                                 "client ran it in the tests of sfg: it is not executed there",
                                                 equations_.verified, renamed_}))
      out_ << "// " << line << '\n';
    for (const std::string& line : equations_.laws) out_ << "// " << comment_text(line) << '\n';
  }

  CodeLines formulas() {
    std::vector<std::string> inputs = parameters_;
    inputs.emplace_back("time");
    inputs.insert(inputs.end(), states_.begin(), states_.end());
    inputs.insert(inputs.end(), inputs_.begin(), inputs_.end());
    CodeLines lines = code_lines(motion_.rates, inputs, syntax(), step_mark);
    for (std::size_t k = 0; k < lines.assignments.size(); ++k) steps_.push_back(names_("v" + std::to_string(k + 1)));
    const auto step = [&](std::size_t k) { return steps_[k - 1]; };
    for (auto& [name, formula] : lines.assignments) formula = with_steps(formula, step);
    for (std::string& formula : lines.outputs) formula = with_steps(formula, step);
    return lines;
  }

  void declare() {
    for (const ExportedParameter& parameter : by_dependence(equations_.parameters)) {
      const auto place =
          std::ranges::find(equations_.parameters, parameter.name, &ExportedParameter::name) - equations_.parameters.begin();
      const std::string unit = unit_text(parameter.unit);
      std::string text = parameter.text;
      if (unit.empty() && !parameter.unit.empty()) text += (text.empty() ? "in " : ", in ") + parameter.unit;
      out_ << "  parameter Real " << parameters_[static_cast<std::size_t>(place)]
           << (unit.empty() ? "" : "(unit = \"" + unit + "\")") << " = "
           << stated_formula(parameter, equations_.parameters, parameters_, syntax())
           << (text.empty() ? "" : " " + string_text(text)) << ";\n";
    }
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      out_ << "  input Real " << inputs_[k] << " " << string_text(motion_.inputs[k]) << ";\n";
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      out_ << "  output Real " << outputs_[k] << " " << string_text(motion_.outputs[k]) << ";\n";
    const bool discrete = subject_.graph.op.discrete();
    for (std::size_t k = 0; k < states_.size(); ++k) {
      const std::string start = "(start = " + code_number(motion_.start[k]) + ", fixed = true)",
                        text = " " + string_text("state " + motion_.states[k]);
      if (discrete) next_.push_back(names_(states_[k] + "_next"));
      out_ << "  " << (discrete ? "discrete " : "") << "Real " << states_[k] << start << text << ";\n";
      if (discrete) out_ << "  discrete Real " << next_.back() << start << ";\n";
    }
    for (const std::string& step : steps_) out_ << "  " << (discrete ? "discrete " : "") << "Real " << step << ";\n";
  }

  void assignments(const CodeLines& lines, const char* indent) {
    for (std::size_t k = 0; k < steps_.size(); ++k) out_ << indent << steps_[k] << " = " << lines.assignments[k].second << ";\n";
  }

  void rates(const CodeLines& lines) {
    assignments(lines, "  ");
    for (std::size_t k = 0; k < states_.size(); ++k) out_ << "  der(" << states_[k] << ") = " << lines.outputs[k] << ";\n";
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      out_ << "  " << outputs_[k] << " = " << lines.outputs[states_.size() + k] << ";\n";
  }

  /// What the states become is kept until the next sample.
  void samples(const CodeLines& lines) {
    out_ << "  when sample(0, " << code_number(subject_.graph.op.period().to_double()) << ") then\n";
    for (std::size_t k = 0; k < states_.size(); ++k) out_ << "    " << states_[k] << " = pre(" << next_[k] << ");\n";
    assignments(lines, "    ");
    for (std::size_t k = 0; k < states_.size(); ++k) out_ << "    " << next_[k] << " = " << lines.outputs[k] << ";\n";
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      out_ << "    " << outputs_[k] << " = " << lines.outputs[states_.size() + k] << ";\n";
    out_ << "  end when;\n";
  }

  /// Unit steps, or the drives of a nonlinear model.
  void bench() {
    std::vector<std::string> inputs;
    for (const std::string& parameter : parameters_) inputs.push_back("system." + parameter);
    inputs.emplace_back("time");
    const CodeLines drives = code_lines(motion_.drives, inputs, syntax(), step_mark);
    const std::function<std::string(std::size_t)> step = [&](std::size_t k) {
      return "(" + with_steps(drives.assignments[k - 1].second, step) + ")";
    };
    out_ << "\nmodel " << bench_ << " " << string_text("drives all inputs of " + name_) << "\n  " << name_
         << " system;\nequation\n";
    for (std::size_t k = 0; k < inputs_.size(); ++k)
      out_ << "  system." << inputs_[k] << " = " << with_steps(drives.outputs[k], step) << ";\n";
    if (!subject_.times.empty())
      out_ << "  annotation(experiment(StopTime = " << code_number(subject_.times.back()) << ", Tolerance = 1e-8));\n";
    out_ << "end " << bench_ << ";\n";
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  StatedEquations equations_;
  const ExportedMotion& motion_;
  LegalNames names_;
  std::string name_, bench_;
  std::vector<std::string> parameters_, inputs_, outputs_, states_, next_, steps_;
  std::vector<std::pair<std::string, std::string>> renamed_;
};

}  // namespace

void write_modelica_model(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  ModelText(out, subject, budget)();
}

}  // namespace sfg
