#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/targets.hpp"

namespace sfg {

/// Whole numbers of 32 bits, one of them the sign, `fraction` of them behind the point.
struct FixedPoint {
  int whole = 15, fraction = 16;
  /// "Q15.16". @throws std::invalid_argument unless whole + fraction = 31
  static FixedPoint of(std::string_view);
  std::string text() const;
};

struct CProgramOptions {
  bool single = false;              ///< float in place of every double
  std::optional<FixedPoint> fixed;  ///< NAME_step_fixed, too: of a graph in z, or with a sample time
  std::string include = {};         ///< a file with the declarations, which then do not stand in this one
  bool cpp = false;                 ///< how it is said to be compiled
};

/// The target c: C of the standard of 2011 that is C++ of that of 2020, too, without allocation and without globals but constant
/// tables. Functions by the names of the contract: NAME_transfer_K, NAME_gradient_K, NAME_ABCD, NAME_step; of a nonlinear graph
/// NAME_rates and NAME_output. With SFG_MAIN a main prints the step and frequency parts.
/// @throws NoAnswer naming the branch that it cannot express; sfg::Error naming parameters without values
void write_c_program(std::ostream&, const ExportSubject&, const CProgramOptions&, const Budget& = {});
void write_c_program(std::ostream&, const ExportSubject&, const Budget& = {});

/// Both texts, and what they are about.
struct CProgram {
  std::string program, header;
  std::string name = {};  ///< with which its functions begin
  std::size_t states = 0;
  std::vector<std::string> inputs = {}, outputs = {};
  std::vector<std::string> improper = {};  ///< "OUT/IN" of what has no step
  std::string verified = {};               ///< how
};
CProgram c_program(const ExportSubject&, const CProgramOptions&, const Budget& = {});

}  // namespace sfg
