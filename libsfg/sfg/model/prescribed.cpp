#include "sfg/model/prescribed.hpp"

#include <algorithm>

namespace sfg {

bool is_constrained(const Multibody& model, const GiNaC::ex& symbol) {
  const auto has = [&](const Multibody::Constraint& constraint) { return constraint.value.has(symbol); };
  return std::ranges::any_of(model.constraints, has) || std::ranges::any_of(model.rate_constraints, has);
}

bool prescribe(Multibody& model, const std::string& name) {
  Symbol* known = model.symbols.find(name);
  if (!known || known->value || known->kind != SymbolKind::parameter || !is_constrained(model, known->expr)) return false;
  known->kind = SymbolKind::input;
  model.input_names.push_back(name);
  return true;
}

}  // namespace sfg
