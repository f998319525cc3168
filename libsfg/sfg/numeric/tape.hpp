#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sfg/budget.hpp"

/// From formulas to numbers. Needs nothing but the standard library and the limits of an analysis.
namespace sfg::numeric {

enum class Operation : std::uint8_t {
  constant,  ///< constants()[left]
  input,     ///< inputs()[left]
  add,       ///< left + right
  subtract,
  multiply,
  divide,
  negate,         ///< −left; so on, of one operand, unless two are named
  integer_power,  ///< left to the power exponent()
  power,          ///< left ^ right, the principal value
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,  ///< angle of (right, left); of the real parts
  sinh,
  cosh,
  tanh,
  abs,   ///< modulus
  sign,  ///< −1, 0, 1; of the real part, as the following
  step,  ///< 0 below 0, else 1
  min,
  max,     ///< of left and right
  floor,   ///< the greatest integer that is not above the real part
  lookup,  ///< of left, in the table that right stands for: numeric/lookup_table.hpp
};

/// "add", "sqrt", …
std::string_view name(Operation);
/// Number of operands among `left` and `right` that are values: 0, 1 or 2.
int operand_count(Operation);

/// One value of a tape; operands are numbers of earlier instructions, except those of `constant` and `input`.
struct Instruction {
  Operation operation = Operation::constant;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::int32_t exponent() const noexcept { return static_cast<std::int32_t>(right); }
  friend auto operator<=>(const Instruction&, const Instruction&) = default;
};

/// A program without branches or loops: every instruction makes one value from earlier ones; some values are the outputs.
/// Immutable; working memory is the caller's, so that many threads run one tape. T is double or std::complex<double>.
class Tape {
 public:
  /// Instruction k makes value k; equal ones occur once, useless ones not at all.
  std::span<const Instruction> instructions() const noexcept { return instructions_; }
  std::span<const double> constants() const noexcept { return constants_; }
  std::span<const std::string> inputs() const noexcept { return inputs_; }      ///< names, in the order of their values
  std::span<const std::uint32_t> outputs() const noexcept { return outputs_; }  ///< numbers of instructions
  /// Instructions that calculate: neither constants nor inputs.
  std::size_t operation_count() const noexcept;

  std::size_t slot_count() const noexcept { return slot_count_; }
  /// @param inputs   one value for every input
  /// @param outputs  one place for every output
  /// @param slots    at least slot_count(), contents irrelevant
  /// @throws std::invalid_argument  if a length is wrong.
  template <class T>
  void run(std::span<const T> inputs, std::span<T> outputs, std::span<T> slots) const;
  /// The same with memory of its own.
  template <class T>
  std::vector<T> values(std::span<const T> inputs) const;

  static constexpr std::size_t batch_size = 64;
  /// Many points at once, `batch_size` at a time with the vector instructions of the machine. Results are the same, bit by bit,
  /// on every machine and for every number of points as those of run(), apart from complex divisions, which may differ in the
  /// last bits.
  /// @param inputs     for every input its values at the points, or a single one for all of them
  /// @param outputs    outputs × points: those of the first output, then of the second …
  /// @param workspace  at least slot_count() · batch_size
  template <class T>
  void run_batch(std::size_t points, std::span<const std::span<const T>> inputs, std::span<T> outputs,
                 std::span<T> workspace) const;
  /// run_batch() spread over so many threads (0: one for each core).
  /// @throws LimitReached, Cancelled by the budget.
  template <class T>
  void run_parallel(std::size_t points, std::span<const std::span<const T>> inputs, std::span<T> outputs, unsigned threads = 0,
                    const Budget& budget = {}) const;

  /// Complex values with bounds of their errors (running error analysis, Higham, Accuracy and Stability of Numerical
  /// Algorithms, 2nd ed., §3.3): what rounding adds and what the inputs bring in, to first order where a function other than
  /// + − · / is applied. Spread over so many threads (0: one for each core); the same bits for every number of threads.
  /// @param inputs           as of run_batch()
  /// @param relative_errors  of the inputs' values, one for each input: 0 where exact, 2^−53 where rounded once
  /// @param outputs, errors  outputs × points; errors are absolute, infinite where nothing is known
  /// @throws LimitReached, Cancelled by the budget.
  /// @note  A bound holds for the tape's constants as they are, and above 1e-150: smaller values count as that large.
  void run_bounded(std::size_t points, std::span<const std::span<const std::complex<double>>> inputs,
                   std::span<const double> relative_errors, std::span<std::complex<double>> outputs, std::span<double> errors,
                   unsigned threads = 0, const Budget& budget = {}) const;

  /// Derivatives of Σ seeds[o]·output[o] by all inputs, in one reverse sweep: a small multiple of the cost of run().
  /// @param derivatives  one place for every input
  /// @param workspace    at least 2 · instructions().size()
  template <class T>
  void gradient(std::span<const T> inputs, std::span<const T> seeds, std::span<T> outputs, std::span<T> derivatives,
                std::span<T> workspace) const;

 private:
  friend class TapeBuilder;
  friend class TapeRunner;
  friend class BoundedRunner;
  // Instructions as they are run: a product that is only added to something is one with the addition, and values whose lives do
  // not overlap share a slot.
  enum class Fused : std::uint8_t { none, multiply_add, subtract_product, multiply_subtract };
  struct Step {
    Operation operation;
    Fused fused;  // a·b + c, c − a·b, a·b − c
    std::uint32_t result, a, b, c;
  };
  void prepare();
  std::vector<Step> fused_steps() const;
  void order(const std::vector<Step>&);
  void assign_slots();

  std::vector<Instruction> instructions_;
  std::vector<double> constants_;
  std::vector<std::string> inputs_;
  std::vector<std::uint32_t> outputs_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> output_slots_;
  std::size_t slot_count_ = 0;
};

/// Makes tapes. Finds equal subexpressions again, calculates with constants at once and leaves out what changes nothing
/// (x + 0, 1·x, 0·x, −(−x)).
class TapeBuilder {
 public:
  /// Which calculations with constants are made at once: all, or those of + − · / whose result needs no rounding, so that a tape
  /// with exact constants stays exact.
  enum class Folding { all, exact };
  explicit TapeBuilder(Folding folding = Folding::all) : folding_(folding) {}

  /// A value of this builder.
  struct Value {
    std::uint32_t number;
    friend auto operator<=>(const Value&, const Value&) = default;
  };

  /// The input of that name, added at the end when it is not there yet.
  Value input(std::string_view name);
  Value constant(double);
  Value add(Value, Value);
  Value subtract(Value, Value);
  Value multiply(Value, Value);
  Value divide(Value, Value);
  Value negate(Value);
  Value power(Value, std::int32_t exponent);
  Value apply(Operation, Value left, Value right = {});
  /// Whether a value is that constant.
  bool is_constant(Value, double) const;
  std::size_t size() const noexcept { return instructions_.size(); }

  /// A tape of these outputs and all inputs of the builder, which can go on.
  Tape tape(std::span<const Value> outputs) const;

 private:
  Value insert(Instruction);
  const double* constant_of(Value) const;

  Folding folding_;
  std::vector<Instruction> instructions_;
  std::vector<double> constants_;
  std::vector<std::string> inputs_;
  std::map<std::string, Value, std::less<>> input_numbers_;
  std::map<std::uint64_t, Value> constant_numbers_;  // by bit pattern
  struct Hash {
    std::size_t operator()(const Instruction&) const noexcept;
  };
  std::vector<std::uint32_t> table_;  // open addressing: number + 1
};

/// The ring whose values are those of a TapeBuilder: evaluates a determinant diagram into a tape. It has division, too.
struct TapeRing {
  using Value = TapeBuilder::Value;
  TapeBuilder* builder;
  Value zero() const { return builder->constant(0); }
  Value one() const { return builder->constant(1); }
  Value add(Value a, Value b) const { return builder->add(a, b); }
  Value multiply(Value a, Value b) const { return builder->multiply(a, b); }
  Value negate(Value a) const { return builder->negate(a); }
  Value divide(Value a, Value b) const { return builder->divide(a, b); }
  void add_product(Value& sum, Value a, Value b) const { sum = builder->add(sum, builder->multiply(a, b)); }
  void subtract_product(Value& sum, Value a, Value b) const { sum = builder->subtract(sum, builder->multiply(a, b)); }
};

/// The outputs of `tape`, then for every output its derivatives by all inputs, as a tape with the same inputs.
/// A tape with exact constants stays exact.
Tape with_jacobian(const Tape& tape);
/// The same by some inputs only, in the order given.
Tape with_jacobian(const Tape& tape, std::span<const std::uint32_t> by);

}  // namespace sfg::numeric
