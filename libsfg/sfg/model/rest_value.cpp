#include "sfg/model/rest_value.hpp"

namespace sfg {

namespace {

/// No expression can contain these names.
std::string entry(const std::string& source, bool lasts) { return (lasts ? "dc of " : "beginning of ") + source; }

}  // namespace

void state_rest(SymbolTable& symbols, const std::string& source, const RestValue& rest, const SourceSpan& where) {
  symbols.add({.name = entry(source, rest.lasts), .kind = SymbolKind::input, .value = rest.value, .where = where});
}

std::optional<RestValue> stated_rest(const SymbolTable& symbols, const std::string& source) {
  for (const bool lasts : {true, false})
    if (const Symbol* symbol = symbols.find(entry(source, lasts)); symbol && symbol->value)
      return RestValue{*symbol->value, lasts};
  return {};
}

}  // namespace sfg
