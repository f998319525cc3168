#include "sfg/expr/tables.hpp"

#include <array>
#include <charconv>

namespace sfg {

namespace {

/// As few digits as read back exactly.
std::string shortest(double x) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x);
  return {text.data(), end.ptr};
}

}  // namespace

std::optional<numeric::Interpolation> interpolation_of(std::string_view function) {
  if (function == "table") return numeric::Interpolation::linear;
  if (function == "spline") return numeric::Interpolation::spline;
  if (function == "monotone") return numeric::Interpolation::monotone;
  return {};
}

std::string_view function_of(numeric::Interpolation interpolation) {
  return interpolation == numeric::Interpolation::linear ? "table" : name(interpolation);
}

std::string file_key(std::string_view function, std::string_view quoted_file) {
  std::string inner(quoted_file.substr(1, quoted_file.size() - 2));
  return std::string(function) + " \"" + inner + '"';
}

std::vector<std::string> table_points(std::size_t number) {
  const numeric::LookupTable& table = numeric::table_of_number(number);
  std::vector<std::string> points;
  for (std::size_t i = 0; i < table.x().size(); ++i)
    points.push_back("[" + shortest(table.x()[i]) + ", " + shortest(table.y()[i]) + "]");
  return points;
}

std::vector<std::string> table_text(std::size_t number) {
  const numeric::LookupTable& table = numeric::table_of_number(number);
  if (!table.name().empty()) return {table.name()};
  std::vector<std::string> texts{std::string(function_of(table.interpolation()))};
  for (std::string& point : table_points(number)) texts.push_back(std::move(point));
  return texts;
}

}  // namespace sfg
