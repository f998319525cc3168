#pragma once
#include <iosfwd>
#include <span>
#include <vector>

#include "sfg/expr/math_tree.hpp"
#include "sfg/transfer/exercise.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/reduce.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// What a sheet shows of its exercises.
struct SheetContent {
  std::vector<Picture> pictures = {};  ///< of the graphs, in the order of the exercises; none: their branches are listed
  std::vector<Picture> loops = {};     ///< each path, loop and set in the graph, one sheet an exercise; none: not shown
  bool branches = false;               ///< the branches beside the pictures
  bool solution = false;               ///< paths, loops, sets, determinant, cofactors and gain below each graph
};

/// The exercises one below the other: the question, the graph and, where wanted, the solution.
Page page(std::span<const Exercise>, const SheetContent& = {});
/// {"schema": "sfg/exercise/1", …}: docs/schema/exercise.schema.json.
void write_json(std::ostream&, std::span<const Exercise>, bool solution = false);

/// The derivation as a textbook prints it: paths P1, P2, …, loops L1, L2, …, non-touching sets, Δ, Δ_k, the gain.
Page page(const MasonListing&);
/// The derivations of several pairs of one graph: a page of the loops, sets and Δ where all share them, then one for each pair,
/// which has its name for a title.
std::vector<Page> pages(std::span<const MasonListing>);
/// {"schema": "sfg/mason/1", …}: docs/schema/mason.schema.json.
void write_json(std::ostream&, const MasonListing&);

/// The reduction step by step: what was done, the branches that went, came or changed, how it was checked; then the graph
/// that is left.
Page page(const Reduction&);
/// {"schema": "sfg/reduce/1", "steps": [{"kind", "node", "nodes", "removed": [{"from", "to", "gain"}], "added": […],
///  "inverse", "verified"}], "graph": {"inputs", "outputs", "nodes", "branches"}}.
void write_json(std::ostream&, const Reduction&);

/// 1 − Σ Lᵢ + Σ Lᵢ·Lⱼ − … of the gains of a listing in the order of the sets, single loops before pairs; what is alike but for a
/// number is added up where it stands first.
/// @param sum  the same as one expression: what is written where there are very many sets
Math loop_sum(const MasonListing&, const std::vector<std::vector<std::size_t>>& sets, const GiNaC::ex& sum);
/// Δ, of all sets.
Math loop_sum(const MasonListing&);

}  // namespace sfg
