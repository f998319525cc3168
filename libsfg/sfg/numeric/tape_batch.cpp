#include <algorithm>
#include <stdexcept>

#include "sfg/numeric/operations.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/numeric/tape.hpp"

// Every instruction is a loop over the points of a batch, which the compiler turns into vector instructions. The same source is
// compiled for several instruction sets, and the best one the machine has is taken. Only additions and
// multiplications of single numbers are vectorised and none is contracted (this file is compiled so), hence equal results
// everywhere. Complex numbers are stored apart, all real parts of a batch before all imaginary parts.

namespace sfg::numeric {

constexpr std::size_t lanes = Tape::batch_size;

class TapeRunner {
 public:
  /// One batch, the inputs of which are in place: `inputs` has lanes of the type for every input.
  static void real(const Tape& tape, const double* inputs, double* slots);
  static void complex(const Tape& tape, const double* inputs, double* slots);
  static std::uint32_t output_slot(const Tape& tape, std::size_t output) { return tape.output_slots_[output]; }

 private:
  using Step = Tape::Step;
  using Fused = Tape::Fused;

  [[gnu::always_inline]] static inline void real_steps(const Tape& tape, const double* inputs, double* slots);
  [[gnu::always_inline]] static inline void complex_steps(const Tape& tape, const double* inputs, double* slots);
  [[gnu::always_inline]] static inline bool real_arithmetic(const Step& step, double* r, const double* a, const double* b,
                                                            const double* c);
  [[gnu::always_inline]] static inline bool complex_arithmetic(const Step& step, double* r, const double* a, const double* b,
                                                               const double* c);
#if defined(__x86_64__) && defined(__GNUC__)
  [[gnu::target("avx2")]] static void real_avx2(const Tape& tape, const double* inputs, double* slots);
  [[gnu::target("avx2")]] static void complex_avx2(const Tape& tape, const double* inputs, double* slots);
  [[gnu::target("avx512f")]] static void real_avx512(const Tape& tape, const double* inputs, double* slots);
  [[gnu::target("avx512f")]] static void complex_avx512(const Tape& tape, const double* inputs, double* slots);
#endif
};

namespace {

// `r` is one of the operands or apart from them: nothing in a batch depends on another lane.
template <class Lane>
[[gnu::always_inline]] inline void each_lane(Lane&& lane) {
#ifndef __clang__
#pragma GCC ivdep
#endif
  for (std::size_t p = 0; p < lanes; ++p) lane(p);
}

}  // namespace

bool TapeRunner::real_arithmetic(const Step& step, double* r, const double* a, const double* b, const double* c) {
  switch (step.fused) {
    case Fused::multiply_add: each_lane([=](std::size_t p) { r[p] = a[p] * b[p] + c[p]; }); return true;
    case Fused::subtract_product: each_lane([=](std::size_t p) { r[p] = c[p] - a[p] * b[p]; }); return true;
    case Fused::multiply_subtract: each_lane([=](std::size_t p) { r[p] = a[p] * b[p] - c[p]; }); return true;
    case Fused::none: break;
  }
  switch (step.operation) {
    case Operation::add: each_lane([=](std::size_t p) { r[p] = a[p] + b[p]; }); return true;
    case Operation::subtract: each_lane([=](std::size_t p) { r[p] = a[p] - b[p]; }); return true;
    case Operation::multiply: each_lane([=](std::size_t p) { r[p] = a[p] * b[p]; }); return true;
    case Operation::divide: each_lane([=](std::size_t p) { r[p] = a[p] / b[p]; }); return true;
    case Operation::negate: each_lane([=](std::size_t p) { r[p] = -a[p]; }); return true;
    default: return false;
  }
}

void TapeRunner::real_steps(const Tape& tape, const double* inputs, double* slots) {
  const auto at = [&](std::uint32_t slot) { return slots + lanes * slot; };
  for (const Step& step : tape.steps_) {
    double* const r = at(step.result);
    if (step.operation == Operation::constant) {
      std::fill_n(r, lanes, tape.constants_[step.a]);
    } else if (step.operation == Operation::input) {
      std::copy_n(inputs + lanes * step.a, lanes, r);
    } else if (step.operation == Operation::integer_power) {
      for (std::size_t p = 0; p < lanes; ++p) r[p] = integer_power(at(step.a)[p], static_cast<std::int32_t>(step.b));
    } else {
      const double *a = at(step.a), *b = operand_count(step.operation) == 2 ? at(step.b) : a;
      if (real_arithmetic(step, r, a, b, step.fused == Fused::none ? a : at(step.c))) continue;
      for (std::size_t p = 0; p < lanes; ++p) r[p] = applied(step.operation, a[p], b[p]);
    }
  }
}

bool TapeRunner::complex_arithmetic(const Step& step, double* r, const double* a, const double* b, const double* c) {
  constexpr std::size_t i = lanes;  // from a real part to its imaginary part
  const auto store = [=](std::size_t p, double re, double im) {
    r[p] = re;
    r[p + i] = im;
  };
  switch (step.fused) {
    case Fused::multiply_add:
      each_lane([=](std::size_t p) {
        store(p, a[p] * b[p] - a[p + i] * b[p + i] + c[p], a[p] * b[p + i] + a[p + i] * b[p] + c[p + i]);
      });
      return true;
    case Fused::subtract_product:
      each_lane([=](std::size_t p) {
        store(p, c[p] - (a[p] * b[p] - a[p + i] * b[p + i]), c[p + i] - (a[p] * b[p + i] + a[p + i] * b[p]));
      });
      return true;
    case Fused::multiply_subtract:
      each_lane([=](std::size_t p) {
        store(p, a[p] * b[p] - a[p + i] * b[p + i] - c[p], a[p] * b[p + i] + a[p + i] * b[p] - c[p + i]);
      });
      return true;
    case Fused::none: break;
  }
  switch (step.operation) {
    case Operation::add: each_lane([=](std::size_t p) { store(p, a[p] + b[p], a[p + i] + b[p + i]); }); return true;
    case Operation::subtract: each_lane([=](std::size_t p) { store(p, a[p] - b[p], a[p + i] - b[p + i]); }); return true;
    case Operation::multiply:
      each_lane([=](std::size_t p) { store(p, a[p] * b[p] - a[p + i] * b[p + i], a[p] * b[p + i] + a[p + i] * b[p]); });
      return true;
    case Operation::divide:  // scaled by the larger part, so that the square neither overflows nor vanishes
      each_lane([=](std::size_t p) {
        const double re = b[p] < 0 ? -b[p] : b[p], im = b[p + i] < 0 ? -b[p + i] : b[p + i];
        const double scale = 1 / (re > im ? re : im);
        const double x = b[p] * scale, y = b[p + i] * scale, norm = scale / (x * x + y * y);
        store(p, (a[p] * x + a[p + i] * y) * norm, (a[p + i] * x - a[p] * y) * norm);
      });
      return true;
    case Operation::negate: each_lane([=](std::size_t p) { store(p, -a[p], -a[p + i]); }); return true;
    default: return false;
  }
}

void TapeRunner::complex_steps(const Tape& tape, const double* inputs, double* slots) {
  using Complex = std::complex<double>;
  const auto at = [&](std::uint32_t slot) { return slots + 2 * lanes * slot; };
  const auto load = [](const double* x, std::size_t p) { return Complex(x[p], x[p + lanes]); };
  const auto store = [](double* x, std::size_t p, const Complex& value) {
    x[p] = value.real();
    x[p + lanes] = value.imag();
  };
  for (const Step& step : tape.steps_) {
    double* const r = at(step.result);
    if (step.operation == Operation::constant) {
      std::fill_n(r, lanes, tape.constants_[step.a]);
      std::fill_n(r + lanes, lanes, 0.0);
    } else if (step.operation == Operation::input) {
      std::copy_n(inputs + 2 * lanes * step.a, 2 * lanes, r);
    } else if (step.operation == Operation::integer_power) {
      for (std::size_t p = 0; p < lanes; ++p) store(r, p, integer_power(load(at(step.a), p), static_cast<std::int32_t>(step.b)));
    } else {
      const double *a = at(step.a), *b = operand_count(step.operation) == 2 ? at(step.b) : a;
      if (complex_arithmetic(step, r, a, b, step.fused == Fused::none ? a : at(step.c))) continue;
      for (std::size_t p = 0; p < lanes; ++p) store(r, p, applied(step.operation, load(a, p), load(b, p)));
    }
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
void TapeRunner::real_avx2(const Tape& tape, const double* inputs, double* slots) { real_steps(tape, inputs, slots); }
void TapeRunner::complex_avx2(const Tape& tape, const double* inputs, double* slots) { complex_steps(tape, inputs, slots); }
void TapeRunner::real_avx512(const Tape& tape, const double* inputs, double* slots) { real_steps(tape, inputs, slots); }
void TapeRunner::complex_avx512(const Tape& tape, const double* inputs, double* slots) { complex_steps(tape, inputs, slots); }
#endif

void TapeRunner::real(const Tape& tape, const double* inputs, double* slots) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return real_avx512(tape, inputs, slots);
  if (__builtin_cpu_supports("avx2")) return real_avx2(tape, inputs, slots);
#endif
  real_steps(tape, inputs, slots);
}

void TapeRunner::complex(const Tape& tape, const double* inputs, double* slots) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return complex_avx512(tape, inputs, slots);
  if (__builtin_cpu_supports("avx2")) return complex_avx2(tape, inputs, slots);
#endif
  complex_steps(tape, inputs, slots);
}

namespace {

void put(double* lane, std::size_t p, double value) { lane[p] = value; }
void put(double* lane, std::size_t p, const std::complex<double>& value) {
  lane[p] = value.real();
  lane[p + lanes] = value.imag();
}
void take(const double* lane, std::size_t p, double& value) { value = lane[p]; }
void take(const double* lane, std::size_t p, std::complex<double>& value) { value = {lane[p], lane[p + lanes]}; }

template <class T>
void check_batch(const Tape& tape, std::size_t points, std::span<const std::span<const T>> inputs, std::span<T> outputs) {
  if (inputs.size() != tape.inputs().size()) throw std::invalid_argument("Tape::run_batch: one list of values for every input");
  for (const auto& values : inputs)
    if (values.size() != points && values.size() != 1)
      throw std::invalid_argument("Tape::run_batch: an input has one value, or one for every point");
  if (outputs.size() != points * tape.outputs().size())
    throw std::invalid_argument("Tape::run_batch: one place for every output and point");
}

// The points [first, last) of `points`. The last batch is filled up with its last point.
template <class T>
void run_points(const Tape& tape, std::size_t first, std::size_t last, std::size_t points,
                std::span<const std::span<const T>> inputs, std::span<T> outputs, double* slots) {
  constexpr std::size_t stride = lanes * sizeof(T) / sizeof(double);
  std::vector<double> gathered(stride * inputs.size());
  for (std::size_t begin = first; begin < last; begin += lanes) {
    const std::size_t count = std::min(lanes, last - begin);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].size() == 1 && begin != first) continue;  // is there already
      for (std::size_t p = 0; p < lanes; ++p)
        put(&gathered[stride * i], p, inputs[i].size() == 1 ? inputs[i][0] : inputs[i][begin + std::min(p, count - 1)]);
    }
    if constexpr (sizeof(T) == sizeof(double))
      TapeRunner::real(tape, gathered.data(), slots);
    else
      TapeRunner::complex(tape, gathered.data(), slots);
    for (std::size_t o = 0; o < tape.outputs().size(); ++o)
      for (std::size_t p = 0; p < count; ++p)
        take(slots + stride * TapeRunner::output_slot(tape, o), p, outputs[o * points + begin + p]);
  }
}

/// So many that what is done once an item (constant inputs, a look at the clock) does not count.
std::size_t batches_an_item(const Tape& tape) {
  constexpr std::size_t instructions = 4096;
  return 1 + instructions / (tape.instructions().size() + 1);
}

}  // namespace

template <class T>
void Tape::run_batch(std::size_t points, std::span<const std::span<const T>> inputs, std::span<T> outputs,
                     std::span<T> workspace) const {
  check_batch(*this, points, inputs, outputs);
  if (workspace.size() < slot_count_ * batch_size) throw std::invalid_argument("Tape::run_batch: too little workspace");
  // An array of complex numbers is an array of twice as many doubles ([complex.numbers.general]).
  run_points<T>(*this, 0, points, points, inputs, outputs, reinterpret_cast<double*>(workspace.data()));
}

template <class T>
void Tape::run_parallel(std::size_t points, std::span<const std::span<const T>> inputs, std::span<T> outputs, unsigned threads,
                        const Budget& budget) const {
  check_batch(*this, points, inputs, outputs);
  const std::size_t share = batch_size * batches_an_item(*this);
  parallel_with((points + share - 1) / share, threads, budget, "the values at many points", [&] {
    return [&, slots = std::vector<double>(slot_count_ * batch_size * (sizeof(T) / sizeof(double)))](std::size_t k) mutable {
      run_points<T>(*this, k * share, std::min(points, (k + 1) * share), points, inputs, outputs, slots.data());
    };
  });
}

template void Tape::run_batch(std::size_t, std::span<const std::span<const double>>, std::span<double>, std::span<double>) const;
template void Tape::run_batch(std::size_t, std::span<const std::span<const std::complex<double>>>,
                              std::span<std::complex<double>>, std::span<std::complex<double>>) const;
template void Tape::run_parallel(std::size_t, std::span<const std::span<const double>>, std::span<double>, unsigned,
                                 const Budget&) const;
template void Tape::run_parallel(std::size_t, std::span<const std::span<const std::complex<double>>>,
                                 std::span<std::complex<double>>, unsigned, const Budget&) const;

}  // namespace sfg::numeric
