#include "sfg/read/spice/dc_devices.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sfg/read/spice/dc_laws.hpp"

namespace sfg {

namespace {

using dc::number;

/// C0 (1 − V/P)^(−M), its tangent from FC·P on.
double depletion(double zero, double volts, double potential, double exponent, double fc) {
  if (zero == 0) return 0;
  if (volts < fc * potential) return zero * std::pow(1 - volts / potential, -exponent);
  return zero * std::pow(1 - fc, -1 - exponent) * (1 - fc * (1 + exponent) + exponent * volts / potential);
}

/// Currents between two nodes that follow voltages between others.
template <class T>
class Stamping {
 public:
  explicit Stamping(std::size_t nodes)
      : stamp_{std::vector<T>(nodes, T(0)), std::vector<std::vector<T>>(nodes, std::vector<T>(nodes, T(0)))} {}
  void current(std::size_t from, std::size_t to, const T& amperes) {
    stamp_.currents[from] = stamp_.currents[from] + amperes;
    stamp_.currents[to] = stamp_.currents[to] - amperes;
  }
  void slope(std::size_t from, std::size_t to, std::size_t plus, std::size_t minus, const T& siemens) {
    auto& of = stamp_.conductances;
    of[from][plus] = of[from][plus] + siemens;
    of[from][minus] = of[from][minus] - siemens;
    of[to][plus] = of[to][plus] - siemens;
    of[to][minus] = of[to][minus] + siemens;
  }
  DcStampOf<T> take() { return std::move(stamp_); }

 private:
  DcStampOf<T> stamp_;
};

template <class T>
dc::Junction<T> diode_current(const DcDevice& device, const T& volts) {
  const double saturation = number(device.model, "is", 1e-14) * device.units;
  dc::Junction<T> found = dc::junction(saturation, volts, number(device.model, "n", 1) * dc::thermal_volts(device));
  found.current = found.current + T(device.least) * volts;
  found.slope = found.slope + T(device.least);
  return found;
}

template <class T>
DcStampOf<T> diode(const DcDevice& device, const std::vector<T>& v) {
  const dc::Junction<T> found = diode_current(device, v[0] - v[1]);
  Stamping<T> stamp(2);
  stamp.current(0, 1, found.current);
  stamp.slope(0, 1, 0, 1, found.slope);
  return stamp.take();
}

template <class T>
DcStampOf<T> bipolar(const DcDevice& device, const std::vector<T>& v) {
  constexpr std::size_t c = 0, b = 1, e = 2;
  const T sign(device.polarity);
  const dc::Bipolar<T> found(device, sign * (v[b] - v[e]), sign * (v[b] - v[c]));
  Stamping<T> stamp(4);
  stamp.current(c, e, sign * found.ic);
  stamp.current(b, e, sign * found.ib);
  stamp.slope(b, e, b, e, found.gpi);
  stamp.slope(b, c, b, c, found.gmu);
  stamp.slope(c, e, b, e, found.gm);
  stamp.slope(c, e, c, e, found.go);
  return stamp.take();
}

/// The two junctions of the bulk: that of the drain, that of the source.
double bulk_saturation(const DcDevice& device, bool of_drain) {
  const auto own = [&](const char* name) { return number(device.own, name, 0); };
  const double density = number(device.model, "js", 0);
  const bool by_area = density != 0 && own("ad") != 0 && own("as") != 0;
  return (by_area ? density * own(of_drain ? "ad" : "as") : number(device.model, "is", 1e-14)) * device.units;
}

template <class T>
DcStampOf<T> mos_forward(const DcDevice& device, const std::vector<T>& v, std::size_t drain, std::size_t source) {
  constexpr std::size_t d = 0, g = 1, s = 2, b = 3;
  const T sign(device.polarity);
  const auto channel = dc::drain(dc::Channel(device), T(sign * (v[g] - v[source])), T(sign * (v[drain] - v[source])),
                                 T(sign * (v[b] - v[source])));
  Stamping<T> stamp(4);
  stamp.current(drain, source, sign * channel.id);
  stamp.slope(drain, source, g, source, channel.gm);
  stamp.slope(drain, source, drain, source, channel.gds);
  stamp.slope(drain, source, b, source, channel.gm * channel.barrier.slope);
  for (const std::size_t end : {d, s}) {
    const T volts = sign * (v[b] - v[end]);
    const auto leak = dc::bulk_junction(bulk_saturation(device, end == d), volts, dc::thermal_volts(device));
    stamp.current(b, end, sign * (leak.current + T(device.least) * volts));
    stamp.slope(b, end, b, end, leak.slope + T(device.least));
  }
  return stamp.take();
}

template <class T>
DcStampOf<T> mos(const DcDevice& device, const std::vector<T>& v) {
  constexpr std::size_t d = 0, s = 2;
  // Where the current runs the other way, source and drain change places.
  return dc::in_pieces(
      T(T(device.polarity) * (v[d] - v[s])), T(0), [&](const T&) { return mos_forward(device, v, s, d); },
      [&](const T&) { return mos_forward(device, v, d, s); });
}

template <class T>
DcStampOf<T> stamp_of(const DcDevice& device, const std::vector<T>& v) {
  return device.letter == 'm' ? mos(device, v) : device.letter == 'q' ? bipolar(device, v) : diode(device, v);
}

std::map<std::string, double> diode_values(const DcDevice& device, const std::vector<double>& v) {
  const auto of = [&](const char* name, double otherwise) { return number(device.model, name, otherwise); };
  const double volts = v[0] - v[1];
  const dc::Junction<double> found = diode_current(device, volts);
  const double charge = of("tt", 0) * found.slope +
                        device.units * depletion(of("cjo", of("cj0", 0)), volts, of("vj", 1), of("m", 0.5), of("fc", 0.5));
  return {{"gd", found.slope}, {"cd", charge}, {"id", found.current}};
}

std::map<std::string, double> bipolar_values(const DcDevice& device, const std::vector<double>& v) {
  const auto of = [&](const char* name, double otherwise) { return number(device.model, name, otherwise); };
  constexpr std::size_t c = 0, b = 1, e = 2;
  const double vbe = device.polarity * (v[b] - v[e]), vbc = device.polarity * (v[b] - v[c]), fc = of("fc", 0.5);
  const dc::Bipolar<double> at(device, vbe, vbc);
  const double late = of("var", 0) == 0 ? 0 : 1 / of("var", 0), early = of("vaf", 0) == 0 ? 0 : 1 / of("vaf", 0);
  const double diffusion = of("tf", 0) * (at.forward.slope - at.forward.current * at.q * late) / at.q;
  const double cpi = diffusion + device.units * depletion(of("cje", 0), vbe, of("vje", 0.75), of("mje", 0.33), fc);
  const double zero = device.units * depletion(of("cjc", 0), vbc, of("vjc", 0.75), of("mjc", 0.33), fc);
  const double inner = of("xcjc", 1);
  const std::size_t over = of("subs", 1) < 0 ? b : c;
  const double vsub = device.polarity * (v[3] - v[over]);
  const double ccs = device.units * depletion(of("cjs", 0), vsub, of("vjs", 0.75), of("mjs", 0), 0);
  std::map<std::string, double> found{{"gm", at.gm},   {"gpi", at.gpi}, {"go", at.go},
                                      {"gmu", at.gmu}, {"cpi", cpi},    {"cmu", of("tr", 0) * at.reverse.slope + inner * zero},
                                      {"ccs", ccs},    {"ic", at.ic},   {"ib", at.ib}};
  found["ctf"] = of("tf", 0) * at.forward.current * early;  // the charge of the base follows V_CB, too
  if (inner != 1) found["cbx"] = (1 - inner) * zero;
  if (of("rb", 0) != 0) found["rb"] = of("rb", 0) / device.units;
  return found;
}

/// Meyer's capacitances of the gate.
struct Meyer {
  double source = 0, drain = 0, bulk = 0;

  Meyer(const dc::Channel& channel, double over, double vds) {
    const double oxide = channel.oxide, phi = channel.phi;
    if (over <= -phi) {
      bulk = oxide;
    } else if (over <= -phi / 2) {
      bulk = -over * oxide / phi;
    } else if (over <= 0) {
      bulk = -over * oxide / phi;
      source = 2 * (over * oxide / (1.5 * phi) + oxide / 3);
    } else if (over <= vds) {
      source = 2 * oxide / 3;
    } else {
      const double twice = 2 * over - vds;
      source = oxide * 2 / 3 * (1 - std::pow((over - vds) / twice, 2));
      drain = oxide * 2 / 3 * (1 - std::pow(over / twice, 2));
    }
  }
};

std::map<std::string, double> mos_values(const DcDevice& device, const std::vector<double>& v) {
  const auto of = [&](const char* name, double otherwise) { return number(device.model, name, otherwise); };
  const auto own = [&](const char* name) { return number(device.own, name, 0); };
  constexpr std::size_t d = 0, g = 1, s = 2, b = 3;
  const dc::Channel channel(device);
  const double sign = device.polarity;
  const bool reversed = sign * (v[d] - v[s]) < 0;
  const std::size_t drain = reversed ? s : d, source = reversed ? d : s;
  const double vds = sign * (v[drain] - v[source]);
  const auto at = dc::drain(channel, sign * (v[g] - v[source]), vds, sign * (v[b] - v[source]));
  std::map<std::string, double> found{{"gm", at.gm},
                                      {"gds", at.gds},
                                      {"gmbs", at.barrier.height > 0 ? at.gm * channel.gamma / (2 * at.barrier.height) : 0},
                                      {"id", reversed ? -at.id : at.id},
                                      {"vds", reversed ? -vds : vds}};
  for (const auto& [end, area, rim, zero, name] :
       {std::tuple(d, own("ad"), own("pd"), of("cbd", 0), "cdb"), std::tuple(s, own("as"), own("ps"), of("cbs", 0), "csb")}) {
    const double volts = sign * (v[b] - v[end]);
    const auto leak = dc::bulk_junction(bulk_saturation(device, end == d), volts, dc::thermal_volts(device));
    if (leak.slope > device.least) found[end == d ? "gbd" : "gbs"] = leak.slope + device.least;
    const double bottom = (zero != 0 ? zero : of("cj", 0) * area) * device.units, side = of("cjsw", 0) * rim * device.units;
    found[name] = depletion(bottom, volts, of("pb", 0.8), of("mj", 0.5), of("fc", 0.5)) +
                  depletion(side, volts, of("pb", 0.8), of("mjsw", 0.5), of("fc", 0.5));
  }
  const Meyer gate(channel, at.over, vds);
  const double wide = channel.width * device.units;
  found["cgs"] = (reversed ? gate.drain : gate.source) + of("cgso", 0) * wide;
  found["cgd"] = (reversed ? gate.source : gate.drain) + of("cgdo", 0) * wide;
  found["cgb"] = gate.bulk + of("cgbo", 0) * channel.length * device.units;
  return found;
}

/// A junction that is driven far forward goes on by what the logarithm of its current would.
double limited_junction(double volts, double before, double heat, double saturation) {
  const double critical = heat * std::log(heat / (1.4142135623730951 * saturation));
  if (volts <= critical || std::abs(volts - before) <= 2 * heat) return volts;
  if (before <= 0) return heat * std::log(std::max(volts / heat, 1.0));
  const double ratio = 1 + (volts - before) / heat;
  return ratio > 0 ? before + heat * std::log(ratio) : critical;
}

}  // namespace

DcStamp dc_stamp(const DcDevice& device, const std::vector<double>& voltages) { return stamp_of(device, voltages); }
DcStampOf<ring::Interval> dc_stamp(const DcDevice& device, const std::vector<ring::Interval>& voltages) {
  return stamp_of(device, voltages);
}

std::map<std::string, double> dc_small_signal(const DcDevice& device, const std::vector<double>& voltages) {
  return device.letter == 'm'   ? mos_values(device, voltages)
         : device.letter == 'q' ? bipolar_values(device, voltages)
                                : diode_values(device, voltages);
}

std::vector<double> dc_limited(const DcDevice& device, const std::vector<double>& voltages, const std::vector<double>& before) {
  std::vector<double> result = voltages;
  const double sign = device.polarity;
  const auto limit = [&](std::size_t plus, std::size_t minus, const char* saturation, double usual, double emission) {
    const double volts = sign * (result[plus] - result[minus]), old = sign * (before[plus] - before[minus]);
    const double is = std::max(number(device.model, saturation, usual) * device.units, 1e-30);
    result[minus] = result[plus] - sign * limited_junction(volts, old, emission * dc::thermal_volts(device), is);
  };
  if (device.letter == 'd') {
    limit(0, 1, "is", 1e-14, number(device.model, "n", 1));
  } else if (device.letter == 'q') {
    limit(1, 2, "is", 1e-16, number(device.model, "nf", 1));
    limit(1, 0, "is", 1e-16, number(device.model, "nr", 1));
  } else {
    constexpr double most = 0.5;  // V from step to step, against the bulk
    for (std::size_t i = 0; i < 3; ++i) {
      const double step = (voltages[i] - voltages[3]) - (before[i] - before[3]);
      result[i] = voltages[3] + before[i] - before[3] + std::clamp(step, -most, most);
    }
    for (const std::size_t end : {std::size_t{0}, std::size_t{2}}) limit(3, end, "is", 1e-14, 1);
  }
  return result;
}

std::vector<std::pair<std::size_t, double>> dc_series(const DcDevice& device) {
  const std::vector<std::pair<std::size_t, const char*>> ends =
      device.letter == 'm'   ? std::vector<std::pair<std::size_t, const char*>>{{0, "rd"}, {2, "rs"}}
      : device.letter == 'q' ? std::vector<std::pair<std::size_t, const char*>>{{0, "rc"}, {1, "rb"}, {2, "re"}}
                             : std::vector<std::pair<std::size_t, const char*>>{{0, "rs"}};
  std::vector<std::pair<std::size_t, double>> result;
  for (const auto& [node, name] : ends)
    if (const double ohms = number(device.model, name, 0); ohms != 0) result.emplace_back(node, ohms / device.units);
  return result;
}

}  // namespace sfg
