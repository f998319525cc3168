#include "tools/frame/decimals.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "sfg/expr/decimal_fraction.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
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
    if (arguments.input() == "-" || !std::filesystem::is_regular_file(arguments.input())) return std::nullopt;
    std::ifstream file(arguments.input(), std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
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

std::vector<exact::Rational> typed_decimals(const Task& task) {
  const std::string text = typed(task).value_or("");
  constexpr std::size_t longest = 40, most = 10'000;
  const auto within = [&](std::size_t i, std::string_view set) {
    return i < text.size() && set.find(text[i]) != std::string_view::npos;
  };
  std::vector<exact::Rational> found;
  for (std::size_t i = 0; i < text.size() && found.size() < most; ++i) {
    const bool word = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
    if (word || !within(i, "0123456789.")) continue;
    std::size_t end = i;
    while (within(end, "0123456789.")) ++end;
    if (within(end, "eE") && (within(end + 1, "0123456789") || (within(end + 1, "+-") && within(end + 2, "0123456789")))) {
      end += 2;
      while (within(end, "0123456789")) ++end;
    }
    try {
      if (const std::string number = text.substr(i, end - i); number.size() <= longest)
        if (const exact::Rational value = exact_value(parse_number(number)); !value.is_integer()) found.push_back(value);
    } catch (const Error&) {  // a version, 1.2.3
    }
    i = end - 1;
  }
  return found;
}

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
