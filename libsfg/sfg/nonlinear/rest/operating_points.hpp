#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/response/simulation.hpp"

namespace sfg {

/// Where a graph is linearised: the value of every signal that a law depends on. Rates are 0, unless they are named Dx.
using LinearizationPoint = std::map<std::string, exact::Rational>;

/// The graph with every law replaced by its slopes at the point: ∂f/∂u + s ∂f/∂v from the tail, the same from further signals.
/// Parameters stay symbols. Signals are deviations from the point.
/// @throws sfg::Error naming signals without a value; NoAnswer where a law has a jump or corner at the point, or depends on time.
SignalFlowGraph linearized(const SignalFlowGraph&, const LinearizationPoint&);

struct RestQuestion {
  std::map<NodeId, double> inputs = {};                       ///< constant signals at sources; the others are 0
  std::map<std::string, std::pair<double, double>> box = {};  ///< where to look, by signal; elsewhere everywhere
  std::vector<NodeId> outputs = {};                           ///< empty: as stated
  std::vector<std::pair<NodeId, double>> wanted = {};         ///< values that signals have at rest …
  std::vector<NodeId> freed = {};                             ///< … and as many sources that take whatever value does it
  bool sensitivities = false;                                 ///< of the signals to every parameter
  Budget budget = {};
};

/// States of rest of a graph with laws.
struct OperatingPoints {
  /// One state, or a set of them: a dead zone, a gap, dry friction that sticks, a law that jumps to both sides of what is needed.
  struct Point {
    std::map<std::string, double> signals;  ///< arguments of the laws (rates are 0) and outputs; of a set those in its middle
    std::optional<bool> stable = {};        ///< small motions around it die away, into the set where it is one; or it is left
    /// Signal → parameter → derivative, where asked for and where the state is isolated.
    std::map<std::string, std::map<std::string, double>> derivatives = {};
    /// Signal → its range within a set; empty where the state is alone.
    std::map<std::string, std::pair<double, double>> set = {};
    /// Two states of the set that are farthest apart in the first signal that varies, as the set has it.
    std::vector<std::map<std::string, double>> ends = {};
    std::string open = {};  ///< why it is not known whether it is stable
  };
  std::vector<std::string> signals;  ///< in the order in which they are shown
  std::vector<std::string> inputs;   ///< that were freed; their values are among the signals of each point
  std::vector<Point> points;         ///< ascending in the first signals
  bool complete = false;             ///< intervals prove that there is no other, in the stated box
  bool complete_in_box = false;      ///< the same of `box` alone
  /// That was searched: sides that are stated, and the others where it is not proven that nothing lies beyond them.
  std::map<std::string, std::pair<double, double>> box;

  /// The signals, then the freed inputs.
  std::vector<std::string> shown() const;
};

/// All solutions of the equations at rest in a box: boxes are cut until the interval Newton operator (Krawczyk 1969) proves that
/// there is none or exactly one, or until what is left is a set of them. A law that jumps takes every value between its one-sided
/// ones (Filippov 1988); where a law has no value there is no state of rest. As many unknowns as arguments of laws, however large
/// the linear part.
/// Freed inputs are unknowns like the arguments of laws, and wanted values equations like the others: a trim is all its
/// solutions.
/// @throws NoAnswer for laws that depend on time, and where signals are not determined at rest; std::invalid_argument for other
/// than as many wanted values as freed inputs.
OperatingPoints operating_points(const SignalFlowGraph&, const RestQuestion& = {});

/// The same for constants of the inputs case by case, instead of the question's: what does not depend on them is done once.
std::vector<OperatingPoints> operating_points(const SignalFlowGraph&, const RestQuestion&,
                                              std::span<const std::map<NodeId, double>> cases);

/// The state, or states along a set from end to end, for pictures.
std::vector<std::map<std::string, double>> shown_states(const OperatingPoints::Point&);

/// The point as a place to linearise at: decimals of seventeen digits.
LinearizationPoint linearization_point(const OperatingPoints::Point&);

/// Where a motion is at a time, as a place to linearise at: linearized(graph, point) describes small deviations from the motion
/// as long as its slopes last.
struct PointInTime {
  SignalFlowGraph graph;        ///< laws with that time in them
  LinearizationPoint point;     ///< of every signal and rate that a law depends on: decimals of seventeen digits
  std::optional<double> error;  ///< largest difference of two runs with different tolerances; nothing at time 0
};

/// @param question  as of a simulation; its outputs are left aside
/// @throws as transient(); std::invalid_argument for a time before 0.
PointInTime point_in_time(const SignalFlowGraph&, SimulationQuestion question, double time, const Budget& = {});

}  // namespace sfg
