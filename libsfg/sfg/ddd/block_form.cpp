#include "sfg/ddd/block_form.hpp"

#include <algorithm>

#include "sfg/ddd/sweep.hpp"

namespace sfg::ddd {
namespace {

// Maximum matching by augmenting paths (Duff's MC21: depth first, with a cheap look ahead); column matched to every row.
class Matching {
 public:
  explicit Matching(const Pattern& pattern)
      : row_of(pattern.size(), none),
        column_of(pattern.size(), none),
        pattern_(pattern),
        visited_(pattern.size(), none),
        cheap_(pattern.size()),
        next_(pattern.size()) {
    for (std::uint32_t row = 0; row < pattern.size(); ++row) {
      cheap_[row] = pattern.row_begin(row);
      perfect = augment(row) && perfect;
      if (!perfect) return;
    }
  }

  std::vector<std::uint32_t> row_of, column_of;
  bool perfect = true;

 private:
  bool augment(std::uint32_t root) {
    path_.assign(1, root);
    next_[root] = pattern_.row_begin(root);
    while (!path_.empty()) {
      const std::uint32_t row = path_.back();
      if (const std::uint32_t free = free_column(row); free != none) {
        assign(free);
        return true;
      }
      std::uint32_t below = none;
      for (std::size_t& e = next_[row]; e < pattern_.row_begin(row + 1) && below == none; ++e) {
        const std::uint32_t column = pattern_.entries()[e].column;
        if (visited_[column] == root) continue;
        visited_[column] = root;
        column_of_step_.resize(path_.size());
        column_of_step_.back() = column;
        below = row_of[column];
      }
      if (below == none) {
        path_.pop_back();
      } else {
        path_.push_back(below);
        next_[below] = pattern_.row_begin(below);
      }
    }
    return false;
  }
  // A column that no row has yet; once passed over, an entry of a matched column never becomes free again.
  std::uint32_t free_column(std::uint32_t row) {
    for (std::size_t& e = cheap_[row]; e < pattern_.row_begin(row + 1); ++e)
      if (row_of[pattern_.entries()[e].column] == none) return pattern_.entries()[e].column;
    return none;
  }
  void assign(std::uint32_t column) {
    for (std::size_t step = path_.size(); step-- > 0;) {
      row_of[column] = path_[step];
      column_of[path_[step]] = column;
      if (step > 0) column = column_of_step_[step - 1];
    }
  }

  const Pattern& pattern_;
  std::vector<std::uint32_t> visited_;
  std::vector<std::size_t> cheap_, next_;
  std::vector<std::uint32_t> path_, column_of_step_;
};

// Strongly connected components of the graph row → row matched to the column of an entry (Tarjan, without recursion),
// in reverse topological order: a component's successors come before it.
std::vector<std::vector<std::uint32_t>> components(const Pattern& pattern, const std::vector<std::uint32_t>& row_of) {
  const std::size_t n = pattern.size();
  std::vector<std::vector<std::uint32_t>> result;
  std::vector<std::uint32_t> index(n, none), low(n), stack, path;
  std::vector<std::size_t> next(n);
  std::vector<bool> on_stack(n);
  std::uint32_t counter = 0;
  const auto enter = [&](std::uint32_t v) {
    index[v] = low[v] = counter++;
    next[v] = pattern.row_begin(v);
    stack.push_back(v);
    path.push_back(v);
    on_stack[v] = true;
  };
  for (std::uint32_t root = 0; root < n; ++root) {
    if (index[root] != none) continue;
    enter(root);
    while (!path.empty()) {
      const std::uint32_t v = path.back();
      if (next[v] < pattern.row_begin(v + 1)) {
        const std::uint32_t w = row_of[pattern.entries()[next[v]++].column];
        if (index[w] == none)
          enter(w);
        else if (on_stack[w])
          low[v] = std::min(low[v], index[w]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
      if (low[v] != index[v]) continue;
      auto& component = result.emplace_back();
      do {
        component.push_back(stack.back());
        on_stack[stack.back()] = false;
        stack.pop_back();
      } while (component.back() != v);
      std::sort(component.begin(), component.end());
    }
  }
  return result;
}

BlockForm::Block block(const Pattern& pattern, std::vector<std::uint32_t> rows, const std::vector<std::uint32_t>& column_of,
                       std::vector<std::uint32_t>& place_of_column) {
  BlockForm::Block result;
  for (const std::uint32_t row : rows) result.columns.push_back(column_of[row]);
  std::sort(result.columns.begin(), result.columns.end());
  for (std::uint32_t k = 0; k < result.columns.size(); ++k) place_of_column[result.columns[k]] = k;
  std::vector<Entry> entries, probes;
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    for (std::size_t e = pattern.row_begin(rows[k]); e < pattern.row_begin(rows[k] + 1); ++e) {
      const std::uint32_t column = place_of_column[pattern.entries()[e].column];
      if (column == none) continue;
      (pattern.is_probe(e) ? probes : entries).push_back({k, column});
      result.entries.push_back(static_cast<std::uint32_t>(e));
    }
  }
  for (const std::uint32_t column : result.columns) place_of_column[column] = none;
  result.pattern = Pattern(rows.size(), entries, probes);
  result.rows = std::move(rows);
  return result;
}

}  // namespace

BlockForm block_form(const Pattern& pattern) {
  BlockForm form;
  const Matching matching(pattern);
  if (!matching.perfect) {
    form.structurally_singular = true;
    return form;
  }
  std::vector<std::uint32_t> place_of_column(pattern.size(), none), rows, columns;
  auto parts = components(pattern, matching.row_of);
  std::reverse(parts.begin(), parts.end());
  for (auto& part : parts) {
    form.blocks.push_back(block(pattern, std::move(part), matching.column_of, place_of_column));
    rows.insert(rows.end(), form.blocks.back().rows.begin(), form.blocks.back().rows.end());
    columns.insert(columns.end(), form.blocks.back().columns.begin(), form.blocks.back().columns.end());
  }
  form.negative = odd_permutation(rows) != odd_permutation(columns);
  return form;
}

}  // namespace sfg::ddd
