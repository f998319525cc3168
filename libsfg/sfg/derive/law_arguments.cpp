#include "sfg/derive/law_arguments.hpp"

#include <ginac/ginac.h>

namespace sfg {

void name_first_argument(EquationSystem& system, EquationSystem::Law& law) {
  const auto is_free = [&](const char* name) {
    const Symbol* known = system.symbols.find(name);
    return known == nullptr || (known->kind == SymbolKind::signal && !known->value);
  };
  if (!is_free("u") || !is_free("v")) {
    law.arguments.insert(law.arguments.begin(), law.arguments.front());
    return;
  }
  auto& first = law.arguments.front();
  const GiNaC::ex u = system.symbols.add({.name = "u", .kind = SymbolKind::signal}).expr;
  const GiNaC::ex v = system.symbols.add({.name = "v", .kind = SymbolKind::signal}).expr;
  law.law = law.law.subs(GiNaC::exmap{{first.value, u}, {first.rate, v}}, GiNaC::subs_options::no_pattern);
  first.value = u;
  first.rate = v;
}

}  // namespace sfg
