#include "sfg/nonlinear/compiled_laws.hpp"

#include <cmath>
#include <stdexcept>

#include "sfg/numeric/lookup_table.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/operations.hpp"

namespace sfg {

namespace ring {

/// A table, or a derivative of it, at an interval.
static Bounds lookup(const Bounds& x, const Bounds& code) {
  const auto whole = static_cast<std::size_t>(code.low);
  const int order = static_cast<int>(whole % 8);
  if (order > 3) return {0, 0};
  if (!std::isfinite(x.low) || !std::isfinite(x.high)) return Bounds::everything();
  const auto [low, high] = numeric::table_of_number(whole / 8).bounds(x.low, x.high, order);
  return {low, high};
}

}  // namespace ring

namespace {

using numeric::Instruction;
using numeric::Operation;
using ring::Bounds;

const Bounds nothing{0, 0}, one{1, 1};

struct Partials {
  Bounds left, right;
};

/// A function that rises by jumps where its argument is in the box.
Bounds jump(bool crossed) { return crossed ? Bounds{0, infinity} : nothing; }

/// 1/b of the points of one sign: b has 0 at one end.
Bounds inverse_beside_pole(const Bounds& b) {
  const auto size = [](double x) { return std::nextafter(1 / x, 0.0); };
  if (b.low == 0) return {b.high > 0 ? size(b.high) : infinity, infinity};
  return {-infinity, size(b.low)};
}

bool beside_pole(const Bounds& b) { return b.low == 0 || b.high == 0; }

Bounds quotient(const Bounds& a, const Bounds& b) { return beside_pole(b) ? a * inverse_beside_pole(b) : a / b; }

Bounds whole_power(const Bounds& a, int exponent) {
  if (exponent >= 0 || !a.contains(0)) return power(a, exponent);
  const Bounds raised = power(a, -exponent);  // of an even exponent it is not negative: one side of the pole
  return beside_pole(raised) ? inverse_beside_pole(raised) : Bounds::everything();
}

/// Of a base that is not negative.
Bounds real_power(const Bounds& a, const Bounds& exponent) {
  if (a.low > 0) return power(a, exponent);
  if (a.high <= 0) return exponent.low > 0 ? nothing : Bounds::everything();
  const Bounds at_end = power(Bounds::exactly(a.high), exponent);
  if (exponent.low > 0) return {0, at_end.high};
  return exponent.high < 0 ? Bounds{at_end.low, infinity} : Bounds::everything();
}

Bounds logarithm(const Bounds& a) {
  if (a.low > 0) return log(a);
  return {-infinity, a.high > 0 ? log(Bounds::exactly(a.high)).high : -infinity};
}

Bounds enclosed_value(const Instruction& i, const Bounds& a, const Bounds& b) {
  switch (i.operation) {
    case Operation::multiply: return i.left == i.right ? power(a, 2) : a * b;
    case Operation::divide: return quotient(a, b);
    case Operation::integer_power: return whole_power(a, i.exponent());
    case Operation::power: return real_power(a, b);
    case Operation::log: return logarithm(a);
    case Operation::tan: return std::isfinite(tan(a).low) ? tan(a) : quotient(sin(a), b);  // by its cosine, beside a pole
    default: return numeric::applied(i.operation, a, b);
  }
}

/// Which of two operands is taken: 1 the first, 0 the second, between where both are.
Partials chosen(const Bounds& first_minus_second) {
  if (first_minus_second.low > 0) return {one, nothing};
  if (first_minus_second.high < 0) return {nothing, one};
  return {{0, 1}, {0, 1}};
}

Partials partials(const Instruction& i, const Bounds& value, const Bounds& a, const Bounds& b) {
  const auto complement = [&] {
    const Bounds rest = one - power(a, 2);
    return sqrt(Bounds{std::max(0.0, rest.low), std::max(0.0, rest.high)});
  };
  switch (i.operation) {
    case Operation::add: return {one, one};
    case Operation::subtract: return {one, -one};
    case Operation::multiply: return {b, a};
    case Operation::divide: return {quotient(one, b), -quotient(value, b)};
    case Operation::negate: return {-one, nothing};
    case Operation::integer_power: return {Bounds::exactly(i.exponent()) * whole_power(a, i.exponent() - 1), nothing};
    case Operation::power: return {b * real_power(a, b - one), value * logarithm(a)};
    case Operation::sqrt: return {Bounds::exactly(0.5) * quotient(one, value), nothing};
    case Operation::exp: return {value, nothing};
    case Operation::log: return {quotient(one, a), nothing};
    case Operation::sin: return {cos(a), nothing};
    case Operation::cos: return {-sin(a), nothing};
    case Operation::tan: return {one + power(value, 2), nothing};
    case Operation::asin: return {quotient(one, complement()), nothing};
    case Operation::acos: return {-quotient(one, complement()), nothing};
    case Operation::atan: return {one / (one + power(a, 2)), nothing};
    case Operation::atan2: {
      const Bounds square = power(a, 2) + power(b, 2);
      return {b / square, -(a / square)};
    }
    case Operation::sinh: return {cosh(a), nothing};
    case Operation::cosh: return {sinh(a), nothing};
    case Operation::tanh: return {one - power(value, 2), nothing};
    case Operation::abs: return {a.contains(0) ? Bounds{a.low < 0 ? -1.0 : 0.0, a.high > 0 ? 1.0 : 0.0} : sign(a), nothing};
    case Operation::min: return chosen(b - a);
    case Operation::max: return chosen(a - b);
    case Operation::sign: return {jump(a.contains(0)), nothing};
    case Operation::step: return {jump(a.low < 0 && a.high >= 0), nothing};
    case Operation::floor: return {jump(value.low != value.high), nothing};
    case Operation::lookup: return {lookup(a, b + one), nothing};
    case Operation::constant:
    case Operation::input: break;
  }
  return {nothing, nothing};
}

}  // namespace

namespace {

using Defined = Enclosure::Defined;

/// Cuts an operand to where its function has values.
Defined cut(Bounds& a, double low, double high, bool open = false) {
  if (a.high < low || a.low > high || (open && a.high <= low)) return Defined::nowhere;
  const bool inside = (open ? a.low > low : a.low >= low) && a.high <= high;
  a = {std::max(a.low, low), std::min(a.high, high)};
  return inside ? Defined::everywhere : Defined::partly;
}

/// What passes poles goes from one to the next, and where a side is chosen it keeps that side.
class Domains {
 public:
  explicit Domains(std::span<const int> sides) : sides_(sides) {}

  /// Of an instruction whose operands are cut to where it has a value.
  void restrict(const Instruction& i, Bounds& a, Bounds& b) {
    switch (i.operation) {
      case Operation::sqrt: return add(cut(a, 0, infinity));
      case Operation::log: return add(cut(a, 0, infinity, true));
      case Operation::power: return add(cut(a, 0, infinity));
      case Operation::asin:
      case Operation::acos: return add(cut(a, -1, 1));
      case Operation::divide: return divide(b);
      case Operation::integer_power:
        if (i.exponent() < 0) divide(a);
        return;
      case Operation::tan:
        if (std::isfinite(tan(a).low)) return;
        b = cos(a);
        return divide(b);
      default: return;
    }
  }

  Defined defined = Defined::everywhere;
  std::size_t poles = 0;

 private:
  void add(Defined more) { defined = std::max(defined, more); }

  void divide(Bounds& b) {
    if (!b.contains(0)) return;
    add(b.low == 0 && b.high == 0 ? Defined::nowhere : Defined::partly);
    if (beside_pole(b)) return;
    const int side = poles < sides_.size() ? sides_[poles] : 0;
    ++poles;
    if (side > 0) b.low = 0;
    if (side < 0) b.high = 0;
  }

  std::span<const int> sides_;
};

bool jumps_within(const Instruction& i, const Bounds& a, const Bounds& value) {
  switch (i.operation) {
    case Operation::sign: return a.contains(0);
    case Operation::step: return a.low <= 0 && a.high >= 0;
    case Operation::floor: return value.low != value.high;
    default: return false;
  }
}

}  // namespace

Enclosure enclosure(const numeric::Tape& tape, std::span<const Bounds> box, std::span<const std::uint32_t> by,
                    std::span<const int> sides) {
  if (box.size() != tape.inputs().size()) throw std::invalid_argument("enclosure: bounds for every input of the tape");
  const std::size_t n = tape.instructions().size(), width = by.size();
  std::vector<Bounds> values(n, nothing), slopes(n * width, nothing);
  std::vector<bool> jumps(n, false);
  Domains domains(sides);
  for (std::size_t k = 0; k < n; ++k) {
    const Instruction& i = tape.instructions()[k];
    if (i.operation == Operation::constant) {
      const double x = tape.constants()[i.left];
      values[k] = std::trunc(x) == x ? Bounds::exactly(x) : widened(Bounds::exactly(x));
    } else if (i.operation == Operation::input) {
      values[k] = box[i.left];
      for (std::size_t j = 0; j < width; ++j)
        if (by[j] == i.left) slopes[k * width + j] = one;
    } else {
      const bool two = numeric::operand_count(i.operation) == 2;
      Bounds a = values[i.left], b = two ? values[i.right] : nothing;
      domains.restrict(i, a, b);
      values[k] = enclosed_value(i, a, b);
      jumps[k] = jumps[i.left] || (two && jumps[i.right]) || jumps_within(i, a, values[k]);
      if (width == 0) continue;
      const Partials p = partials(i, values[k], a, b);
      for (std::size_t j = 0; j < width; ++j) {
        Bounds slope = p.left * slopes[i.left * width + j];
        if (two) slope = slope + p.right * slopes[i.right * width + j];
        slopes[k * width + j] = slope;
      }
    }
  }
  Enclosure result;
  result.defined = domains.defined;
  result.poles = domains.poles;
  for (const std::uint32_t output : tape.outputs()) {
    result.values.push_back(values[output]);
    result.jumps.push_back(jumps[output]);
    const auto row = slopes.begin() + static_cast<std::ptrdiff_t>(output * width);
    result.slopes.insert(result.slopes.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  return result;
}

}  // namespace sfg
