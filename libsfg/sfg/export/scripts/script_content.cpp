#include "sfg/export/scripts/script_content.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sfg/error.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/motion_reach.hpp"
#include "sfg/export/proper_branches.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/numeric/lookup_table.hpp"
#include "sfg/text/legal_names.hpp"

namespace sfg {

namespace {

void note_tables(const numeric::Tape& tape, std::set<std::uint32_t>& tables) {
  for (const numeric::Instruction& instruction : tape.instructions())
    if (instruction.operation == numeric::Operation::lookup) tables.insert(table_code(tape, instruction));
}

/// "v", or a longer one that no name of the model continues by digits.
std::string free_prefix(const std::vector<std::string>& names) {
  std::string prefix = "v";
  const auto continued = [&](const std::string& name) {
    return name.size() > prefix.size() && name.starts_with(prefix) &&
           name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
  };
  while (std::ranges::any_of(names, continued)) prefix += "v";
  return prefix;
}

void require_finite(const ScriptContent& content) {
  const std::vector<double> values = values_of(content.parameters);
  for (const double entry : content.states->entries.values(std::span<const double>(values)))
    if (!std::isfinite(entry))
      throw NoAnswer(
          "at the stated values the graph has no state space: an entry is not finite",
          "a parameter that is 0 leaves the order lower: set it to 0 in the model; the target json needs no state space");
}

numeric::Tape statement_of(const ExportedParameter& parameter, const std::vector<ExportedParameter>& all) {
  std::vector<GiNaC::ex> symbols;
  for (const ExportedParameter& other : all) symbols.push_back(other.symbol);
  return compile(std::span(&parameter.stated, 1), symbols);
}

/// Whether a state decays so fast, where the motion starts, that steps of its pace are too many for the times of the table.
bool is_stiff(const ExportSubject& subject, const ScriptContent& content) {
  constexpr double most_paces = 10'000;
  const ExportedMotion& motion = *content.motion;
  const std::size_t n = motion.states.size(), before = content.parameters.size() + 1;
  if (n == 0 || subject.times.empty() || subject.graph.op.discrete()) return false;
  std::vector<double> point = values_of(content.parameters);
  point.push_back(0);
  const std::vector<double> drives = motion.drives.values(std::span<const double>(point));
  point.insert(point.end(), motion.start.begin(), motion.start.end());
  point.insert(point.end(), drives.begin(), drives.end());
  std::vector<std::uint32_t> by;
  for (std::size_t k = 0; k < n; ++k) by.push_back(static_cast<std::uint32_t>(before + k));
  const std::vector<double> values = with_jacobian(motion.rates, by).values(std::span<const double>(point));
  const std::size_t outputs = motion.rates.outputs().size();
  for (std::size_t k = 0; k < n; ++k)
    if (-values[outputs + k * n + k] * subject.times.back() > most_paces) return true;
  return false;
}

}  // namespace

std::set<std::string> numbered(std::set<std::string> words, std::initializer_list<const char*> stems, std::size_t count) {
  for (const char* stem : stems)
    for (std::size_t k = 0; k < count; ++k) words.insert(stem + std::to_string(k));
  return words;
}

ScriptContent script_content(const ExportSubject& subject, std::set<std::string> reserved, const Budget& budget) {
  ScriptContent content{.parameters = valued_parameters(subject.graph), .names = {}, .renamed = {}, .intermediate = {}};
  LegalNames legal(std::move(reserved));
  for (const ExportedParameter& parameter : content.parameters) content.names.push_back(legal(parameter.name));
  content.renamed = legal.renamed();
  content.intermediate = free_prefix(content.names);
  if (!subject.graph.linear()) {
    content.motion = exported_motion(subject, content.parameters, budget);
    refuse_sliding(subject, *content.motion);
    content.stiff = is_stiff(subject, content);
    content.reach = reach_of_states(subject, *content.motion, content.parameters, budget);
    note_tables(content.motion->rates, content.tables);
    note_tables(content.motion->drives, content.tables);
    content.verified = "verified: the tests of sfg compare these rates with its own simulation of graphs";
    return content;
  }
  content.transfers = exported_transfers(subject, content.parameters, budget);
  const bool delayed = std::ranges::any_of(content.transfers, &ExportedTransfer::delayed);
  content.states = delayed ? companion_states(subject, content.parameters, content.transfers)
                           : exported_states(subject, content.parameters, content.transfers, budget);
  require_finite(content);
  for (const ExportedTransfer& T : content.transfers) note_tables(T.coefficients, content.tables);
  note_tables(content.states->entries, content.tables);
  for (const ExportedParameter& parameter : content.parameters)
    if (parameter.follows) note_tables(statement_of(parameter, content.parameters), content.tables);
  content.verified = verification(subject, content.transfers, content.parameters, budget);
  return content;
}

std::vector<ParameterLine> parameter_lines(const ScriptContent& content, const CodeSyntax& syntax) {
  std::vector<ParameterLine> lines;
  for (const ExportedParameter& parameter : by_dependence(content.parameters)) {
    const auto place = std::ranges::find(content.parameters, parameter.name, &ExportedParameter::name);
    const std::string& name = content.names[static_cast<std::size_t>(place - content.parameters.begin())];
    const std::string comment =
        comment_text(parameter.unit + (parameter.unit.empty() || parameter.text.empty() ? "" : ": ") + parameter.text);
    if (!parameter.follows) {
      const std::string number = syntax.number(std::abs(parameter.value));
      lines.push_back({name, (std::signbit(parameter.value) ? "-" : "") + number, comment});
      continue;
    }
    const CodeLines code = code_lines(statement_of(parameter, content.parameters), content.names, syntax, content.intermediate);
    for (const auto& [intermediate, formula] : code.assignments) lines.push_back({intermediate, formula, {}});
    lines.push_back({name, code.outputs.front(), comment});
  }
  return lines;
}

std::string listed(const std::vector<std::string>& texts, const std::string& line_break) {
  constexpr std::size_t long_line = 100;
  std::string list;
  std::size_t width = 0;
  for (const std::string& text : texts) {
    const bool full = width > long_line;
    if (!list.empty()) list += full ? "," + line_break : ", ";
    width = full ? text.size() : width + text.size() + 2;
    list += text;
  }
  return list;
}

std::vector<std::string> code_numbers(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(code_number(value));
  return texts;
}

MotionCode motion_code(const ScriptContent& content, const CodeSyntax& syntax,
                       const std::function<std::string(std::size_t)>& state,
                       const std::function<std::string(std::size_t)>& drive) {
  const ExportedMotion& motion = *content.motion;
  std::vector<std::string> inputs = content.names;
  inputs.emplace_back("time");
  const std::vector<std::string> of_time = inputs;
  for (std::size_t k = 0; k < motion.states.size(); ++k) inputs.push_back(state(k));
  for (std::size_t k = 0; k < motion.inputs.size(); ++k) inputs.push_back(drive(k));
  CodeLines rates = code_lines(motion.rates, inputs, syntax, content.intermediate);
  CodeLines drives = code_lines(motion.drives, of_time, syntax, content.intermediate);
  const auto middle = rates.outputs.begin() + static_cast<std::ptrdiff_t>(motion.states.size());
  return {.intermediate = std::move(rates.assignments),
          .rates = {rates.outputs.begin(), middle},
          .outputs = {middle, rates.outputs.end()},
          .before_drives = std::move(drives.assignments),
          .drives = std::move(drives.outputs)};
}

std::size_t place_of(const std::string& name, const std::vector<std::string>& among) {
  return static_cast<std::size_t>(std::ranges::find(among, name) - among.begin());
}

std::string without_step(const ScriptContent& content, const ExportedTransfer& T) {
  if (T.improper()) return "its numerator has the higher degree";
  const std::vector<double> values = values_of(content.parameters);
  if (T.delayed && T.coefficients.values(std::span<const double>(values)).back() < 0)
    return "it answers before its input changes";
  return {};
}

TablePieces table_pieces(std::uint32_t code) {
  const numeric::LookupTable& table = numeric::table_of_number(code / 8);
  const int order = static_cast<int>(code % 8);
  if (order == numeric::knots_of_table) throw NoAnswer("the knots of a table are no function of a script");
  TablePieces pieces;
  pieces.breaks.push_back(table.x().front() - 1);
  for (const double x : table.x()) pieces.breaks.push_back(x);
  for (const double x : pieces.breaks) {
    const auto part = [&](int n) { return order + n < numeric::derivative_orders ? table.value(x, order + n) : 0.0; };
    pieces.coefficients.push_back({part(3) / 6, part(2) / 2, part(1), part(0)});
  }
  pieces.breaks.push_back(table.x().back() + 1);
  return pieces;
}

}  // namespace sfg
