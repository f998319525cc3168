#include "sfg/read/spice/dc_devices.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sfg {

namespace {

constexpr double thermal_volts = 1.380649e-23 * 300.15 / 1.602176634e-19;  ///< k T/q
constexpr double least_conductance = 1e-12;
constexpr double most_exponent = 700;

double entry(const DcDevice::Entries& entries, const char* name, double otherwise) {
  const auto found = entries.find(name);
  return found == entries.end() ? otherwise : found->second;
}

/// A current and its slope.
struct Junction {
  double current, slope;
};

Junction junction(double saturation, double volts, double emission) {
  const double heat = emission * thermal_volts, power = std::exp(std::min(volts / heat, most_exponent));
  return {saturation * (power - 1), saturation * power / heat};
}

/// C0 (1 − V/P)^(−M), its tangent from FC·P on.
double depletion(double zero, double volts, double potential, double exponent, double fc) {
  if (zero == 0) return 0;
  if (volts < fc * potential) return zero * std::pow(1 - volts / potential, -exponent);
  return zero * std::pow(1 - fc, -1 - exponent) * (1 - fc * (1 + exponent) + exponent * volts / potential);
}

/// Currents between two nodes that follow voltages between others.
class Stamping {
 public:
  explicit Stamping(std::size_t nodes)
      : stamp_{std::vector<double>(nodes), std::vector<std::vector<double>>(nodes, std::vector<double>(nodes)), {}} {}
  void current(std::size_t from, std::size_t to, double amperes) {
    stamp_.currents[from] += amperes;
    stamp_.currents[to] -= amperes;
  }
  void slope(std::size_t from, std::size_t to, std::size_t plus, std::size_t minus, double siemens) {
    stamp_.conductances[from][plus] += siemens;
    stamp_.conductances[from][minus] -= siemens;
    stamp_.conductances[to][plus] -= siemens;
    stamp_.conductances[to][minus] += siemens;
  }
  DcStamp take(std::map<std::string, double> small_signal) {
    stamp_.small_signal = std::move(small_signal);
    return std::move(stamp_);
  }

 private:
  DcStamp stamp_;
};

DcStamp diode(const DcDevice& device, const std::vector<double>& v) {
  const auto of = [&](const char* name, double otherwise) { return entry(device.model, name, otherwise); };
  const double volts = v[0] - v[1];
  const Junction found = junction(of("is", 1e-14) * device.units, volts, of("n", 1));
  const double slope = found.slope + least_conductance, amperes = found.current + least_conductance * volts;
  Stamping stamp(2);
  stamp.current(0, 1, amperes);
  stamp.slope(0, 1, 0, 1, slope);
  const double charge =
      of("tt", 0) * slope + device.units * depletion(of("cjo", of("cj0", 0)), volts, of("vj", 1), of("m", 0.5), of("fc", 0.5));
  return stamp.take({{"gd", slope}, {"cd", charge}, {"id", amperes}});
}

DcStamp bipolar(const DcDevice& device, const std::vector<double>& v) {
  const auto of = [&](const char* name, double otherwise) { return entry(device.model, name, otherwise); };
  const auto inverse = [&](const char* name) { return of(name, 0) == 0 ? 0 : 1 / of(name, 0); };
  constexpr std::size_t c = 0, b = 1, e = 2;
  const double vbe = device.polarity * (v[b] - v[e]), vbc = device.polarity * (v[b] - v[c]);
  const double saturation = of("is", 1e-16) * device.units, fc = of("fc", 0.5);
  const Junction forward = junction(saturation, vbe, of("nf", 1)), reverse = junction(saturation, vbc, of("nr", 1));
  const Junction forward_leak = junction(of("ise", 0) * device.units, vbe, of("ne", 1.5)),
                 reverse_leak = junction(of("isc", 0) * device.units, vbc, of("nc", 2));
  const double early = inverse("vaf"), late = inverse("var");
  const double q = 1 / (1 - early * vbc - late * vbe);  // the charge of the base
  const double transport = (forward.current - reverse.current) / q;
  const double ic = transport - reverse.current / of("br", 1) - reverse_leak.current - least_conductance * vbc;
  const double ib = forward.current / of("bf", 100) + forward_leak.current + reverse.current / of("br", 1) +
                    reverse_leak.current + least_conductance * (vbe + vbc);
  const double gpi = forward.slope / of("bf", 100) + forward_leak.slope + least_conductance,
               gmu = reverse.slope / of("br", 1) + reverse_leak.slope + least_conductance;
  const double go = reverse.slope / q + transport * q * early, gm = forward.slope / q - transport * q * late - go;
  Stamping stamp(4);
  stamp.current(c, e, device.polarity * ic);
  stamp.current(b, e, device.polarity * ib);
  stamp.slope(b, e, b, e, gpi);
  stamp.slope(b, c, b, c, gmu);
  stamp.slope(c, e, b, e, gm);
  stamp.slope(c, e, c, e, go);
  const double diffusion = of("tf", 0) * (forward.slope - forward.current * q * late) / q;
  const double cpi = diffusion + device.units * depletion(of("cje", 0), vbe, of("vje", 0.75), of("mje", 0.33), fc);
  const double zero = device.units * depletion(of("cjc", 0), vbc, of("vjc", 0.75), of("mjc", 0.33), fc);
  const double inner = of("xcjc", 1);
  const std::size_t over = entry(device.model, "subs", 1) < 0 ? b : c;
  const double vsub = device.polarity * (v[3] - v[over]);
  const double ccs = device.units * depletion(of("cjs", 0), vsub, of("vjs", 0.75), of("mjs", 0), 0);
  std::map<std::string, double> found{{"gm", gm},   {"gpi", gpi}, {"go", go},
                                      {"gmu", gmu}, {"cpi", cpi}, {"cmu", of("tr", 0) * reverse.slope + inner * zero},
                                      {"ccs", ccs}, {"ic", ic},   {"ib", ib}};
  found["ctf"] = of("tf", 0) * forward.current * early;  // the charge of the base follows V_CB, too
  if (inner != 1) found["cbx"] = (1 - inner) * zero;
  if (of("rb", 0) != 0) found["rb"] = of("rb", 0) / device.units;
  return stamp.take(std::move(found));
}

/// Lengths and areas of a transistor, and what is made of them.
struct Channel {
  double width, length, oxide, gain, gamma, phi, lambda, threshold;

  explicit Channel(const DcDevice& device) {
    const auto of = [&](const char* name, double otherwise) { return entry(device.model, name, otherwise); };
    width = entry(device.own, "w", 1e-4);
    length = entry(device.own, "l", 1e-4) - 2 * of("ld", 0);
    const double tox = of("tox", 0), per_area = tox == 0 ? 0 : 3.9 * 8.854214871e-12 / tox;
    oxide = per_area * width * length * device.units;
    const double mobility = of("uo", of("u0", 600)) * 1e-4;
    gain = of("kp", tox == 0 ? 2e-5 : mobility * per_area) * device.units * width / length;
    gamma = of("gamma", 0);
    phi = of("phi", 0.6);
    lambda = of("lambda", 0);
    threshold = device.polarity * of("vto", 0);
  }
};

/// Meyer's capacitances of the gate.
struct Meyer {
  double source = 0, drain = 0, bulk = 0;

  Meyer(const Channel& channel, double over, double vds) {
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

DcStamp mos(const DcDevice& device, const std::vector<double>& v) {
  const auto of = [&](const char* name, double otherwise) { return entry(device.model, name, otherwise); };
  const auto own = [&](const char* name) { return entry(device.own, name, 0); };
  constexpr std::size_t d = 0, g = 1, s = 2, b = 3;
  const Channel channel(device);
  const double sign = device.polarity;
  const bool reversed = sign * (v[d] - v[s]) < 0;
  const std::size_t drain = reversed ? s : d, source = reversed ? d : s;
  const double vgs = sign * (v[g] - v[source]), vds = sign * (v[drain] - v[source]), vbs = sign * (v[b] - v[source]);
  const double rest = std::sqrt(channel.phi);
  const double barrier = vbs <= 0 ? std::sqrt(channel.phi - vbs) : std::max(rest - vbs / (2 * rest), 0.0);
  const double over = vgs - (channel.threshold + channel.gamma * (barrier - rest));
  const double body = barrier <= 0 ? 0 : channel.gamma / (2 * barrier);
  const double gain = channel.gain * (1 + channel.lambda * vds);
  double id = 0, gm = 0, gds = 0;
  if (over > 0 && over <= vds) {
    id = gain * over * over / 2;
    gm = gain * over;
    gds = channel.lambda * channel.gain * over * over / 2;
  } else if (over > 0) {
    id = gain * vds * (over - vds / 2);
    gm = gain * vds;
    gds = gain * (over - vds) + channel.lambda * channel.gain * vds * (over - vds / 2);
  }
  Stamping stamp(4);
  stamp.current(drain, source, sign * id);
  stamp.slope(drain, source, g, source, gm);
  stamp.slope(drain, source, drain, source, gds);
  stamp.slope(drain, source, b, source, gm * body);
  std::map<std::string, double> found{
      {"gm", gm}, {"gds", gds}, {"gmbs", gm * body}, {"id", reversed ? -id : id}, {"vds", reversed ? -vds : vds}};
  for (const auto& [end, area, rim, zero, name] :
       {std::tuple(d, own("ad"), own("pd"), of("cbd", 0), "cdb"), std::tuple(s, own("as"), own("ps"), of("cbs", 0), "csb")}) {
    const double volts = sign * (v[b] - v[end]);
    const bool by_area = of("js", 0) != 0 && own("ad") != 0 && own("as") != 0;
    const Junction leak = junction((by_area ? of("js", 0) * area : of("is", 1e-14)) * device.units, volts, 1);
    stamp.current(b, end, sign * (leak.current + least_conductance * volts));
    stamp.slope(b, end, b, end, leak.slope + least_conductance);
    if (leak.slope > least_conductance) found[end == d ? "gbd" : "gbs"] = leak.slope + least_conductance;
    const double bottom = (zero != 0 ? zero : of("cj", 0) * area) * device.units, side = of("cjsw", 0) * rim * device.units;
    found[name] = depletion(bottom, volts, of("pb", 0.8), of("mj", 0.5), of("fc", 0.5)) +
                  depletion(side, volts, of("pb", 0.8), of("mjsw", 0.5), of("fc", 0.5));
  }
  const Meyer gate(channel, over, vds);
  const double wide = channel.width * device.units;
  found["cgs"] = (reversed ? gate.drain : gate.source) + of("cgso", 0) * wide;
  found["cgd"] = (reversed ? gate.source : gate.drain) + of("cgdo", 0) * wide;
  found["cgb"] = gate.bulk + of("cgbo", 0) * channel.length * device.units;
  return stamp.take(std::move(found));
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

DcStamp dc_stamp(const DcDevice& device, const std::vector<double>& voltages) {
  return device.letter == 'm'   ? mos(device, voltages)
         : device.letter == 'q' ? bipolar(device, voltages)
                                : diode(device, voltages);
}

std::vector<double> dc_limited(const DcDevice& device, const std::vector<double>& voltages, const std::vector<double>& before) {
  std::vector<double> result = voltages;
  const double sign = device.polarity;
  const auto limit = [&](std::size_t plus, std::size_t minus, const char* saturation, double usual, double emission) {
    const double volts = sign * (result[plus] - result[minus]), old = sign * (before[plus] - before[minus]);
    const double is = std::max(entry(device.model, saturation, usual) * device.units, 1e-30);
    result[minus] = result[plus] - sign * limited_junction(volts, old, emission * thermal_volts, is);
  };
  if (device.letter == 'd') {
    limit(0, 1, "is", 1e-14, entry(device.model, "n", 1));
  } else if (device.letter == 'q') {
    limit(1, 2, "is", 1e-16, entry(device.model, "nf", 1));
    limit(1, 0, "is", 1e-16, entry(device.model, "nr", 1));
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
    if (const double ohms = entry(device.model, name, 0); ohms != 0) result.emplace_back(node, ohms / device.units);
  return result;
}

}  // namespace sfg
