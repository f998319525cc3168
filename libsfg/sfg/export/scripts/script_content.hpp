#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/c/code_lines.hpp"
#include "sfg/export/exported_motion.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/exported_transfers.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/text/legal_names.hpp"

// Not installed.
namespace sfg {

/// What the scripts for Octave, Scilab and Python state, each in its own syntax.
struct ScriptContent {
  std::vector<ExportedParameter> parameters;                 ///< in the order of the model
  std::vector<std::string> names;                            ///< theirs in the script
  std::vector<std::pair<std::string, std::string>> renamed;  ///< old and new, where they differ
  std::string intermediate;                                  ///< begins the names v1, v2 … of values on the way
  std::vector<ExportedTransfer> transfers = {};              ///< of a linear graph
  std::optional<ExportedStates> states = {};                 ///< of all of them, without their dead times
  std::optional<ExportedMotion> motion = {};                 ///< of a graph with laws
  std::vector<double> reach = {};                            ///< of the motion's states, for tolerances
  bool stiff = false;                                        ///< an explicit method would take very many steps
  std::set<std::uint32_t> tables = {};                       ///< table_code() of the lookups that occur
  std::string verified = {};
};

/// @param reserved  words of the language and the names that the script uses itself
/// @throws NoAnswer naming the branch that a script cannot express, or where the stated values leave no state space
ScriptContent script_content(const ExportSubject&, std::set<std::string> reserved, const Budget& = {});

/// "transfer_0", "numerator_0" … for as many: names that a script uses itself.
std::set<std::string> numbered(std::set<std::string> words, std::initializer_list<const char*> stems, std::size_t count);

/// The line of a script that makes a parameter, or a value on the way to one that others state.
struct ParameterLine {
  std::string name, formula;
  std::string comment;  ///< unit and text, "" where there is none
};
/// In the order in which a script makes them.
std::vector<ParameterLine> parameter_lines(const ScriptContent&, const CodeSyntax&);

/// "a, b, c"; where a line has become long, what follows its comma begins another.
std::string listed(const std::vector<std::string>& texts, const std::string& line_break);
std::vector<std::string> code_numbers(const std::vector<double>&);

/// ExportedMotion as text.
struct MotionCode {
  std::vector<std::pair<std::string, std::string>> intermediate;  ///< assignments before the rates and the outputs
  std::vector<std::string> rates, outputs;
  std::vector<std::pair<std::string, std::string>> before_drives;
  std::vector<std::string> drives;  ///< of "time"
};
/// @param state, drive  what their k-th, from 0 on, is called
MotionCode motion_code(const ScriptContent&, const CodeSyntax&, const std::function<std::string(std::size_t)>& state,
                       const std::function<std::string(std::size_t)>& drive);

/// Number of a name among others, from 0 on.
std::size_t place_of(const std::string& name, const std::vector<std::string>& among);

/// Why a transfer function has no step response; "" where it has one.
std::string without_step(const ScriptContent&, const ExportedTransfer&);

/// A table as pieces c0·t³ + c1·t² + c2·t + c3, t from the break at the left; the outer ones go on beyond the ends.
struct TablePieces {
  std::vector<double> breaks;                       ///< one more than pieces
  std::vector<std::array<double, 4>> coefficients;  ///< highest power first
};
/// @param code  table_code() of a lookup
TablePieces table_pieces(std::uint32_t code);

}  // namespace sfg
