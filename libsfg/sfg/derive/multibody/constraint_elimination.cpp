#include "sfg/derive/multibody/constraint_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sfg/derive/multibody/first_order.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

class Elimination {
 public:
  Elimination(const EquationsOfMotion::Matrix& J, std::size_t columns, const std::vector<std::vector<double>>& numbers,
              std::span<const std::size_t> wanted, const std::function<ex(const ex&)>& simplified)
      : exact_(J),
        numbers_(numbers),
        columns_(columns),
        left_(J.size(), true),
        free_(columns, true),
        wanted_(wanted),
        simplified_(simplified) {
    for (std::size_t i = 0; i < exact_.size(); ++i) {  // [J | E] becomes [J_d⁻¹ J | J_d⁻¹]
      double largest = 0;
      for (const double entry : numbers_[i]) largest = std::max(largest, std::abs(entry));
      for (double& entry : numbers_[i]) entry /= largest > 0 ? largest : 1;
      for (std::size_t k = 0; k < exact_.size(); ++k) exact_[i].push_back(i == k ? 1 : 0);
    }
    for (const std::size_t column : wanted_) free_[column] = false;
  }

  ConstraintElimination operator()(const Budget& budget) {
    double greatest = 0;
    while (const auto pivot = next_pivot(greatest)) {
      budget.check("the elimination of constraints");
      const auto [row, column] = *pivot;
      greatest = std::max(greatest, std::abs(numbers_[row][column]));
      eliminate(row, column);
      left_[row] = free_[column] = false;
      result_.rows.push_back(row);
      result_.dependent.push_back(column);
    }
    check_rest(greatest);
    read_off();
    return std::move(result_);
  }

 private:
  static constexpr double negligible = 1e-9;

  std::optional<std::pair<std::size_t, std::size_t>> next_pivot(double greatest) const {
    std::vector<double> largest(columns_);
    double most = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      for (std::size_t j = 0; j < columns_; ++j)
        if (left_[i] && free_[j]) most = std::max(most, largest[j] = std::max(largest[j], std::abs(numbers_[i][j])));
    if (!(most > negligible * greatest)) return std::nullopt;
    std::size_t column = columns_ - 1;
    while (largest[column] < most / 10) --column;
    std::size_t row = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (left_[i] && (!left_[row] || std::abs(numbers_[i][column]) > std::abs(numbers_[row][column]))) row = i;
    return std::pair(row, column);
  }

  void eliminate(std::size_t row, std::size_t column) {
    const ex pivot = exact_[row][column];
    const double number = numbers_[row][column];
    for (ex& entry : exact_[row])
      if (!entry.is_zero()) entry = simplified_(entry / pivot);
    for (double& entry : numbers_[row]) entry /= number;
    for (std::size_t i = 0; i < exact_.size(); ++i) {
      if (i == row) continue;
      const double factor = numbers_[i][column];
      for (std::size_t j = 0; j < columns_; ++j) numbers_[i][j] -= factor * numbers_[row][j];
      const ex exact_factor = exact_[i][column];
      if (exact_factor.is_zero()) continue;
      for (std::size_t j = 0; j < exact_[i].size(); ++j)
        if (!exact_[row][j].is_zero()) exact_[i][j] = simplified_(exact_[i][j] - exact_factor * exact_[row][j]);
    }
  }

  /// A row that only the wanted columns are left in ties them to each other.
  void check_rest(double greatest) const {
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      for (const std::size_t j : wanted_)
        if (left_[i] && std::abs(numbers_[i][j]) > negligible * std::max(greatest, 1.0))
          throw NoAnswer("the coordinates stated as independent depend on each other at the point",
                         "state others, or none to have them chosen");
  }

  void read_off() {
    for (std::size_t j = 0; j < columns_; ++j)
      if (!std::ranges::count(result_.dependent, j)) result_.independent.push_back(j);
    result_.R.assign(columns_, std::vector<ex>(result_.independent.size()));
    for (std::size_t k = 0; k < result_.independent.size(); ++k) result_.R[result_.independent[k]][k] = 1;
    for (std::size_t i = 0; i < result_.rows.size(); ++i) {
      const std::vector<ex>& row = exact_[result_.rows[i]];
      for (std::size_t k = 0; k < result_.independent.size(); ++k)
        result_.R[result_.dependent[i]][k] = -row[result_.independent[k]];
      std::vector<ex>& inverse = result_.inverse.emplace_back();
      for (const std::size_t other : result_.rows) inverse.push_back(row[columns_ + other]);
    }
  }

  EquationsOfMotion::Matrix exact_;
  std::vector<std::vector<double>> numbers_;
  std::size_t columns_;
  std::vector<bool> left_, free_;
  std::span<const std::size_t> wanted_;
  const std::function<ex(const ex&)>& simplified_;
  ConstraintElimination result_;
};

}  // namespace

GiNaC::exmap pivot_numbers(const EquationsOfMotion::Matrix& J, GiNaC::exmap values) {
  long seed = 7919;
  for (const auto& row : J)
    for (const ex& entry : row)
      for (const ex& symbol : symbols_of(entry))
        if (!values.contains(symbol)) values[symbol] = GiNaC::numeric(1000 + (seed = seed * 31 % 1009), 1000);
  return values;
}

ConstraintElimination eliminated(const EquationsOfMotion::Matrix& J, std::size_t columns,
                                 const std::vector<std::vector<double>>& numbers, std::span<const std::size_t> wanted,
                                 const std::function<ex(const ex&)>& simplified, const Budget& budget) {
  return Elimination(J, columns, numbers, wanted, simplified)(budget);
}

std::optional<Diagnostic> lost_rank(const std::vector<EquationsOfMotion::Constraint>& constraints,
                                    std::span<const std::size_t> rows) {
  std::string names;
  SourceSpan first;
  std::size_t count = 0;
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    if (std::ranges::count(rows, c) > 0) continue;
    if (++count == 1) first = constraints[c].where;
    names += (names.empty() ? "'" : ", '") + constraints[c].name + "'";
  }
  if (count == 0) return {};
  return Diagnostic{first,
                    "at the point " + names + (count > 1 ? " follow" : " follows") + " from the other constraints and " +
                        (count > 1 ? "are" : "is") +
                        " left out: where that is so at this point alone, motions branch there "
                        "and have no linear model",
                    "linearise beside a singular position", Severity::warning};
}

}  // namespace sfg
