// The second opinion: (I − Aᵀ) x = b modulo a random prime at a random point, by sparse elimination. The pivot is the
// better of two candidates by Markowitz's count (r − 1)(c − 1): the cheapest entry of a shortest row and of a shortest
// column. Chains and ladders are eliminated without fill, triangular parts without a single subtraction.
#include "sfg/transfer/verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>

#include "sfg/graph/loops.hpp"

namespace sfg {

namespace {

__extension__ typedef unsigned __int128 Wide;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t p) { return static_cast<std::uint64_t>(Wide{a} * b % p); }

std::uint64_t minus(std::uint64_t a, std::uint64_t b, std::uint64_t p) { return a >= b ? a - b : a + (p - b); }

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t p) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base = times(base, base, p))
    if (exponent & 1) result = times(result, base, p);
  return result;
}

std::uint64_t inverse(std::uint64_t a, std::uint64_t p) { return power(a, p - 2, p); }

constexpr std::uint64_t smallest_prime = std::uint64_t{1} << 60;

using SparseRow = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

/// Lines by their lengths, the shortest first. A length that has changed is pushed anew; what was pushed before is passed over.
class ShortestLines {
 public:
  explicit ShortestLines(std::size_t count) : lengths_(count, 0) {}

  void grow(std::uint32_t line, int by) {
    lengths_[line] += static_cast<std::uint32_t>(by);
    queue_.emplace(lengths_[line], line);
  }
  void take(std::uint32_t line) { lengths_[line] = gone; }
  std::uint32_t length(std::uint32_t line) const { return lengths_[line]; }
  /// (length, line); the lowest number of those of equal length.
  std::pair<std::uint32_t, std::uint32_t> top() {
    while (lengths_[queue_.top().second] != queue_.top().first) queue_.pop();
    return queue_.top();
  }

 private:
  static constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();
  using Line = std::pair<std::uint32_t, std::uint32_t>;

  std::vector<std::uint32_t> lengths_;
  std::priority_queue<Line, std::vector<Line>, std::greater<>> queue_;
};

/// The part of the matrix that is not yet eliminated.
class ActiveMatrix {
 public:
  explicit ActiveMatrix(std::vector<SparseRow> rows)
      : rows_(std::move(rows)), columns_(rows_.size()), by_row_(rows_.size()), by_column_(rows_.size()), left_(rows_.size()) {
    std::vector<std::uint32_t> entries(rows_.size(), 0);
    for (const SparseRow& row : rows_)
      for (const auto& [c, value] : row) ++entries[c];
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      by_row_.grow(i, static_cast<int>(rows_[i].size()));
      by_column_.grow(i, static_cast<int>(entries[i]));
      columns_[i].reserve(entries[i]);
    }
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      for (const auto& [c, value] : rows_[r]) columns_[c].push_back(r);
  }

  bool empty() const { return left_ == 0; }
  /// A row or a column without entries is left: no pivot will ever be found there.
  bool singular() { return by_row_.top().first == 0 || by_column_.top().first == 0; }
  const SparseRow& row(std::uint32_t r) const { return rows_[r]; }
  /// The rows that have an entry there, ascending.
  const std::vector<std::uint32_t>& column(std::uint32_t c) {
    std::vector<std::uint32_t>& rows = columns_[c];
    std::erase_if(rows, [&](std::uint32_t r) { return !find(r, c); });
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }
  /// The entry of a row in a column, 0 where it has none.
  std::uint64_t value(std::uint32_t r, std::uint32_t c) const {
    const auto* entry = find(r, c);
    return entry ? entry->second : 0;
  }

  std::pair<std::uint32_t, std::uint32_t> pivot() {
    const std::uint32_t short_row = by_row_.top().second, short_column = by_column_.top().second;
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    std::pair<std::uint32_t, std::uint32_t> place;
    const auto consider = [&](std::uint32_t r, std::uint32_t c) {
      const std::uint64_t cost = std::uint64_t{by_row_.length(r) - 1} * (by_column_.length(c) - 1);
      if (cost < best) {
        best = cost;
        place = {r, c};
      }
    };
    for (const auto& [c, value] : rows_[short_row]) consider(short_row, c);
    for (const std::uint32_t r : column(short_column)) consider(r, short_column);
    return place;
  }

  /// Takes the row and the column out; the row without the pivot is returned.
  SparseRow take(std::uint32_t r, std::uint32_t c) {
    for (const auto& [column, value] : rows_[r]) by_column_.grow(column, -1);
    by_row_.take(r);
    by_column_.take(c);
    columns_[c] = {};
    --left_;
    SparseRow rest = std::exchange(rows_[r], {});
    std::erase_if(rest, [&](const auto& entry) { return entry.first == c; });
    return rest;
  }

  /// Row r without its entry in column c, less `factor` times `other`.
  void subtract(std::uint32_t r, std::uint32_t c, std::uint64_t factor, const SparseRow& other, std::uint64_t p) {
    SparseRow result;
    result.reserve(rows_[r].size() + other.size());
    auto a = rows_[r].begin(), a_end = rows_[r].end();
    auto b = other.begin(), b_end = other.end();
    while (a != a_end || b != b_end) {
      if (a != a_end && a->first == c) {
        ++a;
      } else if (b == b_end || (a != a_end && a->first < b->first)) {
        result.push_back(*a++);
      } else if (a == a_end || b->first < a->first) {
        result.emplace_back(b->first, minus(0, times(factor, b->second, p), p));
        by_column_.grow(b->first, 1);
        columns_[b->first].push_back(r);
        ++b;
      } else {
        const std::uint64_t value = minus(a->second, times(factor, b->second, p), p);
        if (value != 0)
          result.emplace_back(a->first, value);
        else
          by_column_.grow(a->first, -1);
        ++a;
        ++b;
      }
    }
    by_row_.grow(r, static_cast<int>(result.size()) - static_cast<int>(rows_[r].size()));
    rows_[r] = std::move(result);
  }

 private:
  const std::pair<std::uint32_t, std::uint64_t>* find(std::uint32_t r, std::uint32_t c) const {
    const auto found = std::ranges::lower_bound(rows_[r], c, {}, &SparseRow::value_type::first);
    return found != rows_[r].end() && found->first == c ? &*found : nullptr;
  }

  std::vector<SparseRow> rows_;
  std::vector<std::vector<std::uint32_t>> columns_;  ///< rows, some of which may have lost their entry since
  ShortestLines by_row_, by_column_;
  std::size_t left_;
};

/// One entry for each column, those that vanish left out, ascending.
void add_up(SparseRow& row, std::uint64_t p) {
  std::ranges::sort(row, {}, &SparseRow::value_type::first);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size();) {
    auto sum = row[i];
    while (++i < row.size() && row[i].first == sum.first) sum.second = minus(sum.second, minus(0, row[i].second, p), p);
    if (sum.second != 0) row[kept++] = sum;
  }
  row.resize(kept);
}

bool odd_permutation(const std::vector<std::uint32_t>& image) {
  std::vector<bool> seen(image.size(), false);
  bool odd = false;
  for (std::uint32_t i = 0; i < image.size(); ++i)
    for (std::uint32_t j = image[i]; !seen[i] && j != i; j = image[j]) {
      seen[j] = true;
      odd = !odd;
    }
  return odd;
}

}  // namespace

ModularElimination::ModularElimination(const SignalFlowGraph& graph, const ModularPoint& point, std::vector<bool> nodes,
                                       const Budget& budget)
    : prime_(point.prime()), nodes_(std::move(nodes)) {
  const std::size_t n = graph.nodes().size();
  if (nodes_.empty()) nodes_.assign(n, true);
  std::vector<SparseRow> rows(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    rows[i].reserve(graph.entering(NodeId{i}).size() + 1);
    rows[i].emplace_back(i, 1);
  }
  for (const Branch& branch : graph.branches()) {
    if (!nodes_[branch.from.index] || !nodes_[branch.to.index]) continue;
    const auto value = point(branch.gain());
    if (!value) throw std::domain_error("ModularElimination: a gain has no value at this point");
    rows[branch.to.index].emplace_back(branch.from.index, minus(0, *value, prime_));
  }
  for (SparseRow& row : rows) add_up(row, prime_);
  factorise(std::move(rows), budget);
}

void ModularElimination::factorise(std::vector<SparseRow> rows, const Budget& budget) {
  std::vector<std::uint32_t> column_of(rows.size());
  ActiveMatrix matrix(std::move(rows));
  while (!matrix.empty()) {
    if ((steps_.size() & 0x3f) == 0) budget.check("the verification");
    if (matrix.singular()) {
      determinant_ = 0;
      return;
    }
    const auto [r, c] = matrix.pivot();
    const std::uint64_t pivot = matrix.value(r, c);
    Step step{r, c, inverse(pivot, prime_), {}, {}};
    std::vector<std::uint32_t> others = matrix.column(c);
    std::erase(others, r);
    step.rest = matrix.take(r, c);
    for (const std::uint32_t other : others) {
      const std::uint64_t factor = times(matrix.value(other, c), step.inverse, prime_);
      matrix.subtract(other, c, factor, step.rest, prime_);
      step.factors.emplace_back(other, factor);
    }
    determinant_ = times(determinant_, pivot, prime_);
    column_of[r] = c;
    steps_.push_back(std::move(step));
  }
  if (odd_permutation(column_of)) determinant_ = minus(0, determinant_, prime_);
}

const std::vector<std::uint64_t>& ModularElimination::solution(NodeId driver) {
  if (const auto known = solutions_.find(driver); known != solutions_.end()) return known->second;
  std::vector<std::uint64_t> b(nodes_.size(), 0), x(nodes_.size(), 0);
  b[driver.index] = 1;
  for (const Step& step : steps_)
    if (b[step.row] != 0)
      for (const auto& [row, factor] : step.factors) b[row] = minus(b[row], times(factor, b[step.row], prime_), prime_);
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    std::uint64_t sum = b[step->row];
    for (const auto& [column, value] : step->rest) sum = minus(sum, times(value, x[column], prime_), prime_);
    x[step->column] = times(sum, step->inverse, prime_);
  }
  return solutions_.emplace(driver, std::move(x)).first->second;
}

std::optional<std::uint64_t> ModularElimination::response(const Question& question) {
  if (determinant_ == 0) return std::nullopt;
  const std::vector<std::uint64_t>& x = solution(driver(question));
  const auto at = [&](NodeId id) { return nodes_.at(id.index) ? x[id.index] : 0; };
  if (question.mode != Question::Mode::ratio) return at(question.output);
  if (at(question.input) == 0) return std::nullopt;
  return times(at(question.output), inverse(at(question.input), prime_), prime_);
}

RandomPoints random_points(const SignalFlowGraph& graph, const std::vector<bool>& nodes) {
  std::vector<GiNaC::ex> gains;
  for (const Branch& branch : graph.branches())
    if (branch.linear() && (nodes.empty() || (nodes[branch.from.index] && nodes[branch.to.index])))
      gains.push_back(branch.gain());
  return RandomPoints(gains);
}

Verification verified(const SignalFlowGraph& graph, const Question& question,
                      const std::function<std::optional<std::uint64_t>(const ModularPoint&)>& answer, double degree_bound,
                      std::uint64_t seed, std::size_t points) {
  return verified(
             graph, std::span(&question, 1), [&](std::size_t, const ModularPoint& point) { return answer(point); },
             std::span(&degree_bound, 1), seed, points)
      .front();
}

std::vector<Verification> verified(const SignalFlowGraph& graph, std::span<const Question> questions,
                                   const std::function<std::optional<std::uint64_t>(std::size_t, const ModularPoint&)>& answer,
                                   std::span<const double> degree_bounds, std::uint64_t seed, std::size_t points,
                                   const Budget& budget) {
  const std::vector<bool> nodes = relevant_nodes(graph, questions);
  const RandomPoints random = random_points(graph, nodes);
  std::vector<std::size_t> checked(questions.size(), 0);
  const auto missing = [&](std::size_t i) { return checked[i] < points; };
  constexpr std::size_t attempts = 20;  // an unlucky point has a chance below 1e-15; more of them mean a wrong answer
  for (std::size_t attempt = 0; attempt < points + attempts; ++attempt) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < questions.size(); ++i)
      if (missing(i)) open.push_back(i);
    if (open.empty()) break;
    const ModularPoint point = random(seed * 1009 + attempt, budget);
    std::optional<ModularElimination> elimination;
    try {
      elimination.emplace(graph, point, nodes, budget);
    } catch (const std::domain_error&) {
      continue;
    }
    std::vector<std::optional<std::uint64_t>> found;
    for (const std::size_t i : open) found.push_back(elimination->response(questions[i]));
    elimination.reset();  // of a large graph it is large
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::size_t i = open[k];
      const std::optional<std::uint64_t>& expected = found[k];
      const auto given = expected ? answer(i, point) : std::nullopt;
      if (!given) continue;
      if (*given != *expected)
        throw std::logic_error("the answer for '" + graph[questions[i].output].name + "' from '" +
                               graph[questions[i].input].name + "' differs from an elimination modulo " +
                               std::to_string(point.prime()));
      ++checked[i];
    }
  }
  std::vector<Verification> results;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (missing(i)) throw std::logic_error("no point was found at which the answer could be checked");
    const double degree = std::max(1.0, degree_bounds[i]) * random.chance_factor();
    const double chance = std::min(1.0, degree / static_cast<double>(smallest_prime));
    results.push_back({"sparse LU modulo " + std::to_string(points) + (points == 1 ? " prime" : " primes") + " of 61 bits",
                       points, std::pow(chance, static_cast<double>(points))});
  }
  return results;
}

}  // namespace sfg
