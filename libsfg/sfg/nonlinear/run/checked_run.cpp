#include "sfg/nonlinear/run/checked_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"

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

Fineness finer(const Fineness& than) {
  constexpr double coarser = 0.1, less = 0.41;  // no simple fraction: steps of two runs end at other times
  // Jumps that both runs met as late would show in no difference; much sooner than that rounding rules.
  constexpr double factor = 3, soonest = 2e-14;
  return {std::max(than.rtol * coarser, finest), std::max(than.atol * coarser, 1e-16), than.part * less,
          than.late < soonest ? than.late * factor : than.late / factor};
}

std::string packed(const CheckedRun& found, std::uint64_t runs) {
  Packer packer;
  packer.add(runs);
  pack_each(packer, found.samples.values, [&](const auto& value) { pack(packer, value); });
  packer.add(found.samples.jumps);
  pack_each(packer, found.samples.notes, [&](const std::string& note) { packer.add(std::string_view(note)); });
  pack(packer, found.samples.last);
  pack(packer, found.samples.events);
  packer.add(std::string_view(found.samples.whole));
  pack_each(packer, found.differences, [&](const RunDifference& each) {
    for (const double x : {each.largest, each.allowed, each.since, each.reach}) packer.add(x);
  });
  return std::move(packer).bytes();
}

/// @returns how many runs have ended
std::uint64_t unpack(const std::string& bytes, CheckedRun& found) {
  Unpacker from(bytes);
  const auto runs = from.take<std::uint64_t>();
  found.samples.values = unpacked_each<Eigen::VectorXd>(from, [&] { return unpacked_vector(from); });
  found.samples.jumps = from.list<double>();
  found.samples.notes = unpacked_each<std::string>(from, [&] { return from.text(); });
  found.samples.last = unpacked_vector(from);
  found.samples.events = unpacked_events(from);
  found.samples.whole = from.text();
  found.differences = unpacked_each<RunDifference>(from, [&] {
    RunDifference each;
    for (double* x : {&each.largest, &each.allowed, &each.since, &each.reach}) *x = from.take<double>();
    return each;
  });
  return runs;
}

}  // namespace

CheckedRun checked_run(const std::function<RunSamples(const Fineness&)>& run, std::span<const double> times, Eigen::Index first,
                       Eigen::Index count, const ForcedOptions& options, RunKeeper* keeper) {
  constexpr double tighter = 0.1;
  Fineness fineness{std::clamp(options.rtol * tighter, finest / tighter, 1e-4), std::max(options.atol * tighter, 1e-15), 0.3,
                    3e-13};
  CheckedRun found;
  std::uint64_t runs = 0;
  if (keeper && keeper->before()) runs = unpack(*keeper->before(), found);
  for (std::uint64_t i = 0; i < runs; ++i) fineness = finer(fineness);
  const auto next = [&] {
    if (keeper) keeper->begin(packed(found, runs));
    return run(fineness);
  };
  if (runs == 0) {
    found.samples = next();
    runs = 1;
    fineness = finer(fineness);
  }
  // The last run is as fine as rounding allows; runs that are compared differ.
  for (bool last = false; !last; ++runs, fineness = finer(fineness)) {
    last = fineness.rtol <= finest * (1 + 1e-6);
    RunSamples samples;
    try {
      samples = next();
    } catch (const NoAnswer&) {  // beyond what rounding allows: what two runs have shown is left
      if (found.differences.empty()) throw;
      break;
    }
    found.differences = compared(found.samples, samples, times, first, count, options);
    found.samples = std::move(samples);
    if (std::ranges::all_of(found.differences, [](const auto& each) { return each.largest <= each.allowed; })) break;
  }
  return found;
}

namespace {

double power_of_ten_above(double value) { return value > 0 ? std::pow(10, std::ceil(std::log10(value))) : 0; }

}  // namespace

void state(const RunDifference& difference, TimeResponse& response) {
  // As a power of ten, upwards: what a difference of two runs can say. The finer run errs in the same sense as the other, by up
  // to three quarters as much where methods of many steps begin again and again. Runs that agree to the bit are rounded all the
  // same.
  constexpr double of_difference = 3;
  response.error =
      power_of_ten_above(std::max(of_difference * difference.largest, std::numeric_limits<double>::epsilon() * difference.reach));
  response.within_tolerance = difference.largest <= difference.allowed;
  if (response.within_tolerance) return;
  response.notes.push_back("two runs differ by up to " + print(power_of_ten_above(difference.largest)) +
                           ", more than the tolerance, from t = " + print(difference.since) + " on" +
                           (difference.largest > 1e-3 * difference.reach ? ": later digits are not determined" : ""));
}

}  // namespace sfg
