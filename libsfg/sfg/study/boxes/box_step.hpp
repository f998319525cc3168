#pragma once
#include <functional>
#include <vector>

#include "sfg/study/boxes/box_poles.hpp"
#include "sfg/study/boxes/box_roots.hpp"

// Not installed: figures of the unit step response over a box.
namespace sfg {

/// The response of a system in s by its poles, y = Σ c_j t^j + Σ r e^(pt), where they are simple (0 excepted) or two at a time
/// run into each other; else by the exponential of its matrix.
class BoxStep {
 public:
  BoxStep(const ring::ParameterBox&, const BoxTransfer&);

  ring::Jet at(double t) const;  ///< in z at the last sample at or before t
  ring::Jet final() const;
  /// Of a system in s, s; unbounded where it may be unstable.
  ring::Jet rise() const;
  ring::Jet settling() const;
  ring::Jet overshoot() const;  ///< per cent

 private:
  bool expand();
  void expand_matrix();
  bool add_pole(const BoxPole&, const std::vector<ring::Jet>& rest, std::size_t at_zero, std::vector<ring::Jet>& parts,
                std::vector<ring::Jet>& slopes) const;
  bool stays_below(double t) const;
  ring::Jet sampled(double t) const;
  BoxFunction less(double level) const;  ///< y/y(∞) − level
  /// A time after which y/y(∞) is within `band` of 1; infinite where none is found.
  double quiet_after(double band) const;
  bool normal() const;
  bool to_be_halved() const;
  /// At the centre of the box.
  std::function<double(double)> central(const BoxFunction&, std::size_t powers) const;
  std::vector<double> guesses(const std::function<double(double)>&, double until) const;  ///< changes of its sign
  std::vector<double> passes(double level, double until) const;

  const ring::ParameterBox& box_;
  BoxTransfer T_;     // over its value at 0, where that has one other than 0
  ring::Jet factor_;  // that value
  bool known_ = false, simple_ = false, stable_ = false;
  std::size_t powers_ = 0;
  std::vector<BoxPole> poles_;
  std::vector<char> two_;  ///< which of them are two
  BoxFunction response_, slope_;
};

}  // namespace sfg
