#include "sfg/nonlinear/checked_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

constexpr double finest = 1e-13;  // relative: below it rounding rules

bool near_a_jump(double t, const RunSamples& samples, double until) {
  const auto next = std::ranges::lower_bound(samples.jumps, t - 1e-8 * until);
  return next != samples.jumps.end() && *next <= t + 1e-8 * until;
}

std::vector<RunDifference> compared(const RunSamples& a, const RunSamples& b, std::span<const double> times, Eigen::Index first,
                                    Eigen::Index count, const ForcedOptions& options) {
  if (count < 0) count = b.values.empty() ? 0 : b.values.front().size();
  std::vector<RunDifference> found(static_cast<std::size_t>(count));
  for (Eigen::Index k = 0; k < count; ++k) {
    RunDifference& difference = found[static_cast<std::size_t>(k)];
    for (const auto& value : b.values)
      if (std::isfinite(value[first + k])) difference.reach = std::max(difference.reach, std::abs(value[first + k]));
    difference.allowed = options.rtol * difference.reach + options.atol;
    difference.since = HUGE_VAL;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (near_a_jump(times[i], a, times.back()) || near_a_jump(times[i], b, times.back())) continue;
      const double off = std::abs(a.values[i][first + k] - b.values[i][first + k]);
      difference.largest = std::max(difference.largest, std::isfinite(off) ? off : 0);
      if (off > difference.allowed) difference.since = std::min(difference.since, times[i]);
    }
  }
  return found;
}

}  // namespace

CheckedRun checked_run(const std::function<RunSamples(const Fineness&)>& run, std::span<const double> times, Eigen::Index first,
                       Eigen::Index count, const ForcedOptions& options) {
  constexpr double coarser = 0.1, less = 0.41;  // no simple fraction: steps of two runs end at other times
  Fineness fineness{std::clamp(options.rtol * coarser, finest / coarser, 1e-4), std::max(options.atol * coarser, 1e-15), 0.3};
  CheckedRun found{run(fineness), {}};
  while (fineness.rtol > finest * (1 + 1e-6)) {  // runs that are compared differ
    fineness = {std::max(fineness.rtol * coarser, finest), std::max(fineness.atol * coarser, 1e-16), fineness.part * less};
    RunSamples finer;
    try {
      finer = run(fineness);
    } catch (const NoAnswer&) {  // beyond what rounding allows: what two runs have shown is left
      if (found.differences.empty()) throw;
      break;
    }
    found.differences = compared(found.samples, finer, times, first, count, options);
    found.samples = std::move(finer);
    if (std::ranges::all_of(found.differences, [](const auto& each) { return each.largest <= each.allowed; })) break;
  }
  return found;
}

void state(const RunDifference& difference, TimeResponse& response) {
  // As a power of ten, upwards: what a difference of two runs can say.
  response.error = difference.largest > 0 ? std::pow(10, std::ceil(std::log10(difference.largest))) : 0;
  if (difference.largest <= difference.allowed) return;
  response.notes.push_back("two runs differ by up to " + print(*response.error) +
                           ", more than the tolerance, from t = " + print(difference.since) + " on" +
                           (difference.largest > 1e-3 * difference.reach ? ": later digits are not determined" : ""));
}

}  // namespace sfg
