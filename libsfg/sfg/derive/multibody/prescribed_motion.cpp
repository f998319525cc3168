#include "sfg/derive/multibody/prescribed_motion.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {

using GiNaC::ex;

PrescribedMotion::PrescribedMotion(const ConstraintElimination& loops, const Matrix& moved, std::size_t displacements,
                                   std::size_t inputs, const std::function<ex(const ex&)>& settled)
    : S(zeros(displacements, inputs)) {
  for (std::size_t i = 0; i < loops.rows.size(); ++i)
    for (std::size_t u = 0; u < inputs; ++u) {
      ex entry = 0;
      for (std::size_t k = 0; k < loops.rows.size(); ++k) entry -= loops.inverse[i][k] * moved[loops.rows[k]][u];
      S[loops.dependent[i]][u] = settled(entry);
    }
}

std::optional<std::pair<std::size_t, std::size_t>> PrescribedMotion::contradiction(
    const ConstraintElimination& loops, const Matrix& moved, const Matrix& J,
    const std::function<std::optional<double>(const ex&)>& number) const {
  constexpr double rounding = 1e-9;
  for (std::size_t c = 0; c < J.size(); ++c) {
    if (std::ranges::find(loops.rows, c) != loops.rows.end()) continue;
    for (std::size_t u = 0; u < moved[c].size(); ++u) {
      ex left = moved[c][u];
      for (std::size_t k = 0; k < S.size(); ++k) left += J[c][k] * S[k][u];
      if (const auto size = number(left); size && std::abs(*size) > rounding) return std::pair(c, u);
    }
  }
  return {};
}

void PrescribedMotion::drive(Matrix& B, const Matrix& Rt, const std::array<const Matrix*, 3>& K_C_M, const ex& p,
                             const PointArithmetic& simplified) const {
  for (std::size_t order = 0; order < K_C_M.size(); ++order) {
    const Matrix along = simplified.product(simplified.product(Rt, *K_C_M[order]), S);
    for (std::size_t i = 0; i < along.size(); ++i)
      for (std::size_t u = 0; u < along[i].size(); ++u)
        if (!along[i][u].is_zero()) B[i][u] -= along[i][u] * GiNaC::power(p, order);
  }
}

}  // namespace sfg
