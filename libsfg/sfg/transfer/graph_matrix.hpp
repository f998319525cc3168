#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/ddd/block_form.hpp"
#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/graph/loops.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// How much may be spent on one determinant diagram.
struct DiagramLimits {
  std::uint64_t states = std::uint64_t{1} << 22;
  double search_seconds = 0.5;  ///< for a better order of the rows
};

/// The matrix I − Aᵀ of the linear branches of a graph (row: the node a branch enters, column: the node it leaves), seen as
/// products of irreducible diagonal blocks: Δ is one such product, Σ P_k Δ_k of any driver and output another one. Blocks that
/// occur in several products are kept once, with their determinant diagrams, which are built when they are first asked for.
class GraphMatrix {
 public:
  /// Place of a block: value = [row is column] − sum of the gains of the bundle.
  struct Entry {
    bool diagonal = false;
    const BranchBundle* bundle = nullptr;  ///< null: no branch
  };
  struct Block {
    std::vector<std::uint32_t> rows, columns;  ///< indices of nodes, ascending
    ddd::Pattern pattern;
    std::vector<Entry> entries = {};  ///< by the numbers of the pattern
  };
  /// A determinant: ± the product of the blocks' determinants. Blocks whose determinant is 1 by their shape are left out.
  struct Product {
    bool zero = false;  ///< no product at all by the shape of the matrix
    bool negative = false;
    std::vector<std::size_t> blocks = {};  ///< ascending
  };

  /// A response: ± Π above / Π below, with no block in both.
  struct Quotient {
    bool zero = false;
    bool negative = false;
    std::vector<std::size_t> above, below;
    Product numerator;  ///< Σ P_k Δ_k, nothing cancelled
  };

  explicit GraphMatrix(const SignalFlowGraph&, DiagramLimits = {}, Budget = {});

  const Product& determinant() const noexcept { return determinant_; }
  /// Σ P_k Δ_k from a unit signal added at `driver` to `output`.
  Product numerator(NodeId driver, NodeId output);

  /// The answer to a question. Δ, or Σ P_k Δ_k to the input of a ratio, must not vanish (see singular.hpp).
  Quotient response(const Question&);

  const Block& block(std::size_t id) const { return blocks_.at(id).block; }
  /// @throws ddd::TooLarge when the diagram is larger than the limits; remembered, so that the second call is quick.
  const ddd::DeterminantDiagram& diagram(std::size_t id);

 private:
  struct Stored {
    Block block;
    std::unique_ptr<const ddd::DeterminantDiagram> diagram;
    std::unique_ptr<const ddd::TooLarge> failure;
  };

  Product product(const ddd::Pattern&, std::optional<ddd::Entry> unit);
  std::size_t stored(ddd::BlockForm::Block);
  const BranchBundle* bundle(std::uint32_t row, std::uint32_t column) const;

  DiagramLimits limits_;
  Budget budget_;
  std::size_t size_;
  std::vector<BranchBundle> bundles_;  ///< of the linear branches, sorted by (from, to)
  std::vector<ddd::Entry> entries_;    ///< of the whole matrix
  std::deque<Stored> blocks_;
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>, std::size_t> known_;
  Product determinant_;
};

}  // namespace sfg
