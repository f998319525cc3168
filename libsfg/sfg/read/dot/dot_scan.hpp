#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfg/read/dot/dot_tokens.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// What a DOT file may be before it is handed to cgraph, which has no bounds of its own.
struct DotLimits {
  std::size_t nesting = 64;          ///< subgraphs inside of each other
  std::size_t branches = 5'000'000;  ///< edges, products {…} -> {…} multiplied out
  std::size_t value_bytes = std::size_t{1} << 20;
  std::size_t attribute_names = 250;
  std::size_t attribute_values = 50'000'000;  ///< names × elements: cgraph keeps a table of them
};

/// An attribute as it stands in the file.
struct DotAttribute {
  std::uint32_t name = 0;   ///< index into DotFile::names
  std::uint32_t begin = 0;  ///< offset of its value
  bool port = false;        ///< the value is a node's port, name or name:compass
  bool own = false;         ///< stated of the node or branch itself, and not by default
};

struct DotNode {
  std::string name;         ///< as cgraph has it
  std::uint32_t begin = 0;  ///< where it is first mentioned
  std::uint32_t end = 0;
  std::vector<DotAttribute> attributes;
};

struct DotEdge {
  std::uint32_t tail = 0;
  std::uint32_t head = 0;
  std::uint32_t begin = 0;  ///< from the tail's name …
  std::uint32_t end = 0;    ///< … to the end of the head's
  std::vector<DotAttribute> attributes;
};

/// A DOT file taken apart: nodes and edges in the order in which cgraph makes them, with their places.
struct DotFile {
  bool strict = false;
  std::optional<DotAtom> title;
  std::vector<std::string> names;        ///< of attributes
  std::vector<DotAttribute> attributes;  ///< of the graph itself
  std::vector<DotNode> nodes;
  std::vector<DotEdge> edges;
  bool beyond_cgraph = false;  ///< it has what cgraph cannot take: a long chain, a string of many escapes
  std::string clean;           ///< the same graph for cgraph's lexer: everything quoted, long strings broken
  /// subgraph cluster…
  struct Cluster {
    std::uint32_t begin = 0;  ///< of its name
    std::optional<std::size_t> parent = {};
    std::vector<std::uint32_t> members = {};  ///< nodes mentioned in it, but for those of clusters in it
  };
  std::vector<Cluster> clusters;  ///< one before those in it
  static constexpr std::string_view cluster_prefix = "cluster";
  static constexpr std::string_view name_prefix = "_";  ///< of nodes there: cgraph forgets names that begin with '%'

  /// What cgraph has as the value; html tells an HTML string.
  Passage value(const SourceText&, const DotAttribute&, bool* html = nullptr) const;
};

/// Takes a DOT text apart and refuses what is no digraph or too big for cgraph.
/// After a syntax error it goes on with the next statement; the errors are in `problems`.
DotFile scan_dot(const SourceText&, Problems& problems, const DotLimits& = {});

}  // namespace sfg
