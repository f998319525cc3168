#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sfg/model/circuit.hpp"
#include "sfg/read/spice/netlist_statements.hpp"

namespace sfg {

/// What a netlist asks for: .tf v(out) V1, .print ac v(out) vdb(a,b) i(R1).
class NetlistQuestions {
 public:
  using NodeName = std::function<std::string(const NetlistToken&)>;
  /// @param elements  by name in lower case
  NetlistQuestions(Circuit& circuit, const std::map<std::string, std::size_t>& elements, NodeName node_name,
                   std::vector<Diagnostic>& notes)
      : circuit_(circuit), elements_(elements), node_name_(std::move(node_name)), notes_(notes) {}

  /// Adds the outputs and the input of a statement to the circuit.
  void operator()(const NetlistStatement&) const;

 private:
  NetlistTokens probe(NetlistTokens rest) const;
  std::size_t passed_over(NetlistTokens rest) const;
  void add(Circuit::Probe) const;

  Circuit& circuit_;
  const std::map<std::string, std::size_t>& elements_;
  NodeName node_name_;
  std::vector<Diagnostic>& notes_;
};

}  // namespace sfg
