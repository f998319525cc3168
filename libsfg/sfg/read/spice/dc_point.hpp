#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/model/circuit.hpp"
#include "sfg/read/spice/dc_circuit.hpp"
#include "sfg/read/spice/dc_devices.hpp"
#include "sfg/read/spice/netlist_statements.hpp"
#include "sfg/read/spice/netlist_values.hpp"
#include "sfg/read/spice/simulator_point.hpp"

namespace sfg {

/// The devices M, Q and D of a netlist with their models as numbers, and the operating point that they and the linear circuit
/// between them have.
class DcPoint {
 public:
  /// Whether it is asked for: a source has a DC value, there are transistors, and the netlist states no operating point of any.
  static bool is_wanted(const NetlistText&);
  static bool is_device(char letter) { return letter == 'm' || letter == 'q' || letter == 'd'; }
  static bool is_model(const NetlistStatement&);
  void model(const NetlistStatement&, NetlistValues&);
  /// @param nodes  of its circuit, in the order of the netlist
  void device(const NetlistToken& name, NetlistTokens rest, const NetlistScope&, NetlistValues&,
              const std::function<std::string(const NetlistToken&)>& node);

  /// .options gmin=, tnom=, temp= of these statements; of .options that a solver has the others make no difference.
  void options(const NetlistText&, NetlistValues&);
  /// Whether the statement has such options alone.
  static bool takes(const NetlistStatement&, std::vector<Diagnostic>& notes);

  struct Found {
    SimulatorPoint point;
    DcSolution solution;
    double celsius = 27;
  };
  /// @throws as DcCircuit::solved()
  Found solved(const Circuit& linear) const;

 private:
  struct Model {
    std::string kind;
    DcDevice::Entries entries;
    std::optional<NetlistToken> unusual;  ///< an entry of an effect that is not known here
  };
  std::map<std::string, Model> models_;  ///< by name in lower case
  struct OwnTemperature {
    std::optional<double> celsius;
    double above = 0;
  };
  std::vector<DcDevice> devices_;
  std::vector<OwnTemperature> temperatures_;  ///< by device
  double least_ = 1e-12, nominal_ = 27;
};

}  // namespace sfg
