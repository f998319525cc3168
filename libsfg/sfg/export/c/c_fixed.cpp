// A step of a sampled system in whole numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/export/c/c_parts.hpp"
#include "sfg/export/exported_motion.hpp"

namespace sfg {

namespace {

/// x⁺ = A x + B u, y = C x + D u in numbers: of a graph in z its own, of another with the inputs held over the sample time.
struct SampledStates {
  using Matrix = std::vector<std::vector<double>>;
  Matrix A, B, C, D;
  std::vector<int> scales = {};  ///< state k is the subject's times 2^−scales[k]

  /// With states that keep within the range of the inputs, as far as they have bounds (the sum of the moduli of their impulse
  /// response, L. B. Jackson, 1970), and use it.
  SampledStates scaled() const;
};

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

/// @throws NoAnswer  where the graph is in neither z nor has a sample time
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

/// Sums in 64 bits of products of numbers in 32 bits; a row of coefficients has a point of its own.
constexpr std::string_view arithmetic = R"(
/* a + b, held at the ends of the range. */
static int64_t $N_sum(int64_t a, int64_t b) {
  if (b > 0 && a > INT64_MAX - b) return INT64_MAX;
  if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
  return a + b;
}

/* Rounded to 32 bits with so many binary places less, held at the ends of the range. */
static int32_t $N_rounded(int64_t a, int places) {
  const int64_t unit = (int64_t)1 << places;
  int64_t whole = a / unit;
  const int64_t rest = a % unit;
  if (rest >= unit - unit / 2) ++whole;
  if (rest < -(unit / 2)) --whole;
  return whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : (int32_t)whole;
}

static int32_t $N_row(const int32_t of_x[], const int32_t of_u[], int places, const int32_t x[], const int32_t u[]) {
  int64_t sum = 0;
  int k;
$sums  return $N_rounded(sum, places);
}
)";

constexpr std::string_view step = R"(
/* One sample: y, then the next x. u and y are whole numbers with $fraction binary places ($format), x$scales.
   Every sum saturates: it stays at the end of its range, where it would be beyond; it never wraps. Coefficients of
   the values of the parameters above, rounded to 31 bits a row. */
void $N_step_fixed(const int32_t u[], int32_t x[], int32_t y[]) {
$tables  int i;
$lines}
)";

/// Rows of a matrix, each with as many binary places as its greatest entry allows.
class Rows {
 public:
  explicit Rows(const std::vector<std::vector<double>>& of_x, const std::vector<std::vector<double>>& of_u) {
    for (std::size_t i = 0; i < of_u.size(); ++i) add(of_x[i], of_u[i]);
  }

  std::string table(const char* name, const std::vector<std::vector<std::int64_t>>& rows) const {
    if (rows.empty() || rows.front().empty()) return "";
    std::string text = fmt::format("  static const int32_t {}[{}][{}] = {{", name, rows.size(), rows.front().size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      text += fmt::format("{}{{{}}}", i == 0 ? "" : ",\n      ", fmt::join(rows[i], ", "));
    return text + "};\n";
  }
  std::string places(const char* name) const {
    return fmt::format("  static const int {}[{}] = {{{}}};\n", name, places_.size(), fmt::join(places_, ", "));
  }

  std::vector<std::vector<std::int64_t>> of_x, of_u;

 private:
  void add(const std::vector<double>& x, const std::vector<double>& u) {
    double greatest = 0;
    for (const std::vector<double>* side : {&x, &u})
      for (const double entry : *side) greatest = std::max(greatest, std::abs(entry));
    if (!(greatest < 0x1p30))
      throw NoAnswer(fmt::format("the coefficient {} does not fit into 32 bits", code_number(greatest)),
                     "scale the units, or take the step in floating point");
    int places = 30;
    while (places > 0 && std::nearbyint(std::ldexp(greatest, places)) > 0x1p31 - 1) --places;
    places_.push_back(places);
    const auto whole = [&](const std::vector<double>& side) {
      std::vector<std::int64_t> row;
      for (const double entry : side) row.push_back(std::llround(std::ldexp(entry, places)));
      return row;
    };
    of_x.push_back(whole(x));
    of_u.push_back(whole(u));
  }

  std::vector<int> places_;
};

std::string scales_text(const SampledStates& states) {
  if (std::ranges::all_of(states.scales, [](int scale) { return scale == 0; })) return ", too";
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < states.scales.size(); ++k) parts.push_back(fmt::format("x[{}] 2^{}", k, -states.scales[k]));
  return ", too, times " + fmt::format("{}", fmt::join(parts, ", ")) + ", which keeps the states within the range";
}

}  // namespace

CPart c_fixed_step(CText& c, const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                   const ExportedStates& states, FixedPoint format) {
  const SampledStates sampled = sampled_states(subject, parameters, states).scaled();
  const std::size_t n = states.states.size(), m = states.inputs.size(), o = states.outputs.size();
  const Rows next(sampled.A, sampled.B), now(sampled.C, sampled.D);
  const auto sums = [&](std::size_t count, const char* coefficients, const char* signal) {
    return count == 0 ? fmt::format("  (void){};\n  (void){};\n", coefficients, signal)
                      : c.filled(fmt::format("  for (k = 0; k < {0}; ++k) sum = $N_sum(sum, (int64_t){1}[k] * {2}[k]);\n", count,
                                             coefficients, signal));
  };
  const std::string none = "0";
  std::string tables = now.table("C", now.of_x) + now.table("D", now.of_u) + now.places("places_of_y");
  std::string lines =
      fmt::format("  for (i = 0; i < {}; ++i) y[i] = $N_row({}, D[i], places_of_y[i], x, u);\n", o, n > 0 ? "C[i]" : none);
  if (n > 0) {
    tables += next.table("A", next.of_x) + next.table("B", next.of_u) + next.places("places_of_x");
    lines += fmt::format(
        "  {{\n    int32_t next[{0}];\n    for (i = 0; i < {0}; ++i) next[i] = $N_row(A[i], B[i], places_of_x[i], x, u);\n"
        "    for (i = 0; i < {0}; ++i) x[i] = next[i];\n  }}\n",
        n);
  }
  CPart part;
  part.declarations = c.filled("void $N_step_fixed(const int32_t u[], int32_t x[], int32_t y[]);\n");
  part.definitions = c.filled(arithmetic, {{"$sums", sums(n, "of_x", "x") + sums(m, "of_u", "u")}}) +
                     c.filled(step, {{"$tables", tables},
                                     {"$lines", c.filled(lines)},
                                     {"$fraction", std::to_string(format.fraction)},
                                     {"$format", format.text()},
                                     {"$scales", scales_text(sampled)}});
  return part;
}

}  // namespace sfg
