#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/temperature.hpp"
#include "sfg/read/spice/netlist_entries.hpp"
#include "sfg/read/spice/netlist_values.hpp"

namespace sfg {

/// The temperature of a netlist: 27 °C, unless .temp or .options temp= state another one; values are those at .options tnom=.
/// Where the netlist states something that follows it, or it is asked for, it is the parameter `temper` in °C, as ngspice has it,
/// and T_K, V_T and what has coefficients are expressions of it.
class NetlistTemperature {
 public:
  NetlistTemperature(SymbolTable& symbols, NetlistValues& values, bool asked)
      : symbols_(symbols), values_(values), asked_(asked), moves_(asked) {}

  /// Before anything is read: whether the statement has coefficients, or the name of the temperature in an expression.
  void look_at(const NetlistStatement&);
  /// .temp, and of .options what is of the temperature. @return whether the statement has nothing else.
  bool take(const NetlistStatement&, std::vector<Diagnostic>& notes);
  /// .model NAME R(TC1=… TC2=…), also of C and L.
  static bool is_model(const NetlistStatement&);
  void model(const NetlistStatement&, std::vector<Diagnostic>& notes);

  const GiNaC::ex absolute_zero{GiNaC::numeric(27315, 100)};  ///< 0 °C in kelvin
  bool is_parameter() const noexcept { return moves_; }
  /// Declares the parameters; after look_at() and take() of all statements.
  void declare();
  GiNaC::ex celsius() const { return symbols_.at(temperature_parameter).expr; }
  const GiNaC::ex& nominal() const noexcept { return nominal_; }  ///< °C

  bool follows(const NetlistToken& element, const ElementEntries::Temperature&, const std::optional<NetlistToken>& model) const;
  /// value (1 + TC1 (T − tnom) + TC2 (T − tnom)²) with the coefficients that the element or its model states, as the parameter
  /// `own`.
  GiNaC::ex followed(const std::string& own, const GiNaC::ex& value, const ElementEntries::Temperature&,
                     const std::optional<NetlistToken>& model, const NetlistScope&, const SourceSpan& where);

  /// The operating point was found at this temperature.
  void moves_point() { follows_ = true; }
  /// Something that has no other values at another temperature: "the model 'QN'".
  void keeps(const std::string& what) { kept_.insert(what); }
  /// What does not follow, where the temperature is another one or is asked for.
  void tell(const SourceSpan& circuit, std::vector<Diagnostic>& notes);

 private:
  SymbolTable& symbols_;
  NetlistValues& values_;
  bool asked_, moves_, follows_ = false;
  bool names_temp_ = false, own_temp_ = false;  ///< LTspice's name: in an expression, as a parameter of the netlist
  GiNaC::ex nominal_ = 27, celsius_ = 27;
  std::optional<SourceSpan> stated_;
  std::set<std::string> kept_;
  struct Model {
    std::optional<GiNaC::ex> first, second;
  };
  std::map<std::string, Model> models_;  ///< by name in lower case
};

}  // namespace sfg
