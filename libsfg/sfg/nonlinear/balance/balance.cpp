#include "sfg/nonlinear/balance/periodic_motion.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/nonlinear/balance/backbone.hpp"
#include "sfg/nonlinear/balance/balance_search.hpp"
#include "sfg/nonlinear/balance/described_motion.hpp"
#include "sfg/nonlinear/balance/floquet.hpp"
#include "sfg/nonlinear/balance/followed_motion.hpp"
#include "sfg/numeric/dense.hpp"

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
        floquet_(system_) {
    require_means();
    search_.emplace(equations_, std::vector<double>(frequencies.begin(), frequencies.end()), options.seed);
    result_.frequency.assign(frequencies.begin(), frequencies.end());
    result_.harmonics = options.harmonics;
    result_.subharmonic = options.subharmonic;
    result_.laws = system_.law_count();
    result_.parameters = system_.parameters();
    for (std::size_t i = 0; i < system_.source_count(); ++i)
      if (system_.amplitudes()[static_cast<Index>(i)] != 0 || system_.constants()[static_cast<Index>(i)] != 0)
        result_.inputs.push_back(system_.form().linear[system_.form().sources[i]].name);
    for (const auto& signal : system_.signals()) {
      result_.signals.push_back(signal.name);
      rows_.push_back(signal.row);
    }
  }

  PeriodicMotions operator()() {
    if (search_->solutions().empty())
      throw NoAnswer("no periodic motion was found at these frequencies", "take more harmonics, other frequencies or amplitudes");
    for (std::size_t i = 0; i < search_->curves().size(); ++i) add_curve(i);
    exact_ = transmittances_at_solutions();
    for (const auto& solution : search_->solutions()) add(solution);
    std::ranges::stable_sort(result_.points, [](const PeriodicMotion& a, const PeriodicMotion& b) {
      return a.frequency != b.frequency ? a.frequency < b.frequency : size(a) < size(b);
    });
    for (const auto& mark : search_->marks())
      result_.marks.push_back({mark.kind, mark.frequency, amplitudes(mark.x, mark.frequency)});
    if (options_.backbone && system_.law_count() > 0) add_backbones();
    std::ranges::stable_sort(result_.marks, {}, &MotionMark::frequency);
    leave_out_turns();
    add_notes();
    return std::move(result_);
  }

 private:
  /// Whether two motions are one but for whole turns of an angle: means that differ by multiples of 2π, and nothing else.
  static bool same_but_for_turns(const PeriodicMotion& a, const PeriodicMotion& b) {
    if (a.frequency != b.frequency) return false;
    bool turned = false;
    for (std::size_t s = 0; s < a.harmonics.size(); ++s)
      for (std::size_t h = 0; h < a.harmonics[s].size(); ++h) {
        const Complex difference = a.harmonics[s][h] - b.harmonics[s][h];
        const double turns = h == 0 ? std::round(difference.real() / (2 * std::numbers::pi)) : 0;
        turned = turned || turns != 0;
        const double size = 1 + std::abs(a.harmonics[s][h]);
        if (!(std::abs(difference - turns * 2 * std::numbers::pi) < 1e-7 * size)) return false;
      }
    return turned;
  }

  /// A pendulum has every motion as often as it has turned around: the one nearest to 0 stands for all.
  void leave_out_turns() {
    const auto mean = [](const PeriodicMotion& motion) {
      double sum = 0;
      for (const auto& signal : motion.harmonics) sum += std::abs(signal.front());
      return sum;
    };
    std::vector<PeriodicMotion> kept;
    for (PeriodicMotion& motion : result_.points) {
      const auto same = std::ranges::find_if(kept, [&](const auto& other) { return same_but_for_turns(other, motion); });
      if (same == kept.end())
        kept.push_back(std::move(motion));
      else if (mean(motion) < mean(*same))
        *same = std::move(motion);
    }
    const bool all = kept.size() == result_.points.size();
    result_.points = std::move(kept);
    if (all) return;
    result_.notes.push_back("motions that differ by whole turns of an angle (2 pi) are listed once");
    const auto same_mark = [](const MotionMark& a, const MotionMark& b) {
      return a.kind == b.kind && std::abs(a.frequency - b.frequency) < 1e-6 * a.frequency &&
             std::ranges::equal(a.amplitude, b.amplitude,
                                [](double x, double y) { return std::abs(x - y) < 1e-5 * (std::abs(x) + 1e-9); });
    };
    std::vector<MotionMark> marks;
    for (MotionMark& mark : result_.marks)
      if (std::ranges::none_of(marks, [&](const auto& other) { return same_mark(other, mark); }))
        marks.push_back(std::move(mark));
    result_.marks = std::move(marks);
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

  std::vector<double> amplitudes(const VectorXd& x, double frequency, double level = 1) {
    const MatrixXcd all = equations_.signals(x, {frequency, level}, *search_->linear(frequency));
    std::vector<double> result;
    for (const std::size_t row : rows_)
      result.push_back(std::abs(all(static_cast<Index>(options_.subharmonic), static_cast<Index>(row))));
    return result;
  }

  void add(const BalanceSearch::Solution& solution) {
    options_.budget.check("the periodic motions");
    const auto linear = exact_.at(solution.frequency);
    const MatrixXcd all = equations_.signals(solution.x, {solution.frequency}, *linear);
    PeriodicMotion motion{.frequency = solution.frequency, .curve = solution.curve};
    for (const std::size_t row : rows_) {
      const auto column = all.col(static_cast<Index>(row));
      motion.harmonics.emplace_back(column.begin(), column.end());
    }
    if (options_.stability) {
      motion.stable = result_.curves[solution.curve].stable[solution.place];
      if (floquet_.has_states()) {
        Floquet::Verdict verdict = floquet_(equations_, solution.x, solution.frequency);
        motion.stable = result_.curves[solution.curve].stable[solution.place] = verdict.stable;
        motion.multipliers = std::move(verdict.multipliers);
      }
    }
    if (options_.sensitivities) differentiate(motion, solution, *linear, all);
    result_.points.push_back(std::move(motion));
  }

  std::map<double, std::shared_ptr<const BalanceEquations::Linear>> transmittances_at_solutions() const {
    std::vector<double> frequencies;
    for (const auto& solution : search_->solutions()) frequencies.push_back(solution.frequency);
    std::ranges::sort(frequencies);
    frequencies.erase(std::unique(frequencies.begin(), frequencies.end()), frequencies.end());
    std::map<double, std::shared_ptr<const BalanceEquations::Linear>> all;
    for (auto& linear : equations_.linear(frequencies, options_.sensitivities)) all.emplace(linear->frequency, std::move(linear));
    return all;
  }

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

  /// Asked for at the ends of what lies between marks, and where these differ between them, too.
  void judge(std::size_t number, std::size_t first, std::size_t last, std::vector<std::optional<bool>>& stable) {
    const auto& samples = search_->curves()[number];
    const auto asked = [&](std::size_t i) {
      const auto& [x, frequency, mark] = samples[i];
      return stable[i] = floquet_(equations_, x, frequency, false, &search_->transmittances()).stable;
    };
    const auto fill = [&](const auto& self, std::size_t a, std::size_t b) -> void {
      if (b - a < 2) return;
      if (stable[a] == stable[b]) {
        std::fill(stable.begin() + static_cast<std::ptrdiff_t>(a), stable.begin() + static_cast<std::ptrdiff_t>(b), stable[a]);
        return;
      }
      const std::size_t middle = a + (b - a) / 2;
      asked(middle);
      self(self, a, middle);
      self(self, middle, b);
    };
    // On a mark itself the motion is neither; the first and last samples beside them tell.
    const std::size_t begin = std::min(first + 1, last - 1), end = last - 1, middle = begin + (end - begin) / 2;
    asked(begin);
    if (end > begin) asked(end);
    if (middle > begin && middle < end) asked(middle);
    fill(fill, begin, middle);
    fill(fill, middle, end);
    stable[first] = stable[begin];
  }

  void add_backbones() {
    double largest = 0;
    for (const auto& solution : search_->solutions()) largest = std::max(largest, solution.x.norm());
    const auto [low, high] = std::ranges::minmax(result_.frequency);
    for (const BackboneCurve& curve : sfg::backbones(equations_, search_->transmittances(), low, high, largest)) {
      BackboneMotions motions{curve.frequency, curve.level, std::vector<std::vector<double>>(rows_.size())};
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        const auto sizes = amplitudes(curve.x[i], curve.frequency[i], curve.level[i]);
        for (std::size_t s = 0; s < rows_.size(); ++s) motions.amplitude[s].push_back(sizes[s]);
      }
      result_.backbones.push_back(std::move(motions));
    }
  }

  void add_notes() {
    if (options_.stability && !floquet_.has_states())
      result_.notes.push_back(
          "stability by Hill's determinant: the linear part is large or has no states, and is taken to be stable by itself");
    const bool leaps = std::ranges::any_of(
        search_->solutions(), [this](const auto& solution) { return jumps(equations_, solution.x, solution.frequency); });
    if (leaps) result_.notes.push_back("a law jumps along a motion: stability is not known there");
    const bool unknown = std::ranges::any_of(result_.points, [](const PeriodicMotion& m) { return !m.stable; });
    if (options_.stability && unknown && !leaps)
      result_.notes.push_back("where the phase of Hill's determinant could not be followed, stability is not known");
    if (result_.laws == 0) result_.notes.push_back("no law has influence on the outputs: the motion is that of the linear graph");
  }

  const BalanceOptions& options_;
  BalanceSystem system_;
  BalanceEquations equations_;
  std::optional<BalanceSearch> search_;
  Floquet floquet_;
  PeriodicMotions result_;
  std::vector<std::size_t> rows_;  ///< of the signals
  std::map<double, std::shared_ptr<const BalanceEquations::Linear>> exact_;
};

}  // namespace

PeriodicMotions periodic_motions(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs,
                                 std::span<const double> frequencies, const BalanceOptions& options) {
  if (frequencies.empty()) throw std::invalid_argument("periodic_motions: no frequency");
  if (options.harmonics == 0 || options.subharmonic == 0) throw std::invalid_argument("periodic_motions: no harmonic");
  PeriodicMotions found = has_memory(graph, options.outputs) ? described_motions(graph, inputs, frequencies, options)
                                                             : Study(graph, inputs, frequencies, options)();
  confirm(graph, inputs, found, options);
  return found;
}

}  // namespace sfg
