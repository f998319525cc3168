#include "sfg/transfer/term_counts.hpp"

namespace sfg {

std::optional<ring::Integer> TermCounter::count(const GraphMatrix::Product& product) {
  if (product.zero) return ring::Integer(0);
  ring::Integer result = 1;
  for (const std::size_t id : product.blocks) {
    const auto& factor = block_count(id);
    if (!factor) return std::nullopt;
    result *= *factor;
  }
  return result;
}

const std::optional<ring::Integer>& TermCounter::block_count(std::size_t id) {
  const auto [found, fresh] = counts_.try_emplace(id);
  if (!fresh) return found->second;
  std::vector<ring::Integer> entries;
  for (const GraphMatrix::Entry& entry : matrix_.block(id).entries) {
    const std::size_t branches = entry.bundle ? entry.bundle->branches.size() : 0;
    const std::size_t addends = parallel_ == ParallelBranches::merged && branches > 0 ? 1 : branches;
    entries.emplace_back(static_cast<std::int64_t>(addends + (entry.diagonal ? 1 : 0)));
  }
  if (matrix_.block(id).rows.size() == 1 && entries.size() == 1) return found->second = std::move(entries.front());
  try {
    found->second = ddd::evaluate(matrix_.diagram(id), ring::CountRing{}, entries);
  } catch (const ddd::TooLarge&) {
  }
  return found->second;
}

}  // namespace sfg
