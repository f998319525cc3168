#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/transfer/mason.hpp"

namespace sfg {

/// A sparse matrix with names, and the diagonal blocks of its block-triangular form.
struct MatrixTable {
  struct Block {
    std::vector<std::size_t> rows = {};
    std::vector<std::size_t> columns = {};
  };
  std::string title = {};
  std::string letter = {};  ///< "D", "I − A"
  std::string main = {};    ///< the operator of the entries
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};
  std::map<std::pair<std::size_t, std::size_t>, GiNaC::ex> entries = {};  ///< those that do not vanish
  std::vector<Block> blocks = {};  ///< along the diagonal; empty: no such form (determinant 0 by structure)
};

/// I − A of a graph: row of the head, column of the tail; over all nodes, parallel branches added. Blocks are the strongly
/// connected components.
/// @throws NoAnswer when a branch is nonlinear.
MatrixTable return_difference(const SignalFlowGraph&);
/// D of D(p) x = B u, with the columns of redundant coordinates behind those of the unknowns. Blocks by Duff and Reid (1978).
MatrixTable operator_matrix(const EquationSystem&);

struct MatrixPictureOptions {
  double text_size = 16;
  double widest_entry = 190;      ///< an entry wider than this gets a name and a line under the picture
  std::size_t most_written = 40;  ///< a matrix of more rows or columns shows its pattern alone
  Budget budget = {};
};

/// The matrix as a table: rows and columns in the order of its block-triangular form where that has several blocks, entries that
/// are not 0 tinted, blocks framed.
///
/// Classes of the scene: "cell" (data row, column; title "ROW, COLUMN: ENTRY").
/// @throws LimitReached beyond 400 rows or columns.
Scene matrix_picture(const MatrixTable&, const MatrixPictureOptions& = {});

struct LoopSheetOptions {
  double picture_width = 330;  ///< of one small picture, pixels; its text keeps a readable size
  double sheet_width = 0;      ///< as many pictures side by side as that allows; 0: as their number asks for
  std::size_t most_pictures = 300;
  Budget budget = {};
};

/// A sheet of small pictures of the graph: one a forward path of each listing, one a loop, one a set of non-touching loops, with
/// what they run through highlighted; numbered and ordered as the listings are. The listings are of one graph.
///
/// Classes of the scene: "tile" with data path, loop or set ("1,3") and, of a path, transfer ("OUT/IN"); inside it the groups
/// of graph_groups().
/// @throws LimitReached when there are more pictures than allowed, a listing is truncated or the graph has no layout().
Scene loop_sheet(const SignalFlowGraph&, std::span<const MasonListing>, const LoopSheetOptions& = {});

}  // namespace sfg
