// The state space in C: its matrices from the parameters, and exact steps by the matrix exponential.
#include "sfg/export/c/c_parts.hpp"

#include <fmt/format.h>

namespace sfg {

namespace {

/// Scaling and squaring of E = exp(A dt) − 1, not of exp(A dt), so that slow motions keep their digits beside quick ones
/// (C. Moler and C. Van Loan, SIAM Review 45, 2003, method 3).
constexpr std::string_view hold_text = R"(
/* x a time dt later, with u held, is x + E x + F u: the Taylor series of E for dt/2^k, doubled k times. */
void $N_hold(const $R p[], $R dt, $R E[], $R F[]) {
  $R A[$nn], B[$nm], C[$on], D[$om], G[$nn];
  $R size = 0.0$l;
  int doublings = 0, i, j, k, l;
  $N_ABCD(p, A, B, C, D);
  for (i = 0; i < $n; ++i) {
    $R row = 0.0$l;
    for (j = 0; j < $n; ++j) row += fabs$f(A[i * $n + j]);
    if (row > size) size = row;
  }
  size *= fabs$f(dt);
  if (size > 1.0$l && size < $large) {
    (void)frexp$f(size, &doublings);
    dt = ldexp$f(dt, -doublings);
  }
  for (i = 0; i < $nn; ++i) {
    A[i] *= dt;
    G[i] = i % ($n + 1) == 0 ? 1.0$l : 0.0$l;
  }
  for (l = $terms; l > 1; --l) { /* G = 1 + A/2 (1 + A/3 (1 + ...)) */
    for (i = 0; i < $n; ++i)
      for (j = 0; j < $n; ++j) {
        $R sum = 0.0$l;
        for (k = 0; k < $n; ++k) sum += A[i * $n + k] * G[k * $n + j];
        E[i * $n + j] = sum / ($R)l + (i == j ? 1.0$l : 0.0$l);
      }
    for (i = 0; i < $nn; ++i) G[i] = E[i];
  }
  for (i = 0; i < $n; ++i) {
    for (j = 0; j < $n; ++j) {
      $R sum = 0.0$l;
      for (k = 0; k < $n; ++k) sum += A[i * $n + k] * G[k * $n + j];
      E[i * $n + j] = sum;
    }
    for (j = 0; j < $m; ++j) {
      $R sum = 0.0$l;
      for (k = 0; k < $n; ++k) sum += G[i * $n + k] * B[k * $m + j];
      F[i * $m + j] = sum * dt;
    }
  }
  for (l = 0; l < doublings; ++l) { /* 1 + E squared is 1 + 2 E + E E */
    for (i = 0; i < $nm; ++i) B[i] = 2.0$l * F[i];
    for (i = 0; i < $n; ++i) {
      for (k = 0; k < $n; ++k)
        for (j = 0; j < $m; ++j) B[i * $m + j] += E[i * $n + k] * F[k * $m + j];
      for (j = 0; j < $n; ++j) {
        $R sum = 2.0$l * E[i * $n + j];
        for (k = 0; k < $n; ++k) sum += E[i * $n + k] * E[k * $n + j];
        G[i * $n + j] = sum;
      }
    }
    for (i = 0; i < $nm; ++i) F[i] = B[i];
    for (i = 0; i < $nn; ++i) E[i] = G[i];
  }
}
)";

constexpr std::string_view continuous_step = R"(
void $N_step(const $R p[], $R dt, const $R u[], $R x[], $R y[]) {
  $R E[$nn], F[$nm], next[$n];
  int i, j;
  $N_hold(p, dt, E, F);
  for (i = 0; i < $n; ++i) {
    next[i] = x[i];
    for (j = 0; j < $n; ++j) next[i] += E[i * $n + j] * x[j];
    for (j = 0; j < $m; ++j) next[i] += F[i * $m + j] * u[j];
  }
  for (i = 0; i < $n; ++i) x[i] = next[i];
  $N_output(p, x, u, y);
}
)";

constexpr std::string_view discrete_step = R"(
void $N_step(const $R p[], $R dt, const $R u[], $R x[], $R y[]) {
  $R A[$nn], B[$nm], C[$on], D[$om], next[$n];
  int i, j;
  (void)dt;
  $N_ABCD(p, A, B, C, D);
  for (i = 0; i < $n; ++i) {
    next[i] = 0.0$l;
    for (j = 0; j < $n; ++j) next[i] += A[i * $n + j] * x[j];
    for (j = 0; j < $m; ++j) next[i] += B[i * $m + j] * u[j];
  }
  for (i = 0; i < $o; ++i) {
    y[i] = 0.0$l;
    for (j = 0; j < $n; ++j) y[i] += C[i * $n + j] * x[j];
    for (j = 0; j < $m; ++j) y[i] += D[i * $m + j] * u[j];
  }
  for (i = 0; i < $n; ++i) x[i] = next[i];
}
)";

constexpr std::string_view step_without_states = R"(
void $N_step(const $R p[], $R dt, const $R u[], $R x[], $R y[]) {
  (void)dt;
  $N_output(p, x, u, y);
}
)";

constexpr std::string_view outputs = R"(
void $N_output(const $R p[], const $R x[], const $R u[], $R y[]) {
  $R A[$nn], B[$nm], C[$on], D[$om];
  int i, j;
  $N_ABCD(p, A, B, C, D);
  for (i = 0; i < $o; ++i) {
    y[i] = 0.0$l;
    for (j = 0; j < $n; ++j) y[i] += C[i * $n + j] * x[j];
    for (j = 0; j < $m; ++j) y[i] += D[i * $m + j] * u[j];
  }
}
)";

constexpr std::string_view outputs_without_states = R"(
void $N_output(const $R p[], const $R x[], const $R u[], $R y[]) {
  $R none[1], D[$om];
  int i, j;
  (void)x;
  $N_ABCD(p, none, none, none, D);
  for (i = 0; i < $o; ++i) {
    y[i] = 0.0$l;
    for (j = 0; j < $m; ++j) y[i] += D[i * $m + j] * u[j];
  }
}
)";

std::string matrices(CText& c, const ExportedStates& states) {
  const CText::Block block = c.block(states.entries);
  const std::size_t n = states.states.size(), m = states.inputs.size(), o = states.outputs.size();
  std::string text = block.statements;
  std::size_t at = 0;
  for (const auto& [letter, count] : {std::pair{'A', n * n}, {'B', n * m}, {'C', o * n}, {'D', o * m}})
    for (std::size_t k = 0; k < count; ++k) text += fmt::format("  {}[{}] = {};\n", letter, k, block.outputs[at++]);
  static constexpr std::array<std::string_view, 5> words{"p", "A", "B", "C", "D"};
  return CText::unused(words, text) + text;
}

}  // namespace

CPart c_states(CText& c, const ExportedStates& states, bool discrete) {
  const std::size_t n = states.states.size(), m = states.inputs.size(), o = states.outputs.size();
  const std::vector<std::pair<std::string, std::string>> sizes{
      {"$nn", std::to_string(n * n)},      {"$nm", std::to_string(n * m)},
      {"$on", std::to_string(o * n)},      {"$om", std::to_string(o * m)},
      {"$n", std::to_string(n)},           {"$m", std::to_string(m)},
      {"$o", std::to_string(o)},           {"$large", c.single() ? "1e30f" : "1e300"},
      {"$terms", c.single() ? "11" : "19"}};
  const std::string_view ABCD = "void $N_ABCD(const $R p[], $R *A, $R *B, $R *C, $R *D)";
  CPart part;
  part.declarations = c.filled(std::string(ABCD) +
                               ";\nvoid $N_output(const $R p[], const $R x[], const $R u[], $R y[]);\n"
                               "void $N_step(const $R p[], $R dt, const $R u[], $R x[], $R y[]);\n");
  part.definitions =
      "\n" + c.filled(ABCD) + " {\n" + matrices(c, states) + "}\n" + c.filled(n > 0 ? outputs : outputs_without_states, sizes);
  if (n > 0 && !discrete) {
    part.declarations += c.filled("void $N_hold(const $R p[], $R dt, $R E[], $R F[]);\n");
    part.definitions += c.filled(hold_text, sizes);
  }
  part.definitions += c.filled(n == 0 ? step_without_states : discrete ? discrete_step : continuous_step, sizes);
  return part;
}

}  // namespace sfg
