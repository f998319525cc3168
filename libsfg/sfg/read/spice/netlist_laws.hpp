#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/read/spice/netlist_statements.hpp"
#include "sfg/read/spice/netlist_temperature.hpp"
#include "sfg/read/spice/netlist_values.hpp"

namespace sfg {

/// v(a) or v(a,b), where the second node is not ground.
Circuit::Probe voltage_probe(std::vector<std::string> nodes, const SourceSpan& where);

/// The expression of B1 a b I=… or V=…, in braces or up to the end of the line: its text, and the voltages and currents in it,
/// each replaced by the symbol that stands for it.
struct StatedLaw {
  struct Signal {
    std::string symbol;
    bool voltage = true;
    std::vector<NetlistToken> names;
  };
  bool current = true;
  NetlistToken expression;
  std::vector<Signal> signals;
};
StatedLaw stated_law(const NetlistToken& element, NetlistTokens rest, const SymbolTable&);
/// Whether a law as it was written has x^3 of a signal: ngspice alone takes |x|^3.
bool has_odd_powers(const Circuit::Element&, const StatedLaw&);

/// The nonlinear elements of a netlist.
class NetlistLaws {
 public:
  NetlistLaws(Circuit& circuit, NetlistValues& values, NetlistTemperature& temperature)
      : circuit_(circuit), values_(values), temperature_(temperature) {}

  /// .model NAME D(IS=1e-14 N=1). Values are symbols of the circuit, IS_NAME and N_NAME; parameters of other effects (charge,
  /// breakdown, series resistance) go to the notes.
  void model(const NetlistStatement&, std::vector<Diagnostic>& notes);
  /// Shockley's law I_S (e^(u/(n V_T)) − 1), at 300.15 K where the temperature is no parameter, continued on its tangent from
  /// e^80 on, so that no step of an iteration overflows. @param rest  anode, cathode, model, [area] [area=] [m=]
  void diode(Circuit::Element&, NetlistTokens rest, const NetlistScope&);
  void behavioural(Circuit::Element&, const StatedLaw&, const NetlistScope&,
                   const std::function<std::string(const NetlistToken&)>& node_name);
  /// k T/q, as the symbol V_T.
  GiNaC::ex thermal_voltage(const SourceSpan&);
  /// After the last element: the currents in laws get the spelling of their elements.
  void spell(const std::map<std::string, std::size_t>& elements);

 private:
  struct Diode {
    GiNaC::ex saturation_current, emission, flicker = 0, flicker_exponent = 1;
    GiNaC::ex gap{GiNaC::numeric(111, 100)}, exponent = 3, nominal;  ///< EG, eV; XTI; °C
  };
  GiNaC::ex thermal_voltage_at(const GiNaC::ex& kelvin) const;
  struct DiodeUnits {
    GiNaC::ex area = 1, devices = 1;
  };
  DiodeUnits units_of_diode(NetlistTokens behind_model, const NetlistScope&);
  void let_follow(const std::string& name, Diode&, const SourceSpan&);
  Circuit::Argument argument(const std::string& symbol, Circuit::Probe signal);

  Circuit& circuit_;
  NetlistValues& values_;
  NetlistTemperature& temperature_;
  std::map<std::string, Diode> diodes_;  ///< by name in lower case
};

}  // namespace sfg
