// toml++ asserts that a key follows '[' before it looks and reports: with assertions a text such as "[=" would end the process.
#ifndef NDEBUG
#define NDEBUG
#endif
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sfg/read/document/document.hpp"

namespace sfg {

namespace {

/// Passes over a string of TOML that begins at `begin`; its end, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  const bool is_long = text.substr(begin, 3) == three;
  std::size_t i = begin + (is_long ? 3 : 1);
  while (i < text.size()) {
    if (text[i] == '\\' && quote == '"')
      i += 2;
    else if (is_long ? text.substr(i, 3) == three : text[i] == quote)
      return i + (is_long ? 3 : 1);
    else if (!is_long && text[i] == '\n')
      return i;
    else
      ++i;
  }
  return text.size();
}

/// toml++ makes a table for every part of a dotted key and walks them recursively: a key of 10⁵ parts ends the process.
void check_keys(const SourceText& source) {
  const std::string_view text = source.text();
  std::size_t points = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (std::string_view("=,{}[]\n").find(c) != std::string_view::npos) points = 0;
    if (c == '.' && ++points > deepest_nesting)
      throw Error(source.at(i, 1), "a key of more than " + std::to_string(deepest_nesting) + " parts", "write a shorter key");
    ++i;
  }
}

/// A number with a decimal comma, which ends the value for TOML: 0,5.
std::optional<Diagnostic> decimal_comma(const SourceText& source, std::size_t comma) {
  const std::string_view text = source.text();
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  if (comma == 0 || comma >= text.size() || text[comma] != ',' || !is_digit(comma - 1) || !is_digit(comma + 1)) return {};
  std::size_t begin = comma;
  while (begin > 0 && is_digit(begin - 1)) --begin;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", comma + 1), text.size());
  std::string pointed(text.substr(begin, end - begin));
  pointed[comma - begin] = '.';
  return Diagnostic{source.at(begin, end - begin),
                    "number '" + std::string(text.substr(begin, end - begin)) + "' has a decimal comma",
                    "write decimals with a point: " + pointed};
}

class Conversion {
 public:
  explicit Conversion(const SourceText& source) : source_(source) {}

  Value value(const toml::node& node) const {
    Value result;
    result.begin = offset(node.source().begin);
    result.end = std::max(result.begin, offset(node.source().end));
    switch (node.type()) {
      case toml::node_type::string: result.kind = Value::Kind::string; break;
      case toml::node_type::integer: result.kind = Value::Kind::number; break;
      case toml::node_type::floating_point:
        if (std::isfinite(node.as_floating_point()->get())) result.kind = Value::Kind::number;
        break;
      case toml::node_type::boolean:
        result.kind = Value::Kind::boolean;
        result.truth = node.as_boolean()->get();
        break;
      case toml::node_type::array:
        result.kind = Value::Kind::array;
        for (const toml::node& item : *node.as_array()) result.items.push_back(value(item));
        break;
      case toml::node_type::table: fill(result, *node.as_table()); break;
      default: break;
    }
    return result;
  }

 private:
  /// toml++ sorts a table by key; the order of the file matters to us (auxiliaries, attributes).
  void fill(Value& result, const toml::table& table) const {
    result.kind = Value::Kind::table;
    for (const auto& [key, node] : table)
      result.entries.push_back({std::string(key.str()), offset(key.source().begin), offset(key.source().end), value(node)});
    std::ranges::stable_sort(result.entries, {}, &Value::Entry::begin);
  }

  std::size_t offset(const toml::source_position& position) const { return source_.offset(position.line, position.column); }

  const SourceText& source_;
};

std::string message_of(const toml::parse_error& error) {
  std::string_view message = error.description();
  constexpr std::string_view preamble = "Error while parsing ";
  constexpr std::string_view at_end = ": encountered end-of-file";
  if (!message.starts_with(preamble)) return "not TOML: " + std::string(message);
  message.remove_prefix(preamble.size());
  if (!message.ends_with(at_end)) return "not TOML: in " + std::string(message);
  message.remove_suffix(at_end.size());
  return "not TOML: the file ends inside a " + std::string(message);
}

std::string hint_of(const toml::parse_error& error) {
  const std::string_view message = error.description();
  const bool number =
      message.find("integer") != std::string_view::npos || message.find("floating-point") != std::string_view::npos;
  return number ? "write a number of any size in double quotes"
                : "a line is name = value; text stands in double quotes, lists in [ ], tables in { }";
}

}  // namespace

Value toml_values(const SourceText& source) {
  constexpr std::size_t longest = std::size_t{16} << 20;
  if (source.text().size() > longest)
    throw Error(source.at(0), "the text is longer than " + std::to_string(longest) + " bytes",
                "write a large graph as DOT or JSON");
  check_keys(source);
  try {
    return Conversion(source).value(toml::parse(source.text()));
  } catch (const toml::parse_error& error) {
    const std::size_t offset = source.offset(error.source().begin.line, error.source().begin.column);
    if (auto comma = decimal_comma(source, offset)) throw Error(std::move(*comma));
    throw Error(source.at(offset), message_of(error), hint_of(error));
  }
}

}  // namespace sfg
