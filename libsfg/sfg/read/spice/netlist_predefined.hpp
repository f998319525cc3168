#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/read/spice/netlist_statements.hpp"
#include "sfg/read/spice/netlist_values.hpp"

namespace sfg {

/// Subcircuits that a netlist has without defining them; what it defines under such a name itself counts instead. Of an instance
///   X1 a1 a2 b1 b2 GYRATOR G=1m       i(a1) = G v(b1,b2), i(b1) = −G v(a1,a2), currents into the element (Tellegen 1948)
///   X1 p1 p2 s1 s2 TRANSFORMER N=10   v(p1,p2) = N v(s1,s2), i(s1) = −N i(p1)
///   X1 plate grid cathode TRIODE MU=… EX=… KG1=… KP=… KVB=… [RGI=…] [CCG=…] [CGP=…] [CCP=…]
/// The triode's law is that of N. Koren, Improved vacuum-tube models for SPICE simulations, Glass Audio 8 (5), 1996, with a grid
/// that conducts above the cathode by RGI, where that is stated.
class NetlistPredefined {
 public:
  explicit NetlistPredefined(NetlistValues& values) : values_(values) {}

  static bool is_model(const NetlistStatement&);
  /// .model NAME TRIODE(MU=100 …): the entries of instances "X1 plate grid cathode NAME". Values are symbols, MU_NAME.
  void model(const NetlistStatement&);
  /// The subcircuit of an instance, made of what it states; nothing where the name is not known.
  /// @throws sfg::Error naming the parameters that are missing.
  std::optional<NetlistSubcircuit> subcircuit(const NetlistToken& wanted, NetlistTokens given) const;
  /// Of a triode gm_X1 and rp_X1, which an operating point gives their values (model/named_slope.hpp).
  static void name_slopes(Circuit&, const std::string& instance);

 private:
  NetlistValues& values_;
  std::map<std::string, std::vector<NetlistAssignment>> triodes_;  ///< by name in lower case
};

}  // namespace sfg
