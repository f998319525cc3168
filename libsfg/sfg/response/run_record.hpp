#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sfg/response/simulation.hpp"

namespace sfg {

/// Something that happened at one moment of a motion that is integrated.
struct RunEvent {
  double time = 0;
  /// Of a graph its branch, "v -> F"; of a mechanism the stop, the event or the coordinate in whose equation the jump stands.
  std::string name = {};
  /// "stick", "slip": the motion goes on along a jump of a law, or leaves it. "switch": a law jumps. "corner": its slope does.
  /// Of mechanisms also "impact", "contact", "separation", "release", "end".
  std::string kind = {};
  double speed = 0;           ///< of approach, at an impact
  std::string function = {};  ///< what was 0 there, in signals of the model; "" where it has no short form
  int direction = 0;          ///< 1: it rises there, −1: it falls
  /// Of the law's output; of a mechanism's jump its sign, between −1 and 1 where it sticks; of an impact the speed of approach.
  std::optional<double> before = {}, after = {};
};

/// Those that are listed at most; how many there were is counted.
constexpr std::size_t most_listed_events = 100'000;

/// What a run leaves beside its outputs.
struct RunRecord {
  std::vector<InitialValue> last_state = {};  ///< from which another run may go on; none of a graph of samples
  std::vector<RunEvent> events = {};          ///< in the order of time, at most `most_listed_events`
};

/// A run that is kept on its way, so that another process goes on from there to the very answer of an uninterrupted run.
struct KeptRun {
  /// Takes the state of the run: not more often than every `seconds_between`, at its end, and when the budget ends it.
  std::function<void(const std::string& state)> keep = {};
  double seconds_between = 10;
  std::string resume = {};                                       ///< a state that was kept, of the same question
  std::function<void(double time, double until)> progress = {};  ///< up to where the motion has been followed
};

}  // namespace sfg
