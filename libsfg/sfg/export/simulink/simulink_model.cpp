// The script that builds a Simulink model: which form the blocks take, and how it was verified.

#include "sfg/export/targets.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sfg/error.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/proper_branches.hpp"
#include "sfg/export/simulink/simulink_parts.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/text/legal_names.hpp"

namespace sfg {

namespace {

/// Frequencies at which the diagram is compared: some of those that a frequency response would show.
std::vector<double> sample_frequencies(const ExportSubject& subject, const Budget& budget) {
  const std::vector<FrequencyResponse> found = frequency_responses(subject.graph, subject.questions, {.budget = budget});
  std::vector<double> chosen;
  if (found.empty()) return chosen;
  const std::vector<double>& all = found.front().frequency;
  for (std::size_t k = 0; k < 20 && !all.empty(); ++k) chosen.push_back(all[k * (all.size() - 1) / 19]);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// The greatest relative deviation of what the blocks say from the graph's own equations.
double deviation(const ExportSubject& subject, const SignalFlowGraph& blocks, const SimulinkSystem& system,
                 const std::vector<double>& frequencies, const Budget& budget) {
  std::vector<Question> asked;
  const auto port = [&](SimulinkBlock::Kind kind, const std::vector<std::string>& names, const std::string& name) {
    auto left = std::ranges::find(names, name) - names.begin();
    for (const SimulinkBlock& block : system.blocks())
      if (block.kind == kind && left-- == 0)
        return blocks.at((kind == SimulinkBlock::Kind::inport ? "in " : "out ") + block.name);
    throw NoAnswer("the diagram lacks the port '" + name + "'");
  };
  const std::vector<std::string> inputs = export_inputs(subject), outputs = export_outputs(subject);
  for (const Question& question : subject.questions)
    asked.push_back({port(SimulinkBlock::Kind::inport, inputs, subject.graph[question.input].name),
                     port(SimulinkBlock::Kind::outport, outputs, subject.graph[question.output].name)});
  const SweepOptions options{.frequency = frequencies, .way = SweepOptions::Way::compiled, .budget = budget};
  const std::vector<FrequencyResponse> right = frequency_responses(subject.graph, subject.questions, options);
  const std::vector<FrequencyResponse> found = frequency_responses(blocks, asked, options);
  double worst = 0;
  for (std::size_t q = 0; q < right.size(); ++q)
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const double size = std::abs(right[q].value[k]), off = std::abs(found[q].value[k] - right[q].value[k]);
      if (std::isfinite(size) && (size > 1e-300 || off > 0)) worst = std::max(worst, off / std::max(size, 1e-300));
    }
  return worst;
}

struct VerifiedDiagram {
  SimulinkDiagram diagram;
  std::string verified;
  bool algebraic = false;
};

constexpr const char* nobody_ran = "; no Simulink ran this file: in the tests its calls are recorded and the diagram solved";

/// The diagram, if a simulator can work with it.
std::optional<VerifiedDiagram> verified(const ExportSubject& subject, std::optional<SimulinkDiagram> diagram,
                                        const std::vector<double>& frequencies, const Budget& budget) {
  if (!diagram) return {};
  diagram->system.arrange();
  const SignalFlowGraph blocks = diagram->system.read_back(subject.graph), direct = at_infinity(blocks);
  if (!solvable(direct, budget)) return {};
  const double worst = deviation(subject, blocks, diagram->system, frequencies, budget);
  if (!(worst <= 1e-8)) return {};
  const double bound = std::max(1e-14, std::pow(10, std::ceil(std::log10(std::max(worst, 1e-300)))));
  return VerifiedDiagram{std::move(*diagram),
                         fmt::format("verified: at {} frequencies the blocks, as they are connected, give the response of the "
                                     "graph's own equations within {:.0e}{}",
                                     frequencies.size(), bound, nobody_ran),
                         algebraic_loop(direct)};
}

void refuse_improper(const ExportSubject& subject, const ExportedTransfer& T) {
  const SignalFlowGraph& graph = subject.graph;
  const Branch* named = nullptr;
  for (const Branch& branch : graph.branches()) {
    const int excess = operator_fraction(branch.gain(), graph).excess();
    if (excess > 0) {
      named = &branch;
      break;
    }
    if (excess == 0 && named == nullptr) named = &branch;
  }
  const std::string what =
      "makes the transfer function " + T.label() + " have more zeros than poles, which no block of Simulink has";
  const std::string hint = "the targets octave, python and c write it; or add the pole that a real part has";
  if (named != nullptr) refuse_branch(graph, *named, what, hint);
  throw NoAnswer("the transfer function " + T.label() + " has more zeros than poles", hint);
}

VerifiedDiagram chosen_diagram(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                               const MatlabNames& names, const Budget& budget) {
  const std::vector<double> frequencies = sample_frequencies(subject, budget);
  const bool ratio = std::ranges::any_of(subject.questions, [](const Question& q) { return q.mode == Question::Mode::ratio; });
  if (!ratio) {
    if (auto found = verified(subject, equation_diagram(subject, names), frequencies, budget)) return std::move(*found);
    if (auto found = verified(subject, branch_diagram(subject, names, budget), frequencies, budget)) return std::move(*found);
  }
  const std::vector<ExportedTransfer> transfers = exported_transfers(subject, parameters, budget);
  for (const ExportedTransfer& T : transfers)
    if (T.improper()) refuse_improper(subject, T);
  ExportSubject sampled = subject;
  sampled.frequencies = frequencies;
  SimulinkDiagram diagram = transfer_diagram(subject, transfers, names);
  diagram.system.arrange();
  return {std::move(diagram), verification(sampled, transfers, parameters, budget) + nobody_ran};
}

void write_parameters(std::ostream& out, const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                      const MatlabNames& names) {
  std::map<std::string, std::string> written;
  for (std::size_t k = 0; k < parameters.size(); ++k) written[parameters[k].name] = names.parameters()[k];
  for (const ExportedParameter& parameter : by_dependence(parameters))
    out << written.at(parameter.name) << " = " << (parameter.follows ? names.text(parameter.stated) : print(parameter.value))
        << ";\n";
  if (subject.graph.op.discrete()) out << names.sample_time() << " = " << print(subject.graph.op.period().to_double()) << ";\n";
}

}  // namespace

void write_simulink_model(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  refuse_laws(subject);
  refuse_gains(subject);
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  const MatlabNames names(parameters);
  const VerifiedDiagram made = chosen_diagram(subject, parameters, names, budget);
  LegalNames legal({"end", "for", "if", "while", "function", "return", "else", "case", "break", "switch", "try", "global"});
  const std::string name = legal(subject.name);
  ExportHeader header{
      .what = "A Simulink model: this script builds it in MATLAB and saves it, open_system('" + name + "') shows it.",
      .verified = made.verified,
      .renamed = names.renamed()};
  header.renamed.insert(header.renamed.end(), made.diagram.renamed.begin(), made.diagram.renamed.end());
  header.renamed.insert(header.renamed.end(), legal.renamed().begin(), legal.renamed().end());
  for (const std::string& line : header_lines(subject, parameters, header)) out << "% " << line << "\n";
  out << "% blocks: " << comment_text(made.diagram.form) << "\n";
  if (made.algebraic) out << "% Some loops have no delay: Simulink solves them as algebraic loops, which have an answer here.\n";
  out << "\n";
  write_parameters(out, subject, parameters, names);
  for (const std::string& line : made.diagram.preamble) out << line << "\n";
  const std::string quoted = matlab_string(name);
  out << "\nif bdIsLoaded(" << quoted << "), close_system(" << quoted << ", 0); end\nnew_system(" << quoted << ");\n";
  if (subject.graph.op.discrete())
    out << "set_param(" << quoted << ", 'Solver', 'FixedStepDiscrete', 'FixedStep', " << matlab_string(names.sample_time())
        << ");\n";
  made.diagram.system.write(out, name);
  out << "save_system(" << quoted << ");\n";
}

}  // namespace sfg
