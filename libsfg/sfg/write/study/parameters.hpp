#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A parameter of which a file says more than its name.
bool is_stated(const Symbol&);
/// The value and the remarks of a parameter, as names and texts, the value first.
Attributes statements(const Symbol&);
/// A statement as a value of TOML: a whole number as such, everything else as a string.
std::string toml_value(const std::string& name, const std::string& text);
/// key = ["a", "b"]
void write_toml_list(std::ostream&, const std::string& key, const std::vector<std::string>&);
/// key = [["1", "0"], …], a row a line.
void write_toml_matrix(std::ostream&, const std::string& key, const std::vector<std::vector<GiNaC::ex>>&);
/// The attributes of a graph for its file: its sample time and its tables, then those that mean nothing to us.
Attributes stated_attributes(const SignalFlowGraph&);
/// Signals beside that at the tail, as files state them: "x2", "y=node 3".
std::vector<std::string> argument_entries(const SignalFlowGraph&, const Branch&);

/// "R1,R2" and "0.8", in the order in which they were stated.
Attributes correlation_statements(const SymbolTable&);

/// An entry of a list separated by commas: what would end or trim it gets a backslash.
std::string list_entry(std::string_view);
/// units, tolerances, distributions, texts, correlations: what is known of parameters, each as the list of an attribute, "" where
/// nothing is.
Attributes parameter_lists(const SymbolTable&);

/// title = …, variable = …: what every model begins with.
void write_toml_head(std::ostream&, const std::string& title, const std::string& variable);
/// The tables [parameters] and [correlations], where anything is stated.
void write_toml_parameters(std::ostream&, const SymbolTable&);

}  // namespace sfg
