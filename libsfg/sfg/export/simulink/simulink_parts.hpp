#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/exported_transfers.hpp"
#include "sfg/export/proper_branches.hpp"
#include "sfg/export/simulink/simulink_system.hpp"
#include "sfg/export/targets.hpp"

namespace sfg {

/// The names of a model's parameters in MATLAB, and what is written with them.
class MatlabNames {
 public:
  explicit MatlabNames(const std::vector<ExportedParameter>&);
  const std::vector<std::string>& parameters() const noexcept { return parameters_; }
  const std::vector<std::pair<std::string, std::string>>& renamed() const noexcept { return renamed_; }
  const std::string& sample_time() const noexcept { return sample_time_; }
  const std::string& coefficient() const noexcept { return coefficient_; }  ///< what names of coefficients begin with

  std::string text(const GiNaC::ex&) const;
  std::string vector(std::span<const GiNaC::ex>) const;  ///< "[m, c, k]"

 private:
  std::vector<std::string> parameters_;
  std::vector<std::pair<std::string, std::string>> renamed_;
  std::string sample_time_, coefficient_;
  GiNaC::exmap substitution_;
};

/// A model in the making.
struct SimulinkDiagram {
  SimulinkSystem system;
  std::vector<std::string> preamble = {};  ///< statements of MATLAB between the parameters and the blocks
  std::string form = {};                   ///< what the blocks are, for the header
  std::vector<std::pair<std::string, std::string>> renamed = {};
};

/// Inports of the asked inputs, of the other sources behind them, then Outports of the asked outputs; blocks by node.
struct SimulinkPorts {
  std::vector<std::pair<NodeId, SimulinkSystem::Index>> inputs = {}, outputs = {};
};
SimulinkPorts add_ports(SimulinkDiagram&, const ExportSubject&, bool other_sources);

/// Gain, integrator, transfer function; in z unit delay, discrete transfer function.
/// @throws NoAnswer where the denominator's first coefficient is 0 for the stated values
SimulinkBlock fraction_block(const std::string& name, const GiNaC::ex& gain, const ExportSubject&, const MatlabNames&);

/// A subsystem `equation X` for every unknown, with blocks Trans i/j of rows of the matrix Denc (Augustaitis et al. 2011, Figs. 1
/// and 3). Nothing where the subject has no such equations, or a block would be improper.
std::optional<SimulinkDiagram> equation_diagram(const ExportSubject&, const MatlabNames&);
/// A block for every branch. Nothing where improper branches cannot be joined with others.
std::optional<SimulinkDiagram> branch_diagram(const ExportSubject&, const MatlabNames&, const Budget& = {});
/// A block for every transfer function in closed form.
SimulinkDiagram transfer_diagram(const ExportSubject&, std::span<const ExportedTransfer>, const MatlabNames&);

}  // namespace sfg
