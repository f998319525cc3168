#include "sfg/derive/multibody/first_order.hpp"

#include <utility>
#include <vector>

#include "sfg/derive/operating_point.hpp"

namespace sfg {

using GiNaC::ex;

GiNaC::exset symbols_of(const ex& expression) {
  GiNaC::exset found;
  for (auto node = expression.preorder_begin(); node != expression.preorder_end(); ++node)
    if (GiNaC::is_exactly_a<GiNaC::symbol>(*node)) found.insert(*node);
  return found;
}

FirstOrderExpansion::FirstOrderExpansion(std::span<const EquationsOfMotion::Definition> definitions, Known known,
                                         Simplification simplified)
    : known_(std::move(known)), simplified_(std::move(simplified)) {
  for (const auto& definition : definitions) definitions_.emplace(definition.symbol, &definition);
}

const FirstOrder* FirstOrderExpansion::meaning(const ex& symbol, const std::string& what) {
  if (const auto known = known_.find(symbol); known != known_.end()) return &known->second;
  const auto definition = definitions_.find(symbol);
  if (definition == definitions_.end()) return nullptr;
  FirstOrder expanded = (*this)(definition->second->value, what, definition->second->where);
  return &known_.emplace(symbol, std::move(expanded)).first->second;
}

FirstOrder FirstOrderExpansion::operator()(const ex& expression, const std::string& what, const SourceSpan& where) {
  GiNaC::exmap values;
  std::vector<std::pair<ex, const FirstOrder*>> moving;
  for (const ex& symbol : symbols_of(expression)) {
    const FirstOrder* known = meaning(symbol, what);
    if (known == nullptr) continue;
    values[symbol] = known->value;
    if (!known->slopes.empty()) moving.emplace_back(symbol, known);
  }
  const OperatingPoint point(std::move(values));
  FirstOrder result{simplified_(point.value(expression, what, where)), {}};
  std::map<std::size_t, GiNaC::exvector> terms;
  for (const auto& [symbol, known] : moving) {
    const ex slope = simplified_(point.value(expression.diff(GiNaC::ex_to<GiNaC::symbol>(symbol)), what, where));
    if (slope.is_zero()) continue;
    for (const auto& [direction, inner] : known->slopes) terms[direction].push_back(slope * inner);
  }
  for (const auto& [direction, parts] : terms)
    if (const ex sum = simplified_(GiNaC::add(parts)); !sum.is_zero()) result.slopes.emplace(direction, sum);
  return result;
}

ex FirstOrderExpansion::value(const ex& expression, const std::string& what, const SourceSpan& where) {
  GiNaC::exmap values;
  for (const ex& symbol : symbols_of(expression))
    if (const FirstOrder* known = meaning(symbol, what)) values[symbol] = known->value;
  return simplified_(OperatingPoint(std::move(values)).value(expression, what, where));
}

ex FirstOrder::slope(std::size_t direction) const {
  const auto found = slopes.find(direction);
  return found == slopes.end() ? ex(0) : found->second;
}

EquationsOfMotion::Matrix slopes(std::span<const FirstOrder> rows, std::size_t first, std::size_t count) {
  EquationsOfMotion::Matrix result;
  for (const FirstOrder& row : rows) {
    result.emplace_back();
    for (std::size_t k = 0; k < count; ++k) result.back().push_back(row.slope(first + k));
  }
  return result;
}

}  // namespace sfg
