#include "sfg/expr/derived_parameters.hpp"

#include <ginac/ginac.h>

#include <set>

namespace sfg {

namespace {

/// Puts the values of parameters into those that refer to them, depth first; `open_` holds the names on the way down.
class Resolution {
 public:
  Resolution(const SymbolTable& symbols, GiNaC::exset kept) : symbols_(symbols), kept_(std::move(kept)) {}

  const GiNaC::ex& value(const Symbol& symbol) {
    if (const auto done = values_.find(symbol.expr); done != values_.end()) return done->second;
    if (!open_.insert(&symbol).second)
      throw Error(symbol.where, "the value of '" + symbol.name + "' refers to itself",
                  "give one parameter of the circle a number");
    GiNaC::exmap inner;
    for (GiNaC::const_preorder_iterator i = symbol.value->preorder_begin(); i != symbol.value->preorder_end(); ++i) {
      if (!GiNaC::is_a<GiNaC::symbol>(*i) || inner.contains(*i) || kept_.contains(*i)) continue;
      const Symbol* other = symbols_.find(GiNaC::ex_to<GiNaC::symbol>(*i).get_name());
      if (other != nullptr && other->value && other->expr.is_equal(*i)) inner[*i] = value(*other);
    }
    open_.erase(&symbol);
    return values_[symbol.expr] = symbol.value->subs(inner, GiNaC::subs_options::no_pattern);
  }

 private:
  GiNaC::exmap values_;
  const SymbolTable& symbols_;
  GiNaC::exset kept_;
  std::set<const Symbol*> open_;
};

}  // namespace

bool is_derived(const Symbol& symbol) {
  if (!symbol.value) return false;
  for (GiNaC::const_preorder_iterator i = symbol.value->preorder_begin(); i != symbol.value->preorder_end(); ++i)
    if (GiNaC::is_a<GiNaC::symbol>(*i)) return true;
  return false;
}

GiNaC::exmap definitions(const SymbolTable& symbols) {
  GiNaC::exset bases;
  for (const Symbol& symbol : symbols.all())
    if (!is_derived(symbol)) bases.insert(symbol.expr);
  Resolution resolution(symbols, std::move(bases));
  GiNaC::exmap result;
  for (const Symbol& symbol : symbols.all())
    if (is_derived(symbol)) result[symbol.expr] = resolution.value(symbol);
  return result;
}

std::vector<std::string> bases_of(const SymbolTable& symbols, const Symbol& derived) {
  std::vector<std::string> names;
  const GiNaC::exmap all = definitions(symbols);
  const auto definition = all.find(derived.expr);
  if (definition == all.end()) return names;
  for (const Symbol& symbol : symbols.all())
    if (definition->second.has(symbol.expr)) names.push_back(symbol.name);
  return names;
}

GiNaC::exmap values_keeping(const SymbolTable& symbols, std::span<const GiNaC::ex> kept) {
  const GiNaC::exset left(kept.begin(), kept.end());
  Resolution resolution(symbols, left);
  GiNaC::exmap result;
  for (const Symbol& symbol : symbols.all())
    if (symbol.value && !left.contains(symbol.expr)) result[symbol.expr] = resolution.value(symbol);
  return result;
}

}  // namespace sfg
