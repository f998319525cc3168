#include "sfg/expr/tolerance.hpp"

#include <ginac/ginac.h>

#include <array>
#include <optional>
#include <string_view>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {

namespace {

constexpr std::array distributions{Distribution::uniform, Distribution::triangular, Distribution::normal,
                                   Distribution::lognormal};

std::string_view trimmed(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

}  // namespace

Tolerance parse_tolerance(const std::string& text, const SourceSpan& where) {
  std::string_view number = trimmed(text);
  bool relative = true;
  for (const std::string_view sign : {"±", "+-"})
    if (relative && number.starts_with(sign)) {
      number.remove_prefix(sign.size());
      relative = false;
    }
  const bool percent = relative && number.ends_with('%');
  if (percent) number.remove_suffix(1);
  std::optional<exact::Rational> size;
  try {
    size = exact_value(parse_number(trimmed(number), where));
  } catch (const Error&) {
    throw Error(where, "text '" + text + "' is no tolerance", "write \"5%\" or 0.05 of the value, or \"±2\" in its unit");
  }
  if (size->sign() < 0) throw Error(where, "the tolerance '" + text + "' is below 0", "write, for instance, \"5%\" or \"±2\"");
  return {percent ? *size / 100 : *size, relative};
}

Distribution parse_distribution(const std::string& text, const SourceSpan& where) {
  std::vector<std::string> names;
  std::string known;
  for (const Distribution distribution : distributions) {
    names.emplace_back(to_string(distribution));
    known += (known.empty() ? "known are: " : ", ") + names.back();
    if (text == names.back()) return distribution;
  }
  const std::string near = text.size() > 1 ? nearest(text, names) : "";
  throw Error(where, "the distribution '" + text + "' is not known", near.empty() ? known : "did you mean '" + near + "'?");
}

}  // namespace sfg
