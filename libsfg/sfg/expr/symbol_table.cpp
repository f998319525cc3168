#include "sfg/expr/symbol_table.hpp"

#include <ginac/ginac.h>

#include <stdexcept>

#include "sfg/expr/derived_parameters.hpp"

namespace sfg {

Symbol& SymbolTable::add(Symbol symbol) {
  const auto [entry, is_new] = index_.emplace(symbol.name, symbols_.size());
  if (is_new) {
    if (!GiNaC::is_a<GiNaC::symbol>(symbol.expr)) symbol.expr = GiNaC::symbol(symbol.name);
    return symbols_.emplace_back(std::move(symbol));
  }
  Symbol& known = symbols_[entry->second];
  symbol.expr = known.expr;
  return known = std::move(symbol);
}

const GiNaC::ex& SymbolTable::symbol(std::string_view name, SourceSpan where) {
  if (const Symbol* known = find(name)) return known->expr;
  Symbol fresh;
  fresh.name = std::string(name);
  fresh.where = std::move(where);
  return add(std::move(fresh)).expr;
}

const Symbol& SymbolTable::at(std::string_view name) const {
  if (const Symbol* known = find(name)) return *known;
  throw std::out_of_range("SymbolTable::at: no symbol '" + std::string(name) + "'");
}

const Symbol* SymbolTable::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &symbols_[found->second];
}

Symbol* SymbolTable::find(std::string_view name) {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &symbols_[found->second];
}

std::vector<std::string> SymbolTable::names() const {
  std::vector<std::string> result;
  for (const Symbol& symbol : symbols_) result.push_back(symbol.name);
  return result;
}

GiNaC::exmap SymbolTable::values() const { return values_keeping(*this, {}); }

}  // namespace sfg
