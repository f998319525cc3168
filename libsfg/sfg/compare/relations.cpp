#include "sfg/compare/relations.hpp"

#include <ginac/operators.h>

#include <algorithm>

namespace sfg {

GiNaC::ex Relations::sum(std::uint32_t row, std::uint32_t column) const {
  GiNaC::ex total = 0;
  for (const Entry& entry : entries)
    if (!entry.fixed && entry.row == row && entry.column == column) total += entry.value;
  return total;
}

Relations relations(const SignalFlowGraph& graph, std::span<const Question> questions) {
  Relations result;
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    result.rows.push_back(graph.nodes()[i].name);
    result.entries.push_back({i, i, 1, 1, true});
  }
  result.columns = result.rows;
  result.senses.assign(result.rows.size(), -1);
  result.closed.assign(result.rows.size(), false);
  for (const Branch& branch : graph.branches())
    if (branch.linear()) result.entries.push_back({branch.to.index, branch.from.index, branch.gain(), -1, false});
  for (const Question& question : questions) {
    result.responses.push_back({driver(question).index, question.output.index, {}});
    if (question.mode == Question::Mode::ratio) result.responses.back().over = question.input.index;
    if (question.mode == Question::Mode::source) result.closed[question.input.index] = true;
  }
  return result;
}

std::optional<Relations> relations(const EquationSystem& system, const SignalFlowGraph& graph,
                                   std::span<const Question> questions) {
  Relations result;
  const auto unknowns = static_cast<std::uint32_t>(system.unknowns.size());
  const auto sources = static_cast<std::uint32_t>(system.sources.size());
  if (!system.laws.empty() || system.equations.size() != unknowns) return {};
  for (const auto& equation : system.equations) result.rows.push_back(equation.name);
  for (const auto& unknown : system.unknowns) result.columns.push_back(unknown.name);
  for (std::uint32_t k = 0; k < sources; ++k) {
    result.rows.push_back(system.sources[k].name);
    result.columns.push_back(system.sources[k].name);
    result.entries.push_back({unknowns + k, unknowns + k, 1, 1, true});
  }
  result.senses.assign(unknowns, 1);
  result.senses.resize(unknowns + sources, -1);
  result.closed.assign(unknowns + sources, false);
  for (std::uint32_t k = 0; k < sources; ++k) result.closed[unknowns + k] = true;
  for (std::uint32_t i = 0; i < unknowns; ++i) {
    for (const auto& [column, value] : system.equations[i].left)
      result.entries.push_back({i, static_cast<std::uint32_t>(column), value, 1, false});
    for (const auto& [source, value] : system.equations[i].right)
      result.entries.push_back({i, unknowns + static_cast<std::uint32_t>(source), value, -1, false});
  }
  for (const Question& question : questions) {
    if (question.mode != Question::Mode::source) return {};
    const auto input = std::ranges::find(system.sources, graph[question.input].name, &EquationSystem::Source::name);
    const auto output = std::ranges::find(system.unknowns, graph[question.output].name, &EquationSystem::Unknown::name);
    if (input == system.sources.end() || output == system.unknowns.end()) return {};
    result.responses.push_back({unknowns + static_cast<std::uint32_t>(input - system.sources.begin()),
                                static_cast<std::uint32_t>(output - system.unknowns.begin()),
                                {}});
  }
  return result;
}

}  // namespace sfg
