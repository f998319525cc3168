#include "sfg/response/phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

constexpr double per_decade = 20;  // samples at least
constexpr double turn = 45;        // degrees between neighbours, above which the interval is halved
constexpr int halvings = 40;       // down to the last digits of a frequency
constexpr std::size_t most_samples = 200'000;
constexpr std::size_t most_for_dead_time = 50'000;

double wrapped(double angle) { return angle - 360.0 * std::round(angle / 360.0); }

bool usable(const Complex& z) { return z != 0.0 && std::isfinite(z.real()) && std::isfinite(z.imag()); }

/// The asymptote below a frequency: where to start, and with which phase.
struct Start {
  double frequency;
  double phase;
};

Start asymptote(double lowest, const Response& response) {
  constexpr int decades = 24;
  std::vector<double> w;
  for (int j = 0; j <= decades; ++j) w.push_back(lowest * std::pow(10.0, -j));
  const std::vector<Complex> z = response(w);
  for (int j = decades - 2; j >= 0; --j) {  // from below: other powers of the frequency follow further up
    const Complex &a = z[j], &b = z[j + 1], &c = z[j + 2];
    if (!usable(a) || !usable(b) || !usable(c)) continue;
    const double slope = std::log10(std::abs(a) / std::abs(b)), next = std::log10(std::abs(b) / std::abs(c));
    const double power = std::round(next);
    if (std::abs(slope - power) > 0.01 || std::abs(next - power) > 0.001) continue;
    const double sign = wrapped(std::arg(b) * degrees - 90.0 * power);  // 0 or 180 but for the approach
    const double base = std::abs(sign) > 90 ? 180.0 : 0.0;
    if (std::abs(wrapped(sign - base)) > 2) continue;
    return {w[j + 1], 90.0 * power + base};
  }
  return {lowest, usable(z[0]) ? std::arg(z[0]) * degrees : 0.0};
}

class Followed {
 public:
  Followed(const Response& response, std::map<double, Complex> samples, double dead_time)
      : response_(response), samples_(std::move(samples)), dead_time_(dead_time) {}

  void refine() {
    fill_gaps();
    for (int round = 0; round < halvings && samples_.size() < most_samples; ++round) {
      std::vector<double> middles;
      for (auto a = samples_.begin(), b = std::next(a); b != samples_.end(); a = b++) {
        if (!usable(a->second) || !usable(b->second) || b->first - a->first < 1e-12 * b->first) continue;
        if (std::abs(change(a->second, b->second)) > turn) middles.push_back(std::sqrt(a->first * b->first));
      }
      if (middles.empty()) return;
      add(middles);
    }
  }

  /// Phases of all samples, the first one next to `start`.
  std::map<double, double> phases(double start) const {
    std::map<double, double> result;
    double phase = start;
    const Complex* previous = nullptr;
    for (const auto& [w, z] : samples_) {
      if (usable(z)) {
        if (previous == nullptr)
          phase = start + wrapped(std::arg(z) * degrees - start);
        else
          phase += step(*previous, z);
        previous = &z;
      }
      result[w] = usable(z) && w <= followed_to_ ? phase : undefined;
    }
    return result;
  }

 private:
  static double change(const Complex& a, const Complex& b) { return wrapped((std::arg(b) - std::arg(a)) * degrees); }

  /// A jump of half a turn that no halving resolves is a pole (down) or a zero (up) on the axis: what became of the modulus
  /// between the samples tells which. Here the larger modulus is where the pole is nearer.
  double step(const Complex& a, const Complex& b) const {
    const double angle = change(a, b);
    if (std::abs(angle) < 179.0) return angle;
    return std::max(std::abs(a), std::abs(b)) > typical_ ? -std::abs(angle) : std::abs(angle);
  }

  static double between(double a, double b, double part, bool evenly) {
    return evenly ? a + part * (b - a) : a * std::pow(b / a, part);
  }

  void fill_gaps() {
    std::vector<double> missing;
    for (auto a = samples_.begin(), b = std::next(a); a != samples_.end() && b != samples_.end(); a = b++) {
      auto parts = static_cast<std::size_t>(std::ceil(per_decade * std::log10(b->first / a->first)));
      const double quarters = (b->first - a->first) * dead_time_ / (std::numbers::pi / 2);
      if (missing.size() + quarters < most_for_dead_time)
        parts = std::max(parts, static_cast<std::size_t>(std::ceil(quarters)));
      else
        followed_to_ = std::min(followed_to_, a->first);
      for (std::size_t k = 1; k < parts; ++k)
        missing.push_back(
            between(a->first, b->first, static_cast<double>(k) / static_cast<double>(parts), quarters > per_decade));
    }
    add(missing);
    std::vector<double> moduli;
    for (const auto& [w, z] : samples_)
      if (usable(z)) moduli.push_back(std::abs(z));
    if (moduli.empty()) return;
    std::nth_element(moduli.begin(), moduli.begin() + static_cast<std::ptrdiff_t>(moduli.size() / 2), moduli.end());
    typical_ = moduli[moduli.size() / 2];
  }

  void add(const std::vector<double>& frequencies) {
    if (frequencies.empty()) return;
    const std::vector<Complex> values = response_(frequencies);
    for (std::size_t i = 0; i < values.size(); ++i) samples_.emplace(frequencies[i], values[i]);
  }

  const Response& response_;
  std::map<double, Complex> samples_;
  double dead_time_;
  double followed_to_ = std::numeric_limits<double>::infinity();
  double typical_ = 1;
};

}  // namespace

std::vector<double> followed_phase(std::span<const double> frequency, std::span<const Complex> value, const Response& response,
                                   double dead_time) {
  std::vector<double> phase(frequency.size());
  std::map<double, Complex> samples;
  for (std::size_t i = 0; i < frequency.size(); ++i) {
    phase[i] = usable(value[i]) ? std::arg(value[i]) * degrees : undefined;
    if (frequency[i] > 0 && std::isfinite(frequency[i])) samples.emplace(frequency[i], value[i]);
  }
  if (samples.empty()) return phase;
  const Start from = asymptote(samples.begin()->first, response);
  if (from.frequency < samples.begin()->first) samples.emplace(from.frequency, response(std::span(&from.frequency, 1)).front());
  Followed followed(response, std::move(samples), dead_time);
  followed.refine();
  const std::map<double, double> phases = followed.phases(from.phase);
  for (std::size_t i = 0; i < frequency.size(); ++i)
    if (const auto at = phases.find(frequency[i]); at != phases.end()) phase[i] = at->second;
  return phase;
}

}  // namespace sfg
