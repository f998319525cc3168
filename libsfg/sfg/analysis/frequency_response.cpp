#include "sfg/analysis/frequency_response.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/ring/rational_polynomial.hpp"
#include "sfg/ring/roots.hpp"

namespace sfg {

namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

/// Phase at low frequency by the asymptote c·s^k: −90° for an integrator, −270° for three; 180° is added for c < 0.
double low_frequency_phase(const ExactTransfer& transfer) {
  if (!transfer.rational() || transfer.numerator.parts.empty()) return 0;
  const auto lowest = [](const std::vector<std::string>& coefficients) {
    const ring::RationalPolynomial p(coefficients);
    std::size_t power = 0;
    while (p.sign_of(power) == 0) ++power;
    return std::pair{static_cast<int>(power), p.sign_of(power)};
  };
  const auto [n, n_sign] = lowest(transfer.numerator.coefficients());
  const auto [d, d_sign] = lowest(transfer.denominator.coefficients());
  return 90.0 * (n - d) + (n_sign * d_sign < 0 ? 180.0 : 0.0);
}

/// Adds multiples of 360° so that the phase is continuous and begins near `start`.
void unwrap(std::vector<double>& phase, double start) {
  double previous = start;
  for (double& value : phase) {
    if (!std::isfinite(value)) continue;
    value += 360.0 * std::round((previous - value) / 360.0);
    previous = value;
  }
}

/// The roots as poles or zeros of the continuous time: ln(z)/h of a discrete system.
std::vector<std::complex<double>> roots_in_s(const std::vector<std::string>& coefficients, double sample_time) {
  std::vector<std::complex<double>> result;
  if (coefficients.size() < 2) return result;
  for (const ring::Root& root : ring::roots(coefficients)) {
    if (root.value == 0.0) continue;
    result.push_back(sample_time > 0 ? std::log(root.value) / sample_time : root.value);
  }
  return result;
}

void add_root_frequencies(std::vector<double>& marks, const std::vector<std::string>& coefficients, double sample_time) {
  for (const std::complex<double> root : roots_in_s(coefficients, sample_time))
    if (std::abs(root) > 1e-9) marks.push_back(std::abs(root));
}

}  // namespace

FrequencyResponse frequency_response(const ExactTransfer& transfer, std::span<const double> rad_per_s, double sample_time) {
  FrequencyResponse response;
  response.input = transfer.input;
  response.output = transfer.output;
  response.frequency.assign(rad_per_s.begin(), rad_per_s.end());
  std::vector<std::complex<double>> points;
  points.reserve(rad_per_s.size());
  for (const double w : rad_per_s)
    points.push_back(sample_time > 0 ? std::polar(1.0, w * sample_time) : std::complex<double>(0.0, w));
  response.value = values_at(transfer, points);
  for (const std::complex<double>& value : response.value) {
    response.magnitude_db.push_back(20.0 * std::log10(std::abs(value)));
    response.phase_deg.push_back(std::arg(value) * degrees);
  }
  unwrap(response.phase_deg, sample_time > 0 || response.phase_deg.empty() ? 0.0 : low_frequency_phase(transfer));
  return response;
}

std::vector<double> logarithmic(double low, double high, std::size_t points) {
  std::vector<double> values(points);
  const double ratio = std::log(high / low);
  for (std::size_t i = 0; i < points; ++i)
    values[i] = points == 1 ? low : low * std::exp(ratio * static_cast<double>(i) / static_cast<double>(points - 1));
  if (points > 1) values.back() = high;
  return values;
}

std::vector<double> frequency_range(std::span<const ExactTransfer> transfers, std::size_t points, double sample_time) {
  std::vector<double> marks, resonances;
  for (const ExactTransfer& transfer : transfers) {
    const double h = transfer.variable == "z" ? sample_time : 0;
    for (const auto& part : transfer.numerator.parts) add_root_frequencies(marks, part.coefficients, h);
    for (const auto& part : transfer.denominator.parts) {
      add_root_frequencies(marks, part.coefficients, h);
      for (const std::complex<double> root : roots_in_s(part.coefficients, h))
        if (root.imag() > 4.0 * std::abs(root.real())) resonances.push_back(root.imag());
    }
  }
  const bool discrete = sample_time > 0 && !transfers.empty() && transfers.front().variable == "z";
  const double highest = discrete ? std::numbers::pi / sample_time : 0;
  const auto [least, greatest] = std::minmax_element(marks.begin(), marks.end());
  const double low = marks.empty() ? 0.01 : discrete ? std::min(*least, highest / 100) : *least;
  const double high = marks.empty() ? 100.0 : *greatest;
  const double first = std::pow(10.0, std::floor(std::log10(low) - 0.5));
  std::vector<double> values = logarithmic(discrete ? std::min(first, highest / 100) : first,
                                           discrete ? highest : std::pow(10.0, std::ceil(std::log10(high) + 0.5)), points);
  for (const double w : resonances)
    for (const double offset : {0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.0, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1})
      if (!discrete || w * offset < highest) values.push_back(w * offset);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace sfg
