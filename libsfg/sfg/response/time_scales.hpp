#pragma once
#include <ginac/ex.h>

#include <span>
#include <vector>

#include "sfg/budget.hpp"

// Not installed.
namespace sfg {

/// Appends the parts of an expression that have no symbol but the time, the largest ones.
void add_parts_of_time(const GiNaC::ex&, const GiNaC::ex& time, std::vector<GiNaC::ex>& found);

/// Where they are not all known.
constexpr const char* note_of_too_many_parts =
    "an input varies in more than 100000 parts over this time: what it does within less than the rest of them was not looked at, "
    "and steps may pass over it; ask for shorter times";

/// How fast functions of time vary: from interval to interval the longest time in which none of them goes unseen.
class TimeScales {
 public:
  struct Interval {
    double to;       ///< where it ends, s
    double longest;  ///< no part so long differs from a polynomial of degree 6 by more than a part of 10^-8
  };
  /// @param functions  expressions of `t` alone; samples and what has no enclosure set no bound
  /// A function is split until each part is proven to be a polynomial but for 1e-8 of what it reaches, the parts first in which
  /// it may be largest: so that no pulse is overlooked, however narrow.
  TimeScales(std::span<const GiNaC::ex> functions, const GiNaC::ex& t, double until, const Budget& = {});
  TimeScales() = default;

  /// The longest step from t on that leaves no part of an interval unseen; infinite where nothing varies.
  /// @param parts  how many of the parts whoever makes the step sees at once
  double longest_step(double t, double parts = 1) const;
  bool complete() const { return complete_; }
  /// Ends of the parts where these are shorter than that; none where a function may grow without bound.
  std::vector<double> parts_below(double length) const;

 private:
  void merge(const std::vector<Interval>&);

  std::vector<Interval> intervals_;  ///< ascending
  bool complete_ = true, bounded_ = true;
};

}  // namespace sfg
