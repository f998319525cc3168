#include "sfg/expr/tolerance.hpp"

#include <algorithm>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {

namespace {

struct PairEntry {
  std::string first, second;
  exact::Rational value;
};

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

PairEntry pair_entry(const std::string& entry, const char* example) {
  const std::string text = without_blanks(entry);
  const std::size_t comma = text.find(','), equals = text.find('=');
  if (comma == 0 || comma == std::string::npos || equals == std::string::npos || equals <= comma + 1 ||
      text.find(',', comma + 1) < equals)
    throw Error({}, "'" + entry + "' is no number of two parameters", std::string("write ") + example);
  try {
    return {text.substr(0, comma), text.substr(comma + 1, equals - comma - 1),
            exact_value(parse_number(text.substr(equals + 1)))};
  } catch (const Error&) {
    throw Error({}, "'" + text.substr(equals + 1) + "' in '" + entry + "' is no number", std::string("write ") + example);
  }
}

std::vector<std::string> entries_of(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts)
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min(text.find(';', from), text.size());
      if (std::string entry = text.substr(from, end - from); !without_blanks(entry).empty()) result.push_back(std::move(entry));
      from = end + 1;
    }
  return result;
}

}  // namespace

Covariance parse_covariance(const std::vector<std::string>& texts) {
  std::vector<PairEntry> entries;
  Covariance result;
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(result.names, name) - result.names.begin());
  };
  for (const std::string& entry : entries_of(texts)) {
    entries.push_back(pair_entry(entry, "R,R=0.04 for a variance, R,L=0.01 for a covariance"));
    for (const std::string& name : {entries.back().first, entries.back().second})
      if (index(name) == result.names.size()) result.names.push_back(name);
  }
  const std::size_t n = result.names.size();
  std::vector<std::optional<exact::Rational>> stated(n * n);
  for (const PairEntry& entry : entries) {
    const std::size_t i = index(entry.first), j = index(entry.second);
    if (stated[i * n + j])
      throw Error({}, "the covariance of '" + entry.first + "' and '" + entry.second + "' is stated twice",
                  "leave one of the two out");
    stated[i * n + j] = stated[j * n + i] = entry.value;
  }
  for (std::size_t i = 0; i < n; ++i)
    if (!stated[i * n + i])
      throw Error({}, "the variance of '" + result.names[i] + "' is not stated",
                  "add " + result.names[i] + "," + result.names[i] + "=VALUE");
  for (const auto& entry : stated) result.matrix.push_back(entry.value_or(exact::Rational()));
  return result;
}

Correlation parse_correlation(const std::string& text) {
  constexpr const char* example = "R,L=0.8";
  const PairEntry entry = pair_entry(text, example);
  if (entry.first == entry.second)
    throw Error({}, "'" + text + "': the correlation of a parameter with itself is 1", "name two parameters");
  if (entry.value.abs() > exact::Rational(1))
    throw Error({}, "'" + text + "': a correlation lies between -1 and 1", std::string("write ") + example);
  return {entry.first, entry.second, entry.value.to_double()};
}

}  // namespace sfg
