#include "sfg/transfer/graph_matrix.hpp"

#include <algorithm>
#include <iterator>

#include "sfg/ddd/ordering.hpp"

// The numerator is Cramer's determinant: column `output` is replaced by the unit vector of `driver`. Its row and column
// are a block of their own with the value 1, so that every other block is a square part of I − Aᵀ, known by its rows and columns:
// blocks of numerator and determinant that have the same rows and columns are equal and cancel without being evaluated.
// Components that do not lie between driver and output always are such blocks.

namespace sfg {

GraphMatrix::GraphMatrix(const SignalFlowGraph& graph, DiagramLimits limits, Budget budget)
    : limits_(limits), budget_(std::move(budget)), size_(graph.nodes().size()) {
  for (BranchBundle& found : bundles(graph)) {
    std::erase_if(found.branches, [&](BranchId id) { return !graph[id].linear(); });
    if (!found.branches.empty()) bundles_.push_back(std::move(found));
  }
  for (std::uint32_t i = 0; i < size_; ++i) entries_.push_back({i, i});
  for (const BranchBundle& found : bundles_)
    if (found.from != found.to) entries_.push_back({found.to.index, found.from.index});
  determinant_ = product(ddd::Pattern(size_, entries_), std::nullopt);
}

GraphMatrix::Product GraphMatrix::numerator(NodeId driver, NodeId output) {
  const ddd::Entry unit{driver.index, output.index};
  std::vector<ddd::Entry> entries{unit};
  for (const ddd::Entry& entry : entries_)
    if (entry.row != unit.row && entry.column != unit.column) entries.push_back(entry);
  return product(ddd::Pattern(size_, entries), unit);
}

GraphMatrix::Quotient GraphMatrix::response(const Question& question) {
  const bool ratio = question.mode == Question::Mode::ratio;
  Product above = numerator(driver(question), question.output);
  const Product below = ratio ? numerator(driver(question), question.input) : determinant_;
  Quotient result{above.zero, above.negative != below.negative, {}, {}, {}};
  std::set_difference(above.blocks.begin(), above.blocks.end(), below.blocks.begin(), below.blocks.end(),
                      std::back_inserter(result.above));
  std::set_difference(below.blocks.begin(), below.blocks.end(), above.blocks.begin(), above.blocks.end(),
                      std::back_inserter(result.below));
  if (above.zero) result.below.clear();
  result.numerator = std::move(above);
  return result;
}

GraphMatrix::Product GraphMatrix::product(const ddd::Pattern& pattern, std::optional<ddd::Entry> unit) {
  ddd::BlockForm form = ddd::block_form(pattern);
  Product result{form.structurally_singular, form.negative, {}};
  for (ddd::BlockForm::Block& block : form.blocks) {
    if (block.rows.size() == 1) {
      const ddd::Entry place{block.rows[0], block.columns[0]};
      if (place == unit || (place.row == place.column && !bundle(place.row, place.column))) continue;
    }
    result.blocks.push_back(stored(std::move(block)));
  }
  std::sort(result.blocks.begin(), result.blocks.end());
  return result;
}

std::size_t GraphMatrix::stored(ddd::BlockForm::Block found) {
  const auto [known, fresh] = known_.try_emplace({found.rows, found.columns}, blocks_.size());
  if (!fresh) return known->second;
  Block block{std::move(found.rows), std::move(found.columns), std::move(found.pattern), {}};
  for (const ddd::Entry& entry : block.pattern.entries()) {
    const std::uint32_t row = block.rows[entry.row], column = block.columns[entry.column];
    block.entries.push_back({row == column, bundle(row, column)});
  }
  blocks_.push_back({std::move(block), nullptr, nullptr});
  return known->second;
}

const BranchBundle* GraphMatrix::bundle(std::uint32_t row, std::uint32_t column) const {
  const std::pair ends(NodeId{column}, NodeId{row});
  const auto found = std::lower_bound(bundles_.begin(), bundles_.end(), ends,
                                      [](const BranchBundle& b, const auto& wanted) { return std::pair(b.from, b.to) < wanted; });
  return found != bundles_.end() && std::pair(found->from, found->to) == ends ? &*found : nullptr;
}

const ddd::DeterminantDiagram& GraphMatrix::diagram(std::size_t id) {
  Stored& stored = blocks_.at(id);
  if (stored.failure) throw *stored.failure;
  if (stored.diagram) return *stored.diagram;
  const auto checkpoint = [this](std::uint64_t) { budget_.check("building a determinant diagram"); };
  const ddd::BuildOptions options{limits_.states, budget_.limits().memory_bytes, checkpoint};
  try {
    ddd::Order order =
        ddd::best_order(stored.block.pattern, {.search_seconds = limits_.search_seconds, .checkpoint = checkpoint});
    stored.diagram = std::make_unique<ddd::DeterminantDiagram>(stored.block.pattern, std::move(order), options);
  } catch (const ddd::TooLarge& failure) {
    stored.failure = std::make_unique<ddd::TooLarge>(failure);
    throw;
  }
  return *stored.diagram;
}

}  // namespace sfg
