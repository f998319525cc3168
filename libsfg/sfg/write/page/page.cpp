#include "sfg/write/page/page.hpp"

#include <iterator>

namespace sfg {

void Page::add(Block block) { blocks.push_back(std::move(block)); }

void Page::add(Page other) {
  blocks.insert(blocks.end(), std::make_move_iterator(other.blocks.begin()), std::make_move_iterator(other.blocks.end()));
}

Prose words(std::string text) { return {std::move(text)}; }

Prose joined(const std::vector<Prose>& parts, const std::string& between) {
  Prose all;
  for (const Prose& part : parts) {
    if (!all.empty()) all.emplace_back(between);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

Prose listed(const std::vector<std::string>& names) {
  if (names.empty()) return words("none");
  std::vector<Prose> parts;
  for (const std::string& name : names) parts.push_back({Math::signal(name)});
  return joined(parts, ", ");
}

Math simple_quotient(Math above, Math below) {
  if (above.is_negative()) return Math::negative(simple_quotient(std::move(above.parts[0]), std::move(below)));
  if (below == Math::number("1")) return above;
  if (above.kind != Math::Kind::quotient) return Math::quotient(std::move(above), std::move(below));
  Math inner = std::move(above.parts[1]);
  return Math::quotient(std::move(above.parts[0]), Math::product({std::move(inner), std::move(below)}));
}

Math tree(const Expression& expression) {
  if (const auto* formula = std::get_if<Math>(&expression)) return *formula;
  const auto& value = std::get<RationalFunction>(expression);
  return simple_quotient(math(value.numerator()), math(value.denominator()));
}

}  // namespace sfg
