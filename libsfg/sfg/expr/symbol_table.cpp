#include "sfg/expr/symbol_table.hpp"

#include <ginac/ginac.h>

#include <stdexcept>

#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

std::string to_string(const Tolerance& tolerance) {
  const GiNaC::numeric number = numeric_value(tolerance.relative ? tolerance.size * 100 : tolerance.size);
  const std::string text = finite_decimal(number).value_or(print(number));
  return tolerance.relative ? text + "%" : "±" + text;
}

const char* to_string(Distribution distribution) {
  switch (distribution) {
    case Distribution::uniform: return "uniform";
    case Distribution::triangular: return "triangular";
    case Distribution::normal: return "normal";
    case Distribution::lognormal: return "lognormal";
  }
  return "";
}

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

Error missing_values(const std::set<std::string>& names, const SymbolTable& symbols) {
  std::string quoted;
  SourceSpan where;
  for (const std::string& name : names) {
    quoted += (quoted.empty() ? "'" : ", '") + name + "'";
    const Symbol* symbol = symbols.find(name);
    if (symbol && where.line == 0) where = symbol->where;
  }
  const bool one = names.size() == 1;
  return {std::move(where), (one ? "no value for the parameter " : "no values for the parameters ") + quoted,
          (one ? "state it among the parameters" : "state them among the parameters") |
              Remedy(Advice::substitute, names.empty() ? "" : *names.begin())};
}

Error missing_values(const GiNaC::ex& expression, const SymbolTable& symbols) {
  const std::vector<std::string> names = symbol_names(expression);
  return missing_values(names.empty() ? std::set{print(expression)} : std::set(names.begin(), names.end()), symbols);
}

}  // namespace sfg
