// Sobol' indices, elementary effects and tornados. Points are made and evaluated in chunks on all threads; what is summed is
// summed in the order of the points, so that the number of threads does not show.
#include "sfg/study/samples/global_sensitivity.hpp"

#include <boost/random/sobol.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/study/samples/sobol_scheme.hpp"

namespace sfg {

namespace {

constexpr std::size_t points_at_once = 64;  // points between two looks at the clock

void require_same_parameters(const MeasureProgram& program, const Variation& variation, const char* function) {
  if (program.parameters() != variation.names())
    throw std::invalid_argument(std::string(function) + ": the program has other parameters than the variation");
}

/// Sobol' points of the hypercube with every digit shifted by the seed: still a net, and no point lies on the boundary.
class ShiftedSobol {
 public:
  ShiftedSobol(std::size_t dimensions, std::uint64_t seed) : engine_(dimensions), shift_(dimensions) {
    std::mt19937_64 random = generator(seed, 0);
    for (std::uint64_t& digits : shift_) digits = random();
  }
  static constexpr std::size_t most = boost::random::default_sobol_table::max_dimension;

  /// The k-th point, k = 0, 1, …: Boost leaves out the one at 0.
  void point(std::size_t k, std::span<double> u) {
    if (k > 0) engine_.seed(k - 1);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const std::uint64_t digits = (k > 0 ? engine_() : 0) ^ shift_[i];
      u[i] = (static_cast<double>(digits >> 11U) + 0.5) * 0x1p-53;
    }
  }

 private:
  boost::random::sobol_engine<std::uint64_t, 64> engine_;
  std::vector<std::uint64_t> shift_;
};

struct SobolShares {
  double variance = undefined;
  std::vector<double> first, total, shapley;
};

/// Jansen's estimators, every group of samples taken as often as `weight` says.
SobolShares shares(std::span<const SobolSums> groups, std::span<const double> weight) {
  const std::size_t d = groups.front().first.size(), effects = groups.front().shapley.size();
  SobolShares result{undefined, std::vector<double>(d, undefined), std::vector<double>(d, undefined),
                     std::vector<double>(effects, undefined)};
  double samples = 0, mean = 0, squares = 0, all = 0;
  std::vector<double> first(d), total(d), shapley(effects);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    samples += weight[g] * groups[g].samples;
    mean += weight[g] * groups[g].samples * groups[g].mean;
  }
  if (samples < 2) return result;
  mean /= samples;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (weight[g] == 0 || groups[g].samples == 0) continue;
    const double off = groups[g].mean - mean;
    squares += weight[g] * (groups[g].squares + 2 * groups[g].samples * off * off);
    for (std::size_t i = 0; i < d; ++i) {
      first[i] += weight[g] * groups[g].first[i];
      total[i] += weight[g] * groups[g].total[i];
    }
    for (std::size_t i = 0; i < effects; ++i) {
      shapley[i] += weight[g] * groups[g].shapley[i];
      all += weight[g] * groups[g].shapley[i];
    }
  }
  result.variance = squares / (2 * samples - 1);
  if (!(result.variance > 0)) return result;
  for (std::size_t i = 0; i < d; ++i) {
    result.first[i] = 1 - first[i] / (2 * samples) / result.variance;
    result.total[i] = total[i] / (2 * samples) / result.variance;
  }
  for (std::size_t i = 0; i < effects; ++i) result.shapley[i] = shapley[i] / all;
  return result;
}

/// Half of the distance between the 2.5 % and the 97.5 % quantile.
double half_width(std::vector<double>& values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return undefined;
  const auto quantile = [&](double q) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), at, values.end());
    return *at;
  };
  const double low = quantile(0.025);
  return (quantile(0.975) - low) / 2;
}

/// Efron's bootstrap of the indices of one measure.
void add_errors(SobolIndices& indices, std::span<const SobolSums> groups, std::uint64_t measure, const GlobalOptions& options) {
  constexpr std::size_t replicates = 1000;
  std::vector<SobolShares> again(replicates);
  numeric::parallel(replicates, options.threads, options.budget, "the errors of the indices", [&](std::size_t r) {
    std::mt19937_64 random = generator(options.seed, (measure + 1) * replicates + r);
    std::vector<double> weight(groups.size());
    for (std::size_t k = 0; k < groups.size(); ++k) weight[below(random, groups.size())] += 1;
    again[r] = shares(groups, weight);
  });
  const auto errors = [&](std::vector<double> SobolShares::*list, std::size_t count) {
    std::vector<double> result, values(replicates);
    for (std::size_t i = 0; i < count; ++i) {
      values.resize(replicates);
      for (std::size_t r = 0; r < replicates; ++r) values[r] = (again[r].*list)[i];
      result.push_back(half_width(values));
    }
    return result;
  };
  indices.first_error = errors(&SobolShares::first, indices.first.size());
  indices.total_error = errors(&SobolShares::total, indices.total.size());
  indices.shapley_error = errors(&SobolShares::shapley, indices.shapley.size());
}

/// Evaluates base samples in rounds, on all threads, and sums them in groups: each its own group as long as there are few.
class SobolRun {
 public:
  SobolRun(const MeasureProgram& program, const Variation& variation, std::size_t samples, const GlobalOptions& options)
      : program_(program),
        samples_(samples),
        options_(options),
        d_(variation.parameters.size()),
        scheme_(scheme_of(variation, options.seed)) {
    constexpr std::size_t most_groups = 4096;  // of which the bootstrap chooses; what is kept does not grow with the samples
    const SobolSums empty(d_, variation.correlated());
    groups_.assign(program.size(), std::vector<SobolSums>(std::min(samples, most_groups), empty));
  }

  std::size_t evaluations() const { return samples_ * scheme_->points(); }

  const std::vector<std::vector<SobolSums>>& run() {
    constexpr std::size_t round = 256;  // chunks
    const std::size_t chunks = (samples_ + points_at_once - 1) / points_at_once;
    std::vector<std::vector<double>> values(std::min(round, chunks));
    for (std::size_t from = 0; from < chunks; from += round) {
      const std::size_t count = std::min(round, chunks - from);
      numeric::parallel_with(count, options_.threads, options_.budget, "the indices", [&] {
        return
            [&, points = ShiftedSobol(2 * d_, options_.seed)](std::size_t c) mutable { evaluate(from + c, points, values[c]); };
      });
      for (std::size_t c = 0; c < count; ++c) add(from + c, values[c]);
    }
    return groups_;
  }

 private:
  std::size_t size(std::size_t c) const { return std::min(points_at_once, samples_ - c * points_at_once); }

  /// Points of a chunk: all of the first kind, then all of the second, …
  void evaluate(std::size_t c, ShiftedSobol& sobol, std::vector<double>& values) const {
    const std::size_t n = size(c), kinds = scheme_->points(), points = n * kinds;
    std::vector<double> parameters(points * d_), u(2 * d_), sample(kinds * d_);
    values.resize(points * program_.size());
    for (std::size_t k = 0; k < n; ++k) {
      sobol.point(c * points_at_once + k, u);
      scheme_->fill(c * points_at_once + k, u, sample);
      for (std::size_t kind = 0; kind < kinds; ++kind)
        for (std::size_t i = 0; i < d_; ++i) parameters[i * points + kind * n + k] = sample[kind * d_ + i];
    }
    program_.evaluate(points, parameters, values);
  }

  void add(std::size_t c, const std::vector<double>& values) {
    const std::size_t n = size(c), kinds = scheme_->points();
    std::vector<double> found(kinds);
    for (std::size_t m = 0; m < program_.size(); ++m)
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t kind = 0; kind < kinds; ++kind) found[kind] = values[m * n * kinds + kind * n + k];
        if (!std::ranges::all_of(found, [](double v) { return std::isfinite(v); })) continue;
        const std::size_t sample = c * points_at_once + k;
        SobolSums& sums = groups_[m][group(sample)];
        sums.samples += 1;
        sums.add_value(found[0], 2 * sums.samples - 1);
        sums.add_value(found[1], 2 * sums.samples);
        scheme_->add(sums, sample, found);
      }
  }

  /// By chance, since neighbours of the sequence are no independent samples.
  std::size_t group(std::size_t sample) const {
    const std::size_t groups = groups_.front().size();
    if (samples_ <= groups) return sample;
    std::uint64_t z = (sample + 1) * 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    return (z ^ (z >> 27U)) * 0x94D049BB133111EBU % groups;
  }

  const MeasureProgram& program_;
  std::size_t samples_;
  const GlobalOptions& options_;
  std::size_t d_;
  std::unique_ptr<SobolScheme> scheme_;
  std::vector<std::vector<SobolSums>> groups_;  ///< measure by measure
};

/// Values at points of the parameters (parameters × points), measures × points.
std::vector<double> program_values(const MeasureProgram& program, std::span<const double> parameters, std::size_t points,
                                   const GlobalOptions& options) {
  const std::size_t d = program.parameters().size();
  std::vector<double> values(points * program.size());
  numeric::parallel((points + points_at_once - 1) / points_at_once, options.threads, options.budget, "the measures",
                    [&](std::size_t c) {
                      const std::size_t from = c * points_at_once, n = std::min(points_at_once, points - from);
                      std::vector<double> some(n * d), found(n * program.size());
                      for (std::size_t i = 0; i < d; ++i) std::copy_n(&parameters[i * points + from], n, &some[i * n]);
                      program.evaluate(n, some, found);
                      for (std::size_t m = 0; m < program.size(); ++m) std::copy_n(&found[m * n], n, &values[m * points + from]);
                    });
  return values;
}

/// One trajectory on the grid of levels: which parameter moves at each step, and which way.
struct Trajectory {
  std::vector<std::size_t> order;
  std::vector<int> direction;             ///< of each parameter
  std::vector<std::vector<double>> path;  ///< d + 1 points, parameter by parameter in 0 … 1
};

constexpr double morris_step = 2.0 / 3;

Trajectory trajectory(std::size_t d, std::uint64_t seed, std::size_t number) {
  std::mt19937_64 random = generator(seed, number);
  Trajectory result{std::vector<std::size_t>(d), std::vector<int>(d), {std::vector<double>(d)}};
  for (std::size_t i = 0; i < d; ++i) {
    const std::size_t level = below(random, 4);
    result.order[i] = i;
    result.direction[i] = level < 2 ? 1 : -1;
    result.path[0][i] = static_cast<double>(level) / 3;
  }
  for (std::size_t i = d; i > 1; --i) std::swap(result.order[i - 1], result.order[below(random, i)]);
  for (const std::size_t moving : result.order) {
    result.path.push_back(result.path.back());
    double& level = result.path.back()[moving];
    level = std::round(3 * (level + result.direction[moving] * morris_step)) / 3;
  }
  return result;
}

}  // namespace

SobolStudy sobol_indices(const MeasureProgram& program, const Variation& variation, std::size_t samples,
                         const GlobalOptions& options) {
  require_same_parameters(program, variation, "sobol_indices");
  const std::size_t d = variation.parameters.size();
  if (samples < 2) throw std::invalid_argument("sobol_indices: fewer than two base samples");
  if (2 * d > ShiftedSobol::most) throw std::invalid_argument("sobol_indices: more parameters than the sequence has dimensions");
  SobolRun run(program, variation, samples, options);
  SobolStudy study{variation.names(), samples, options.seed, run.evaluations(), {}, variation.correlated()};
  if (program.size() == 0) return study;
  const auto& groups = run.run();
  for (std::size_t m = 0; m < program.size(); ++m) {
    const std::vector<double> once(groups[m].size(), 1.0);
    const SobolShares found = shares(groups[m], once);
    SobolIndices indices{
        program.measures()[m].text, found.variance, found.first, found.total, {}, {}, samples, found.shapley, {}};
    for (const SobolSums& group : groups[m]) indices.failed -= static_cast<std::size_t>(group.samples);
    add_errors(indices, groups[m], m, options);
    study.measures.push_back(std::move(indices));
  }
  return study;
}

MorrisStudy morris_effects(const MeasureProgram& program, const Variation& variation, std::size_t trajectories,
                           const GlobalOptions& options) {
  require_same_parameters(program, variation, "morris_effects");
  if (variation.correlated()) throw std::invalid_argument("morris_effects: correlated parameters do not move one at a time");
  if (trajectories < 2) throw std::invalid_argument("morris_effects: fewer than two trajectories");
  const std::size_t d = variation.parameters.size(), points = trajectories * (d + 1);
  std::vector<Trajectory> all;
  std::vector<double> parameters(points * d);
  for (std::size_t r = 0; r < trajectories; ++r) {
    all.push_back(trajectory(d, options.seed, r));
    for (std::size_t i = 0; i < d; ++i) {
      const double low = variation.parameters[i].low(), high = variation.parameters[i].high();
      for (std::size_t p = 0; p <= d; ++p) parameters[i * points + r * (d + 1) + p] = std::lerp(low, high, all[r].path[p][i]);
    }
  }
  const std::vector<double> values = program_values(program, parameters, points, options);
  MorrisStudy study{variation.names(), trajectories, options.seed, points, {}};
  for (std::size_t m = 0; m < program.size(); ++m) {
    MorrisEffects effects{program.measures()[m].text, {}, {}, {}, 0};
    std::vector<std::vector<double>> of(d);
    for (std::size_t r = 0; r < trajectories; ++r)
      for (std::size_t p = 0; p < d; ++p) {
        const double* const at = &values[m * points + r * (d + 1) + p];
        const std::size_t moving = all[r].order[p];
        if (std::isfinite(at[0]) && std::isfinite(at[1]))
          of[moving].push_back((at[1] - at[0]) / (all[r].direction[moving] * morris_step));
        else
          ++effects.failed;
      }
    for (const std::vector<double>& list : of) {
      double mean = 0, size = 0, squares = 0;
      const auto n = static_cast<double>(list.size());
      for (const double effect : list) {
        mean += effect / n;
        size += std::abs(effect) / n;
      }
      for (const double effect : list) squares += (effect - mean) * (effect - mean);
      effects.mu.push_back(list.empty() ? undefined : mean);
      effects.mu_star.push_back(list.empty() ? undefined : size);
      effects.sigma.push_back(list.size() < 2 ? undefined : std::sqrt(squares / (n - 1)));
    }
    study.measures.push_back(std::move(effects));
  }
  return study;
}

TornadoStudy tornado(const MeasureProgram& program, const Variation& variation, const GlobalOptions& options) {
  require_same_parameters(program, variation, "tornado");
  const std::size_t d = variation.parameters.size(), points = 2 * d + 1;
  std::vector<double> parameters(points * d);
  for (std::size_t i = 0; i < d; ++i) {
    std::fill_n(&parameters[i * points], points, variation.parameters[i].nominal);
    parameters[i * points + 1 + 2 * i] = variation.parameters[i].low();
    parameters[i * points + 2 + 2 * i] = variation.parameters[i].high();
  }
  const std::vector<double> values = program_values(program, parameters, points, options);
  TornadoStudy study;
  for (std::size_t m = 0; m < program.size(); ++m) {
    const double* const of = &values[m * points];
    if (!std::isfinite(of[0]))
      throw NoAnswer("at the stated values: " + program.missing(m, program.nominal()), "ask for a measure that exists there");
    Tornado result{program.measures()[m].text, of[0], {}};
    for (std::size_t i = 0; i < d; ++i) result.bars.push_back({variation.parameters[i].name, of[1 + 2 * i], of[2 + 2 * i]});
    const auto length = [](const TornadoBar& bar) {
      const double between = std::abs(bar.high - bar.low);
      return std::isfinite(between) ? between : std::numeric_limits<double>::infinity();
    };
    std::ranges::stable_sort(result.bars, [&](const TornadoBar& a, const TornadoBar& b) { return length(a) > length(b); });
    study.measures.push_back(std::move(result));
  }
  return study;
}

}  // namespace sfg
