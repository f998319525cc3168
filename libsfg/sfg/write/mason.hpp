#pragma once
#include <iosfwd>

#include "sfg/expr/print.hpp"
#include "sfg/transfer/mason.hpp"

namespace sfg {

/// The derivation as a textbook prints it: paths P1, P2, …, loops L1, L2, …, non-touching sets, Δ, Δ_k, the gain.
/// `notation` is text, unicode or latex.
void write_text(std::ostream&, const MasonListing&, Notation = Notation::text);
/// {"schema": "sfg/mason/1", …}: docs/schema/mason.schema.json.
void write_json(std::ostream&, const MasonListing&);

}  // namespace sfg
