#include "sfg/nonlinear/runge_kutta.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/stiff_run.hpp"

namespace sfg {

namespace {

constexpr std::size_t patience = 300'000;  // steps, after which the equations are taken for stiff
constexpr std::size_t stages = 7;
constexpr std::array<double, stages> nodes{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr std::array<std::array<double, stages>, stages> weights{
    {{},
     {1. / 5},
     {3. / 40, 9. / 40},
     {44. / 45, -56. / 15, 32. / 9},
     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
     {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
constexpr std::array<double, stages> error_weights{71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                                   -17253. / 339200, 22. / 525, -1. / 40};

class Integration {
 public:
  Integration(const Rates& rates, std::vector<double> x, const RungeKuttaOptions& options)
      : rates_(rates), options_(options), x_(std::move(x)), next_(x_.size()), peak_(x_.size(), 0) {
    for (auto& stage : k_) stage.resize(x_.size());
    note_peaks();
  }

  /// On to `end`, in which the equations are smooth from here.
  /// @returns  false: so many steps were taken that the equations are stiff
  bool advance(double end, double last, const Seen& step) {
    while (t_ < end) {
      if (++steps_ % 256 == 0) options_.budget.check("running the analog program");
      if (steps_ > patience) return false;
      if (!h_) h_ = std::min(end - t_, 1e-6 * std::max(end - t_, 1e-9));
      const bool whole = t_ + 1.0001 * *h_ >= end;
      const double h = whole ? end - t_ : *h_;
      const double error = attempt(h, last);
      if (!(error <= 1)) {
        h_ = h * (std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(error, -0.2)) : 0.1);
        if (*h_ < 1e-15 * std::max(std::abs(t_), 1e-9) && t_ + *h_ == t_) throw_not_finite();
        continue;
      }
      t_ = whole ? end : t_ + h;
      x_.swap(next_);
      note_peaks();
      const double proposed = h * std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
      h_ = whole ? std::max(*h_, proposed) : proposed;
      step(t_, x_);
    }
    return true;
  }
  void restart() { h_.reset(); }
  double time() const { return t_; }
  std::span<const double> state() const { return x_; }
  std::span<const double> largest() const { return peak_; }

 private:
  [[noreturn]] void throw_not_finite() const {
    throw NoAnswer("the run has no finite values after t = " + print(t_), "shorten the time, or lower the inputs");
  }

  double attempt(double h, double last) {
    for (std::size_t stage = 0; stage < stages; ++stage) {
      next_ = x_;
      for (std::size_t j = 0; j < stage; ++j)
        if (const double w = h * weights[stage][j]; w != 0)
          for (std::size_t i = 0; i < next_.size(); ++i) next_[i] += w * k_[j][i];
      rates_(std::min(t_ + nodes[stage] * h, last), next_, k_[stage]);
    }
    double worst = 0;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      double error = 0;
      for (std::size_t stage = 0; stage < stages; ++stage) error += error_weights[stage] * k_[stage][i];
      const double allowed = options_.atol + options_.rtol * std::max(peak_[i], std::abs(next_[i]));
      const double ratio = std::abs(h * error) / allowed;
      if (!(std::isfinite(ratio) && std::isfinite(next_[i]))) return HUGE_VAL;
      worst = std::max(worst, ratio);
    }
    return worst;
  }

  void note_peaks() {
    for (std::size_t i = 0; i < x_.size(); ++i) peak_[i] = std::max(peak_[i], std::abs(x_[i]));
  }

  const Rates& rates_;
  const RungeKuttaOptions& options_;
  std::vector<double> x_, next_, peak_;
  std::array<std::vector<double>, stages> k_;
  double t_ = 0;
  std::optional<double> h_;
  std::size_t steps_ = 0;
};

/// The explicit method, and the one for stiff equations when that needs too many steps.
class Run {
 public:
  Run(const Rates& rates, std::vector<double> x, const RungeKuttaOptions& options)
      : rates_(rates), options_(options), explicit_(rates, std::move(x), options) {}

  void advance(double end, double until_break, const Seen& step) {
    const double last = std::nextafter(until_break, time());
    if (!stiff_ && !explicit_.advance(end, last, step))
      stiff_.emplace(rates_, options_, explicit_.time(), explicit_.state(), explicit_.largest());
    if (stiff_) stiff_->advance(end, last, step);
  }
  void restart() { stiff_ ? stiff_->restart() : explicit_.restart(); }
  double time() const { return stiff_ ? stiff_->time() : explicit_.time(); }
  std::span<const double> state() const { return stiff_ ? stiff_->state() : explicit_.state(); }

 private:
  const Rates& rates_;
  const RungeKuttaOptions& options_;
  Integration explicit_;
  std::optional<StiffRun> stiff_;
};

}  // namespace

void integrate(const Rates& rates, std::vector<double> x, std::span<const double> times, const RungeKuttaOptions& options,
               const Seen& step, const Seen& seen) {
  Run run(rates, std::move(x), options);
  step(0, run.state());
  auto next = options.breaks.begin();
  for (const double time : times) {
    while (run.time() < time) {
      while (next != options.breaks.end() && *next <= run.time()) ++next;
      const bool breaks = next != options.breaks.end() && *next <= time;
      run.advance(breaks ? *next : time, next != options.breaks.end() ? *next : HUGE_VAL, step);
      if (breaks) {
        run.restart();
        step(run.time(), run.state());
      }
    }
    seen(time, run.state());
  }
}

}  // namespace sfg
