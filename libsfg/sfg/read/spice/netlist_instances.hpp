#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfg/read/netlist_blocks.hpp"
#include "sfg/read/spice/netlist_statements.hpp"
#include "sfg/read/spice/netlist_values.hpp"

namespace sfg {

/// Keeps the instances of a netlist while it is read, and decides which of them are expanded.
class NetlistInstances {
 public:
  /// @param asked, all  of read_netlist_blocks
  NetlistInstances(std::vector<std::string> asked, bool all);

  /// Words of statements that may name something within an instance.
  void ask(NetlistTokens);
  /// An instance begins after so many elements; its ports become nodes of their own.
  /// @returns false where it is the same as another one and is not to be expanded: then leave() is not called.
  bool enter(const NetlistToken& name, const NetlistSubcircuit&, NetlistTokens given, const NetlistScope& outer,
             NetlistScope& inner, std::size_t elements);
  void leave(std::size_t elements);
  /// What was kept, with the circuit that came of it.
  NetlistBlocks blocks(Circuit) &&;

 private:
  using Kind = std::pair<const NetlistSubcircuit*, std::map<std::string, std::string>>;
  bool is_asked(const std::string& instance) const;
  void own(std::size_t elements);

  std::vector<std::string> asked_;  ///< in lower case
  bool all_;
  NetlistBlocks made_;
  std::map<Kind, std::size_t> kinds_;
  std::vector<std::size_t> open_;
};

}  // namespace sfg
