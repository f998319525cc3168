#include "sfg/read/spice/dc_temperature.hpp"

#include <cmath>
#include <initializer_list>
#include <tuple>

#include "sfg/read/spice/dc_laws.hpp"

namespace sfg {

namespace {

constexpr double capacitance_per_kelvin = 4e-4;

/// eV, of silicon.
double gap(double kelvin) { return 1.16 - 7.02e-4 * kelvin * kelvin / (kelvin + 1108); }

/// What the potential of a junction loses from 300.15 K to the temperature.
double lost_potential(double kelvin) {
  const double arg =
      -gap(kelvin) / (2 * dc_volts_per_kelvin * kelvin) + 1.1150877 / (2 * dc_volts_per_kelvin * dc_nominal_kelvin);
  return -2 * dc_volts_per_kelvin * kelvin * (1.5 * std::log(kelvin / dc_nominal_kelvin) + arg);
}

class Moved {
 public:
  Moved(DcDevice& device, double stated) : device_(device), model_(device.model), stated_(stated), there_(device.kelvin) {}

  void diode() {
    const double n = of("n", 1), ratio = there_ / stated_;
    const double heat = n * dc::thermal_volts(device_);
    model_["is"] = of("is", 1e-14) * std::exp((ratio - 1) * of("eg", 1.11) / heat + of("xti", 3) / n * std::log(ratio));
    junction("vj", 1, "m", 0.5, {"cjo", "cj0"});
  }

  void bipolar() {
    const double ratio = there_ / stated_, heat = dc::thermal_volts(device_);
    const double power = (ratio - 1) * of("eg", 1.11) / heat + of("xti", 3) * std::log(ratio);
    const double gain = std::pow(ratio, of("xtb", 0));
    model_["is"] = of("is", 1e-16) * std::exp(power);
    model_["bf"] = of("bf", 100) * gain;
    model_["br"] = of("br", 1) * gain;
    for (const auto& [current, emission, usual] : {std::tuple("ise", "ne", 1.5), std::tuple("isc", "nc", 2.0)})
      if (of(current, 0) != 0) model_[current] = of(current, 0) * std::exp(power / of(emission, usual)) / gain;
    junction("vje", 0.75, "mje", 0.33, {"cje"});
    junction("vjc", 0.75, "mjc", 0.33, {"cjc"});
    junction("vjs", 0.75, "mjs", 0, {"cjs"});
  }

  void mos() {
    const double ratio = there_ / stated_, slower = ratio * std::sqrt(ratio);
    const double tox = of("tox", 0);
    const double mobility = of("uo", of("u0", 600));
    model_["kp"] = of("kp", tox == 0 ? 2e-5 : mobility * 1e-4 * 3.9 * 8.854214871e-12 / tox) / slower;
    const double phi = of("phi", 0.6), moved = potential(phi), gamma = of("gamma", 0), sign = device_.polarity;
    model_["phi"] = moved;
    model_["vto"] = of("vto", 0) - sign * gamma * std::sqrt(phi) + (gap(stated_) - gap(there_)) / 2 + sign * (moved - phi) / 2 +
                    sign * gamma * std::sqrt(moved);
    const double more = std::exp(gap(stated_) / (dc_volts_per_kelvin * stated_) - gap(there_) / (dc_volts_per_kelvin * there_));
    model_["is"] = of("is", 1e-14) * more;
    if (of("js", 0) != 0) model_["js"] *= more;
    const double pb = of("pb", 0.8);
    junction("pb", 0.8, "mj", 0.5, {"cbd", "cbs", "cj"});
    const double there = model_["pb"];
    model_["pb"] = pb;
    junction("pb", 0.8, "mjsw", 0.5, {"cjsw"});
    model_["pb"] = there;
  }

 private:
  double of(const char* name, double otherwise) const { return dc::number(model_, name, otherwise); }
  double at_nominal(double potential) const { return (potential - lost_potential(stated_)) / (stated_ / dc_nominal_kelvin); }
  double potential(double stated) const { return there_ / dc_nominal_kelvin * at_nominal(stated) + lost_potential(there_); }

  void junction(const char* name, double usual, const char* exponent, double usual_exponent,
                std::initializer_list<const char*> capacitances) {
    const double stated = of(name, usual), nominal = at_nominal(stated), there = potential(stated),
                 m = of(exponent, usual_exponent);
    const auto factor = [&](double kelvin, double volts) {
      return 1 + m * (capacitance_per_kelvin * (kelvin - dc_nominal_kelvin) - (volts - nominal) / nominal);
    };
    for (const char* each : capacitances)
      if (const auto found = model_.find(each); found != model_.end())
        found->second *= factor(there_, there) / factor(stated_, stated);
    model_[name] = there;
  }

  DcDevice& device_;
  DcDevice::Entries& model_;
  double stated_, there_;
};

}  // namespace

void move_to_temperature(DcDevice& device, double stated_kelvin) {
  Moved moved(device, stated_kelvin);
  switch (device.letter) {
    case 'm': moved.mos(); break;
    case 'q': moved.bipolar(); break;
    default: moved.diode(); break;
  }
}

}  // namespace sfg
