#include "sfg/transfer/graph_elimination.hpp"

#include <ginac/operators.h>

#include <map>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/independent_functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/root_terms.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

namespace {

/// Residues for the choice of pivots. Where roots never exist together modulo this prime, any others stand for them.
std::vector<std::uint64_t> sample_of(const std::vector<GiNaC::ex>& entries) {
  IndependentFunctions functions(entries);  // no pivot is 1 − sin² − cos²
  std::vector<GiNaC::ex> values;
  for (const GiNaC::ex& entry : entries) values.push_back(functions.needed() ? functions(entry) : entry);
  constexpr std::uint64_t attempts = 50;
  for (std::uint64_t seed = 1; seed < attempts; ++seed) {
    const ModularPoint point(ring::ModularRing::mersenne61, seed);
    std::vector<std::uint64_t> sample;
    for (const GiNaC::ex& value : values) {
      const auto residue = point(value);
      if (residue) sample.push_back(*residue);
      if (!residue && seed + 1 == attempts && has_roots(value)) sample.push_back(point.hashed(print(value)));
    }
    if (sample.size() == values.size()) return sample;
  }
  throw NoAnswer("no point was found at which all gains have a value", "look for denominators that vanish");
}

}  // namespace

GraphElimination::GraphElimination(const SignalFlowGraph& graph, std::span<const NodeId> drivers, std::span<const NodeId> outputs,
                                   const Budget& budget, ddd::EliminationOptions::Pivots pivots) {
  std::vector<bool> relevant(graph.nodes().size(), false);
  for (const NodeId driver : drivers)
    for (const NodeId output : outputs) {
      const std::vector<bool> between = relevant_nodes(graph, {driver, output, Question::Mode::inject, {}});
      for (std::size_t i = 0; i < relevant.size(); ++i) relevant[i] = relevant[i] || between[i];
    }
  std::vector<std::uint32_t> place(relevant.size(), 0);
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < relevant.size(); ++i)
    if (relevant[i]) place[i] = size++;
  nodes_ = size;

  std::map<ddd::Entry, GiNaC::ex> matrix;
  for (std::uint32_t i = 0; i < size; ++i) matrix[{i, i}] = 1;
  for (const Branch& branch : graph.branches())
    if (relevant[branch.from.index] && relevant[branch.to.index])
      matrix[{place[branch.to.index], place[branch.from.index]}] -= branch.gain();
  for (std::uint32_t j = 0; j < drivers.size(); ++j)
    if (relevant[drivers[j].index]) matrix[{place[drivers[j].index], size + j}] = 1;
  for (std::uint32_t i = 0; i < outputs.size(); ++i)
    if (relevant[outputs[i].index]) matrix[{size + i, place[outputs[i].index]}] = -1;

  std::vector<ddd::Entry> places;
  for (const auto& [at, value] : matrix) {
    places.push_back(at);
    entries_.push_back(value);
  }
  const std::vector<std::uint64_t> sample = sample_of(entries_);
  ddd::EliminationOptions options;
  options.kept = std::max(drivers.size(), outputs.size());
  options.sample = sample;
  options.pivots = pivots;
  options.checkpoint = [&budget](std::uint64_t) { budget.check("planning the elimination"); };
  options.max_operations = budget.limits().terms;
  plan_.emplace(ddd::Pattern(size + static_cast<std::uint32_t>(options.kept), places), options);
  if (plan_->is_singular()) throw std::logic_error("the elimination finds a regular graph singular");
}

std::optional<std::uint32_t> GraphElimination::response(std::size_t output, std::size_t driver) const {
  const std::uint32_t number = plan_->schur()[output * plan_->kept() + driver];
  return number < plan_->value_count() ? std::optional(number) : std::nullopt;
}

}  // namespace sfg
