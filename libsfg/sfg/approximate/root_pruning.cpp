#include "sfg/approximate/root_pruning.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;
using Vector = Eigen::VectorXcd;
using Index = Eigen::Index;

/// value · (s/root)^power in the scale of its row and column.
struct Weight {
  Index row, column;
  Complex value;
  int power;
};

/// Whether det D has a product at all, while entries go: of every row one entry, each in a column of its own. Numbers alone do
/// not tell a determinant that vanishes everywhere from one that is small.
class Matching {
 public:
  Matching(const std::vector<Weight>& weights, Index n) : columns_(static_cast<std::size_t>(n)), row_of_(columns_.size(), none) {
    for (const Weight& w : weights) ++columns_[static_cast<std::size_t>(w.row)][static_cast<std::size_t>(w.column)];
    for (std::size_t row = 0; row < columns_.size(); ++row) extend(row);
  }
  /// Nothing changes where none would be left.
  bool remove(const Weight& w) {
    const auto row = static_cast<std::size_t>(w.row), column = static_cast<std::size_t>(w.column);
    const auto entry = columns_[row].find(column);
    if (--entry->second > 0) return true;
    columns_[row].erase(entry);
    if (row_of_[column] != row) return true;
    row_of_[column] = none;
    if (extend(row)) return true;
    row_of_[column] = row;
    columns_[row][column] = 1;
    return false;
  }
  void restore(const Weight& w) { ++columns_[static_cast<std::size_t>(w.row)][static_cast<std::size_t>(w.column)]; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool extend(std::size_t row) {
    std::vector<bool> visited(columns_.size());
    return extend(row, visited);
  }
  bool extend(std::size_t row, std::vector<bool>& visited) {
    for (const auto& [column, products] : columns_[row]) {
      if (visited[column]) continue;
      visited[column] = true;
      if (row_of_[column] != none && !extend(row_of_[column], visited)) continue;
      row_of_[column] = row;
      return true;
    }
    return false;
  }

  std::vector<std::map<std::size_t, std::size_t>> columns_;  ///< by row: how many products an entry has
  std::vector<std::size_t> row_of_;                          ///< by column
};

/// Where det D vanishes near a point: D bordered by vectors that are not orthogonal to its null vectors, [D b; cᵀ 0] [x; g] = [0;
/// 1], has g = 0 there and dg/ds = −yᵀ D′ x (Griewank and Reddien 1984).
class RootFollower {
 public:
  RootFollower(std::vector<Weight> weights, Index n)
      : weights_(std::move(weights)), matching_(weights_, n), kept_(weights_.size(), true), n_(n) {
    scale();
    left_ = right_ = Vector::Ones(n_);
    for (int round = 0; round < 4; ++round) {  // inverse iteration towards the null vectors
      if (!solve(at_)) break;
      right_ = x_.conjugate().normalized();
      left_ = y_.conjugate().normalized();
    }
    usable_ = solve(at_);
    first_slope_ = derivative();
    slope_ = std::abs(first_slope_);
  }

  bool usable() const { return usable_ && std::isfinite(slope_) && slope_ > 0; }
  std::size_t size() const { return weights_.size(); }
  /// How far the root moves without a product, by first order, relatively.
  double influence(std::size_t i) const { return std::abs(sensitivity(i)); }
  /// d ln root/d ln product
  Complex sensitivity(std::size_t i) const {
    const Weight& w = weights_[i];
    return w.value * y_(w.row) * x_(w.column) / first_slope_;
  }
  /// Leaves a product out if the root stays within the limit.
  bool drop(std::size_t i, double limit) {
    if (!matching_.remove(weights_[i])) return false;
    kept_[i] = false;
    if (const auto moved = followed(limit)) {
      at_ = *moved;
      return true;
    }
    kept_[i] = true;
    matching_.restore(weights_[i]);
    return false;
  }
  const std::vector<bool>& kept() const { return kept_; }

 private:
  /// Rows, then columns, by their greatest value, twice.
  void scale() {
    for (int round = 0; round < 2; ++round)
      for (const auto line : {&Weight::row, &Weight::column}) {
        std::vector<double> greatest(static_cast<std::size_t>(n_));
        for (const Weight& w : weights_) {
          double& g = greatest[static_cast<std::size_t>(w.*line)];
          g = std::max(g, std::abs(w.value));
        }
        for (Weight& w : weights_) w.value /= greatest[static_cast<std::size_t>(w.*line)];
      }
  }

  bool solve(Complex at) {
    Matrix M = Matrix::Zero(n_ + 1, n_ + 1);
    for (std::size_t i = 0; i < weights_.size(); ++i)
      if (const Weight& w = weights_[i]; kept_[i]) M(w.row, w.column) += w.value * std::pow(at, w.power);
    M.topRightCorner(n_, 1) = left_;
    M.bottomLeftCorner(1, n_) = right_.transpose();
    const Eigen::PartialPivLU<Matrix> lu = M.partialPivLu();
    const Vector forward = lu.solve(Vector::Unit(n_ + 1, n_)), backward = lu.transpose().solve(Vector::Unit(n_ + 1, n_));
    x_ = forward.head(n_);
    y_ = backward.head(n_);
    g_ = forward(n_);
    solved_at_ = at;
    return forward.allFinite() && backward.allFinite();
  }

  Complex derivative() const {
    Complex sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      if (const Weight& w = weights_[i]; kept_[i] && w.power > 0)
        sum += y_(w.row) * w.value * static_cast<double>(w.power) * std::pow(solved_at_, w.power - 1) * x_(w.column);
    return -sum;
  }

  std::optional<Complex> followed(double limit) {
    constexpr double flat = 1e-3;  // beside this det D vanishes everywhere
    Complex s = at_;
    for (int step = 0; step < 8; ++step) {
      if (!solve(s)) return std::nullopt;
      const Complex slope = derivative();
      if (!(std::abs(slope) > flat * slope_)) return std::nullopt;
      const Complex by = g_ / slope;
      s -= by;
      if (!(std::abs(s - 1.0) <= 4 * limit)) return std::nullopt;
      if (std::abs(by) < 1e-10) return std::abs(s - 1.0) <= limit ? std::optional(s) : std::nullopt;
    }
    return std::nullopt;
  }

  std::vector<Weight> weights_;
  Matching matching_;
  std::vector<bool> kept_;
  Index n_;
  Vector left_, right_, x_, y_;
  Complex g_, at_ = 1, solved_at_ = 1, first_slope_ = 0;
  double slope_ = 0;
  bool usable_ = false;
};

/// The letters of a space at the stated values; the operator is 1.
std::vector<double> letter_values(const PolynomialSpace& space, const GiNaC::exmap& values) {
  std::vector<double> result{1};
  for (std::size_t i = 1; i < space.size(); ++i) {
    const GiNaC::ex letter = space.generator(i).subs(values, GiNaC::subs_options::no_pattern);
    const auto value = double_value(letter);
    if (!value) throw NoAnswer("expression '" + print(letter) + "' has no value that poles could be followed with");
    result.push_back(*value);
  }
  return result;
}

EquationProducts products_of(const EquationSystem& system) {
  constexpr std::size_t most_unknowns = 400;
  refuse_laws(system, ", and terms are left out of linear equations");
  if (system.unknowns.size() > most_unknowns)
    throw LimitReached("the approximation of " + std::to_string(system.unknowns.size()) + " equations is too large",
                       Advice::reduce_graph | Advice::ask_sequence);
  return EquationProducts(system);
}

std::vector<Weight> weights(const EquationProducts& entries, const GiNaC::exmap& values, Complex root) {
  const std::vector<double> letters = letter_values(entries.space(), values);
  std::vector<Weight> result;
  for (const EquationProducts::Product& product : entries.all()) {
    Weight w{static_cast<Index>(product.row), static_cast<Index>(product.column), product.term.coefficient.to_double(), 0};
    for (const auto& [index, exponent] : product.term.powers) {
      w.value *= std::pow(index == 0 ? root : Complex(letters[index]), static_cast<int>(exponent));
      if (index == 0) w.power = static_cast<int>(exponent);
    }
    result.push_back(w);
  }
  return result;
}

}  // namespace

EquationSystem with_zeros_of(const EquationSystem& system, std::size_t source, std::size_t unknown) {
  EquationSystem result = system;
  const std::size_t driven = result.unknowns.size();
  result.unknowns.push_back({system.sources[source].name, {}});
  for (EquationSystem::Equation& equation : result.equations) {
    if (const auto entry = equation.right.find(source); entry != equation.right.end()) equation.left[driven] = -entry->second;
    equation.right.clear();
  }
  result.equations.push_back({"zeros of " + system.unknowns[unknown].name, {{unknown, 1}}, {}, {}, false});
  result.sources.clear();
  result.inputs.clear();
  result.outputs.clear();
  result.definitions.clear();
  return result;
}

PrunedEquations pruned_for_root(const EquationSystem& system, const GiNaC::exmap& values, Complex root, double limit,
                                const Budget& budget) {
  const EquationProducts entries = products_of(system);
  RootFollower follower(weights(entries, values, root), static_cast<Index>(system.unknowns.size()));
  if (!follower.usable()) return {system, follower.size(), follower.size()};
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < follower.size(); ++i) order.emplace_back(follower.influence(i), i);
  std::ranges::stable_sort(order, {}, &std::pair<double, std::size_t>::first);
  std::size_t kept = follower.size();
  for (const auto& [influence, i] : order) {
    budget.check("leaving out what hardly moves a root");
    if (influence < 10 * limit && follower.drop(i, limit)) --kept;
  }
  return {entries.of(follower.kept()), kept, follower.size()};
}

std::map<LetterKind, double> root_sensitivities(const EquationSystem& system, const GiNaC::exmap& values, Complex root) {
  const EquationProducts entries = products_of(system);
  const RootFollower follower(weights(entries, values, root), static_cast<Index>(system.unknowns.size()));
  std::map<LetterKind, double> result;
  if (!follower.usable()) return result;
  for (std::size_t i = 0; i < follower.size(); ++i)
    for (const auto& [index, exponent] : entries.all()[i].term.powers)
      if (index != 0)
        result[kind_of(entries.space().generator(index), values)] +=
            static_cast<double>(exponent) * follower.sensitivity(i).real();
  return result;
}

}  // namespace sfg
