// Newton's method in 60-digit arithmetic throughout: mechanical models have few coordinates, and a point that is substituted
// into exact coefficients must carry more digits than anybody asks of the poles computed from it.
#include "sfg/derive/equilibrium.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <utility>

#include "sfg/derive/operating_point.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Number = GiNaC::numeric;
using Vector = std::vector<Number>;

constexpr long working_digits = 60;
constexpr int most_iterations = 150;  // a double root gains one bit a step
constexpr int most_halvings = 40;

Number power_of_ten(int exponent) { return Number(10).power(Number(exponent)); }

Number norm(const Vector& v) {
  Number sum = 0;
  for (const Number& x : v) sum += x * x;
  return GiNaC::ex_to<Number>(GiNaC::sqrt(sum).evalf());
}

/// Rationals stay exact while they are short: a polynomial in them has twice, thrice … as many digits at every step of
/// Newton's method, millions after a dozen steps.
Number rounded(const Number& x) {
  constexpr int most_bits = 6 * working_digits;
  const bool is_long = x.is_rational() && x.numer().int_length() + x.denom().int_length() > most_bits;
  return is_long ? GiNaC::ex_to<Number>(x.evalf()) : x;
}

struct Elimination {
  Vector step;
  std::size_t rank = 0;
};

/// Solves A x = b with full pivoting; pivots below `negligible` of the greatest count as 0, and what is free stays 0.
Elimination solved(std::vector<Vector> A, Vector b, const Number& negligible = power_of_ten(-35)) {
  const std::size_t n = b.size();
  std::vector<std::size_t> column(n);
  for (std::size_t i = 0; i < n; ++i) column[i] = i;
  Number greatest = 0;
  Elimination result;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k, col = k;
    for (std::size_t i = k; i < n; ++i)
      for (std::size_t j = k; j < n; ++j)
        if (abs(A[i][column[j]]) > abs(A[row][column[col]])) row = i, col = j;
    std::swap(A[k], A[row]);
    std::swap(b[k], b[row]);
    std::swap(column[k], column[col]);
    const Number pivot = A[k][column[k]];
    greatest = std::max(greatest, abs(pivot), [](const Number& x, const Number& y) { return x < y; });
    if (pivot.is_zero() || abs(pivot) < negligible * greatest) break;
    ++result.rank;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (A[i][column[k]].is_zero()) continue;
      const Number factor = A[i][column[k]] / pivot;
      for (std::size_t j = k; j < n; ++j) A[i][column[j]] -= factor * A[k][column[j]];
      b[i] -= factor * b[k];
    }
  }
  result.step.assign(n, 0);
  for (std::size_t k = result.rank; k-- > 0;) {
    Number rest = b[k];
    for (std::size_t j = k + 1; j < result.rank; ++j) rest -= A[k][column[j]] * result.step[column[j]];
    result.step[column[k]] = rest / A[k][column[k]];
  }
  return result;
}

class Newton {
 public:
  Newton(const StaticConditions& conditions, const Budget& budget)
      : conditions_(conditions), budget_(budget), jacobian_(conditions.unknowns.size()) {
    for (std::size_t i = 0; i < jacobian_.size(); ++i)
      for (const ex& unknown : conditions.unknowns)
        jacobian_[i].push_back(conditions.residuals[i].diff(GiNaC::ex_to<GiNaC::symbol>(unknown)));
  }

  std::optional<Vector> residual(const Vector& x) const {
    const GiNaC::exmap values = at(x);
    Vector result;
    for (const ex& condition : conditions_.residuals) {
      const auto value = number(condition, values);
      if (!value) return std::nullopt;
      result.push_back(*value);
    }
    return result;
  }

  std::optional<std::vector<Vector>> jacobian(const Vector& x) const {
    budget_.check("the search for an equilibrium");
    const GiNaC::exmap values = at(x);
    std::vector<Vector> result;
    for (const auto& row : jacobian_) {
      result.emplace_back();
      for (const ex& entry : row) {
        const auto value = number(entry, values);
        if (!value) return std::nullopt;
        result.back().push_back(*value);
      }
    }
    return result;
  }

  /// Whether the Jacobian is singular at x, to the precision that a multiple root is found with: rows are compared with
  /// the magnitude of their own terms.
  bool is_singular(const Vector& x) const {
    static const Number negligible = power_of_ten(-18);
    const GiNaC::exmap values = at(x);
    std::vector<Vector> scaled;
    for (const auto& row : jacobian_) {
      Vector entries;
      Number magnitude = 0;
      for (const ex& entry : row) {
        entries.push_back(number(entry, values).value_or(Number(0)));
        const ex terms = entry.expand();
        const bool is_sum = GiNaC::is_exactly_a<GiNaC::add>(terms);
        for (std::size_t i = 0; i < (is_sum ? terms.nops() : 1); ++i)
          magnitude += abs(number(is_sum ? terms.op(i) : terms, values).value_or(Number(0)));
      }
      if (magnitude.is_zero()) return true;
      for (Number& entry : entries) {
        entry /= magnitude;
        if (abs(entry) < negligible) entry = 0;
      }
      scaled.push_back(std::move(entries));
    }
    return solved(std::move(scaled), Vector(x.size(), 0), negligible).rank < x.size();
  }

  /// Where a damped system comes to rest from x: x′ = −G(x), by implicit steps that grow as the forces vanish (pseudo-transient
  /// continuation, Kelley and Keyes 1998). It leads down where Newton's method is caught between two valleys of |G|.
  std::optional<Vector> at_rest(Vector x) const {
    constexpr int most_steps = 200;
    static const Number nearly = power_of_ten(-8), least_change(1, 10), most_change(2);
    auto G = residual(x);
    auto J = jacobian(x);
    if (!G || !J) return std::nullopt;
    Number damping = 0;
    for (const Vector& row : *J) damping += norm(row);
    Number size = norm(*G);
    for (int i = 0; i < most_steps && size > nearly * damping * (1 + norm(x)); ++i) {
      for (std::size_t k = 0; k < x.size(); ++k) (*J)[k][k] += damping;
      const Vector step = solved(*J, *G).step;
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = rounded(x[k] - step[k]);
      G = residual(x);
      J = jacobian(x);
      if (!G || !J) return std::nullopt;
      const Number before = std::exchange(size, norm(*G)), change = size / before;
      damping *= change < least_change ? least_change : most_change < change ? most_change : change;
    }
    return x;
  }

  /// The equilibrium reached from x, if any.
  std::optional<Vector> operator()(Vector x) const {
    static const Number converged = power_of_ten(-45);
    static const Number settled = power_of_ten(-24);  // a multiple root: slow, but the steps shrink
    auto G = residual(x);
    if (!G) return std::nullopt;
    Number size = norm(*G);
    bool accepted = false;
    for (int iteration = 0; iteration < most_iterations && !size.is_zero(); ++iteration) {
      const auto J = jacobian(x);
      if (!J) return std::nullopt;
      const Elimination step = solved(*J, *G);
      if (step.rank == 0) return std::nullopt;
      const Number length = norm(step.step);
      const bool improved = halved_step(x, *G, size, step.step);
      accepted = length <= settled * (1 + norm(x));
      if (!improved || length <= converged * (1 + norm(x))) break;
    }
    return size.is_zero() || accepted || is_balanced(x, size) ? std::optional(x) : std::nullopt;
  }

 private:
  GiNaC::exmap at(const Vector& x) const {
    GiNaC::exmap values;
    for (std::size_t i = 0; i < x.size(); ++i) values[conditions_.unknowns[i]] = x[i];
    return values;
  }

  static std::optional<Number> number(const ex& value, const GiNaC::exmap& values) {
    try {
      const auto exact = real_number(value.subs(values, GiNaC::subs_options::no_pattern));
      return exact ? std::optional(rounded(*exact)) : std::nullopt;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {  // a pole under the substitution
      return std::nullopt;
    }
  }

  /// Takes the longest of the step, its half, its quarter … that makes |G| less.
  bool halved_step(Vector& x, Vector& G, Number& size, const Vector& step) const {
    Number fraction = 1;
    for (int halving = 0; halving < most_halvings; ++halving, fraction /= 2) {
      Vector trial = x;
      for (std::size_t i = 0; i < x.size(); ++i) trial[i] = rounded(trial[i] - fraction * step[i]);
      const auto there = residual(trial);
      if (!there || !(norm(*there) < size)) continue;
      x = std::move(trial);
      G = *there;
      size = norm(G);
      return true;
    }
    return false;
  }

  /// |G| is small against what a displacement of one unit, or of x itself, would cause.
  bool is_balanced(const Vector& x, const Number& size) const {
    static const Number negligible = power_of_ten(-40);
    const auto J = jacobian(x);
    if (!J) return false;
    Number scale = 0;
    for (const Vector& row : *J) scale += norm(row);
    return size <= negligible * scale * (1 + norm(x));
  }

  const StaticConditions& conditions_;
  const Budget& budget_;
  std::vector<std::vector<ex>> jacobian_;
};

/// Rounded to 30 significant digits; what is nothing but rounding becomes 0.
ex exact_decimal(const Number& value, const Number& scale) {
  if (abs(value) < power_of_ten(-working_digits + 10) * (1 + scale)) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value.to_double()))));
  Number unit = power_of_ten(exponent + 1);
  Number rest = value / unit;
  Number result = 0;
  for (int chunk = 0; chunk < 3; ++chunk) {  // ten digits at a time
    rest *= power_of_ten(10);
    unit /= power_of_ten(10);
    const Number digits(std::llround(rest.to_double()));
    result += digits * unit;
    rest -= digits;
  }
  return result;
}

std::vector<std::vector<double>> as_doubles(const std::vector<Vector>& matrix) {
  std::vector<std::vector<double>> result;
  for (const Vector& row : matrix) {
    result.emplace_back();
    for (const Number& entry : row) result.back().push_back(entry.to_double());
  }
  return result;
}

StaticSolution solution(const Newton& newton, const Vector& x) {
  StaticSolution result;
  Number scale = 0;
  for (const Number& value : x) scale += abs(value);
  Vector rounded;
  for (const Number& value : x) {
    result.point.push_back(exact_decimal(value, scale));
    rounded.push_back(GiNaC::ex_to<Number>(result.point.back()));
  }
  if (const auto G = newton.residual(rounded))
    for (const Number& force : *G) result.residual = std::max(result.residual, std::abs(force.to_double()));
  result.isolated = !newton.is_singular(x);
  if (const auto J = newton.jacobian(x)) result.stability = stability(as_doubles(*J));
  if (!result.isolated && result.stability == Stability::stable) result.stability = Stability::neutral;
  return result;
}

bool same_point(const StaticSolution& a, const StaticSolution& b) {
  for (std::size_t i = 0; i < a.point.size(); ++i) {
    const double x = GiNaC::ex_to<Number>(a.point[i]).to_double();
    const double difference = std::abs(x - GiNaC::ex_to<Number>(b.point[i]).to_double());
    const double turns = difference / (2 * std::numbers::pi);
    const bool whole_turns = turns > 0.5 && std::abs(turns - std::round(turns)) < 1e-9 * turns;
    if (difference > 1e-9 * (1 + std::abs(x)) && !whole_turns) return false;
  }
  return true;
}

}  // namespace

std::vector<StaticSolution> static_solutions(const StaticConditions& conditions, std::span<const ex> start,
                                             const Budget& budget) {
  constexpr std::size_t many_unknowns = 12;
  const Precision precision(working_digits);
  const Newton newton(conditions, budget);
  Vector first;
  double spread = 0;
  for (const ex& value : start) {
    first.push_back(real_number(value).value_or(Number(0)));
    spread = std::max(spread, std::abs(first.back().to_double()));
  }
  std::vector<StaticSolution> found;
  const auto try_from = [&](const Vector& x) {
    const auto reached = newton(x);
    if (!reached) return;
    StaticSolution candidate = solution(newton, *reached);
    for (const StaticSolution& known : found)
      if (!known.isolated || same_point(known, candidate)) return;
    found.push_back(std::move(candidate));
  };
  try_from(first);
  // The scales of angles and of lengths; the generator has a fixed seed: the same answer on every run.
  std::mt19937 generator(20110317);
  std::vector<Vector> starts{first};
  const int rounds = first.size() > many_unknowns ? 1 : 4;
  for (int round = 0; round < rounds; ++round) {
    for (const double radius : {0.05, 1.0, 3.2, 2 * spread}) {
      if (radius == 0) continue;
      Vector x = first;
      for (Number& value : x) value += Number(static_cast<long>(generator() % 2001) - 1000) / 1000 * Number(radius);
      try_from(starts.emplace_back(std::move(x)));
    }
  }
  for (std::size_t i = 0; i < starts.size() && found.empty(); ++i)
    if (const auto rest = newton.at_rest(starts[i])) try_from(*rest);
  return found;
}

Stability stability(std::vector<std::vector<double>> K) {
  constexpr double rounding = 1e-12;
  const std::size_t n = K.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) K[i][j] = K[j][i] = (K[i][j] + K[j][i]) / 2;
  std::vector<double> negligible(n);  // each coordinate has its own unit
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) negligible[i] = std::max(negligible[i], rounding * std::abs(K[i][j]));
  std::vector<bool> done(n);
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t pivot = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!done[i] && std::abs(K[i][i]) > negligible[i] && (pivot == n || std::abs(K[i][i]) > std::abs(K[pivot][pivot])))
        pivot = i;
    if (pivot == n) {  // nothing left on the diagonal: any other entry means eigenvalues of both signs
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (!done[i] && !done[j] && std::abs(K[i][j]) > std::max(negligible[i], negligible[j])) return Stability::unstable;
      return Stability::neutral;
    }
    if (K[pivot][pivot] < 0) return Stability::unstable;
    done[pivot] = true;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (!done[i] && !done[j]) K[i][j] -= K[i][pivot] * K[pivot][j] / K[pivot][pivot];
  }
  return Stability::stable;
}

}  // namespace sfg
