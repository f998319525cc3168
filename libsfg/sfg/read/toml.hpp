#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/model.hpp"
#include "sfg/model/simulation.hpp"

namespace sfg {

class Quantities;

/// The unit that a file states for a signal.
struct StatedUnit {
  std::string name;
  std::string unit;
  SourceSpan where = {};
};

/// What the quantities of a file are measured in, and where they do not fit each other.
struct Dimensions {
  std::shared_ptr<const Quantities> quantities = {};  ///< nothing before anything is read
  std::vector<Diagnostic> conflicts = {};             ///< sums, energies and gains of two dimensions: errors
  std::vector<Diagnostic> notes = {};                 ///< units that are not known, and names that are none

  bool circuit = false;        ///< v(a) is in V, i(R1) in A
  bool signals_apart = false;  ///< signals have names of their own: a node k is not the parameter k

  /// Of a signal as the analyses name it: a rate Dx, a voltage v(a), a difference x - y; "" where it is not known.
  std::string unit(const std::string& signal) const;
};

/// Checks every expression of the content, when it states a unit at all. Energies are in J, the dissipation function in W, a
/// generalised force in J by its coordinate; s is 1/s, z a number.
/// @param simulation  inputs and initial values, in the units of their signals
/// @param text        of the file, so that what does not fit is named as it is written there.
Dimensions dimensions(const std::variant<SignalFlowGraph, Model>& content, const std::vector<StatedUnit>& signals,
                      const SimulationSettings& simulation, std::string_view text, const std::string& file);

/// Gives the text of a file in the same folder; throws sfg::Error where there is none.
using FileBeside = std::function<std::string(const std::string& name)>;

/// A model or graph in TOML; every problem of the file is gathered.
/// @param notes       receives warnings when given.
/// @param simulation  receives the table [simulation] when given.
/// @param units       receives the table [units], of signals, but for the nodes of a graph, which keep their own.
/// @param beside      reads the netlists that the file names; without it they are refused.
/// @param latex       receives how names are set, as a list (NameTable::stated), which a graph keeps as an attribute, too.
/// @throws sfg::Error with every problem found.
std::variant<SignalFlowGraph, Model> read_toml(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr,
                                               SimulationSettings* simulation = nullptr, std::vector<StatedUnit>* units = nullptr,
                                               const FileBeside& beside = {}, std::string* latex = nullptr);

}  // namespace sfg
