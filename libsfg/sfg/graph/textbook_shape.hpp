#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"

namespace sfg {

/// The branches of a signal-flow graph as textbooks draw them: every node stands on the main line 0 → 1 → … → nodes − 1 from the
/// source to the sink; arcs pass nodes by above it (bypasses) or lead back below it (feedback, self-loops).
struct TextbookShape {
  struct Arc {
    std::size_t tail = 0;
    std::size_t head = 0;
    friend auto operator<=>(const Arc&, const Arc&) = default;
  };

  std::size_t nodes = 3;
  std::vector<Arc> bypasses = {};  ///< head > tail + 1
  std::vector<Arc> feedback = {};  ///< head <= tail, between interior nodes; tail == head: a self-loop

  friend bool operator==(const TextbookShape&, const TextbookShape&) = default;
};

/// What Mason's rule finds in a graph.
struct ShapeCounts {
  std::size_t paths = 0;
  std::size_t loops = 0;       ///< self-loops included
  std::size_t pairs = 0;       ///< sets of two loops without a common node
  std::size_t triples = 0;     ///< sets of three loops, no two of which have a common node
  std::size_t self_loops = 0;  ///< loops of one node
  friend bool operator==(const ShapeCounts&, const ShapeCounts&) = default;
};

/// Counts by enumeration; nothing when there are more than `most` loops or paths.
std::optional<ShapeCounts> counts(const TextbookShape&, std::size_t most);

/// How far the shape is from a figure that is easily read: above all crossings of arcs (bypasses above the line, feedback below
/// it), then self-loops, nodes where many arcs meet, arcs beside arcs, nodes where none does.
int tangles(const TextbookShape&);
/// Pairs of arcs that cross: one above or below the line ends strictly inside of the other and begins outside.
std::size_t crossings(const TextbookShape&);

/// What a shape is to have; nothing: free.
struct ShapeDemand {
  std::size_t nodes = 6;  ///< source and sink included
  std::optional<std::size_t> loops = {};
  std::optional<std::size_t> pairs = {};
  std::optional<std::size_t> triples = {};
  std::optional<std::size_t> paths = {};  ///< free: one or two
  std::optional<std::size_t> self_loops = {};

  bool met_by(const ShapeCounts&) const;
};

/// Bounds of a demand: what is beyond is no task for a person.
constexpr std::size_t least_textbook_nodes = 3, most_textbook_nodes = 24, most_textbook_loops = 40, most_textbook_paths = 32;

/// A shape that has exactly what is demanded, the least tangled of several that are found at random: the same for the same demand
/// and seed on every machine.
///
/// @throws NoAnswer when there is none, or none was found; the message says which, why, and what there is instead.
/// @throws LimitReached, Cancelled by the budget.
/// @note  Where the possible shapes are few they are all looked at, so that a refusal is a proof; else it is a search by
///        threshold accepting (Dueck and Scheuer 1990) from random shapes.
TextbookShape textbook_shape(const ShapeDemand&, std::uint64_t seed, const Budget& = {});

}  // namespace sfg
