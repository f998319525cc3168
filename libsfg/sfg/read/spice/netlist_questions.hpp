#pragma once
#include <ginac/ex.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sfg/graph/rest_inputs.hpp"
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

/// How the note ends that a transistor is its small-signal model: a simulation makes a warning of it.
inline constexpr const char* signals_are_deviations = "stands at its operating point, from which signals are deviations";

/// What a waveform is good for goes to the notes, and that of an AC value size and phase do not count.
void note_signals(const NetlistToken& source, const StatedSource&, std::vector<Diagnostic>& notes);

/// The first line is the title, even where it reads as an element: said where that may be what is wrong.
/// @param nodes, elements  by name in lower case
void look_at_the_title(const NetlistText&, const Circuit&, const std::map<std::string, std::string>& nodes,
                       const std::map<std::string, std::size_t>& elements, std::vector<Diagnostic>& notes,
                       std::vector<Diagnostic>& problems);

/// Which sources are inputs, and what they are at rest.
class NetlistInputs {
 public:
  /// @param rest  the value of stated.rest, where there is one
  void add(const std::string& source, const StatedSource& stated, const GiNaC::ex& rest);
  /// Inputs are, where the circuit states none: the sources with AC; without any the others, those of the value 0 only where
  /// there is nothing else. Beside a transistor whose operating point is stated, signals are deviations from it, and values at
  /// rest go.
  /// @param small_signal  such a transistor; of no text for none
  void state(Circuit&, const NetlistToken& small_signal, std::vector<Diagnostic>& notes) const;

 private:
  struct AtRest {
    std::string source;
    RestValue value;
    SourceSpan where;
  };
  std::vector<std::string> driven_, lively_;  ///< with an AC value; with any value that is not 0
  std::size_t count_ = 0;
  std::vector<AtRest> at_rest_;
};

}  // namespace sfg
