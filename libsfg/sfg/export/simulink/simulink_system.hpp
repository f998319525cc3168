#pragma once
#include <ginac/ex.h>

#include <array>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A block of a Simulink model; ports count from 1, as there.
struct SimulinkBlock {
  enum class Kind { inport, outport, gain, transfer, sum, subsystem, terminator };

  std::string name;  ///< in its system alone
  Kind kind = Kind::gain;
  std::string library = {};                                        ///< "built-in/Gain"
  std::vector<std::pair<std::string, std::string>> settings = {};  ///< parameters of the block, text of MATLAB
  std::size_t inputs = 1;                                          ///< of a sum and of a subsystem
  std::size_t outputs = 1;                                         ///< of a subsystem
  GiNaC::ex gain = 1;                                              ///< from its input to its output
  std::array<int, 4> position = {};                                ///< left, top, right, bottom; made by arrange()
  bool turned = false;                                             ///< its output is on the left
};

/// A system of blocks and lines: a model, or the content of a subsystem.
class SimulinkSystem {
 public:
  using Index = std::size_t;
  struct Line {
    Index from = 0;
    std::size_t output = 1;
    Index to = 0;
    std::size_t input = 1;
  };

  /// A block whose name is changed where it is taken or impossible.
  Index add(SimulinkBlock);
  /// An Inport or Outport, numbered in the order of the calls.
  Index add_port(SimulinkBlock::Kind, const std::string& name);
  /// What adds the outputs of others: a sum, or that block itself where there is one alone.
  Index sum(const std::string& name, const std::vector<std::pair<Index, std::size_t>>& terms);
  void connect(Index from, std::size_t output, Index to, std::size_t input = 1);
  /// The content of a subsystem block.
  SimulinkSystem& inside(Index subsystem) { return inside_[subsystem]; }

  const std::vector<SimulinkBlock>& blocks() const noexcept { return blocks_; }
  const std::vector<Line>& lines() const noexcept { return lines_; }
  const std::map<Index, SimulinkSystem>& subsystems() const noexcept { return inside_; }

  /// Outputs that lead nowhere end in terminators; every block gets its place, on layers from left to right. Inner systems, too.
  void arrange();
  /// The calls that build it. @param path  of this system, text of MATLAB: "m/equation x"
  void write(std::ostream&, const std::string& path) const;
  /// What the blocks, as they are connected, say: a node for every block that has an output (and for every Outport), its gain on
  /// the lines that enter it. Operator and symbols are those of `like`. The nodes of Inports and Outports at the top have their
  /// names behind "in " and "out ".
  SignalFlowGraph read_back(const SignalFlowGraph& like) const;

 private:
  struct Nodes;
  void add_nodes(SignalFlowGraph&, const std::string& prefix, Nodes&) const;
  void add_branches(SignalFlowGraph&, const Nodes&) const;

  std::vector<SimulinkBlock> blocks_;
  std::vector<Line> lines_;
  std::map<Index, SimulinkSystem> inside_;
  std::set<std::string> taken_;
  std::size_t inports_ = 0, outports_ = 0;
};

/// A text between apostrophes.
std::string matlab_string(std::string_view);

}  // namespace sfg
