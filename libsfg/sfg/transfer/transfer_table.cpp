#include "sfg/transfer/transfer_table.hpp"

#include <algorithm>

namespace sfg {

namespace {

std::size_t place(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

}  // namespace

TransferTable transfer_table(std::span<const TransferFunction> transfers, const Budget& budget) {
  ring::Polynomial all = ring::Polynomial::constant(transfers.front().value.space().context(), 1);
  for (const TransferFunction& transfer : transfers) {
    budget.check("the common denominator");
    if (transfer.value.numerator().is_zero()) continue;
    all *= gcd_cofactors(all, transfer.value.denominator()).b;
    budget.check_terms(all.term_count(), "the common denominator", Advice::substitute_others);
  }
  TransferTable table{all.reads_negative() ? -all : all, {}, {}};
  for (const TransferFunction& transfer : transfers) {
    budget.check("the numerators");
    const ring::Polynomial more = *exact_quotient(table.denominator, transfer.value.denominator());
    table.numerators.push_back(transfer.value.numerator());
    table.numerators.back() *= more;
    const ring::Polynomial factor = more.primitive();
    table.common.push_back(factor.reads_negative() ? -factor : factor);
  }
  return table;
}

std::optional<TransferGrid> transfer_grid(std::span<const std::pair<std::string, std::string>> ends) {
  TransferGrid grid;
  for (const auto& [input, output] : ends) grid.places.emplace_back(place(grid.outputs, output), place(grid.inputs, input));
  auto sorted = grid.places;
  std::ranges::sort(sorted);
  const bool each_once = std::ranges::adjacent_find(sorted) == sorted.end();
  if (sorted.empty() || !each_once || sorted.size() != grid.inputs.size() * grid.outputs.size()) return {};
  return grid;
}

}  // namespace sfg
