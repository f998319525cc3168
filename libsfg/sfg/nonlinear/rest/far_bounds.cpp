// Idea: for A ≥ R a lower power is a small multiple of a higher one, A^q = A^p A^(q − p) with A^(q − p) in (0, R^(q − p)].
#include "sfg/nonlinear/rest/far_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/numeric/lookup_table.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using numeric::Instruction;
using numeric::Operation;
using ring::Bounds;

FarBounds bounded(const Bounds& x) { return {0, x}; }
FarBounds anything() { return bounded(Bounds::everything()); }

/// A table goes on straight beyond its ends: f(0) and slopes between its steepest ones.
FarBounds looked_up(const FarArithmetic& growth, const FarBounds& a, const Bounds& values, double code) {
  const auto whole = static_cast<std::size_t>(code);
  const int order = static_cast<int>(whole % 8);
  if (order > 3) return bounded({0, 0});
  const auto& table = numeric::table_of_number(whole / 8);
  // Beyond an end nothing but that end counts.
  const double first = table.x().front() - 1, last = table.x().back() + 1;
  const double low = values.low >= last ? last : first, high = values.high <= first ? first : last;
  const auto within = [&](int derivative) {
    const auto [least, greatest] = table.bounds(low, high, derivative);
    return Bounds{least, greatest};
  };
  if (order > 0) return bounded(within(order));
  const auto [least, greatest] = table.bounds(low, low, 0);
  const Bounds slopes = within(1), offset = Bounds{least, greatest} - slopes * Bounds::exactly(low);
  return growth.sum({a.power, a.factor * slopes}, bounded(offset));
}

}  // namespace

/// R^power.
Bounds FarArithmetic::reach_to(double power) const {
  const auto [known, is_new] = powers_.try_emplace(power, Bounds::exactly(1));
  if (is_new && power != 0) known->second = ring::power(Bounds::exactly(reach_), Bounds::exactly(power));
  return known->second;
}

/// Of a power that is not lower.
Bounds FarArithmetic::factor_at(const FarBounds& x, double power) const {
  return power == x.power ? x.factor : x.factor * Bounds{0, reach_to(x.power - power).high};
}

/// All values for A ≥ R.
Bounds FarArithmetic::values(const FarBounds& x) const {
  if (x.power <= 0) return factor_at(x, 0);
  const Bounds least = reach_to(x.power);
  return {x.factor.low >= 0 ? (Bounds::exactly(x.factor.low) * least).low : -infinity,
          x.factor.high <= 0 ? (Bounds::exactly(x.factor.high) * least).high : infinity};
}

FarBounds FarArithmetic::sum(const FarBounds& a, const FarBounds& b) const {
  const Bounds nothing{0, 0};
  if (a.factor == nothing) return b;
  if (b.factor == nothing) return a;
  const double power = std::max(a.power, b.power);
  return {power, factor_at(a, power) + factor_at(b, power)};
}

/// exp and its like, above some power of what makes them grow.
FarBounds FarArithmetic::steep(const FarBounds& x, Bounds (*function)(const Bounds&)) const {
  constexpr double power = 8;
  const Bounds all = function(values(x));
  if (x.power <= 0 || x.factor.low <= 0) return bounded(all);
  const Bounds exponent = Bounds::exactly(x.factor.low) * reach_to(x.power);
  if (exponent.low * x.power < power) return bounded(all);  // from R on the quotient by A^power rises
  const Bounds least = function(Bounds::exactly(exponent.low)) / reach_to(power);
  return {power, {std::min(least.low, 1e300), infinity}};
}

/// It falls below every power where its exponent falls.
FarBounds FarArithmetic::exponential(const FarBounds& x) const {
  constexpr double power = 8;
  if (x.power <= 0 || x.factor.high >= 0) return steep(x, ring::exp);
  const Bounds exponent = Bounds::exactly(x.factor.high) * reach_to(x.power);
  if (-exponent.high * x.power < power) return steep(x, ring::exp);
  return {-power, {0, (exp(Bounds::exactly(exponent.high)) * reach_to(power)).high}};
}

bool FarArithmetic::is_nowhere(const Instruction& i, const FarBounds& a) const {
  switch (i.operation) {
    case Operation::sqrt:
    case Operation::power: return a.factor.high < 0;
    case Operation::log: return a.factor.high <= 0;
    case Operation::asin:
    case Operation::acos: return values(a).low > 1 || values(a).high < -1;
    default: return false;
  }
}

FarBounds FarArithmetic::raised(const FarBounds& a, const FarBounds& exponent) const {
  const double c = exponent.factor.low;
  const bool is_exact = exponent.power == 0 && c == exponent.factor.high && std::trunc(c * 1024) == c * 1024;
  if (!is_exact || std::abs(c) > 1024 || a.factor.high <= 0) return anything();
  const Bounds base{std::max(a.factor.low, 0.0), a.factor.high};
  if (base.low > 0) return {a.power * c, power(base, exponent.factor)};
  return c <= 0 ? anything() : FarBounds{a.power * c, {0, power(Bounds::exactly(base.high), exponent.factor).high}};
}

FarBounds FarArithmetic::value(const Instruction& i, const FarBounds& a, const FarBounds& b) const {
  const auto of = [&](Bounds (*function)(const Bounds&)) { return bounded(function(values(a))); };
  const auto beside = [&](Bounds (*function)(const Bounds&, const Bounds&), bool greater) {
    const FarBounds above = sum(a, {b.power, -b.factor});
    if (above.factor.low > 0) return greater ? a : b;
    if (above.factor.high < 0) return greater ? b : a;
    const double power = std::max(a.power, b.power);
    return FarBounds{power, function(factor_at(a, power), factor_at(b, power))};
  };
  const FarBounds minus{a.power, -a.factor};
  switch (i.operation) {
    case Operation::add: return sum(a, b);
    case Operation::subtract: return sum(a, {b.power, -b.factor});
    case Operation::multiply:
      if (i.left == i.right) return {2 * a.power, power(a.factor, 2)};
      return {a.power + b.power, a.factor * b.factor};
    case Operation::divide: return b.factor.contains(0) ? anything() : FarBounds{a.power - b.power, a.factor / b.factor};
    case Operation::negate: return minus;
    case Operation::integer_power:
      if (i.exponent() < 0 && a.factor.contains(0)) return anything();
      return {a.power * i.exponent(), power(a.factor, i.exponent())};
    case Operation::power: return raised(a, b);
    case Operation::sqrt: return {a.power / 2, sqrt(Bounds{std::max(a.factor.low, 0.0), std::max(a.factor.high, 0.0)})};
    case Operation::exp: return exponential(a);
    case Operation::cosh: return steep({a.power, abs(a.factor)}, ring::cosh);
    case Operation::sinh: {
      if (a.factor.low > 0) return steep(a, ring::sinh);
      const FarBounds turned = steep(minus, ring::sinh);
      return {turned.power, -turned.factor};
    }
    case Operation::log: {
      const Bounds all = values(a);
      return all.low > 0 ? bounded(log(all)) : anything();
    }
    case Operation::sin: return of(ring::sin);
    case Operation::cos: return of(ring::cos);
    case Operation::atan: return of(ring::atan);
    case Operation::tanh: return of(ring::tanh);
    case Operation::sign: return of(ring::sign);
    case Operation::step: return of(ring::step);
    case Operation::asin: return bounded(asin(Bounds{-1, 1}));
    case Operation::acos: return bounded(acos(Bounds{-1, 1}));
    case Operation::atan2: return bounded(atan2(Bounds::everything(), Bounds::everything()));
    case Operation::abs: return {a.power, abs(a.factor)};
    case Operation::min: return beside(ring::min, false);
    case Operation::max: return beside(ring::max, true);
    case Operation::floor: return sum(a, bounded({-1, 0}));
    case Operation::lookup: return looked_up(*this, a, values(a), b.factor.low);
    default: return anything();
  }
}

std::optional<std::vector<FarBounds>> FarArithmetic::operator()(const numeric::Tape& tape,
                                                                std::span<const FarBounds> inputs) const {
  if (inputs.size() != tape.inputs().size()) throw std::invalid_argument("FarArithmetic: a growth for every input of the tape");
  std::vector<FarBounds> values;
  for (const Instruction& i : tape.instructions()) {
    if (i.operation == Operation::constant) {
      const double x = tape.constants()[i.left];
      values.push_back(bounded(std::trunc(x * 1024) == x * 1024 ? Bounds::exactly(x) : widened(Bounds::exactly(x))));
    } else if (i.operation == Operation::input) {
      values.push_back(inputs[i.left]);
    } else {
      if (is_nowhere(i, values[i.left])) return {};
      values.push_back(value(i, values[i.left], numeric::operand_count(i.operation) == 2 ? values[i.right] : FarBounds{}));
      if (std::isnan(values.back().factor.low) || std::isnan(values.back().factor.high)) values.back() = anything();
    }
  }
  std::vector<FarBounds> outputs;
  for (const std::uint32_t output : tape.outputs()) outputs.push_back(values[output]);
  return outputs;
}

}  // namespace sfg
