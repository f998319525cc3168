#pragma once
// Not installed: what an arrangement of nodes on rows and branches on tracks costs.
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sfg/draw/graph/courses.hpp"

namespace sfg {

/// A graph as its arrangement sees it: nodes with column and row, branches with a track. Costs are whole numbers, so that
/// every machine finds the same.
class Tracks {
 public:
  struct Node {
    int column = 0;
    int row = 0;
    bool fixed = false;      ///< on the main line
    bool returning = false;  ///< it carries signals back
    bool source = false;     ///< nothing leads to it
    bool pinned = false;     ///< its column is given
    bool beside = false;     ///< a disturbance: it leads to one node of the main line alone
    std::vector<std::size_t> links = {};
  };
  /// A branch between two nodes.
  struct Link {
    std::size_t from = 0;
    std::size_t to = 0;
    bool feedback = false;
    int track = 0;
    bool bowed = false;   ///< between neighbouring columns: by its track instead of straight
    bool fixed = false;   ///< a piece of the main line
    bool chain = false;   ///< between neighbours of a chain
    bool series = false;  ///< the only one that leaves its tail and the only one that enters its head: an element
    int side = 0;         ///< -1: it is to lie above its ends; 1: below
  };
  using Cost = std::int64_t;

  std::vector<Node> nodes;
  std::vector<Link> links;
  int last_column = 0;  ///< of the main line

  int span(const Link&) const;
  bool vertical(const Link& k) const { return nodes[k.from].column == nodes[k.to].column; }
  bool straight(const Link& k) const { return vertical(k) || (!k.bowed && span(k) == 1); }

  /// To be called after every change of these nodes and links (every link of a node listed must be listed).
  void changed(const std::vector<std::size_t>& some_nodes, const std::vector<std::size_t>& some_links);
  void changed();

  /// Of everything.
  Cost total() const;
  /// What a change of these nodes and links can alter (every link of a node listed must be listed); where that is more than
  /// `most`, anything above `most`: no part of it is negative.
  Cost of(const std::vector<std::size_t>& some_nodes, const std::vector<std::size_t>& some_links,
          Cost most = std::numeric_limits<Cost>::max()) const;
  /// The least and the greatest level in use, 0 among them.
  std::pair<int, int> levels() const;

 private:
  Courses::Course course(const Link&) const;
  Cost style(const Link&) const;
  Cost style(const Node&) const;
  Cost height() const;

  Courses courses_;
  std::vector<int> columns_, rows_;   // of the nodes; rows twice
  mutable std::vector<int> counted_;  // by link: 0 for what has been counted with all others, else 1
};

}  // namespace sfg
