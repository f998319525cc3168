#include "sfg/export/sampled_states.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"

namespace sfg {

namespace {

using Matrix = SampledStates::Matrix;

Matrix product(const Matrix& a, const Matrix& b, std::size_t columns) {
  Matrix c(a.size(), std::vector<double>(columns, 0.0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < columns; ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

/// A ← exp(A h), B ← ∫ exp(A t) dt B over 0 … h: the Taylor series for h/2^k, doubled k times (see the C of c_states.cpp).
void hold(SampledStates& s, double h) {
  const std::size_t n = s.A.size(), m = s.D.empty() ? 0 : s.D.front().size();
  double size = 0;
  for (const std::vector<double>& row : s.A) {
    double sum = 0;
    for (const double entry : row) sum += std::abs(entry);
    size = std::max(size, sum * h);
  }
  int doublings = 0;
  if (size > 1) (void)std::frexp(size, &doublings);
  const double dt = std::ldexp(h, -doublings);
  for (std::vector<double>& row : s.A)
    for (double& entry : row) entry *= dt;
  Matrix G(n, std::vector<double>(n, 0.0));
  constexpr int terms = 19;
  for (std::size_t i = 0; i < n; ++i) G[i][i] = 1;
  for (int l = terms; l > 1; --l) {
    G = product(s.A, G, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) G[i][j] = G[i][j] / l + (i == j ? 1.0 : 0.0);
  }
  Matrix E = product(s.A, G, n), F = product(G, s.B, m);
  for (std::vector<double>& row : F)
    for (double& entry : row) entry *= dt;
  for (int k = 0; k < doublings; ++k) {
    const Matrix more = product(E, F, m), squared = product(E, E, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) F[i][j] = 2 * F[i][j] + more[i][j];
      for (std::size_t j = 0; j < n; ++j) E[i][j] = 2 * E[i][j] + squared[i][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) E[i][i] += 1;
  s.A = E;
  s.B = F;
}

/// Σ |impulse response| of every state; infinite where it does not die out.
std::vector<double> gains(const SampledStates& s) {
  const std::size_t n = s.A.size(), m = s.D.empty() ? 0 : s.D.front().size();
  constexpr int longest = 100'000;
  std::vector<double> sum(n, 0.0);
  Matrix x = s.B;
  for (int k = 0; k < longest; ++k) {
    bool still = true;
    for (std::size_t i = 0; i < n; ++i) {
      double now = 0;
      for (const double entry : x[i]) now += std::abs(entry);
      sum[i] += now;
      still = still && now <= 1e-12 * sum[i];
    }
    if (still) return sum;
    x = product(s.A, x, m);
  }
  return std::vector<double>(n, INFINITY);
}

}  // namespace

SampledStates SampledStates::scaled() const {
  SampledStates s = *this;
  const std::vector<double> greatest = gains(s);
  s.scales.assign(A.size(), 0);
  for (std::size_t i = 0; i < A.size(); ++i)
    if (std::isfinite(greatest[i]) && greatest[i] > 0) s.scales[i] = std::ilogb(greatest[i]) + 1;
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < A.size(); ++j) s.A[i][j] = std::ldexp(s.A[i][j], s.scales[j] - s.scales[i]);
    for (double& entry : s.B[i]) entry = std::ldexp(entry, -s.scales[i]);
    for (std::vector<double>& row : s.C) row[i] = std::ldexp(row[i], s.scales[i]);
  }
  return s;
}

SampledStates sampled_states(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                             const ExportedStates& states) {
  const bool discrete = subject.graph.op.discrete();
  if (!discrete && !subject.sample_time)
    throw NoAnswer("a step in whole numbers is of a sampled system, and the graph is not in z", "state a sample time");
  const std::size_t n = states.states.size(), m = states.inputs.size(), o = states.outputs.size();
  const std::vector<double> values = values_of(parameters), entries = states.entries.values(std::span<const double>(values));
  std::size_t at = 0;
  const auto matrix = [&](std::size_t rows, std::size_t columns) {
    Matrix result(rows, std::vector<double>(columns));
    for (std::vector<double>& row : result)
      for (double& entry : row) entry = entries[at++];
    return result;
  };
  SampledStates result;
  result.A = matrix(n, n);
  result.B = matrix(n, m);
  result.C = matrix(o, n);
  result.D = matrix(o, m);
  result.scales.assign(n, 0);
  if (!discrete && n > 0) hold(result, subject.sample_time->to_double());
  return result;
}

}  // namespace sfg
