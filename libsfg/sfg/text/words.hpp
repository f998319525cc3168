#pragma once
#include <string>
#include <string_view>

#include "sfg/text/utf8.hpp"

// Not installed: how messages and tables show what users wrote.
namespace sfg {

inline std::string quoted(const std::string& name) { return "'" + name + "'"; }

/// The beginning of what may be long.
inline std::string shown_in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return "'" + std::string(text) + "'";
  return "'" + std::string(cut_to_bytes(text, longest)) + "…'";
}

/// A field of CSV.
inline std::string quoted_field(std::string_view text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

}  // namespace sfg
