#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sfg/export/c/code_lines.hpp"

namespace sfg {

/// Names that a netlist may have. Upper and lower case are the same there.
class SpiceNames {
 public:
  /// A name of its own for each call.
  std::string operator()(const std::string& name);
  /// The wanted text, made longer until no name is it and a number.
  std::string beginning(std::string wanted) const;
  const std::vector<std::pair<std::string, std::string>>& renamed() const noexcept { return renamed_; }

 private:
  std::set<std::string> taken_;  // in lower case
  std::vector<std::pair<std::string, std::string>> renamed_;
};

/// Formulas of parameters, in braces, as ngspice reads them; whole powers are products, since its own have the modulus of the
/// base.
CodeSyntax spice_constants();
/// Formulas of behavioural sources.
CodeSyntax spice_signals();

}  // namespace sfg
