#pragma once
#include <algorithm>
#include <cmath>

#include "sfg/read/spice/dc_devices.hpp"

// Not installed: the currents of devices, in numbers and in intervals. A law in pieces is, of an interval that touches several,
// the hull of these; all of them are continuous with their slopes.
namespace sfg::dc {

inline constexpr double most_exponent = 700;

inline double number(const DcDevice::Entries& entries, const char* name, double otherwise) {
  const auto found = entries.find(name);
  return found == entries.end() ? otherwise : found->second;
}
inline double thermal_volts(const DcDevice& device) { return dc_volts_per_kelvin * device.kelvin; }

inline double exp_of(double x) { return std::exp(std::min(x, most_exponent)); }
inline double root(double x) { return std::sqrt(x); }
inline ring::Interval exp_of(const ring::Interval& x) {
  return ring::Interval(ring::exp({std::min(x.low, most_exponent), std::min(x.high, most_exponent)}));
}
inline ring::Interval root(const ring::Interval& x) { return ring::sqrt(x); }

inline double hull_of(double a, double) { return a; }
inline ring::Interval hull_of(const ring::Interval& a, const ring::Interval& b) { return ring::hull(a, b); }
template <class T>
DcStampOf<T> hull_of(DcStampOf<T> a, const DcStampOf<T>& b) {
  for (std::size_t i = 0; i < a.currents.size(); ++i) {
    a.currents[i] = hull_of(a.currents[i], b.currents[i]);
    for (std::size_t j = 0; j < a.currents.size(); ++j)
      a.conductances[i][j] = hull_of(a.conductances[i][j], b.conductances[i][j]);
  }
  return a;
}

/// `below` where x < border, `above` elsewhere.
template <class Below, class Above>
auto in_pieces(double x, double border, Below below, Above above) {
  return x < border ? below(x) : above(x);
}
template <class Below, class Above>
auto in_pieces(const ring::Interval& x, const ring::Interval& border, Below below, Above above) {
  if (x.high < border.low) return below(x);
  if (x.low >= border.high) return above(x);
  // each piece only where it may hold
  return hull_of(below(ring::Interval(x.low, std::min(x.high, border.high))),
                 above(ring::Interval(std::max(x.low, border.low), x.high)));
}

/// A current and its slope.
template <class T>
struct Junction {
  T current, slope;
};
template <class T>
Junction<T> hull_of(const Junction<T>& a, const Junction<T>& b) {
  return {hull_of(a.current, b.current), hull_of(a.slope, b.slope)};
}

/// Far in reverse SPICE has a cube in place of the exponential, of diodes and bipolar transistors.
template <class T>
Junction<T> junction(double saturation, const T& volts, double heat) {
  const auto reverse = [&](const T& v) {
    const T part = T(3 * heat / std::exp(1.0)) / v, cube = part * part * part;
    return Junction<T>{T(-saturation) * (T(1) + cube), T(3) * T(saturation) * cube / v};
  };
  const auto forward = [&](const T& v) {
    const T power = exp_of(v / T(heat));
    return Junction<T>{T(saturation) * (power - T(1)), T(saturation) * power / T(heat)};
  };
  return in_pieces(volts, T(-3 * heat), reverse, forward);
}

/// That of a MOS transistor, which only stops.
template <class T>
Junction<T> bulk_junction(double saturation, const T& volts, double heat) {
  const T power = exp_of(volts / T(heat));
  return {T(saturation) * (power - T(1)), T(saturation) * power / T(heat)};
}

template <class T>
struct Bipolar {
  Junction<T> forward, reverse;
  T q = T(0), transport = T(0), ic = T(0), ib = T(0), gm = T(0), gpi = T(0), gmu = T(0), go = T(0);

  Bipolar(const DcDevice& device, const T& vbe, const T& vbc) {
    const auto of = [&](const char* name, double otherwise) { return number(device.model, name, otherwise); };
    const auto inverse = [&](const char* name) { return T(of(name, 0) == 0 ? 0 : 1 / of(name, 0)); };
    const double heat = thermal_volts(device), saturation = of("is", 1e-16) * device.units;
    const T least(device.least), bf(of("bf", 100)), br(of("br", 1));
    forward = junction(saturation, vbe, of("nf", 1) * heat);
    reverse = junction(saturation, vbc, of("nr", 1) * heat);
    const Junction<T> forward_leak = junction(of("ise", 0) * device.units, vbe, of("ne", 1.5) * heat),
                      reverse_leak = junction(of("isc", 0) * device.units, vbc, of("nc", 2) * heat);
    const T early = inverse("vaf"), late = inverse("var");
    q = T(1) / (T(1) - early * vbc - late * vbe);  // the charge of the base
    transport = (forward.current - reverse.current) / q;
    ic = transport - reverse.current / br - reverse_leak.current - least * vbc;
    ib = forward.current / bf + forward_leak.current + reverse.current / br + reverse_leak.current + least * (vbe + vbc);
    gpi = forward.slope / bf + forward_leak.slope + least;
    gmu = reverse.slope / br + reverse_leak.slope + least;
    go = reverse.slope / q + transport * q * early;
    gm = forward.slope / q - transport * q * late - go;
  }
};

/// Lengths and areas of a MOS transistor, and what is made of them.
struct Channel {
  double width, length, oxide, gain, gamma, phi, lambda, threshold;

  explicit Channel(const DcDevice& device) {
    const auto of = [&](const char* name, double otherwise) { return number(device.model, name, otherwise); };
    width = number(device.own, "w", 1e-4);
    length = number(device.own, "l", 1e-4) - 2 * of("ld", 0);
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

/// √(φ − v_BS), and by how much the threshold falls with v_BS. (SPICE has γ/2 over the root for the latter on the tangent, too,
/// which is another number: the small signal is its, Newton's method and what is proven take the slope.)
template <class T>
struct Barrier {
  T height, slope;
};
template <class T>
Barrier<T> hull_of(const Barrier<T>& a, const Barrier<T>& b) {
  return {hull_of(a.height, b.height), hull_of(a.slope, b.slope)};
}

/// The current of a channel, its slopes, and by how much the gate is over the threshold.
template <class T>
struct Drain {
  T id, gm, gds;
  Barrier<T> barrier;
  T over;
};
template <class T>
Drain<T> hull_of(const Drain<T>& a, const Drain<T>& b) {
  return {hull_of(a.id, b.id), hull_of(a.gm, b.gm), hull_of(a.gds, b.gds), hull_of(a.barrier, b.barrier),
          hull_of(a.over, b.over)};
}

/// In the direction in which vds is not negative.
template <class T>
Drain<T> drain(const Channel& channel, const T& vgs, const T& vds, const T& vbs) {
  const double rest = std::sqrt(channel.phi);
  const Barrier<T> barrier = in_pieces(
      vbs, T(0),
      [&](const T& v) {
        const T height = root(T(channel.phi) - v);
        return Barrier<T>{height, T(channel.gamma) / (T(2) * height)};
      },
      [&](const T& v) {  // its tangent, to 0
        return in_pieces(
            T(T(rest) - v / T(2 * rest)), T(0),
            [](const T&) {
              return Barrier<T>{T(0), T(0)};
            },
            [&](const T& height) {
              return Barrier<T>{height, T(channel.gamma) / (T(2) * T(rest))};
            });
      });
  const T over_all = vgs - (T(channel.threshold) + T(channel.gamma) * (barrier.height - T(rest)));
  const T lambda(channel.lambda), beta(channel.gain), gain = beta * (T(1) + lambda * vds);
  return in_pieces(
      over_all, T(0),
      [&](const T& over) {
        return Drain<T>{T(0), T(0), T(0), barrier, over};
      },
      [&](const T& over) {
        return in_pieces(
            vds, over,
            [&](const T& v) {
              const T part = v * (over - v / T(2));
              return Drain<T>{gain * part, gain * v, gain * (over - v) + lambda * beta * part, barrier, over};
            },
            [&](const T&) {
              return Drain<T>{gain * over * over / T(2), gain * over, lambda * beta * over * over / T(2), barrier, over};
            });
      });
}

}  // namespace sfg::dc
