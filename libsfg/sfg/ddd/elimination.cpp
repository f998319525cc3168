#include "sfg/ddd/elimination.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "sfg/ddd/sweep.hpp"

namespace sfg::ddd {
namespace {

// Calculation modulo 2^61 − 1, for the sample point.
constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
__extension__ using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b) { return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % prime); }
std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + (prime - b); }
std::uint64_t inverse(std::uint64_t a) {
  std::uint64_t result = 1;
  for (std::uint64_t exponent = prime - 2; exponent > 0; exponent >>= 1, a = times(a, a))
    if (exponent & 1U) result = times(result, a);
  return result;
}

}  // namespace

// The matrix while it is eliminated: rows with values, columns with the rows that have them. The next pivot is looked for in
// the few shortest lines (Zlatev 1980), which finds the best or nearly the best.
class Markowitz {
 public:
  Markowitz(const Pattern& pattern, const EliminationOptions& options, Elimination& plan)
      : size_(pattern.size()), eliminated_(size_ - options.kept), options_(options), plan_(plan), rows_(size_), columns_(size_) {
    std::mt19937_64 random(0x5F6);
    const auto entries = pattern.entries();
    for (std::uint32_t e = 0; e < entries.size(); ++e) {
      const std::uint64_t value = options.sample.empty() ? 1 + random() % (prime - 1) : options.sample[e] % prime;
      if (value == 0) continue;
      rows_[entries[e].row].push_back({entries[e].column, e, value});
      columns_[entries[e].column].push_back(entries[e].row);
    }
    plan_.value_count_ = entries.size();
    for (std::uint32_t line = 0; line < 2 * size_; ++line)
      if (eliminable(line)) queue_.insert({count(line), line});
  }

  void run() {
    std::vector<std::uint32_t> row_order, column_order;
    while (row_order.size() < eliminated_) {
      const std::optional<Entry> pivot = choose();
      if (!pivot) {
        plan_.singular_ = true;
        plan_.steps_.clear();
        plan_.pivots_.clear();
        return;
      }
      row_order.push_back(pivot->row);
      column_order.push_back(pivot->column);
      eliminate(*pivot);
    }
    plan_.negative_ = odd_permutation(row_order) != odd_permutation(column_order);
    const std::size_t k = options_.kept;
    plan_.schur_.assign(k * k, none);
    for (std::size_t i = 0; i < k; ++i)
      for (const Item& item : rows_[eliminated_ + i]) plan_.schur_[i * k + (item.column - eliminated_)] = item.slot;
  }

 private:
  struct Item {
    std::uint32_t column;
    std::uint32_t slot;
    std::uint64_t value;
  };
  using Row = std::vector<Item>;
  using Kind = Elimination::Step::Kind;

  bool eliminable(std::uint32_t line) const { return line % size_ < eliminated_; }
  std::size_t count(std::uint32_t line) const { return line < size_ ? rows_[line].size() : columns_[line - size_].size(); }

  // Changes a line's length and keeps the queue right.
  template <class Change>
  void change(std::uint32_t line, const Change& apply) {
    const bool queued = eliminable(line) && queue_.erase({count(line), line}) > 0;
    apply();
    if (queued) queue_.insert({count(line), line});
  }

  std::optional<Entry> choose() const {
    if (options_.pivots == EliminationOptions::Pivots::diagonal)
      if (const auto pivot = choose(true)) return pivot;
    return choose(false);
  }

  std::optional<Entry> choose(bool diagonal) const {
    constexpr int lines_searched = 4;
    std::optional<Entry> best;
    std::size_t best_cost = 0;
    int searched = 0;
    const auto consider = [&](std::uint32_t row, std::uint32_t column) {
      if (row >= eliminated_ || column >= eliminated_ || (diagonal && row != column)) return;
      const std::size_t cost = (rows_[row].size() - 1) * (columns_[column].size() - 1);
      if (best && cost >= best_cost) return;
      best = {row, column};
      best_cost = cost;
    };
    for (const auto& [length, line] : queue_) {
      if (best && (searched >= lines_searched || (length - 1) * (length - 1) >= best_cost)) break;
      if (line < size_)
        for (const Item& item : rows_[line]) consider(line, item.column);
      else
        for (const std::uint32_t row : columns_[line - size_]) consider(row, line - static_cast<std::uint32_t>(size_));
      ++searched;
    }
    return best;
  }

  void step(Kind kind, std::uint32_t target, std::uint32_t left, std::uint32_t right) {
    plan_.steps_.push_back({kind, target, left, right});
    if (kind == Kind::negative) ++plan_.fill_;
    ++(kind == Kind::divide ? plan_.divisions_ : plan_.multiplications_);
    const std::size_t operations = plan_.steps_.size();
    if (operations > options_.max_operations)
      throw TooLarge("the elimination exceeds " + std::to_string(options_.max_operations) + " operations", {});
    if (options_.checkpoint && (operations & 0xFFF) == 0) options_.checkpoint(operations);
  }

  // A slot of its own for a quotient: the operands are needed as they are.
  std::uint32_t fresh() {
    if (plan_.value_count_ >= none) throw TooLarge("the elimination has too many values", {});
    return static_cast<std::uint32_t>(plan_.value_count_++);
  }

  void eliminate(const Entry& pivot) {
    const std::vector<std::uint32_t> column = columns_[pivot.column];
    Row row = rows_[pivot.row];
    const auto at = std::find_if(row.begin(), row.end(), [&](const Item& item) { return item.column == pivot.column; });
    const Item p = *at;
    row.erase(at);
    plan_.pivots_.push_back(p.slot);
    remove_pivot_row(pivot);
    const std::uint64_t reciprocal = inverse(p.value);
    // Either the entries of the column or those of the row are divided by the pivot, whichever are fewer.
    const bool divide_row = row.size() < column.size() - 1;
    if (divide_row) {
      for (Item& item : row) {
        const std::uint32_t quotient = fresh();
        step(Kind::divide, quotient, item.slot, p.slot);
        item.slot = quotient;
        item.value = times(item.value, reciprocal);
      }
    }
    for (const std::uint32_t other : column) {
      if (other == pivot.row) continue;
      Item factor = taken(other, pivot.column);
      if (row.empty()) continue;
      if (!divide_row) {
        const std::uint32_t quotient = fresh();
        step(Kind::divide, quotient, factor.slot, p.slot);
        factor.slot = quotient;
        factor.value = times(factor.value, reciprocal);
      }
      subtract(other, factor, row);
    }
    change(static_cast<std::uint32_t>(size_) + pivot.column, [&] { columns_[pivot.column].clear(); });
    queue_.erase({0, static_cast<std::uint32_t>(size_) + pivot.column});
  }

  void remove_pivot_row(const Entry& pivot) {
    queue_.erase({rows_[pivot.row].size(), pivot.row});
    for (const Item& item : rows_[pivot.row])
      if (item.column != pivot.column) drop_row(item.column, pivot.row);
    rows_[pivot.row].clear();
  }

  void drop_row(std::uint32_t column, std::uint32_t row) {
    change(static_cast<std::uint32_t>(size_) + column, [&] { std::erase(columns_[column], row); });
  }

  // Takes an entry out of a row, not out of its column, which is eliminated.
  Item taken(std::uint32_t row, std::uint32_t column) {
    Item result{};
    change(row, [&] {
      const auto at = std::find_if(rows_[row].begin(), rows_[row].end(), [&](const Item& item) { return item.column == column; });
      result = *at;
      rows_[row].erase(at);
    });
    return result;
  }

  // row −= factor · pivot row; both sorted by column.
  void subtract(std::uint32_t row, const Item& factor, const Row& pivot_row) {
    Row merged;
    const Row& old = rows_[row];
    merged.reserve(old.size() + pivot_row.size());
    auto at = old.begin();
    for (const Item& item : pivot_row) {
      while (at != old.end() && at->column < item.column) merged.push_back(*at++);
      const std::uint64_t product = times(factor.value, item.value);
      if (at == old.end() || at->column != item.column) {
        const std::uint32_t slot = fresh();
        step(Kind::negative, slot, factor.slot, item.slot);
        merged.push_back({item.column, slot, minus(0, product)});
        change(static_cast<std::uint32_t>(size_) + item.column, [&] { columns_[item.column].push_back(row); });
        continue;
      }
      const std::uint64_t value = minus(at->value, product);
      if (value != 0) {
        step(Kind::update, at->slot, factor.slot, item.slot);
        merged.push_back({item.column, at->slot, value});
      } else {
        drop_row(item.column, row);
      }
      ++at;
    }
    merged.insert(merged.end(), at, old.end());
    change(row, [&] { rows_[row] = std::move(merged); });
  }

  std::size_t size_, eliminated_;
  const EliminationOptions& options_;
  Elimination& plan_;
  std::vector<Row> rows_;
  std::vector<std::vector<std::uint32_t>> columns_;
  std::set<std::pair<std::size_t, std::uint32_t>> queue_;  // by length: rows, and columns after them
};

Elimination::Elimination(const Pattern& pattern, const EliminationOptions& options)
    : entry_count_(pattern.entries().size()), value_count_(entry_count_), kept_(options.kept) {
  if (options.kept > pattern.size()) throw std::invalid_argument("Elimination: more lines are kept than there are");
  if (!options.sample.empty() && options.sample.size() != entry_count_)
    throw std::invalid_argument("Elimination: one sample value for every entry of the pattern");
  Markowitz(pattern, options, *this).run();
}

}  // namespace sfg::ddd
