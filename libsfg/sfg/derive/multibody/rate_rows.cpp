#include "sfg/derive/multibody/rate_rows.hpp"

#include "sfg/derive/multibody/constraint_elimination.hpp"

namespace sfg {

using GiNaC::ex;

std::optional<RateRows> RateElimination::operator()(const RateRows::Matrix& A, const RateRows::Matrix& turned,
                                                    const RateRows::Matrix& R, const Budget& budget) const {
  const std::size_t size = R.empty() ? 0 : R.front().size();
  RateRows::Matrix rows = simplified.product(A, R);
  std::vector<std::vector<double>> numbers;
  for (auto& row : rows) {
    numbers.emplace_back();
    for (ex& entry : row) numbers.back().push_back(number(entry = settled(entry)));
  }
  const ConstraintElimination found = eliminated(rows, size, numbers, {}, settled, budget);
  if (found.rows.size() < A.size()) return std::nullopt;
  RateRows result{found.independent, found.dependent, {}, zeros(A.size(), size), zeros(A.size(), size)};
  RateRows::Matrix rates = found.R;
  for (auto& row : rates)
    for (ex& entry : row) entry = rounded(entry);
  result.allowed = simplified.product(R, rates);
  const RateRows::Matrix drift = simplified.product(turned, R);
  for (std::size_t i = 0; i < A.size(); ++i) {
    result.C[i][found.dependent[i]] = 1;
    for (std::size_t k = 0; k < found.independent.size(); ++k) result.C[i][found.independent[k]] = -rates[found.dependent[i]][k];
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t other = 0; other < A.size(); ++other)
        result.K[i][j] += rounded(found.inverse[i][other]) * drift[found.rows[other]][j];
      result.K[i][j] = simplified(result.K[i][j]);
    }
  }
  return result;
}

RateRows::Matrix RateRows::in_order(Matrix of_forces, const Matrix& of_constraints) const {
  if (dependent.empty()) return of_forces;
  Matrix rows(free.size() + dependent.size());
  for (std::size_t k = 0; k < free.size(); ++k) rows[free[k]] = std::move(of_forces[k]);
  for (std::size_t i = 0; i < dependent.size(); ++i) rows[dependent[i]] = of_constraints[i];
  return rows;
}

}  // namespace sfg
