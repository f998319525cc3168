// The second opinion: (I − Aᵀ) x = b modulo a random prime at a random point, by sparse elimination. The pivot is the
// better of two candidates by Markowitz's count (r − 1)(c − 1): the cheapest entry of a shortest row and of a shortest
// column. Chains and ladders are eliminated without fill, triangular parts without a single subtraction.
#include "sfg/transfer/verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
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

/// The part of the matrix that is not yet eliminated.
class ActiveMatrix {
 public:
  explicit ActiveMatrix(std::vector<SparseRow> rows) : rows_(std::move(rows)), columns_(rows_.size()) {
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      by_row_.emplace(rows_[r].size(), r);
      for (const auto& [c, value] : rows_[r]) columns_[c].insert(r);
    }
    for (std::uint32_t c = 0; c < columns_.size(); ++c) by_column_.emplace(columns_[c].size(), c);
  }

  bool empty() const { return by_row_.empty(); }
  /// A row or a column without entries is left: no pivot will ever be found there.
  bool singular() const { return by_row_.begin()->first == 0 || by_column_.begin()->first == 0; }
  const SparseRow& row(std::uint32_t r) const { return rows_[r]; }
  const std::set<std::uint32_t>& column(std::uint32_t c) const { return columns_[c]; }

  std::pair<std::uint32_t, std::uint32_t> pivot() const {
    const std::uint32_t short_row = by_row_.begin()->second, short_column = by_column_.begin()->second;
    std::size_t best = std::numeric_limits<std::size_t>::max();
    std::pair<std::uint32_t, std::uint32_t> place;
    const auto consider = [&](std::uint32_t r, std::uint32_t c) {
      const std::size_t cost = (rows_[r].size() - 1) * (columns_[c].size() - 1);
      if (cost < best) {
        best = cost;
        place = {r, c};
      }
    };
    for (const auto& [c, value] : rows_[short_row]) consider(short_row, c);
    for (const std::uint32_t r : columns_[short_column]) consider(r, short_column);
    return place;
  }

  /// Takes the row and the column out; the row without the pivot is returned.
  SparseRow take(std::uint32_t r, std::uint32_t c) {
    by_row_.erase({rows_[r].size(), r});
    for (const auto& [column, value] : rows_[r]) forget(r, column);
    by_column_.erase({columns_[c].size(), c});
    SparseRow rest = std::move(rows_[r]);
    rows_[r].clear();
    std::erase_if(rest, [&](const auto& entry) { return entry.first == c; });
    return rest;
  }

  /// Row r without its entry in column c, less `factor` times `other`.
  void subtract(std::uint32_t r, std::uint32_t c, std::uint64_t factor, const SparseRow& other, std::uint64_t p) {
    by_row_.erase({rows_[r].size(), r});
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
        remember(r, b->first);
        ++b;
      } else {
        const std::uint64_t value = minus(a->second, times(factor, b->second, p), p);
        if (value != 0)
          result.emplace_back(a->first, value);
        else
          forget(r, a->first);
        ++a;
        ++b;
      }
    }
    rows_[r] = std::move(result);
    by_row_.emplace(rows_[r].size(), r);
  }

 private:
  void remember(std::uint32_t r, std::uint32_t c) {
    by_column_.erase({columns_[c].size(), c});
    columns_[c].insert(r);
    by_column_.emplace(columns_[c].size(), c);
  }
  void forget(std::uint32_t r, std::uint32_t c) {
    by_column_.erase({columns_[c].size(), c});
    columns_[c].erase(r);
    by_column_.emplace(columns_[c].size(), c);
  }

  std::vector<SparseRow> rows_;
  std::vector<std::set<std::uint32_t>> columns_;
  std::set<std::pair<std::size_t, std::uint32_t>> by_row_, by_column_;
};

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
  std::vector<std::map<std::uint32_t, std::uint64_t>> entries(n);
  for (std::uint32_t i = 0; i < n; ++i) entries[i][i] = 1;
  for (const Branch& branch : graph.branches()) {
    if (!nodes_[branch.from.index] || !nodes_[branch.to.index]) continue;
    const auto value = point(branch.gain());
    if (!value) throw std::domain_error("ModularElimination: a gain has no value at this point");
    std::uint64_t& entry = entries[branch.to.index][branch.from.index];
    entry = minus(entry, *value, prime_);
  }
  std::vector<SparseRow> rows(n);
  for (std::uint32_t i = 0; i < n; ++i)
    for (const auto& [column, value] : entries[i])
      if (value != 0) rows[i].emplace_back(column, value);
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
    const auto& pivot_row = matrix.row(r);
    const std::uint64_t pivot =
        std::find_if(pivot_row.begin(), pivot_row.end(), [c = c](const auto& e) { return e.first == c; })->second;
    Step step{r, c, inverse(pivot, prime_), {}, {}};
    std::vector<std::uint32_t> others(matrix.column(c).begin(), matrix.column(c).end());
    std::erase(others, r);
    step.rest = matrix.take(r, c);
    for (const std::uint32_t other : others) {
      const auto& row = matrix.row(other);
      const std::uint64_t value = std::lower_bound(row.begin(), row.end(), std::pair(c, std::uint64_t{0}))->second;
      const std::uint64_t factor = times(value, step.inverse, prime_);
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

std::optional<std::uint64_t> response_modulo(const SignalFlowGraph& graph, const Question& question, const ModularPoint& point) {
  try {
    return ModularElimination(graph, point, relevant_nodes(graph, question)).response(question);
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
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
    for (const std::size_t i : open) {
      const auto expected = elimination->response(questions[i]);
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
