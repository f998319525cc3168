#include "sfg/export/c/code_lines.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "sfg/error.hpp"

namespace sfg {

namespace {

using numeric::Instruction;
using numeric::Operation;
using numeric::Tape;

class CodeWriter {
 public:
  CodeWriter(const Tape& tape, std::span<const std::string> inputs, const CodeSyntax& syntax, const std::string& prefix)
      : tape_(tape), inputs_(inputs), syntax_(syntax), prefix_(prefix), uses_(tape.instructions().size(), 0) {}

  CodeLines lines() {
    count_uses();
    const std::span<const Instruction> instructions = tape_.instructions();
    texts_.reserve(instructions.size());
    for (std::size_t k = 0; k < instructions.size(); ++k) texts_.push_back(named(k, text_of(instructions[k])));
    for (const std::uint32_t output : tape_.outputs()) result_.outputs.push_back(texts_[output].text);
    return std::move(result_);
  }

 private:
  void count_uses() {
    for (const Instruction& instruction : tape_.instructions()) {
      const int operands = operand_count(instruction.operation);
      if (operands > 0) ++uses_[instruction.left];
      if (operands > 1 && instruction.operation != Operation::lookup) ++uses_[instruction.right];
    }
    for (const std::uint32_t output : tape_.outputs()) ++uses_[output];
  }

  /// A value that is used again, or whose text is long, has a name.
  CodeText named(std::size_t k, CodeText text) {
    const Operation operation = tape_.instructions()[k].operation;
    if (operation == Operation::constant || operation == Operation::input) return text;
    if (uses_[k] < 2 && text.text.size() <= syntax_.longest) return text;
    result_.assignments.emplace_back(prefix_ + std::to_string(result_.assignments.size() + 1), std::move(text.text));
    return {result_.assignments.back().first, Binding::atom};
  }

  CodeText number(double x) const {
    if (!std::isfinite(x)) throw NoAnswer("a coefficient is no finite number in double precision", "scale the units", {});
    if (!std::signbit(x)) return {syntax_.number(x), Binding::atom};
    return {"-" + syntax_.number(-x), Binding::sum};
  }

  std::string at_least(std::uint32_t value, Binding binding) const {
    const CodeText& text = texts_[value];
    return text.binding >= binding ? text.text : "(" + text.text + ")";
  }

  CodeText raised(const Instruction& instruction) const {
    const int exponent = instruction.exponent();
    if (exponent == 0) return number(1);
    const std::string base = at_least(instruction.left, Binding::atom);
    const int size = std::abs(exponent);
    const CodeText power = size == 1 ? CodeText{base, Binding::atom} : syntax_.power(base, size);
    if (exponent > 0) return power;
    return {syntax_.number(1) + "/" + (power.binding > Binding::product ? power.text : "(" + power.text + ")"), Binding::product};
  }

  CodeText text_of(const Instruction& instruction) const {
    const std::uint32_t left = instruction.left, right = instruction.right;
    switch (instruction.operation) {
      case Operation::constant: return number(tape_.constants()[left]);
      case Operation::input: return {inputs_[left], Binding::atom};
      case Operation::add: return {texts_[left].text + " + " + after_sign(right), Binding::sum};
      case Operation::subtract: return {texts_[left].text + " - " + at_least(right, Binding::product), Binding::sum};
      case Operation::multiply:
        return {at_least(left, Binding::product) + "*" + at_least(right, Binding::product), Binding::product};
      case Operation::divide: return {at_least(left, Binding::product) + "/" + at_least(right, Binding::power), Binding::product};
      case Operation::negate: return {"-" + at_least(left, Binding::product), Binding::sum};
      case Operation::integer_power: return raised(instruction);
      default: break;
    }
    if (instruction.operation == Operation::lookup)
      return syntax_.function(Operation::lookup, texts_[left].text, std::to_string(table_code(tape_, instruction)));
    const bool two = operand_count(instruction.operation) > 1;
    return syntax_.function(instruction.operation, texts_[left].text, two ? texts_[right].text : std::string());
  }

  /// Behind a plus no text begins with a sign.
  std::string after_sign(std::uint32_t value) const {
    const std::string& text = texts_[value].text;
    return text.starts_with('-') ? "(" + text + ")" : text;
  }

  const Tape& tape_;
  std::span<const std::string> inputs_;
  const CodeSyntax& syntax_;
  const std::string& prefix_;
  std::vector<unsigned> uses_;
  std::vector<CodeText> texts_;
  CodeLines result_;
};

}  // namespace

CodeLines code_lines(const Tape& tape, std::span<const std::string> inputs, const CodeSyntax& syntax, const std::string& prefix) {
  return CodeWriter(tape, inputs, syntax, prefix).lines();
}

std::uint32_t table_code(const Tape& tape, const Instruction& lookup) {
  return static_cast<std::uint32_t>(tape.constants()[tape.instructions()[lookup.right].left]);
}

std::string code_number(double x) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

}  // namespace sfg
