#pragma once
#include <cstdint>
#include <vector>

#include "sfg/read/dot/dot_tokens.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// A statement of nodes or branches: where it stands, what it names.
struct DotStatement {
  std::uint32_t begin = 0;
  std::uint32_t ends = 0;  ///< behind its last name, where lists of attributes begin
  std::uint32_t end = 0;   ///< behind these
  bool edges = false;
  bool plain = true;  ///< neither subgraph nor port in it
  std::vector<DotAtom> names;
};

struct DotStatements {
  std::vector<DotStatement> list;  ///< in the order in which they begin, those of subgraphs too
  std::uint32_t closing = 0;       ///< the brace that closes the graph
};

/// Of a text in which scan_dot() found no error.
DotStatements dot_statements(const SourceText&);

}  // namespace sfg
