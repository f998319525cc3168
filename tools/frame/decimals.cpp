#include "tools/frame/decimals.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "sfg/expr/decimal_fraction.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

namespace {

/// A point between digits, an exponent, or a letter for a power of ten behind digits.
bool writes_decimal(std::string_view text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0; };
  const auto word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.' && digit(i + 1)) return true;
    if (!digit(i) || (i > 0 && word(i - 1))) continue;
    std::size_t end = i;
    while (digit(end)) ++end;
    if (end == text.size()) return false;
    const char next = static_cast<char>(std::tolower(static_cast<unsigned char>(text[end])));
    if (next == 'e' && (digit(end + 1) || (end + 2 < text.size() && text[end + 1] == '-' && digit(end + 2)))) return true;
    if (std::string_view("munpf").find(next) != std::string_view::npos && !word(end + 1)) return true;
    i = end - 1;
  }
  return false;
}

/// What was typed; nothing where it cannot be read again.
std::optional<std::string> typed(const Task& task) {
  const Arguments& arguments = task.arguments;
  std::string text;
  if (task.given != nullptr) {
    text = task.given->text;
  } else {
    if (arguments.input() != "-" && !std::filesystem::is_regular_file(arguments.input())) return std::nullopt;
    text = text_of_input(arguments.input());
  }
  for (const std::string& setting : arguments.list("set")) text += "\n" + setting;
  return text;
}

}  // namespace

bool decimal_typed(const Input& input, const SymbolTable& symbols, const Task& task) {
  const auto* graph = std::get_if<SignalFlowGraph>(&input.content);
  const auto text = typed(task);
  bool found = false;
  for (const auto& [symbol, value] : symbols.values()) found |= has_decimal(value);
  if (graph != nullptr)
    for (const Branch& branch : graph->branches())
      found |= branch.linear() && (has_decimal(branch.gain()) || (text && divides_by_sum(branch.gain())));
  return found && (!text || writes_decimal(*text));
}

std::vector<exact::Rational> typed_decimals(const Task& task) { return decimals_in(typed(task).value_or("")); }

Option digits_option() {
  return {"--digits", "N", "significant digits of the decimals of --numbers (default 6)", Option::Kind::count};
}

Option exact_option() { return {"--exact", "", "with --numbers: fractions even where a decimal was typed"}; }

std::optional<std::size_t> digits_of(const Task& task) {
  const Arguments& arguments = task.arguments;
  for (const char* option : {"digits", "exact"})
    if (arguments.has(option) && !arguments.has("numbers"))
      throw UsageError(std::string("--") + option + " is of the answers of --numbers", "add --numbers, or leave it out");
  if (arguments.has("digits") && arguments.has("exact"))
    throw UsageError("--digits is of decimals, and --exact wants none", "leave one of them out");
  constexpr std::uint64_t usual = 6, most = 1000;
  const std::uint64_t digits = arguments.count("digits", usual);
  if (digits == 0 || digits > most)
    throw UsageError("option --digits needs a number from 1 to " + std::to_string(most) + ", not " + std::to_string(digits),
                     "write --digits 6");
  if (!arguments.has("numbers") || arguments.has("exact")) return std::nullopt;
  if (!arguments.has("digits") && !task.decimal_typed) return std::nullopt;
  return digits;
}

}  // namespace sfg::command
