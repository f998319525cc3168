#pragma once
#include <iosfwd>

#include "sfg/transfer/mason.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

/// The derivation as a textbook prints it: paths P1, P2, …, loops L1, L2, …, non-touching sets, Δ, Δ_k, the gain.
Page page(const MasonListing&);
/// {"schema": "sfg/mason/1", …}: docs/schema/mason.schema.json.
void write_json(std::ostream&, const MasonListing&);

}  // namespace sfg
