#pragma once
#include <ginac/ex.h>

#include <map>
#include <optional>
#include <string>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What a source is at rest: the DC value of a netlist, or where a waveform begins.
struct RestValue {
  GiNaC::ex value;    ///< of numbers and parameters
  bool lasts = true;  ///< false of a waveform
};

/// Kept beside the parameters in the table of a model, so that what is put in for these is put in there, too.
void state_rest(SymbolTable&, const std::string& source, const RestValue&, const SourceSpan& where = {});
std::optional<RestValue> stated_rest(const SymbolTable&, const std::string& source);

/// Writes the value into the attributes of a source: dc="12", or at_rest="0" of one that does not last.
void keep_rest(Node& source, const RestValue&);
/// What the attributes of a source say. @throws sfg::Error where they are no expression.
std::optional<RestValue> kept_rest(const Node& source, const SymbolTable&);
/// Takes them away: of a graph whose signals are deviations.
void drop_rest(Node&);
/// Puts values of parameters into them.
void put_into_rest(Node&, const SymbolTable&, const GiNaC::exmap& values);

/// A source's value at rest as a number.
struct RestInput {
  exact::Rational value;
  bool lasts = true;
};
/// Of every source that has such an attribute, with the stated values of the parameters.
/// @throws sfg::Error at the source where that is no number.
std::map<NodeId, RestInput> rest_inputs(const SignalFlowGraph&);

}  // namespace sfg
