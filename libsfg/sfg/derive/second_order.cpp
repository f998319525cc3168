#include "sfg/derive/second_order.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/rational.hpp"
#include "sfg/model/laws.hpp"

namespace sfg {

namespace {

using Matrix = SecondOrderSystem::Matrix;

Matrix zeros(std::size_t rows, std::size_t columns) { return Matrix(rows, std::vector<GiNaC::ex>(columns, 0)); }

/// The entry's coefficients put into the matrices by power.
void spread(const GiNaC::ex& value, const GiNaC::ex& p, const EquationSystem::Equation& row, const std::string& column,
            std::array<GiNaC::ex*, 3> places) {
  const auto coefficients = polynomial_coefficients(normal_form(value, p), p);
  if (!coefficients || coefficients->size() > 3)
    throw Error(row.where, "the entry of '" + column + "' in the equation '" + row.name + "' is no polynomial of degree 2",
                "a system of second order has entries a*p^2 + b*p + c");
  for (std::size_t i = 0; i < coefficients->size(); ++i) *places[coefficients->size() - 1 - i] = (*coefficients)[i];
}

}  // namespace

SecondOrderSystem second_order(const EquationSystem& system) {
  refuse_laws(system, ", and the equations are no M x'' + C x' + K x");
  SecondOrderSystem result;
  for (const auto& unknown : system.unknowns) result.unknowns.push_back(unknown.name);
  for (const auto& source : system.sources) result.sources.push_back(source.name);
  const std::size_t n = system.equations.size();
  result.M = result.C = result.K = zeros(n, result.unknowns.size());
  result.B.fill(zeros(n, result.sources.size()));
  const GiNaC::ex p = system.op.in(system.symbols);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& row = system.equations[i];
    for (const auto& [j, value] : row.left)
      spread(value, p, row, result.unknowns[j], {&result.K[i][j], &result.C[i][j], &result.M[i][j]});
    for (const auto& [j, value] : row.right)
      spread(value, p, row, result.sources[j], {&result.B[0][i][j], &result.B[1][i][j], &result.B[2][i][j]});
  }
  return result;
}

}  // namespace sfg
