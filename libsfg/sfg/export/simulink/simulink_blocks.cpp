// Blocks of branches and of transfer functions, and the names of their parameters.
#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>

#include "sfg/error.hpp"
#include "sfg/export/c/code_lines.hpp"
#include "sfg/export/simulink/simulink_parts.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/legal_names.hpp"

namespace sfg {

namespace {

using Kind = SimulinkBlock::Kind;

/// Keywords of MATLAB and Octave, constants and functions of formulas, and what the script itself calls.
std::set<std::string> reserved_names() {
  std::istringstream words(
      "break case catch classdef continue do else elseif end end_try_catch end_unwind_protect endfor endfunction endif endparfor "
      "endswitch endwhile for function global if otherwise parfor persistent return spmd switch try until unwind_protect "
      "unwind_protect_cleanup while ans pi abs acos asin atan atan2 cos cosh exp floor log max min sign sin sinh sqrt tan tanh "
      "add_block add_line bdIsLoaded close_system Denc new_system save_system set_param simulink");
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

/// The exact number, rounded once where it is not short: what is written reads back as the double.
std::string number_text(const GiNaC::ex& number) {
  const auto value = double_value(number);
  if (!value || !std::isfinite(*value))
    throw NoAnswer("a coefficient is no finite number in double precision", "scale the units");
  return print(*value);
}

/// Long numbers (of decimals made whole) are divided by the first of the denominator.
void shorten(OperatorFraction& gain) {
  const auto numeric = [](const GiNaC::ex& c) { return GiNaC::is_a<GiNaC::numeric>(c); };
  const bool all = std::ranges::all_of(gain.numerator, numeric) && std::ranges::all_of(gain.denominator, numeric);
  const auto longer = [](const GiNaC::ex& c) { return GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(c)) >= 100'000; };
  if (!all || (std::ranges::none_of(gain.numerator, longer) && std::ranges::none_of(gain.denominator, longer))) return;
  const GiNaC::ex first = gain.denominator[0];
  for (auto* side : {&gain.numerator, &gain.denominator})
    for (GiNaC::ex& c : *side) c = c / first;
}

void require_leading(const OperatorFraction& gain, const std::string& name, const SignalFlowGraph& graph) {
  const auto value = double_value(gain.denominator[0].subs(graph.symbols.values()));
  if (value && *value != 0) return;
  throw NoAnswer("in the branch '" + name + "' the highest power of the denominator is 0 for the stated values",
                 "leave it out of the gain, or take the target octave, python or c", {});
}

CodeSyntax matlab_syntax() {
  return {.number = [](double x) { return print(x); },
          .power =
              [](const std::string& base, int exponent) {
                return CodeText{base + "^" + std::to_string(exponent), Binding::power};
              },
          .function =
              [](numeric::Operation f, const std::string& left, const std::string& right) {
                if (f == numeric::Operation::power) return CodeText{"(" + left + ")^(" + right + ")", Binding::power};
                if (f == numeric::Operation::step) return CodeText{"(" + left + " >= 0)", Binding::atom};
                if (f == numeric::Operation::lookup) throw NoAnswer("a table is no coefficient of a block", "state its value");
                return CodeText{std::string(numeric::name(f)) + "(" + left + (right.empty() ? "" : ", " + right) + ")",
                                Binding::atom};
              },
          .longest = 200};
}

}  // namespace

MatlabNames::MatlabNames(const std::vector<ExportedParameter>& parameters) {
  LegalNames legal(reserved_names());
  for (const ExportedParameter& parameter : parameters) {
    parameters_.push_back(legal(parameter.name));
    substitution_[parameter.symbol] = GiNaC::symbol(parameters_.back());
  }
  renamed_ = legal.renamed();
  sample_time_ = legal("sample_time");
  coefficient_ = "v";
  while (std::ranges::any_of(parameters_, [&](const std::string& name) { return name.starts_with(coefficient_); }))
    coefficient_ += "_";
}

std::string MatlabNames::text(const GiNaC::ex& value) const {
  if (GiNaC::is_a<GiNaC::numeric>(value)) return number_text(value);
  return print(value.subs(substitution_, GiNaC::subs_options::no_pattern));
}

std::string MatlabNames::vector(std::span<const GiNaC::ex> values) const {
  std::string result;
  for (const GiNaC::ex& value : values) result += (result.empty() ? "[" : ", ") + text(value);
  return result + "]";
}

SimulinkPorts add_ports(SimulinkDiagram& diagram, const ExportSubject& subject, bool other_sources) {
  SimulinkPorts ports;
  const SignalFlowGraph& graph = subject.graph;
  const auto add = [&](std::vector<std::pair<NodeId, SimulinkSystem::Index>>& to, Kind kind, NodeId node) {
    if (std::ranges::find(to, node, &std::pair<NodeId, SimulinkSystem::Index>::first) != to.end()) return;
    to.emplace_back(node, diagram.system.add_port(kind, graph[node].name));
    if (const std::string& name = diagram.system.blocks().back().name; name != graph[node].name)
      diagram.renamed.emplace_back(graph[node].name, name);
  };
  for (const Question& question : subject.questions) add(ports.inputs, Kind::inport, question.input);
  if (other_sources)
    for (const NodeId source : graph.sources()) add(ports.inputs, Kind::inport, source);
  for (const Question& question : subject.questions) add(ports.outputs, Kind::outport, question.output);
  return ports;
}

SimulinkBlock fraction_block(const std::string& name, const GiNaC::ex& gain, const ExportSubject& subject,
                             const MatlabNames& names) {
  const SignalFlowGraph& graph = subject.graph;
  const bool discrete = graph.op.discrete();
  OperatorFraction fraction = operator_fraction(gain, graph);
  shorten(fraction);
  SimulinkBlock block{.name = name, .gain = gain};
  const auto& [above, below] = fraction;
  if (below.size() == 1) {
    block.library = "built-in/Gain";
    block.settings = {{"Gain", names.text(above[0] / below[0])}};
    return block;
  }
  require_leading(fraction, name, graph);
  block.kind = Kind::transfer;
  if (above.size() == 1 && below.size() == 2 && below[1].is_zero() && (above[0] - below[0]).is_zero()) {
    block.library = discrete ? "built-in/UnitDelay" : "built-in/Integrator";
  } else {
    block.library = discrete ? "built-in/DiscreteTransferFcn" : "built-in/TransferFcn";
    block.settings = {{"Numerator", names.vector(above)}, {"Denominator", names.vector(below)}};
  }
  if (discrete) block.settings.emplace_back("SampleTime", names.sample_time());
  return block;
}

std::optional<SimulinkDiagram> branch_diagram(const ExportSubject& subject, const MatlabNames& names, const Budget& budget) {
  const auto branches = proper_branches(subject, budget);
  if (!branches) return {};
  const SignalFlowGraph& graph = subject.graph;
  SimulinkDiagram diagram;
  const SimulinkPorts ports = add_ports(diagram, subject, true);
  std::map<NodeId, std::vector<std::pair<SimulinkSystem::Index, std::size_t>>> entering;
  for (const auto& [node, block] : ports.inputs) entering[node].emplace_back(block, 1);
  std::vector<SimulinkSystem::Index> blocks;
  for (const ProperBranch& branch : *branches) {
    blocks.push_back(diagram.system.add(fraction_block(branch.name, branch.gain, subject, names)));
    entering[branch.to].emplace_back(blocks.back(), 1);
  }
  std::map<NodeId, SimulinkSystem::Index> signals;
  for (const auto& [node, terms] : entering) signals[node] = diagram.system.sum("sum " + graph[node].name, terms);
  for (std::size_t k = 0; k < branches->size(); ++k)
    if (const auto from = signals.find((*branches)[k].from); from != signals.end())
      diagram.system.connect(from->second, 1, blocks[k]);
  for (const auto& [node, block] : ports.outputs)
    if (const auto from = signals.find(node); from != signals.end()) diagram.system.connect(from->second, 1, block);
  diagram.form = "a block for every branch, a sum for every signal that several enter";
  if (branches->size() != graph.branches().size() ||
      std::ranges::any_of(*branches, [](const ProperBranch& b) { return b.name.find(" by ") != std::string::npos; }))
    diagram.form += "; branches with more zeros than poles are in one block with those beside them";
  return diagram;
}

SimulinkDiagram transfer_diagram(const ExportSubject& subject, std::span<const ExportedTransfer> transfers,
                                 const MatlabNames& names) {
  SimulinkDiagram diagram;
  const SimulinkPorts ports = add_ports(diagram, subject, false);
  const bool discrete = subject.graph.op.discrete();
  const auto block_of = [](const auto& list, NodeId node) {
    return std::ranges::find(list, node, &std::pair<NodeId, SimulinkSystem::Index>::first)->second;
  };
  std::map<NodeId, std::vector<std::pair<SimulinkSystem::Index, std::size_t>>> entering;
  for (std::size_t k = 0; k < transfers.size(); ++k) {
    const ExportedTransfer& T = transfers[k];
    CodeLines code =
        code_lines(T.coefficients, names.parameters(), matlab_syntax(), names.coefficient() + std::to_string(k) + "_");
    for (const auto& [name, formula] : code.assignments) diagram.preamble.push_back(name + " = " + formula + ";");
    const auto listed = [&](std::size_t first, std::size_t count) {
      return fmt::format("[{}]", fmt::join(code.outputs.begin() + static_cast<std::ptrdiff_t>(first),
                                           code.outputs.begin() + static_cast<std::ptrdiff_t>(first + count), ", "));
    };
    SimulinkBlock block{.name = T.output + " by " + T.input};
    if (T.denominator == 1) {
      block.library = "built-in/Gain";
      block.settings = {{"Gain", "(" + code.outputs[0] + ")/(" + code.outputs[1] + ")"}};
    } else {
      block.kind = Kind::transfer;
      block.library = discrete ? "built-in/DiscreteTransferFcn" : "built-in/TransferFcn";
      block.settings = {{"Numerator", listed(0, T.numerator)}, {"Denominator", listed(T.numerator, T.denominator)}};
      if (discrete) block.settings.emplace_back("SampleTime", names.sample_time());
    }
    const SimulinkSystem::Index made = diagram.system.add(std::move(block));
    diagram.system.connect(block_of(ports.inputs, subject.questions[k].input), 1, made);
    entering[subject.questions[k].output].emplace_back(made, 1);
  }
  for (const auto& [node, terms] : entering)
    diagram.system.connect(diagram.system.sum("sum " + subject.graph[node].name, terms), 1, block_of(ports.outputs, node));
  diagram.form =
      "a block for every transfer function, in closed form, since branches have more zeros than poles or loops no delay";
  return diagram;
}

}  // namespace sfg
