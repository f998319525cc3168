#include "sfg/response/time_response.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/response/time_function.hpp"

namespace sfg {

namespace {

constexpr double most_drawn = 250;  // oscillations side by side

std::vector<std::complex<double>> poles_of(const ExactTransfer& transfer) {
  if (transfer.op.discrete() || !transfer.denominator.rational()) return {};
  return exact::root_values(transfer.denominator.polynomial().coefficients());
}

/// The values at a time of each piece, greatest or least by the sign: the best of some samples, moved to the extremum next to it.
class Extremes {
 public:
  Extremes(const TimeFunction& function, double until, double period, std::size_t pieces)
      : function_(function), piece_(until / static_cast<double>(pieces)), period_(period), pieces_(pieces) {
    constexpr double golden = 0.6180339887498949;
    for (std::size_t i = 0; i < pieces_; ++i)
      for (std::size_t k = 0; k < each_;
           ++k) {  // one in each part, at irregular places: no period of them meets that of the response
        const double jitter = std::fmod(golden * static_cast<double>(i * each_ + k + 1), 1.0);
        time_.push_back(piece_ * (static_cast<double>(i) + (static_cast<double>(k) + jitter) / static_cast<double>(each_)));
      }
    value_ = function_.at(time_);
  }

  std::vector<double> of(double sign) const {
    std::vector<double> best_time, best, around;
    for (std::size_t i = 0; i < pieces_; ++i) {
      std::size_t at = i * each_;
      for (std::size_t k = 1; k < each_; ++k)
        if (sign * value_[i * each_ + k] > sign * value_[at]) at = i * each_ + k;
      best_time.push_back(time_[at]);
      best.push_back(value_[at]);
    }
    double step = std::min(period_ / 10, piece_ / 2);
    for (int round = 0; round < 2; ++round, step /= 4) {
      around.clear();
      for (const double t : best_time) around.insert(around.end(), {std::max(0.0, t - step), t + step});
      const std::vector<double> beside = function_.at(around);
      for (std::size_t i = 0; i < pieces_; ++i) {
        const double before = beside[2 * i], behind = beside[2 * i + 1], bend = before - 2 * best[i] + behind;
        const double shift = sign * bend < 0 ? std::clamp(0.5 * (before - behind) / bend, -1.0, 1.0) : 0;
        best_time[i] =
            std::clamp(best_time[i] + shift * step, piece_ * static_cast<double>(i), piece_ * static_cast<double>(i + 1));
      }
      const std::vector<double> moved = function_.at(best_time);
      for (std::size_t i = 0; i < pieces_; ++i)
        if (sign * moved[i] > sign * best[i]) best[i] = moved[i];
    }
    return best;
  }

 private:
  static constexpr std::size_t each_ = 40;
  const TimeFunction& function_;
  double piece_, period_;
  std::size_t pieces_;
  std::vector<double> time_, value_;
};

}  // namespace

double oscillations(const ExactTransfer& transfer, double until) {
  constexpr double lasting = 8, gone = 12;  // periods; e^−12
  double most = 0;
  for (const std::complex<double>& pole : poles_of(transfer)) {
    const double period = 2 * std::numbers::pi / std::abs(pole.imag());
    const double end = pole.real() < 0 ? std::min(until, gone / -pole.real()) : until;
    if (pole.imag() > 0 && end > lasting * period) most = std::max(most, until / period);
  }
  return most;
}

std::optional<OscillationBand> oscillation_band(const ExactTransfer& transfer, Excitation excitation, double until,
                                                const ResponseOptions& options) {
  OscillationBand band;
  band.oscillations = oscillations(transfer, until);
  if (band.oscillations <= most_drawn) return {};
  const std::size_t order = excitation == Excitation::step ? 1 : 0;
  const TimeFunction function(transfer.numerator,
                              product(transfer.denominator, exact::RationalPolynomial::constant(1).shifted_up(order), 0), until,
                              options.pade_order, options.budget);
  constexpr std::size_t pieces = 330;
  const Extremes extremes(function, until, until / band.oscillations, pieces);
  band.low = extremes.of(-1);
  band.high = extremes.of(1);
  for (auto* list : {&band.low, &band.high})
    for (double& value : *list) value *= options.amplitude;
  if (options.amplitude < 0) std::swap(band.low, band.high);
  for (std::size_t i = 0; i < pieces; ++i) band.time.push_back(until * (static_cast<double>(i) + 0.5) / pieces);
  return band;
}

}  // namespace sfg
