#pragma once
#include <iosfwd>
#include <span>
#include <vector>

#include "sfg/transfer/mason.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The derivation as a textbook prints it: paths P1, P2, …, loops L1, L2, …, non-touching sets, Δ, Δ_k, the gain.
Page page(const MasonListing&);
/// The derivations of several pairs of one graph: a page of the loops, sets and Δ where all share them, then one for each pair,
/// which has its name for a title.
std::vector<Page> pages(std::span<const MasonListing>);
/// {"schema": "sfg/mason/1", …}: docs/schema/mason.schema.json.
void write_json(std::ostream&, const MasonListing&);

}  // namespace sfg
