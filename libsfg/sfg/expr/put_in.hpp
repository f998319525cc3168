#pragma once
#include <ginac/ginac.h>

// Not installed.
namespace sfg {

/// For subs() of a map from symbols alone: no patterns are looked for, and no sum or product looks through the whole map for
/// products among its keys.
constexpr unsigned symbols_alone = GiNaC::subs_options::no_pattern | GiNaC::subs_options::pattern_is_not_product;

}  // namespace sfg
