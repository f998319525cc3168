#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/operations.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/numeric/tape.hpp"

// Running error analysis along a tape. A value is four rows of a batch: real parts, imaginary parts, moduli and bounds of the
// absolute error. With u = 2^−53 and e for the bounds:
//   a + b   e = e_a + e_b + u |a + b|
//   a · b   e = (|a| + e_a) e_b + |b| e_a + 3u |a b|            (a complex product is within √5 u: Brent, Percival, Zimmermann
//   2007) a / b   e = (e_a + |a/b| e_b) / (|b| − e_b) + 10u |a/b| f(a)    e = |f'(a)| e_a + 10u |f(a)|
// Moduli are taken as √(re² + im² + tiny), never too small. This file is compiled without errno, so that the root is a vector
// instruction, and without contraction, so that every machine gives the same bits.

namespace sfg::numeric {

namespace {

using Complex = std::complex<double>;
constexpr std::size_t rows = 4;  // re, im, modulus, error
constexpr double unit = 0x1p-53;
constexpr double tiny = 1e-306;  // its root is the least modulus: 1e-153

// A batch has as many lanes as vector instructions like, or a single one for a single point.
template <std::size_t lanes, class Lane>
[[gnu::always_inline]] inline void each_bounded_lane(Lane&& lane) {
#ifndef __clang__
#pragma GCC ivdep
#endif
  for (std::size_t p = 0; p < lanes; ++p) lane(p);
}

struct Bounded {
  Complex value;
  double error;
};

template <std::size_t lanes>
Bounded load(const double* x, std::size_t p) {
  return {{x[p], x[p + lanes]}, x[p + 3 * lanes]};
}

double modulus(double re, double im) { return __builtin_sqrt(re * re + im * im + tiny); }

template <std::size_t lanes>
void store(double* x, std::size_t p, const Bounded& b) {
  x[p] = b.value.real();
  x[p + lanes] = b.value.imag();
  x[p + 2 * lanes] = modulus(b.value.real(), b.value.imag());
  x[p + 3 * lanes] = std::isnan(b.error) ? infinity : b.error;
}

Bounded applied_bounded(const Instruction& instruction, const Bounded& a, const Bounded& b) {
  Numbers<Complex> numbers;
  const bool power = instruction.operation == Operation::integer_power;
  const Complex value = power ? integer_power(a.value, instruction.exponent()) : applied(instruction.operation, a.value, b.value);
  const auto partial = partials(numbers, instruction, value, a.value, b.value, b.error == 0);
  const double steps = power ? 2.0 * std::abs(static_cast<double>(instruction.exponent())) : 1.0;
  double error = 10 * unit * steps * std::abs(value);
  if (a.error > 0) error += std::abs(partial.left) * a.error;
  if (b.error > 0 && operand_count(instruction.operation) == 2) error += std::abs(partial.right) * b.error;
  return {value, error};
}

/// One input: values at the points of the batch, or a single one.
struct Feed {
  const Complex* values;
  bool single;
  double relative_error;
};

}  // namespace

class BoundedRunner {
 public:
  using Step = Tape::Step;
  using Fused = Tape::Fused;

  template <std::size_t lanes>
  static void run(const Tape& tape, std::span<const Feed> feeds, std::size_t count, double* slots);
  static std::uint32_t output_slot(const Tape& tape, std::size_t output) { return tape.output_slots_[output]; }

 private:
  template <std::size_t lanes>
  [[gnu::always_inline]] static inline void steps(const Tape& tape, std::span<const Feed> feeds, std::size_t count,
                                                  double* slots);
  template <std::size_t lanes>
  [[gnu::always_inline]] static inline bool arithmetic(const Step& step, double* r, const double* a, const double* b,
                                                       const double* c);
#if defined(__x86_64__) && defined(__GNUC__)
  template <std::size_t lanes>
  [[gnu::target("avx2")]] static void avx2(const Tape& tape, std::span<const Feed> feeds, std::size_t count, double* slots);
  template <std::size_t lanes>
  [[gnu::target("avx512f")]] static void avx512(const Tape& tape, std::span<const Feed> feeds, std::size_t count, double* slots);
#endif
};

template <std::size_t lanes>
bool BoundedRunner::arithmetic(const Step& step, double* r, const double* a, const double* b, const double* c) {
  constexpr std::size_t i = lanes, m = 2 * lanes, e = 3 * lanes;
  const auto put = [=](std::size_t p, double re, double im, double error, double rounding) {
    const double mod = __builtin_sqrt(re * re + im * im + tiny);
    r[p] = re;
    r[p + i] = im;
    r[p + m] = mod;
    r[p + e] = error + rounding * mod;
  };
  const auto product_error = [=](std::size_t p) {
    return (a[p + m] + a[p + e]) * b[p + e] + b[p + m] * a[p + e] + 3 * unit * (a[p + m] * b[p + m]);
  };
  switch (step.fused) {
    case Fused::multiply_add:
      each_bounded_lane<lanes>([=](std::size_t p) {
        const double error = product_error(p) + c[p + e];
        put(p, a[p] * b[p] - a[p + i] * b[p + i] + c[p], a[p] * b[p + i] + a[p + i] * b[p] + c[p + i], error, unit);
      });
      return true;
    case Fused::subtract_product:
      each_bounded_lane<lanes>([=](std::size_t p) {
        const double error = product_error(p) + c[p + e];
        put(p, c[p] - (a[p] * b[p] - a[p + i] * b[p + i]), c[p + i] - (a[p] * b[p + i] + a[p + i] * b[p]), error, unit);
      });
      return true;
    case Fused::multiply_subtract:
      each_bounded_lane<lanes>([=](std::size_t p) {
        const double error = product_error(p) + c[p + e];
        put(p, a[p] * b[p] - a[p + i] * b[p + i] - c[p], a[p] * b[p + i] + a[p + i] * b[p] - c[p + i], error, unit);
      });
      return true;
    case Fused::none: break;
  }
  switch (step.operation) {
    case Operation::add:
      each_bounded_lane<lanes>([=](std::size_t p) { put(p, a[p] + b[p], a[p + i] + b[p + i], a[p + e] + b[p + e], unit); });
      return true;
    case Operation::subtract:
      each_bounded_lane<lanes>([=](std::size_t p) { put(p, a[p] - b[p], a[p + i] - b[p + i], a[p + e] + b[p + e], unit); });
      return true;
    case Operation::multiply:
      each_bounded_lane<lanes>([=](std::size_t p) {
        const double error = product_error(p);
        put(p, a[p] * b[p] - a[p + i] * b[p + i], a[p] * b[p + i] + a[p + i] * b[p], error, 0);
      });
      return true;
    case Operation::divide:  // scaled by the larger part, so that the square neither overflows nor vanishes
      each_bounded_lane<lanes>([=](std::size_t p) {
        const double re = b[p] < 0 ? -b[p] : b[p], im = b[p + i] < 0 ? -b[p + i] : b[p + i];
        const double scale = 1 / (re > im ? re : im);
        const double x = b[p] * scale, y = b[p + i] * scale, norm = scale / (x * x + y * y);
        const double qr = (a[p] * x + a[p + i] * y) * norm, qi = (a[p + i] * x - a[p] * y) * norm;
        const double mod = __builtin_sqrt(qr * qr + qi * qi + tiny), rest = b[p + m] - b[p + e];
        const double error = (a[p + e] + mod * b[p + e]) / rest + 10 * unit * mod;
        r[p] = qr;
        r[p + i] = qi;
        r[p + m] = mod;
        r[p + e] = rest > 0 ? error : infinity;
      });
      return true;
    case Operation::negate:
      each_bounded_lane<lanes>([=](std::size_t p) {
        r[p] = -a[p];
        r[p + i] = -a[p + i];
        r[p + m] = a[p + m];
        r[p + e] = a[p + e];
      });
      return true;
    default: return false;
  }
}

template <std::size_t lanes>
void BoundedRunner::steps(const Tape& tape, std::span<const Feed> feeds, std::size_t count, double* slots) {
  const auto at = [&](std::uint32_t slot) { return slots + rows * lanes * slot; };
  for (const Step& step : tape.steps_) {
    double* const r = at(step.result);
    if (step.operation == Operation::constant) {
      const double value = tape.constants_[step.a];
      std::fill_n(r, lanes, value);
      std::fill_n(r + lanes, lanes, 0.0);
      std::fill_n(r + 2 * lanes, lanes, std::abs(value));
      std::fill_n(r + 3 * lanes, lanes, 0.0);
    } else if (step.operation == Operation::input) {
      const Feed& feed = feeds[step.a];
      for (std::size_t p = 0; p < lanes; ++p) {
        const Complex& value = feed.values[feed.single ? 0 : std::min(p, count - 1)];
        const double mod = modulus(value.real(), value.imag());
        r[p] = value.real();
        r[p + lanes] = value.imag();
        r[p + 2 * lanes] = mod;
        r[p + 3 * lanes] = mod * feed.relative_error;
      }
    } else {
      const bool two = operand_count(step.operation) == 2;
      const double *a = at(step.a), *b = two ? at(step.b) : a;
      if (step.operation != Operation::integer_power &&
          arithmetic<lanes>(step, r, a, b, step.fused == Fused::none ? a : at(step.c)))
        continue;
      const Instruction instruction{step.operation, step.a, step.b};
      for (std::size_t p = 0; p < lanes; ++p)
        store<lanes>(r, p, applied_bounded(instruction, load<lanes>(a, p), two ? load<lanes>(b, p) : Bounded{0, 0}));
    }
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
template <std::size_t lanes>
void BoundedRunner::avx2(const Tape& tape, std::span<const Feed> feeds, std::size_t count, double* slots) {
  steps<lanes>(tape, feeds, count, slots);
}
template <std::size_t lanes>
void BoundedRunner::avx512(const Tape& tape, std::span<const Feed> feeds, std::size_t count, double* slots) {
  steps<lanes>(tape, feeds, count, slots);
}
#endif

template <std::size_t lanes>
void BoundedRunner::run(const Tape& tape, std::span<const Feed> feeds, std::size_t count, double* slots) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return avx512<lanes>(tape, feeds, count, slots);
  if (__builtin_cpu_supports("avx2")) return avx2<lanes>(tape, feeds, count, slots);
#endif
  steps<lanes>(tape, feeds, count, slots);
}

void Tape::run_bounded(std::size_t points, std::span<const std::span<const Complex>> inputs,
                       std::span<const double> relative_errors, std::span<Complex> outputs, std::span<double> errors,
                       unsigned threads, const Budget& budget) const {
  if (inputs.size() != inputs_.size() || relative_errors.size() != inputs_.size())
    throw std::invalid_argument("Tape::run_bounded: one list of values and one relative error for every input");
  for (const auto& values : inputs)
    if (values.size() != points && values.size() != 1)
      throw std::invalid_argument("Tape::run_bounded: an input has one value, or one for every point");
  if (outputs.size() != points * outputs_.size() || errors.size() != outputs.size())
    throw std::invalid_argument("Tape::run_bounded: one place for every output and point");
  const auto batch = [&]<std::size_t lanes>(std::size_t begin, std::vector<Feed>& feeds, double* slots) {
    const std::size_t count = std::min(lanes, points - begin);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool single = inputs[i].size() == 1;
      feeds[i] = {inputs[i].data() + (single ? 0 : begin), single, relative_errors[i]};
    }
    BoundedRunner::run<lanes>(*this, feeds, count, slots);
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      for (std::size_t p = 0; p < count; ++p) {
        const Bounded result = load<lanes>(slots + rows * lanes * output_slots_[o], p);
        outputs[o * points + begin + p] = result.value;
        errors[o * points + begin + p] = std::isnan(result.error) ? infinity : result.error;
      }
  };
  if (points == 1) {
    thread_local std::vector<Feed> feeds;
    thread_local std::vector<double> slots;
    feeds.resize(inputs.size());
    slots.resize(slot_count_ * rows);
    return batch.template operator()<1>(0, feeds, slots.data());
  }
  parallel_with((points + batch_size - 1) / batch_size, threads, budget, "the values with their error bounds", [&] {
    return [&, feeds = std::vector<Feed>(inputs.size()), slots = std::vector<double>(slot_count_ * batch_size * rows)](
               std::size_t k) mutable { batch.template operator()<batch_size>(k * batch_size, feeds, slots.data()); };
  });
}

}  // namespace sfg::numeric
