#include "sfg/export/linear_motion.hpp"

namespace sfg {

namespace {

using numeric::TapeBuilder;
using Value = TapeBuilder::Value;

void declare_with_time(TapeBuilder& builder, const std::vector<ExportedParameter>& parameters) {
  for (const ExportedParameter& parameter : parameters) builder.input(parameter.name);
  builder.input("the time");
}

}  // namespace

std::vector<Value> inserted(TapeBuilder& builder, const numeric::Tape& tape) {
  std::vector<Value> inputs;
  for (const std::string& name : tape.inputs()) inputs.push_back(builder.input(name));
  return inserted(builder, tape, inputs);
}

std::vector<Value> inserted(TapeBuilder& builder, const numeric::Tape& tape, std::span<const Value> inputs) {
  std::vector<Value> values;
  for (const numeric::Instruction& i : tape.instructions()) {
    using enum numeric::Operation;
    switch (i.operation) {
      case constant: values.push_back(builder.constant(tape.constants()[i.left])); break;
      case input: values.push_back(inputs[i.left]); break;
      case integer_power: values.push_back(builder.power(values[i.left], i.exponent())); break;
      default:
        values.push_back(operand_count(i.operation) > 1 ? builder.apply(i.operation, values[i.left], values[i.right])
                                                        : builder.apply(i.operation, values[i.left]));
    }
  }
  std::vector<Value> outputs;
  for (const std::uint32_t output : tape.outputs()) outputs.push_back(values[output]);
  return outputs;
}

ExportedMotion linear_motion(const ExportedStates& space, const std::vector<ExportedParameter>& parameters) {
  ExportedMotion motion{.states = space.states,
                        .inputs = space.inputs,
                        .outputs = space.outputs,
                        .start = std::vector<double>(space.states.size(), 0.0),
                        .rates = {},
                        .drives = {}};
  TapeBuilder builder, driving;
  declare_with_time(builder, parameters);
  declare_with_time(driving, parameters);
  std::vector<Value> signals;
  for (std::size_t k = 0; k < space.states.size(); ++k) signals.push_back(builder.input("state " + std::to_string(k)));
  for (std::size_t k = 0; k < space.inputs.size(); ++k) signals.push_back(builder.input("input " + std::to_string(k)));
  const std::vector<Value> entries = inserted(builder, space.entries);
  const std::size_t n = space.states.size(), in = space.inputs.size(), out = space.outputs.size();
  std::vector<Value> rows;
  const auto row = [&](std::size_t of_states, std::size_t of_inputs) {
    Value sum = builder.constant(0);
    for (std::size_t k = 0; k < n; ++k) sum = builder.add(sum, builder.multiply(entries[of_states + k], signals[k]));
    for (std::size_t k = 0; k < in; ++k) sum = builder.add(sum, builder.multiply(entries[of_inputs + k], signals[n + k]));
    rows.push_back(sum);
  };
  for (std::size_t k = 0; k < n; ++k) row(k * n, n * n + k * in);
  for (std::size_t k = 0; k < out; ++k) row(n * (n + in) + k * n, n * (n + in) + out * n + k * in);
  motion.rates = builder.tape(rows);
  const std::vector<Value> steps(in, driving.constant(1));
  motion.drives = driving.tape(steps);
  return motion;
}

}  // namespace sfg
