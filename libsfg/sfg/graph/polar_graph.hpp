#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

/// A polar graph with its Lagrange tree (Wojnarowski and Świder 1978): vertices are points with a common motion, edges elements
/// with one across and one through variable. The across variables of the tree's edges are independent, and so are the through
/// variables of the chords; all others follow from them by the laws of circuits and vertices.
struct PolarGraph {
  enum class Relation {
    linear,
    law,             ///< through follows from across by a nonlinear law: always a chord
    through_source,  ///< always a chord
    across_source,   ///< always in the tree
    port,            ///< of a two-port: follows from a variable of the other port
  };
  struct Edge {
    std::string name;                   ///< of the element; "G.1" of a port; "m1+m2" of masses on one vertex
    std::vector<std::size_t> elements;  ///< numbers in the network: one, or several masses
    std::size_t port = 0;
    std::string type;  ///< "mass"
    std::string from, to;
    Relation relation = Relation::linear;
    bool tree = false;
    SourceSpan where = {};
  };

  std::string title = {};
  std::vector<std::string> vertices = {};  ///< the reference, "0", first
  std::vector<Edge> edges = {};
  std::vector<std::size_t> tree = {}, chords = {};  ///< numbers of edges
  /// Row: edge of the tree, column: chord; entries that are not 0. 1 where the way through the tree from the chord's first vertex
  /// to its second passes the edge in its orientation, −1 against it: across(chord) = Σ B across(tree),
  /// through(tree) = −Σ B through(chord).
  struct Entry {
    std::size_t column;
    int sign;
  };
  std::vector<std::vector<Entry>> incidence = {};

  /// Every edge of the tree joins its vertex with the reference: the mass star.
  bool star() const;
};

}  // namespace sfg
