#pragma once
#include <ginac/ex.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/read/spice/netlist_statements.hpp"
#include "sfg/read/spice/netlist_values.hpp"

namespace sfg {

/// A linear element that stands for a part of a device, and the density of the noise current beside it.
struct NetlistPart {
  NetlistStatement statement;
  GiNaC::ex noise = 0;
};

/// A statement R_Q1 c e {value} at the place of the device.
NetlistPart netlist_part(const NetlistToken& device, const std::string& name, const std::vector<std::string>& nodes,
                         const std::string& value, const GiNaC::ex& noise = 0);

/// 3.9 ε0 of a gate's oxide, F/m.
GiNaC::ex oxide_permittivity();

/// Devices of which the linear elements that they stand for are written, as statements of a netlist: transistors at a stated
/// operating point, by the equations of SPICE (Gummel and Poon without high injection; Shichman and Hodges in saturation), and
/// the lossless line.
class NetlistDevices {
 public:
  /// @param thermal_voltage  k T/q as a symbol.
  NetlistDevices(NetlistValues& values, std::function<GiNaC::ex(const SourceSpan&)> thermal_voltage)
      : values_(values), thermal_voltage_(std::move(thermal_voltage)) {}

  /// Whether .model states a transistor.
  static bool is_model(const NetlistStatement&);
  /// .model NAME NPN(BF=100 VAF=50 …), PNP, NMOS, PMOS: values are symbols, BF_NAME. What has no part in small signals is passed
  /// over, what is left out goes to the notes.
  void model(const NetlistStatement&, std::vector<Diagnostic>& notes);
  /// "* sfg: Q1 IC=1m VCE=5": the operating point of an element, beside its line.
  void operating_point(const NetlistStatement&, const NetlistScope&);
  using Points = std::map<std::string, std::vector<NetlistAssignment>>;  ///< by the full name of the element in lower case
  const Points& points() const noexcept { return points_; }

  /// Q: collector base emitter [substrate] MODEL [area] [IC=… or GM=…, VBE=… VCE=… or VCB=…], with the shot noise 2 q I of both
  /// currents and the flicker noise KF I_B^AF/f.
  std::vector<NetlistPart> bipolar(const NetlistToken& name, NetlistTokens rest, const NetlistScope&,
                                   std::vector<Diagnostic>& notes);
  /// M: drain gate source bulk MODEL [L=… W=…] [ID=… VDS=… VBS=…], with the noise of the channel, 4 k T 2/3 gm, and the flicker
  /// noise of its model.
  std::vector<NetlistPart> mos(const NetlistToken& name, NetlistTokens rest, const NetlistScope&);
  /// T: in+ in- out+ out- Z0=… TD=…, or F=… NL=…: waves that come out of the other end TD later. It loses nothing and makes no
  /// noise.
  std::vector<NetlistPart> line(const NetlistToken& name, NetlistTokens rest, const NetlistScope&);

 private:
  using Values = std::map<std::string, GiNaC::ex>;  ///< by name in lower case
  struct Transistor {
    bool bipolar = true;
    std::string name;
    Values values;
  };
  /// What an element states of itself, on its line or beside it.
  Values stated(const NetlistToken& name, NetlistTokens entries, const NetlistScope&, const std::string& known);
  const Transistor& model_of(const NetlistToken& model, bool bipolar) const;
  /// The current, above 0 whatever the type of the transistor.
  GiNaC::ex current(const NetlistToken& name, const Values& point, const char* key) const;
  /// A value that follows, as a symbol gm_Q1; a number where it is no rational formula.
  GiNaC::ex derived(const std::string& what, const std::string& own, const GiNaC::ex& value, const SourceSpan&);
  std::string behind(const NetlistToken& name, const std::string& own, const Transistor&, const char* key,
                     const std::string& node, const GiNaC::ex& units, std::vector<NetlistPart>& elements);
  GiNaC::ex stated_collector_current(const NetlistToken& name, const Values& point, const GiNaC::ex& heat,
                                     std::vector<Diagnostic>& notes) const;
  GiNaC::ex depletion(const NetlistToken& name, const Transistor&, const char* zero, const char* potential, const char* exponent,
                      const std::optional<GiNaC::ex>& across) const;
  double number(const GiNaC::ex&, const NetlistToken& at) const;

  NetlistValues& values_;
  std::function<GiNaC::ex(const SourceSpan&)> thermal_voltage_;
  std::map<std::string, Transistor> models_;
  Points points_;
};

}  // namespace sfg
