#include "sfg/nonlinear/analog/analog_motion.hpp"

#include <algorithm>
#include <memory>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/integrator.hpp"
#include "sfg/nonlinear/run/time_constants.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

class AnalogFollower {
 public:
  AnalogFollower(const AnalogMotion& motion, std::span<const double> times, const Fineness& fineness, const Budget& budget)
      : motion_(motion), times_(times), fineness_(fineness), budget_(budget), states_(static_cast<Index>(motion.start.size())) {}

  RunSamples operator()() {
    // A machine without states has a clock alone.
    VectorXd x = VectorXd::Zero(std::max<Index>(states_, 1));
    std::ranges::copy(motion_.start, x.begin());
    motion_.piece(0, motion_.corners.empty() ? times_.back() : motion_.corners.front());
    motion_.switching(0, view(x), g_);
    double t = 0;
    for (std::size_t i = 0; i <= motion_.corners.size() && t < times_.back(); ++i) {
      const double corner = i < motion_.corners.size() ? std::min(motion_.corners[i], times_.back()) : times_.back();
      if (!(corner > t)) continue;
      motion_.piece(t, corner);
      x = between(t, corner, x);
      t = corner;
    }
    while (next_ < times_.size()) found_.values.push_back(motion_.seen(times_[next_++], view(x)));
    return std::move(found_);
  }

 private:
  std::span<const double> view(const VectorXd& x) const { return {x.data(), static_cast<std::size_t>(states_)}; }

  bool rate(double t, const VectorXd& x, VectorXd& rate) const {
    rate = VectorXd::Zero(x.size());
    motion_.rates(t, view(x), {rate.data(), static_cast<std::size_t>(states_)});
    return rate.allFinite();
  }

  std::unique_ptr<Integrator> integrator(bool stiff) {
    return std::make_unique<Integrator>(
        Integrator::Problem{.size = std::max<Index>(states_, 1),
                            .rate = [this](double t, const VectorXd& x, VectorXd& into) { return rate(t, x, into); },
                            .switches = static_cast<int>(g_.size()),
                            .switching =
                                [this](double t, const VectorXd& x, double* g) {
                                  motion_.switching(t, view(x), g_);
                                  std::ranges::copy(g_, g);
                                },
                            .stiff = stiff,
                            .rtol = fineness_.rtol,
                            .atol = fineness_.atol});
  }

  bool is_stiff_here(double t, const VectorXd& x) const {
    return is_stiff([&](const VectorXd& at, VectorXd& into) { return rate(t, at, into); }, x, times_.back() - t);
  }

  VectorXd between(double t, double corner, VectorXd x) {
    if (next_ == 0) stiff_ = is_stiff_here(t, x);
    auto steps = integrator(stiff_);
    steps->start(t, x);
    while (next_ < times_.size() && times_[next_] <= t) found_.values.push_back(motion_.seen(times_[next_++], view(x)));
    motion_.passed(t, view(x));
    while (t < corner) {
      budget_.check("the run of the analog program");
      if (motion_.longest_step) steps->limit(fineness_.part * motion_.longest_step(t));
      const Integrator::Step step = next_step(*steps, corner);
      for (const double part : {0.25, 0.5, 0.75}) {
        const double within = step.from + part * (step.to - step.from);
        motion_.passed(within, view(steps->at(within)));
      }
      while (next_ < times_.size() && times_[next_] < step.to) {
        found_.values.push_back(motion_.seen(times_[next_], view(steps->at(times_[next_]))));
        ++next_;
      }
      x = steps->at(step.to);
      t = step.to;
      motion_.passed(t, view(x));
      if (t >= corner) break;
      if (step.switched) {
        note_switch(t);
        steps->start(t, x);
      } else if (!stiff_ && ++count_ % 500 == 0 && is_stiff_here(t, x)) {
        stiff_ = true;
        steps = integrator(true);
        steps->start(t, x);
      }
    }
    return x;
  }

  void note_switch(double t) {
    constexpr std::size_t most = 100'000;
    found_.jumps.push_back(t);
    if (found_.jumps.size() > most)
      throw LimitReached("the analog program switches more than 100000 times up to t = " + print(t),
                         "ask for times before that, or let the law be continuous there");
  }

  /// Steps that crowd at a jump of a law would go on there without end, or come to a stand.
  Integrator::Step next_step(Integrator& steps, double corner) {
    constexpr int most = 2000, few = 50;
    constexpr double moment = 1e-6;  // of the whole time
    Integrator::Step step{};
    try {
      step = steps.step(corner);
    } catch (const NoAnswer&) {
      if (crowd_ <= few || g_.empty()) throw;
      crowd_ = most;
      step.to = crowd_begins_;
    }
    if (step.to - crowd_begins_ > moment * times_.back()) {
      crowd_begins_ = step.to;
      crowd_ = 0;
    } else if (++crowd_ > most && !g_.empty()) {
      throw NoAnswer("the motion stays at the jump of a law from t = " + print(crowd_begins_) +
                         " on, as dry friction does that sticks and a relay that slides: elements of an analog program switch "
                         "there without end",
                     "write the jump as a steep saturation");
    }
    return step;
  }

  const AnalogMotion& motion_;
  std::span<const double> times_;
  Fineness fineness_;
  const Budget& budget_;
  Index states_;
  std::vector<double> g_;
  RunSamples found_;
  std::size_t next_ = 0, count_ = 0;
  double crowd_begins_ = 0;
  int crowd_ = 0;
  bool stiff_ = false;
};

}  // namespace

RunSamples followed(const AnalogMotion& motion, std::span<const double> times, const Fineness& fineness, const Budget& budget) {
  return AnalogFollower(motion, times, fineness, budget)();
}

}  // namespace sfg
