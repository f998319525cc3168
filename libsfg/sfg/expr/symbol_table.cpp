#include "sfg/expr/symbol_table.hpp"

#include <ginac/ginac.h>

#include <set>
#include <stdexcept>

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

namespace {

/// Resolves values that refer to other parameters, depth first; `open` holds the names on the way down.
class Resolution {
 public:
  explicit Resolution(const std::deque<Symbol>& symbols) {
    for (const Symbol& symbol : symbols) by_expr_.emplace(symbol.expr, &symbol);
  }

  const GiNaC::ex& value(const Symbol& symbol) {
    if (const auto done = values.find(symbol.expr); done != values.end()) return done->second;
    if (!open_.insert(&symbol).second)
      throw Error(symbol.where, "the value of '" + symbol.name + "' refers to itself",
                  "give one parameter of the circle a number");
    GiNaC::exmap inner;
    for (GiNaC::const_preorder_iterator i = symbol.value->preorder_begin(); i != symbol.value->preorder_end(); ++i) {
      if (!GiNaC::is_a<GiNaC::symbol>(*i) || inner.contains(*i)) continue;
      const auto other = by_expr_.find(*i);
      if (other == by_expr_.end() || !other->second->value)
        throw Error(symbol.where,
                    "the value of '" + symbol.name + "' refers to '" + GiNaC::ex_to<GiNaC::symbol>(*i).get_name() +
                        "', which has no value",
                    "state that value too");
      inner[*i] = value(*other->second);
    }
    open_.erase(&symbol);
    return values[symbol.expr] = symbol.value->subs(inner, GiNaC::subs_options::no_pattern);
  }

  GiNaC::exmap values;

 private:
  std::map<GiNaC::ex, const Symbol*, GiNaC::ex_is_less> by_expr_;
  std::set<const Symbol*> open_;
};

}  // namespace

GiNaC::exmap SymbolTable::values() const {
  Resolution resolution(symbols_);
  for (const Symbol& symbol : symbols_)
    if (symbol.value) resolution.value(symbol);
  return std::move(resolution.values);
}

}  // namespace sfg
