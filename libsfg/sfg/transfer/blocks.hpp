#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/sequence.hpp"

namespace sfg {

/// What blocks of one kind do, found and verified once: functions of what is inside, by their names in the first such block.
struct BlockKind {
  std::string of;                                       ///< what it is an instance of; of a cluster its own name
  std::vector<TransferSequence::Definition> functions;  ///< each uses those before it
  std::set<std::string> own = {};                       ///< names of functions and parameters that each block has for itself
  std::optional<Verification> verification = {};        ///< nothing: there was nothing to be solved
  std::optional<std::size_t> vertices = 0;              ///< of its determinant diagrams; nothing: they are too large
};

/// A block that stays closed.
struct ClosedBlock {
  std::string name;
  std::vector<std::string> ports;
  std::size_t kind = 0;
  /// Ends of names of the kind, and what stands there in this block, one after the other.
  std::vector<std::pair<std::string, std::string>> renamed = {};
  std::string name_of(const BlockKind&, const std::string& name) const;
};

/// Transmittances in the functions of blocks.
struct BlockTransfers {
  std::vector<BlockKind> kinds = {};
  std::vector<ClosedBlock> blocks = {};          ///< one in another stands before it
  std::vector<TransferSequence> transfers = {};  ///< of the graph in which the blocks are closed; their definitions: shared parts
  std::optional<std::size_t> vertices = 0;       ///< of the diagrams there
  bool whole = false;  ///< the answers are verified with everything put in, too; else the kinds and this graph, each for itself
};

struct BlockOptions {
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// Responses of a part that is solved for itself.
struct SolvedPart {
  std::vector<GiNaC::ex> values;                               ///< one for each question
  std::vector<TransferSequence::Definition> definitions = {};  ///< that they use
  std::optional<Verification> verification = {};
  std::optional<std::size_t> vertices = 0;
};
/// @param end  what names of definitions end with
SolvedPart solved_part(const SignalFlowGraph&, std::span<const Question>, const std::string& end, const BlockOptions&);

/// Answers in which nothing is put in, from the graph in which the blocks are closed.
void solve_outside(const SignalFlowGraph&, std::span<const Question>, const BlockOptions&, BlockTransfers&);

/// Verifies every answer with everything put in against the whole graph. @throws std::logic_error when they differ.
void verify_whole(BlockTransfers&, const SignalFlowGraph& outside, const SignalFlowGraph& whole, std::span<const Question>,
                  const BlockOptions&);

/// The names of functions of a block: a letter of its own for each value, one for equal ones.
class BlockLetters {
 public:
  BlockLetters(SymbolTable& symbols, BlockKind& kind) : symbols_(symbols), kind_(kind) {}
  /// A letter for the value, of that name where it is free; a number that is 0, 1 or −1 stays.
  GiNaC::ex letter(const std::string& name, const GiNaC::ex& value);

 private:
  SymbolTable& symbols_;
  BlockKind& kind_;
};

}  // namespace sfg
