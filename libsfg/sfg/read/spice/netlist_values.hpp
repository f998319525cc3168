#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <map>
#include <string>
#include <string_view>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"
#include "sfg/read/spice/netlist.hpp"

namespace sfg {

/// True of a word that begins as a number does: 4.7k, -.5, 2u2.
bool starts_number(std::string_view text);
/// A number as netlists have it: with a suffix (4.7k), with the suffix or R in place of the point (4k7, 4R7, 2u2), with a
/// unit behind it (50ohm, 10kΩ, 5V). @throws sfg::Error; also for 2M2, which is milli in SPICE and mega on schematics.
GiNaC::numeric netlist_number(std::string_view text, const SourceSpan& where);

/// Where a statement of a netlist stands: at the top, or in an instance of a subcircuit.
struct NetlistScope {
  std::string suffix;                           ///< "" at the top, "X1" in X1, "X2_X1" in its X2
  std::map<std::string, GiNaC::ex> parameters;  ///< of the subcircuit, by name in lower case
  std::map<std::string, std::string> nodes;     ///< its ports, by name in lower case

  std::string full(std::string_view local) const;
};

/// The values of a netlist: numbers with suffixes, names and expressions, in the scope they stand in. Names are compared
/// without regard to case; the first spelling stays.
class NetlistValues {
 public:
  NetlistValues(SymbolTable& symbols, const Operator&);

  /// One name stands for another one, in lower case.
  void call(const std::string& name, const std::string& other) { spellings_.emplace(name, other); }
  /// .param at the top: the name becomes a symbol with a value.
  void define(const NetlistToken& name, const NetlistToken& value);
  /// The value in the scope; a number becomes the value of the symbol `own`.
  GiNaC::ex value(const NetlistToken&, const NetlistScope&, std::string_view own);
  /// The same for what is no parameter: a number stays one.
  GiNaC::ex plain_value(const NetlistToken&, const NetlistScope&);
  /// With the stated values of the symbols.
  GiNaC::ex with_stated_values(const GiNaC::ex&, const SourceSpan& where) const;
  /// Whether it is 0, or a symbol with the value 0.
  bool is_stated_as_zero(const GiNaC::ex&) const;
  /// A name in densities of noise (model/noise.hpp).
  GiNaC::ex of_noise(const char* name) const;
  /// 2 q I
  GiNaC::ex shot_noise(const GiNaC::ex& amperes) const;
  /// KF I^AF/f of each of so many devices side by side, which share the current.
  GiNaC::ex flicker_noise(const GiNaC::ex& factor, const GiNaC::ex& exponent, const GiNaC::ex& amperes, const SourceSpan& where,
                          const GiNaC::ex& devices = 1) const;
  /// A symbol with a value that follows from other symbols.
  GiNaC::ex derived(const std::string& name, const GiNaC::ex& value, const SourceSpan& where);

 private:
  GiNaC::ex expression(const NetlistToken&, const NetlistScope&);
  GiNaC::ex named(std::string_view name, const NetlistScope&, const SourceSpan& where);
  GiNaC::ex with_value(std::string_view name, const GiNaC::ex& value, const SourceSpan& where);
  const std::string& spelling(std::string_view name);

  SymbolTable& symbols_;
  std::string operator_;
  std::map<std::string, std::string> spellings_;  ///< of symbols, by name in lower case
};

}  // namespace sfg
