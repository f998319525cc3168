#include "sfg/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "sfg/response/compiled_response.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

namespace {

struct Apart {
  double magnitude_db = 0, phase_deg = 0;
};

Apart apart(std::complex<double> a, std::complex<double> b) {
  const double size_a = std::abs(a), size_b = std::abs(b);
  if (size_a == size_b && (size_a == 0 || std::isinf(size_a))) return {};
  if (size_a == 0 || size_b == 0 || !std::isfinite(size_a) || !std::isfinite(size_b))
    return {std::numeric_limits<double>::infinity(), 180};
  return {std::abs(20 * std::log10(size_b / size_a)), std::abs(std::arg(b / a)) * 180 / std::numbers::pi};
}

/// One transfer function of both models.
class Responses {
 public:
  Responses(const CompiledResponse& a, const CompiledResponse& b, std::size_t transfer, const Budget& budget)
      : a_(a), b_(b), transfer_(transfer), budget_(budget) {}

  std::vector<Apart> at(const std::vector<double>& frequencies) const {
    std::vector<std::complex<double>> s;
    for (const double w : frequencies) s.push_back(a_.op().at_frequency(w));
    const EvaluationOptions options{.threads = 1, .budget = budget_};
    const CompiledValues a = a_.values(s, {}, options), b = b_.values(s, {}, options);
    std::vector<Apart> all;
    for (std::size_t i = 0; i < s.size(); ++i) all.push_back(apart(a.of(transfer_)[i], b.of(transfer_)[i]));
    return all;
  }

  /// The highest value of one figure near the largest of the samples, and where.
  std::pair<double, double> highest(const std::vector<double>& frequencies, const std::vector<Apart>& samples,
                                    double Apart::*figure) const {
    std::size_t top = 0;
    for (std::size_t i = 1; i < samples.size(); ++i)
      if (samples[i].*figure > samples[top].*figure) top = i;
    std::pair<double, double> best{samples[top].*figure, frequencies[top]};
    if (!std::isfinite(best.first)) return best;
    constexpr std::size_t peaks = 5;  // a lower sample may stand beside a higher peak
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const bool left = i == 0 || samples[i].*figure >= samples[i - 1].*figure;
      const bool right = i + 1 == samples.size() || samples[i].*figure >= samples[i + 1].*figure;
      if (left && right) order.push_back(i);
    }
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t i) { return samples[i].*figure; });
    order.resize(std::min(order.size(), peaks));
    for (const std::size_t i : order) {
      const double low = frequencies[i == 0 ? 0 : i - 1], high = frequencies[std::min(i + 1, samples.size() - 1)];
      const auto found = closed_in(low, high, figure);
      if (found.first > best.first) best = found;
    }
    return best;
  }

 private:
  std::pair<double, double> closed_in(double low, double high, double Apart::*figure) const {
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    const auto value = [&](double w) { return at({w}).front().*figure; };
    double x = high - ratio * (high - low), y = low + ratio * (high - low), at_x = value(x), at_y = value(y);
    for (int i = 0; i < 40 && high - low > 1e-9 * high; ++i) {
      if (at_x > at_y) {
        high = y, y = x, at_y = at_x;
        at_x = value(x = high - ratio * (high - low));
      } else {
        low = x, x = y, at_x = at_y;
        at_y = value(y = low + ratio * (high - low));
      }
    }
    return at_x > at_y ? std::pair{at_x, x} : std::pair{at_y, y};
  }

  const CompiledResponse &a_, &b_;
  std::size_t transfer_;
  const Budget& budget_;
};

/// The stated frequencies and enough others between them.
std::vector<double> dense(std::vector<double> frequencies) {
  std::ranges::sort(frequencies);
  constexpr std::size_t fine = 400;
  if (frequencies.size() > 1 && frequencies.front() > 0)
    for (const double w : logarithmic(frequencies.front(), frequencies.back(), fine)) frequencies.push_back(w);
  std::ranges::sort(frequencies);
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end()), frequencies.end());
  return frequencies;
}

/// Where the fractions are known; nothing where they are not of s alone.
std::optional<std::vector<Deviation>> bounded(const ModelPair& pair, double low, double high, const Budget& budget) {
  if (pair.a.graph.op.discrete() || low <= 0) return {};
  try {
    const TransferOptions options{.budget = budget.with_terms(10'000)};
    const std::vector<ExactTransfer> a = exact_transfers(pair.a.graph, questions_of_a(pair), options);
    const std::vector<ExactTransfer> b = exact_transfers(pair.b.graph, questions_of_b(pair), options);
    const auto regular = [](const ExactTransfer& t) { return t.rational() && !t.numerator.parts.empty(); };
    if (!std::ranges::all_of(a, regular) || !std::ranges::all_of(b, regular)) return {};
    std::vector<Deviation> all;
    for (std::size_t i = 0; i < a.size(); ++i) all.push_back(deviation(b[i], a[i], low, high));
    return all;
  } catch (const Failure&) {  // gains that are no fractions of s, fractions that are too large
    budget.check("the deviation");
    return {};
  }
}

std::vector<Deviation> sampled(const ModelPair& pair, const std::vector<double>& stated, const Budget& budget) {
  const CompiledResponse a(pair.a.graph, questions_of_a(pair), {.budget = budget});
  const CompiledResponse b(pair.b.graph, questions_of_b(pair), {.budget = budget});
  const std::vector<double> frequencies = dense(stated);
  std::vector<Deviation> all;
  for (std::size_t i = 0; i < pair.transfers.size(); ++i) {
    const Responses responses(a, b, i, budget);
    const std::vector<Apart> samples = responses.at(frequencies);
    Deviation found{.bounded = false};
    std::tie(found.magnitude_db, found.magnitude_at) = responses.highest(frequencies, samples, &Apart::magnitude_db);
    std::tie(found.phase_deg, found.phase_at) = responses.highest(frequencies, samples, &Apart::phase_deg);
    all.push_back(found);
  }
  return all;
}

}  // namespace

std::vector<PairDeviation> deviations(const ModelPair& pair, const DeviationLimits& limits, const Budget& budget) {
  if (limits.frequency.empty()) throw std::invalid_argument("deviations: no frequencies");
  const ModelPair valued = with_values(pair);
  const auto [low, high] = std::ranges::minmax(limits.frequency);
  const auto exact = bounded(valued, low, high, budget);
  const std::vector<Deviation> largest = exact ? *exact : sampled(valued, limits.frequency, budget);
  std::vector<PairDeviation> all;
  for (std::size_t i = 0; i < largest.size(); ++i)
    all.push_back({i, largest[i], largest[i].magnitude_db <= limits.magnitude_db && largest[i].phase_deg <= limits.phase_deg});
  return all;
}

}  // namespace sfg
