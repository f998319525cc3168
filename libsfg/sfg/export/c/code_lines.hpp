#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/numeric/tape.hpp"

namespace sfg {

/// How tightly the outermost operation of a text binds.
enum class Binding { sum, product, power, atom };

struct CodeText {
  std::string text;
  Binding binding = Binding::atom;
};

/// How a language writes arithmetic. + − · / and parentheses are the same everywhere.
struct CodeSyntax {
  /// A finite number that is not negative, so that it reads back as the same double.
  std::function<std::string(double)> number;
  /// base^exponent, exponent ≥ 2; the base is an atom.
  std::function<CodeText(const std::string& base, int exponent)> power;
  /// A function of one or two operands, which stand in no need of parentheses within it; the right one of a lookup is its
  /// table_code(). Throws where the language has none.
  std::function<CodeText(numeric::Operation, const std::string& left, const std::string& right)> function;
  std::size_t longest = 90;  ///< what would be a longer text gets a name
};

/// A tape as assignments, then its outputs as formulas of them and of the inputs.
struct CodeLines {
  std::vector<std::pair<std::string, std::string>> assignments;  ///< name and formula, in the order in which they are to be made
  std::vector<std::string> outputs;
};

/// What is used once stands where it is used; what is used again, or would be long, gets a name: prefix and a number.
/// @param inputs  what the tape's inputs are called
CodeLines code_lines(const numeric::Tape&, std::span<const std::string> inputs, const CodeSyntax&, const std::string& prefix);

/// Which table a lookup is in, and which derivative of it: numeric::lookup_code.
std::uint32_t table_code(const numeric::Tape&, const numeric::Instruction& lookup);

/// The shortest text that reads back as the same double, with a point or an exponent: "2.0", "1e-05", "0.1".
std::string code_number(double);

}  // namespace sfg
