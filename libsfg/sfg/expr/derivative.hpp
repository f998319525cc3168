#pragma once
#include <ginac/ginac.h>

// Not installed.
namespace sfg {

/// For subs(): symbols are put in as they are, no patterns are looked for.
constexpr unsigned plain = GiNaC::subs_options::no_pattern;

/// By a symbol.
inline GiNaC::ex derivative(const GiNaC::ex& value, const GiNaC::ex& symbol) {
  return value.diff(GiNaC::ex_to<GiNaC::symbol>(symbol));
}

/// For subs() of a map from symbols alone: no patterns are looked for, and no sum or product looks through the whole map for
/// products among its keys.
constexpr unsigned symbols_alone = GiNaC::subs_options::no_pattern | GiNaC::subs_options::pattern_is_not_product;

}  // namespace sfg
