#include "sfg/numeric/tape.hpp"

#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "sfg/numeric/operations.hpp"
#include "sfg/numeric/tape_slopes.hpp"

namespace sfg::numeric {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

constexpr std::array<std::string_view, 29> names{
    "constant", "input", "add", "subtract", "multiply", "divide", "negate", "integer_power", "power", "sqrt",
    "exp",      "log",   "sin", "cos",      "tan",      "asin",   "acos",   "atan",          "atan2", "sinh",
    "cosh",     "tanh",  "abs", "sign",     "step",     "min",    "max",    "floor",         "lookup"};

// Whether a result is the exact one: what rounding took away is a double itself and can be calculated.
bool without_rounding(Operation operation, double a, double b, double result) {
  constexpr double least = 1e-200, greatest = 1e200;  // beyond, the remainder may underflow or overflow
  if (result != 0 && (std::abs(result) < least || std::abs(result) > greatest)) return false;
  switch (operation) {
    case Operation::negate: return true;
    case Operation::add:
    case Operation::subtract: {
      const double second = operation == Operation::add ? b : -b, virtual_second = result - a;
      return (a - (result - virtual_second)) + (second - virtual_second) == 0;  // Knuth's two-sum
    }
    case Operation::multiply: return result == 0 ? a == 0 || b == 0 : std::fma(a, b, -result) == 0;
    case Operation::divide: return a == 0 || std::fma(result, b, -a) == 0;
    default: return false;
  }
}

template <class T>
void require(std::span<T> memory, std::size_t length, const char* message) {
  if (memory.size() < length) throw std::invalid_argument(message);
}

/// What a step reads, each by the action.
template <class Step, class Action>
void for_operands(Step& step, const Action& action) {
  const int operands = step.fused != decltype(step.fused)::none ? 3 : operand_count(step.operation);
  if (operands > 0) action(step.a);
  if (operands > 1) action(step.b);
  if (operands > 2) action(step.c);
}

}  // namespace

std::string_view name(Operation operation) { return names[static_cast<std::size_t>(operation)]; }

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::input: return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::atan2:
    case Operation::min:
    case Operation::max:
    case Operation::lookup: return 2;
    default: return 1;
  }
}

std::size_t Tape::operation_count() const noexcept {
  std::size_t count = 0;
  for (const Instruction& instruction : instructions_) count += operand_count(instruction.operation) > 0 ? 1 : 0;
  return count;
}

template <class T>
void Tape::run(std::span<const T> inputs, std::span<T> outputs, std::span<T> slots) const {
  if (inputs.size() != inputs_.size()) throw std::invalid_argument("Tape::run: one value for every input");
  if (outputs.size() != outputs_.size()) throw std::invalid_argument("Tape::run: one place for every output");
  require(slots, slot_count_, "Tape::run: too few slots");
  T* const x = slots.data();
  for (const Step& step : steps_) {
    T& result = x[step.result];
    switch (step.fused) {
      case Fused::multiply_add: result = product(x[step.a], x[step.b]) + x[step.c]; continue;
      case Fused::subtract_product: result = x[step.c] - product(x[step.a], x[step.b]); continue;
      case Fused::multiply_subtract: result = product(x[step.a], x[step.b]) - x[step.c]; continue;
      case Fused::none: break;
    }
    switch (step.operation) {
      case Operation::constant: result = constants_[step.a]; break;
      case Operation::input: result = inputs[step.a]; break;
      case Operation::integer_power: result = integer_power(x[step.a], static_cast<std::int32_t>(step.b)); break;
      case Operation::add: result = x[step.a] + x[step.b]; break;
      case Operation::subtract: result = x[step.a] - x[step.b]; break;
      case Operation::multiply: result = product(x[step.a], x[step.b]); break;
      default: result = applied(step.operation, x[step.a], x[step.b]); break;
    }
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) outputs[o] = x[output_slots_[o]];
}

template <class T>
std::vector<T> Tape::values(std::span<const T> inputs) const {
  std::vector<T> outputs(outputs_.size()), slots(slot_count_);
  run<T>(inputs, outputs, slots);
  return outputs;
}

template <class T>
void Tape::gradient(std::span<const T> inputs, std::span<const T> seeds, std::span<T> outputs, std::span<T> derivatives,
                    std::span<T> workspace) const {
  const std::size_t n = instructions_.size();
  if (inputs.size() != inputs_.size() || derivatives.size() != inputs_.size())
    throw std::invalid_argument("Tape::gradient: one value and one derivative for every input");
  if (outputs.size() != outputs_.size() || seeds.size() != outputs_.size())
    throw std::invalid_argument("Tape::gradient: one place and one seed for every output");
  require(workspace, 2 * n, "Tape::gradient: too little workspace");
  const std::span<T> x = workspace.first(n), adjoint = workspace.subspan(n, n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto& [operation, left, right] = instructions_[k];
    if (operation == Operation::constant)
      x[k] = constants_[left];
    else if (operation == Operation::input)
      x[k] = inputs[left];
    else if (operation == Operation::integer_power)
      x[k] = integer_power(x[left], instructions_[k].exponent());
    else
      x[k] = applied(operation, x[left], x[right]);
  }
  std::fill(adjoint.begin(), adjoint.end(), T(0));
  std::fill(derivatives.begin(), derivatives.end(), T(0));
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    outputs[o] = x[outputs_[o]];
    adjoint[outputs_[o]] += seeds[o];
  }
  Numbers<T> numbers;
  for (std::size_t k = n; k-- > 0;) {
    if (adjoint[k] == T(0)) continue;
    const auto& [operation, left, right] = instructions_[k];
    const int operands = operand_count(operation);
    if (operation == Operation::input) derivatives[left] += adjoint[k];
    if (operands == 0) continue;
    const bool constant_right = operands == 2 && instructions_[right].operation == Operation::constant;
    const auto partial = partials(numbers, instructions_[k], x[k], x[left], operands == 2 ? x[right] : T(0), constant_right);
    adjoint[left] += product(adjoint[k], partial.left);
    if (operands == 2 && !constant_right) adjoint[right] += product(adjoint[k], partial.right);
  }
}

void Tape::prepare() {
  order(fused_steps());
  assign_slots();
}

/// A step a value, fused where a product has no other use; the product's own step then has no result.
std::vector<Tape::Step> Tape::fused_steps() const {
  const std::size_t n = instructions_.size();
  std::vector<std::uint32_t> uses(n, 0);
  for (const Instruction& instruction : instructions_) {
    const int operands = operand_count(instruction.operation);
    if (operands > 0) ++uses[instruction.left];
    if (operands > 1) ++uses[instruction.right];
  }
  for (const std::uint32_t output : outputs_) ++uses[output];

  const auto lone_product = [&](std::uint32_t k) { return instructions_[k].operation == Operation::multiply && uses[k] == 1; };
  std::vector<Step> steps;
  for (std::uint32_t k = 0; k < n; ++k) {
    const Instruction& i = instructions_[k];
    Step step{i.operation, Fused::none, k, i.left, i.right, none};
    const auto fuse = [&](Fused kind, std::uint32_t multiplied, std::uint32_t other) {
      step.fused = kind;
      step.a = instructions_[multiplied].left;
      step.b = instructions_[multiplied].right;
      step.c = other;
      steps[multiplied].result = none;
    };
    if (i.operation == Operation::add && lone_product(i.right) && i.left != i.right)
      fuse(Fused::multiply_add, i.right, i.left);
    else if (i.operation == Operation::add && lone_product(i.left) && i.left != i.right)
      fuse(Fused::multiply_add, i.left, i.right);
    else if (i.operation == Operation::subtract && lone_product(i.right))
      fuse(Fused::subtract_product, i.right, i.left);
    else if (i.operation == Operation::subtract && lone_product(i.left))
      fuse(Fused::multiply_subtract, i.left, i.right);
    steps.push_back(step);
  }

  return steps;
}

/// Inputs and constants are fetched when they are first needed, not earlier.
void Tape::order(const std::vector<Step>& steps) {
  std::vector<bool> fetched(steps.size());
  const auto fetch = [&](std::uint32_t value) {
    if (operand_count(instructions_[value].operation) > 0 || fetched[value]) return;
    fetched[value] = true;
    steps_.push_back(steps[value]);
  };
  steps_.clear();
  for (const Step& step : steps) {
    if (step.result == none || operand_count(step.operation) == 0) continue;
    for_operands(step, fetch);
    steps_.push_back(step);
  }
  for (const std::uint32_t output : outputs_) fetch(output);
}

/// Slots are free again after the last step that reads them.
void Tape::assign_slots() {
  const std::size_t n = instructions_.size();
  std::vector<std::uint32_t> last(n, none), slot(n, none), free;
  for (std::uint32_t k = 0; k < steps_.size(); ++k) for_operands(steps_[k], [&](std::uint32_t& value) { last[value] = k; });
  for (const std::uint32_t output : outputs_) last[output] = none;
  slot_count_ = 0;
  for (std::uint32_t k = 0; k < steps_.size(); ++k) {
    Step& step = steps_[k];
    for_operands(step, [&](std::uint32_t& value) {
      if (last[value] == k) {
        free.push_back(slot[value]);
        last[value] = none;  // once only, though it may be the operand twice
      }
      value = slot[value];
    });
    if (free.empty()) free.push_back(static_cast<std::uint32_t>(slot_count_++));
    slot[step.result] = free.back();
    step.result = free.back();
    free.pop_back();
  }
  output_slots_.clear();
  for (const std::uint32_t output : outputs_) output_slots_.push_back(slot[output]);
}

const double* TapeBuilder::constant_of(Value value) const {
  const Instruction& instruction = instructions_[value.number];
  return instruction.operation == Operation::constant ? &constants_[instruction.left] : nullptr;
}

bool TapeBuilder::is_constant(Value value, double number) const {
  const double* constant = constant_of(value);
  return constant != nullptr && *constant == number;
}

std::size_t TapeBuilder::Hash::operator()(const Instruction& i) const noexcept {
  std::uint64_t h = (std::uint64_t{i.left} << 32 | i.right) + static_cast<std::uint64_t>(i.operation) * 0x9E3779B97F4A7C15U;
  h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9U;
  return h ^ (h >> 29);
}

TapeBuilder::Value TapeBuilder::insert(Instruction instruction) {
  if (2 * (instructions_.size() + 1) > table_.size()) {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), 0);
    for (std::uint32_t k = 0; k < instructions_.size(); ++k) {
      std::size_t at = Hash()(instructions_[k]) & (table_.size() - 1);
      while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
      table_[at] = k + 1;
    }
  }
  std::size_t at = Hash()(instruction) & (table_.size() - 1);
  for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1))
    if (instructions_[table_[at] - 1] == instruction) return {table_[at] - 1};
  if (instructions_.size() >= none - 1) throw std::length_error("TapeBuilder: too many instructions");
  instructions_.push_back(instruction);
  table_[at] = static_cast<std::uint32_t>(instructions_.size());
  return {table_[at] - 1};
}

TapeBuilder::Value TapeBuilder::input(std::string_view name) {
  if (const auto found = input_numbers_.find(name); found != input_numbers_.end()) return found->second;
  const Value value = insert({Operation::input, static_cast<std::uint32_t>(inputs_.size()), 0});
  inputs_.emplace_back(name);
  input_numbers_.emplace(name, value);
  return value;
}

TapeBuilder::Value TapeBuilder::constant(double number) {
  if (number == 0) number = 0;  // no negative zero
  const auto bits = std::bit_cast<std::uint64_t>(number);
  if (const auto found = constant_numbers_.find(bits); found != constant_numbers_.end()) return found->second;
  const Value value = insert({Operation::constant, static_cast<std::uint32_t>(constants_.size()), 0});
  constants_.push_back(number);
  constant_numbers_.emplace(bits, value);
  return value;
}

TapeBuilder::Value TapeBuilder::add(Value a, Value b) {
  if (is_constant(a, 0)) return b;
  if (is_constant(b, 0)) return a;
  if (b < a) std::swap(a, b);
  return apply(Operation::add, a, b);
}

TapeBuilder::Value TapeBuilder::subtract(Value a, Value b) {
  if (is_constant(b, 0)) return a;
  if (is_constant(a, 0)) return negate(b);
  if (a == b) return constant(0);
  return apply(Operation::subtract, a, b);
}

TapeBuilder::Value TapeBuilder::multiply(Value a, Value b) {
  if (is_constant(b, 0) || is_constant(b, 1) || is_constant(b, -1)) std::swap(a, b);
  if (is_constant(a, 0) || is_constant(b, 1)) return a;
  if (is_constant(a, 1)) return b;
  if (is_constant(a, -1)) return negate(b);
  if (b < a) std::swap(a, b);
  return apply(Operation::multiply, a, b);
}

TapeBuilder::Value TapeBuilder::divide(Value a, Value b) {
  if (is_constant(b, 1)) return a;
  if (is_constant(b, -1)) return negate(a);
  if (is_constant(a, 0) && !is_constant(b, 0)) return a;
  return apply(Operation::divide, a, b);
}

TapeBuilder::Value TapeBuilder::negate(Value a) {
  if (instructions_[a.number].operation == Operation::negate) return {instructions_[a.number].left};
  return apply(Operation::negate, a);
}

TapeBuilder::Value TapeBuilder::power(Value base, std::int32_t exponent) {
  if (exponent == 0) return constant(1);
  if (exponent == 1) return base;
  if (exponent == -1) return divide(constant(1), base);
  if (exponent == 2) return multiply(base, base);
  if (const double* number = constant_of(base); number != nullptr && folding_ == Folding::all)
    return constant(integer_power(*number, exponent));
  return insert({Operation::integer_power, base.number, static_cast<std::uint32_t>(exponent)});
}

TapeBuilder::Value TapeBuilder::apply(Operation operation, Value left, Value right) {
  const int operands = operand_count(operation);
  if (operands == 0 || operation == Operation::integer_power)
    throw std::invalid_argument("TapeBuilder::apply: use input(), constant() or power()");
  if (operands == 1) right = {};
  const double* a = constant_of(left);
  const double* b = operands == 2 ? constant_of(right) : a;
  if (a != nullptr && b != nullptr) {
    const double value = applied(operation, *a, *b);
    const bool wanted = folding_ == Folding::all || without_rounding(operation, *a, *b, value);
    if (wanted && !std::isnan(value)) return constant(value);  // √−1 has a value where the tape is run with complex numbers
  }
  return insert({operation, left.number, right.number});
}

Tape TapeBuilder::tape(std::span<const Value> outputs) const {
  std::vector<std::uint32_t> number(instructions_.size(), none);  // in the tape; first only marks what is needed
  for (const Value output : outputs) number.at(output.number) = 0;
  for (std::size_t k = instructions_.size(); k-- > 0;) {
    if (number[k] == none) continue;
    const int operands = operand_count(instructions_[k].operation);
    if (operands > 0) number[instructions_[k].left] = 0;
    if (operands > 1) number[instructions_[k].right] = 0;
  }
  Tape tape;
  tape.inputs_ = inputs_;
  for (std::size_t k = 0; k < instructions_.size(); ++k) {
    if (number[k] == none) continue;
    Instruction instruction = instructions_[k];
    const int operands = operand_count(instruction.operation);
    if (operands > 0) instruction.left = number[instruction.left];
    if (operands > 1) instruction.right = number[instruction.right];
    if (instruction.operation == Operation::constant) {
      tape.constants_.push_back(constants_[instruction.left]);
      instruction.left = static_cast<std::uint32_t>(tape.constants_.size() - 1);
    }
    number[k] = static_cast<std::uint32_t>(tape.instructions_.size());
    tape.instructions_.push_back(instruction);
  }
  for (const Value output : outputs) tape.outputs_.push_back(number[output.number]);
  tape.prepare();
  return tape;
}

Tape with_jacobian(const Tape& tape) {
  std::vector<std::uint32_t> all(tape.inputs().size());
  std::iota(all.begin(), all.end(), 0U);
  return with_jacobian(tape, all);
}

namespace {

/// The instructions of a tape once more, in another builder, for those of derivatives.
struct Again {
  using Value = TapeBuilder::Value;
  TapeBuilder& b;

  Value constant(double x) const { return b.constant(x); }
  Value add(Value a, Value c) const { return b.add(a, c); }
  Value subtract(Value a, Value c) const { return b.subtract(a, c); }
  Value multiply(Value a, Value c) const { return b.multiply(a, c); }
  Value divide(Value a, Value c) const { return b.divide(a, c); }
  Value negate(Value a) const { return b.negate(a); }
  Value power(Value a, std::int32_t exponent) const { return b.power(a, exponent); }
  Value apply(Operation operation, Value a, Value c = {}) const { return b.apply(operation, a, c); }

  Value again(const Tape& tape, const Instruction& i, std::span<const Value> inputs, std::span<const Value> values) const {
    switch (i.operation) {
      case Operation::constant: return b.constant(tape.constants()[i.left]);
      case Operation::input: return inputs[i.left];
      case Operation::integer_power: return b.power(values[i.left], i.exponent());
      case Operation::multiply: return b.multiply(values[i.left], values[i.right]);
      default: return b.apply(i.operation, values[i.left], operand_count(i.operation) == 2 ? values[i.right] : Value{});
    }
  }
};

}  // namespace

Tape with_slopes(const Tape& tape, std::uint32_t by) {
  using Value = TapeBuilder::Value;
  TapeBuilder builder(TapeBuilder::Folding::exact);
  const Again algebra{builder};
  std::vector<Value> inputs, values, slopes, outputs;
  for (const std::string& input : tape.inputs()) inputs.push_back(builder.input(input));
  const Value zero = builder.constant(0);
  const auto instructions = tape.instructions();
  for (const Instruction& i : instructions) {
    values.push_back(algebra.again(tape, i, inputs, values));
    const int operands = operand_count(i.operation);
    const Value left = operands == 0 ? zero : slopes[i.left], right = operands == 2 ? slopes[i.right] : zero;
    if (i.operation == Operation::input && i.left == by) {
      slopes.push_back(builder.constant(1));
    } else if (left == zero && right == zero) {
      slopes.push_back(zero);
    } else if (i.operation == Operation::divide) {
      slopes.push_back(builder.divide(builder.subtract(left, builder.multiply(values.back(), right)), values[i.right]));
    } else {
      const auto partial =
          partials(algebra, i, values.back(), values[i.left], operands == 2 ? values[i.right] : zero, right == zero);
      const Value first = builder.multiply(left, partial.left);
      slopes.push_back(operands == 2 ? builder.add(first, builder.multiply(right, partial.right)) : first);
    }
  }
  for (const std::uint32_t output : tape.outputs()) outputs.push_back(values[output]);
  for (const std::uint32_t output : tape.outputs()) outputs.push_back(slopes[output]);
  return builder.tape(outputs);
}

Tape with_jacobian(const Tape& tape, std::span<const std::uint32_t> by) {
  using Value = TapeBuilder::Value;
  TapeBuilder builder(TapeBuilder::Folding::exact);
  const Again algebra{builder};
  std::vector<Value> inputs, values, outputs;
  for (const std::string& input : tape.inputs()) inputs.push_back(builder.input(input));
  const auto instructions = tape.instructions();
  for (const Instruction& i : instructions) values.push_back(algebra.again(tape, i, inputs, values));
  for (const std::uint32_t output : tape.outputs()) outputs.push_back(values[output]);
  const Value zero = builder.constant(0);
  for (const std::uint32_t output : tape.outputs()) {
    std::vector<Value> adjoint(output + 1, zero), derivatives(inputs.size(), zero);
    adjoint[output] = builder.constant(1);
    for (std::size_t k = output + 1; k-- > 0;) {
      if (adjoint[k] == zero) continue;
      const Instruction& i = instructions[k];
      const int operands = operand_count(i.operation);
      if (i.operation == Operation::input) derivatives[i.left] = builder.add(derivatives[i.left], adjoint[k]);
      if (operands == 0) continue;
      const bool constant_right = operands == 2 && instructions[i.right].operation == Operation::constant;
      const auto partial =
          partials(algebra, i, values[k], values[i.left], operands == 2 ? values[i.right] : zero, constant_right);
      adjoint[i.left] = builder.add(adjoint[i.left], builder.multiply(adjoint[k], partial.left));
      if (operands == 2) adjoint[i.right] = builder.add(adjoint[i.right], builder.multiply(adjoint[k], partial.right));
    }
    for (const std::uint32_t input : by) outputs.push_back(derivatives.at(input));
  }
  return builder.tape(outputs);
}

template void Tape::run(std::span<const double>, std::span<double>, std::span<double>) const;
template void Tape::run(std::span<const std::complex<double>>, std::span<std::complex<double>>,
                        std::span<std::complex<double>>) const;
template std::vector<double> Tape::values(std::span<const double>) const;
template std::vector<std::complex<double>> Tape::values(std::span<const std::complex<double>>) const;
template void Tape::gradient(std::span<const double>, std::span<const double>, std::span<double>, std::span<double>,
                             std::span<double>) const;
template void Tape::gradient(std::span<const std::complex<double>>, std::span<const std::complex<double>>,
                             std::span<std::complex<double>>, std::span<std::complex<double>>,
                             std::span<std::complex<double>>) const;

}  // namespace sfg::numeric
