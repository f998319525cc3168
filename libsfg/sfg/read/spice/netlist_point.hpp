#pragma once
#include <ginac/ex.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sfg/read/spice/netlist_devices.hpp"
#include "sfg/read/spice/netlist_statements.hpp"
#include "sfg/read/spice/netlist_values.hpp"
#include "sfg/read/spice/simulator_point.hpp"

namespace sfg {

/// Devices M, Q, D and J of any model and level, with the small-signal values that a simulator found: each is a parameter gm_M1.
/// Of the model only what no operating point changes counts: series resistances outside of the values found, and flicker noise.
class NetlistPoint {
 public:
  NetlistPoint(const SimulatorPoint& point, NetlistValues& values) : point_(point), values_(values) {}

  /// Whether a statement begins with the letter of such a device.
  static bool is_device(char letter);
  static bool is_model(const NetlistStatement&);
  void model(const NetlistStatement&);

  /// @throws sfg::Error naming the device and the values that it needs and that the file lacks.
  std::vector<NetlistPart> device(const NetlistToken& name, NetlistTokens rest, const NetlistScope&);
  /// After the last device: what the file lacks, and what it has beside the netlist.
  /// @param stated  operating points that the netlist states beside its devices, which do not count
  void tell(const NetlistDevices::Points& stated, std::vector<Diagnostic>& notes) const;

 private:
  struct Model {
    std::string kind;
    std::map<std::string, NetlistToken> entries;  ///< by name in lower case
  };
  struct Device;
  struct Lack {
    SourceSpan where;  ///< of the first device
    std::string devices;
  };
  using Terminals = std::map<char, std::string>;

  const Model* model_of(std::string_view name) const;
  Device placed(const NetlistToken& name, NetlistTokens rest, const NetlistScope&) const;
  void find_values(Device&) const;
  static bool is_lateral(const Model*);
  bool is_of_charges(const Device&) const;
  static bool is_of_first_level(const Device&);
  void add_series(Device&, std::vector<NetlistPart>& parts);
  void add_part(const Device&, const char* what, const char* ends, std::vector<NetlistPart>& parts);
  GiNaC::ex noise_of(const Device&, std::string_view what, const GiNaC::ex& value);
  GiNaC::ex channel_flicker(const Device&);
  GiNaC::ex current_noise(const Device&, const char* current, bool shot, bool flicker);
  void note_limits(const Device&);
  void note_lack(const std::string& what, const Device&);

  const SimulatorPoint& point_;
  NetlistValues& values_;
  std::map<std::string, Model> models_;  ///< by name in lower case
  std::set<std::string> placed_;         ///< devices, in lower case
  std::map<std::string, Lack> lacks_;    ///< by what is said of it
};

}  // namespace sfg
