#include "sfg/response/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sfg/numeric/dense.hpp"
#include "sfg/transfer/transfer_table.hpp"

namespace sfg {

namespace {

using ResponseMatrix = Eigen::MatrixXcd;
using PreciseMatrix = Eigen::Matrix<std::complex<long double>, Eigen::Dynamic, Eigen::Dynamic>;
using Eigen::Index;

/// How far from orthonormal the columns are.
long double defect(const PreciseMatrix& columns) {
  return (columns.adjoint() * columns - PreciseMatrix::Identity(columns.cols(), columns.cols())).norm();
}

/// |σ − s| ≤ ‖G − U S V*‖ + 2 s (√((1 + α)(1 + β)) − 1) with the defects α of U, β of V
double residual_bound(const ResponseMatrix& G, const Eigen::JacobiSVD<ResponseMatrix>& svd) {
  const PreciseMatrix U = svd.matrixU().cast<std::complex<long double>>(), V = svd.matrixV().cast<std::complex<long double>>();
  const PreciseMatrix S = svd.singularValues().cast<std::complex<long double>>().asDiagonal();
  const long double left = (G.cast<std::complex<long double>>() - U * S * V.adjoint()).norm();
  const long double stretched = 2 * (std::sqrt((1 + defect(U)) * (1 + defect(V))) - 1);
  return static_cast<double>(left + svd.singularValues()(0) * stretched);
}

/// Largest relative error of an entry of double precision, both parts correctly rounded at worst to one unit.
constexpr double of_an_entry = 2 * std::numeric_limits<double>::epsilon();

}  // namespace

SingularValues singular_values(std::span<const FrequencyResponse> responses) {
  const auto grid = grid_of(responses);
  if (!grid) throw std::invalid_argument("singular_values: not every input with every output");
  SingularValues result{grid->inputs, grid->outputs, responses.front().frequency};
  const auto rows = static_cast<Index>(grid->outputs.size()), columns = static_cast<Index>(grid->inputs.size());
  double relative = of_an_entry;
  for (const FrequencyResponse& r : responses) relative = std::max(relative, r.error_bound + of_an_entry);
  for (std::size_t k = 0; k < result.frequency.size(); ++k) {
    ResponseMatrix G(rows, columns);
    for (std::size_t i = 0; i < responses.size(); ++i)
      G(static_cast<Index>(grid->places[i].first), static_cast<Index>(grid->places[i].second)) = responses[i].value.at(k);
    const double size = G.norm();
    if (!std::isfinite(size)) {
      const double unknown = std::numeric_limits<double>::quiet_NaN();
      result.values.emplace_back(static_cast<std::size_t>(std::min(rows, columns)), unknown);
      result.error.push_back(unknown);
      continue;
    }
    const Eigen::JacobiSVD<ResponseMatrix> svd(G, Eigen::ComputeThinU | Eigen::ComputeThinV);
    result.values.emplace_back(svd.singularValues().begin(), svd.singularValues().end());
    result.error.push_back(residual_bound(G, svd) + relative * size);
  }
  return result;
}

}  // namespace sfg
