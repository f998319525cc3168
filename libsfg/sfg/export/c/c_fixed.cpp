// A step of a sampled system in whole numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/export/c/c_parts.hpp"
#include "sfg/export/sampled_states.hpp"

namespace sfg {

namespace {

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
