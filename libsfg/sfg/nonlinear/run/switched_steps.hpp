#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/nonlinear/run/dormand_prince.hpp"
#include "sfg/nonlinear/run/integrator.hpp"

// Not installed.
namespace sfg {

/// The steps of a motion whose laws switch. A method of many steps begins again at its lowest order after every event; where
/// events are all there is to follow (laws are straight lines between their jumps, nothing decays fast), the explicit method of
/// order 8 goes from one to the next in a few steps, and finds them between its values. Where it comes to a stand, CVODE goes on.
class SwitchedSteps {
 public:
  /// @param simple  a small system with such laws
  SwitchedSteps(Integrator::Problem problem, bool simple) : problem_(std::move(problem)) {
    if (problem_.stiff || !simple) {
      many_.emplace(problem_);
      return;
    }
    Integrator::Problem finer = problem_;
    finer.rtol = DormandPrince::of_step(problem_.rtol);
    finer.atol *= 0.1;
    single_.emplace(std::move(finer));
    const auto count = static_cast<std::size_t>(problem_.switches);
    sign_.resize(count), value_.resize(count), later_.resize(count);
  }

  bool starts_cheaply() const { return single_.has_value(); }
  /// In steps of the other method.
  std::size_t work_of_step() const { return single_ ? 10 : 1; }

  void start(double t, const Eigen::VectorXd& x) {
    if (many_) return many_->start(t, x);
    event_.reset();
    single_->start(t, x);
    evaluate(t, x, value_);
    for (std::size_t i = 0; i < sign_.size(); ++i) sign_[i] = sign_of(value_[i]);
  }

  void limit(double longest) {
    longest_ = longest;
    many_ ? many_->limit(longest) : single_->limit(longest);
  }

  double now() const { return many_ ? many_->now() : event_ ? *event_ : single_->now(); }

  Eigen::VectorXd at(double t) { return many_ ? many_->at(t) : single_->at(t); }

  std::vector<int> changes() const { return many_ ? many_->changes() : changes_; }

  Integrator::Step step(double last) {
    if (many_) return many_->step(last);
    if (event_) {
      const double t = *std::exchange(event_, std::nullopt);
      single_->start(t, single_->at(t));
    }
    changes_.assign(sign_.size(), 0);
    try {
      Integrator::Step made = single_->step(last);
      made.switched = find_event(made);
      return made;
    } catch (const NoAnswer&) {
      hand_over();
      return many_->step(last);
    }
  }

 private:
  using Values = std::vector<double>;
  static int sign_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

  void evaluate(double t, const Eigen::VectorXd& x, Values& into) {
    if (!into.empty()) problem_.switching(t, x, into.data());
  }

  bool changed(std::size_t i, double value) const { return sign_[i] * sign_of(value) < 0; }

  /// The first change of a sign within the step, looked for at some places: at its end, or the step ends there.
  bool find_event(Integrator::Step& made) {
    constexpr std::array<double, 4> places{0.25, 0.5, 0.75, 1};
    double low = made.from;
    for (const double place : places) {
      const double high = place < 1 ? made.from + place * (made.to - made.from) : made.to;
      evaluate(high, single_->at(high), later_);
      bool any = false;
      for (std::size_t i = 0; i < sign_.size(); ++i) any = any || changed(i, later_[i]);
      if (any) {
        made.to = located(low, high);
        event_ = made.to;
        return true;
      }
      low = high;
      value_.swap(later_);
      for (std::size_t i = 0; i < sign_.size(); ++i)
        if (const int sign = sign_of(value_[i]); sign != 0) sign_[i] = sign;
    }
    return false;
  }

  /// Where the first of the functions that change between two times does, from behind; false position, both ends moved.
  double located(double low, double high) {
    const double enough = 100 * std::numeric_limits<double>::epsilon() * (std::abs(high) + (high - low));
    Values here(sign_.size());
    int side = 0;
    double weight = 1;  // of the end that stays
    for (int tries = 1; high - low > enough; ++tries) {
      double t = high;
      for (std::size_t i = 0; i < sign_.size(); ++i) {
        if (!changed(i, later_[i])) continue;
        const double a = value_[i] * (side > 0 ? weight : 1), b = later_[i] * (side < 0 ? weight : 1);
        t = std::min(t, low + (high - low) * a / (a - b));
      }
      if (tries % 8 == 0 || t == high) t = (low + high) / 2;
      t = std::clamp(t, low + enough / 2, high - enough / 2);
      evaluate(t, single_->at(t), here);
      bool any = false;
      for (std::size_t i = 0; i < sign_.size(); ++i) any = any || changed(i, here[i]) || !(std::abs(here[i]) < HUGE_VAL);
      const int now = any ? 1 : -1;
      weight = now == side ? weight / 2 : 1;
      side = now;
      (any ? high : low) = t;
      (any ? later_ : value_).swap(here);
    }
    for (std::size_t i = 0; i < sign_.size(); ++i)
      if (changed(i, later_[i])) changes_[i] = sign_[i] = sign_of(later_[i]);
    value_ = later_;
    return high;
  }

  void hand_over() {
    many_.emplace(problem_);
    many_->start(single_->now(), single_->state());
    many_->limit(longest_);
    single_.reset();
  }

  Integrator::Problem problem_;
  std::optional<Integrator> many_;
  std::optional<DormandPrince> single_;
  std::optional<double> event_;  ///< where the last step was cut
  std::vector<int> sign_, changes_;
  Values value_, later_;  ///< of the switching functions, before and behind
  double longest_ = std::numeric_limits<double>::infinity();
};

}  // namespace sfg
