#include "sfg/nonlinear/balance.hpp"

#include <ginac/ginac.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/nonlinear/balance_search.hpp"
#include "sfg/nonlinear/floquet.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Parameters with values that are not derived from others.
std::vector<std::string> parameters_of(const SignalFlowGraph& graph) {
  std::vector<std::string> names;
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.kind == SymbolKind::parameter && symbol.name != graph.op.symbol() && symbol.value && !is_derived(symbol))
      names.push_back(symbol.name);
  return names;
}

class Study {
 public:
  Study(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs, std::span<const double> frequencies,
        const BalanceOptions& options)
      : options_(options),
        system_(graph, {.inputs = {inputs.begin(), inputs.end()},
                        .outputs = options.outputs,
                        .parameters = options.sensitivities ? parameters_of(graph) : std::vector<std::string>{},
                        .frequency = frequencies.front(),
                        .budget = options.budget}),
        equations_(system_, options.harmonics * options.subharmonic, options.subharmonic),
        followed_(system_, options.harmonics * options.subharmonic, options.subharmonic, BalanceEquations::Samples::few),
        floquet_(system_) {
    require_means();
    search_.emplace(followed_, std::vector<double>(frequencies.begin(), frequencies.end()), options.seed);
    result_.frequency.assign(frequencies.begin(), frequencies.end());
    result_.harmonics = options.harmonics;
    result_.subharmonic = options.subharmonic;
    result_.laws = system_.law_count();
    result_.parameters = system_.parameters();
    for (std::size_t i = 0; i < system_.source_count(); ++i)
      if (system_.amplitudes()[static_cast<Index>(i)] != 0 || system_.constants()[static_cast<Index>(i)] != 0)
        result_.inputs.push_back(system_.form().linear[system_.form().sources[i]].name);
    name_signals();
  }

  PeriodicMotions operator()() {
    if (search_->solutions().empty())
      throw NoAnswer("no periodic motion was found at these frequencies", "take more harmonics, other frequencies or amplitudes");
    for (const auto& solution : search_->solutions()) add(refined(solution));
    std::ranges::stable_sort(result_.points, [this](const PeriodicMotion& a, const PeriodicMotion& b) {
      return a.frequency != b.frequency ? a.frequency < b.frequency : size(a) < size(b);
    });
    for (std::size_t i = 0; i < search_->curves().size(); ++i) add_curve(i);
    for (const auto& mark : search_->marks())
      result_.marks.push_back({mark.kind, mark.frequency, amplitudes(mark.x, mark.frequency)});
    std::ranges::stable_sort(result_.marks, {}, &MotionMark::frequency);
    add_notes();
    return std::move(result_);
  }

 private:
  void name_signals() {
    const PrincipalForm& form = system_.form();
    const auto add = [&](NodeId node, std::size_t row) {
      const std::string& name = form.linear[node].name;
      if (std::ranges::find(result_.signals, name) != result_.signals.end()) return;
      result_.signals.push_back(name);
      rows_.push_back(row);
    };
    for (std::size_t k = 0; k < form.sinks.size(); ++k) add(form.sinks[k], form.arguments.size() + k);  // outputs first
    for (std::size_t a = 0; a < form.arguments.size(); ++a) add(form.arguments[a].node, a);
  }

  /// A constant that is integrated without end leaves no periodic motion.
  void require_means() const {
    if (system_.constants().isZero()) return;
    const auto point = system_.points({0}).front();
    for (const auto& unknown : system_.unknowns())
      for (std::size_t i = 0; i < system_.source_count(); ++i)
        if (system_.constants()[static_cast<Index>(i)] != 0 &&
            !std::isfinite(point.T(static_cast<Index>(unknown.argument), static_cast<Index>(i)).real()))
          throw NoAnswer("the constant part of '" + system_.form().linear[system_.form().sources[i]].name +
                             "' is integrated without end: there is no periodic motion",
                         "leave it out, or close a loop around the integrator");
  }

  static double size(const PeriodicMotion& motion) {
    double sum = 0;
    for (const auto& signal : motion.harmonics)
      for (const Complex& X : signal)
        if (std::isfinite(std::abs(X))) sum += std::norm(X);
    return sum;
  }

  std::vector<double> amplitudes(const VectorXd& x, double frequency) const {
    const MatrixXcd all = equations_.signals(x, {frequency}, *equations_.linear(frequency));
    std::vector<double> result;
    for (const std::size_t row : rows_)
      result.push_back(std::abs(all(static_cast<Index>(options_.subharmonic), static_cast<Index>(row))));
    return result;
  }

  BalanceSearch::Solution refined(BalanceSearch::Solution solution) const {
    if (system_.smooth()) return solution;
    const auto x = newton(in_level(equations_, equations_.linear(solution.frequency)), solution.x, 1);
    if (!x) throw NoAnswer("the balance did not converge where a law has a corner or jump", "take more harmonics");
    solution.x = *x;
    return solution;
  }

  void add(const BalanceSearch::Solution& solution) {
    options_.budget.check("the periodic motions");
    const auto linear = equations_.linear(solution.frequency, options_.sensitivities);
    const MatrixXcd all = equations_.signals(solution.x, {solution.frequency}, *linear);
    PeriodicMotion motion{.frequency = solution.frequency, .curve = solution.curve};
    for (const std::size_t row : rows_) {
      const auto column = all.col(static_cast<Index>(row));
      motion.harmonics.emplace_back(column.begin(), column.end());
    }
    if (options_.stability) {
      Floquet::Verdict verdict = verdict_at(solution.x, solution.frequency);
      motion.stable = verdict.stable;
      motion.multipliers = std::move(verdict.multipliers);
      verdicts_[{solution.curve, solution.place}] = motion.stable;
    }
    if (options_.sensitivities) differentiate(motion, solution, *linear, all);
    result_.points.push_back(std::move(motion));
  }

  Floquet::Verdict verdict_at(const VectorXd& x, double frequency) const { return floquet_(equations_, x, frequency); }

  /// By the implicit function theorem: R(x, k) = 0, so that dx/dk = −R_x⁻¹ R_k.
  void differentiate(PeriodicMotion& motion, const BalanceSearch::Solution& solution, const BalanceEquations::Linear& linear,
                     const MatrixXcd& all) {
    constexpr double flat = 1e-10;
    const BalanceEquations::Place place{solution.frequency};
    const auto values = equations_.values(solution.x, place, linear);
    const Eigen::PartialPivLU<MatrixXd> lu(values.jacobian);
    motion.near_fold = lu.rcond() < flat;
    const MatrixXd slopes = lu.solve(-equations_.by_parameters(solution.x, place, linear));
    motion.derivatives.assign(rows_.size(), {});
    for (std::size_t p = 0; p < system_.parameters().size(); ++p) {
      const MatrixXcd moved = equations_.signals_by_parameter(solution.x, slopes.col(static_cast<Index>(p)), place, linear, p);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto h = static_cast<Index>(options_.subharmonic), row = static_cast<Index>(rows_[i]);
        const Complex X = all(h, row), dX = moved(h, row);
        motion.derivatives[i].push_back(X == Complex(0) ? std::abs(dX) : (std::conj(X) * dX).real() / std::abs(X));
      }
    }
  }

  /// Stability along a curve changes at marks; elsewhere it is asked for where neighbours differ.
  void add_curve(std::size_t number) {
    const auto& samples = search_->curves()[number];
    MotionCurve curve;
    curve.amplitude.resize(rows_.size());
    for (const auto& sample : samples) {
      curve.frequency.push_back(sample.frequency);
      const std::vector<double> sizes = amplitudes(sample.x, sample.frequency);
      for (std::size_t i = 0; i < rows_.size(); ++i) curve.amplitude[i].push_back(sizes[i]);
    }
    curve.stable.resize(samples.size());
    if (options_.stability)
      for (std::size_t first = 0; first < samples.size();) {
        std::size_t last = first + 1;
        while (last < samples.size() && !samples[last].mark) ++last;
        judge(number, first, last, curve.stable);
        first = last;
      }
    result_.curves.push_back(std::move(curve));
  }

  void judge(std::size_t number, std::size_t first, std::size_t last, std::vector<std::optional<bool>>& stable) {
    const auto& samples = search_->curves()[number];
    std::map<std::size_t, std::optional<bool>> known;
    for (std::size_t i = first; i < last; ++i)
      if (const auto found = verdicts_.find({number, i}); found != verdicts_.end()) known[i] = found->second;
    if (known.empty()) {
      const std::size_t middle = first + (last - first) / 2;
      known[middle] = verdict_at(samples[middle].x, samples[middle].frequency).stable;
    }
    for (std::size_t i = first; i < last; ++i) {
      const auto next = known.lower_bound(i);
      auto nearest = next;
      if (next == known.end() || (next != known.begin() && i - std::prev(next)->first < next->first - i))
        nearest = std::prev(next);
      stable[i] = nearest->second;
    }
  }

  void add_notes() {
    if (options_.stability && !floquet_.has_states())
      result_.notes.push_back(
          "stability by Hill's determinant: the linear part is large or has no states, and is taken to be stable by itself");
    const bool unknown = std::ranges::any_of(result_.points, [](const PeriodicMotion& m) { return !m.stable; });
    if (options_.stability && unknown)
      result_.notes.push_back(
          "where a law jumps along the motion, or the phase of Hill's determinant could not be followed, "
          "stability is not known");
    if (result_.laws == 0) result_.notes.push_back("no law has influence on the outputs: the motion is that of the linear graph");
  }

  const BalanceOptions& options_;
  BalanceSystem system_;
  BalanceEquations equations_;
  BalanceEquations followed_;  ///< the same with fewer samples, where laws have corners
  std::optional<BalanceSearch> search_;
  Floquet floquet_;
  PeriodicMotions result_;
  std::vector<std::size_t> rows_;  ///< of the signals
  std::map<std::pair<std::size_t, std::size_t>, std::optional<bool>> verdicts_;
};

}  // namespace

PeriodicMotions periodic_motions(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs,
                                 std::span<const double> frequencies, const BalanceOptions& options) {
  if (frequencies.empty()) throw std::invalid_argument("periodic_motions: no frequency");
  if (options.harmonics == 0 || options.subharmonic == 0) throw std::invalid_argument("periodic_motions: no harmonic");
  return Study(graph, inputs, frequencies, options)();
}

}  // namespace sfg
