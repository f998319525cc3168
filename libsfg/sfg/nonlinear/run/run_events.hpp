#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/nonlinear/run/coupled_system.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

/// How the modes of jumps changed at a moment.
struct ModeChange {
  Eigen::Index jump;
  std::string kind;  ///< hold, leave (of friction stick, slip), switch
  int direction;     ///< of the function
};
/// Modes as they were at a moment.
struct ModesBefore {
  explicit ModesBefore(const SlidingModes&);
  std::vector<int> modes;
  std::vector<bool> slid;
  Eigen::VectorXd levels;
};
/// @param friction  whether a jump is one: its function is a velocity
std::vector<ModeChange> changes_of(const SlidingModes&, const ModesBefore&, const std::vector<bool>& friction);

/// What the laws of a graph do at events: asked before and after their modes change.
class RunEvents {
 public:
  RunEvents(const SignalFlowGraph&, CoupledSystem&);

  void before(double t, const Eigen::VectorXd& x);
  /// @param changes  as the switches of the laws have changed signs; empty: as they have since before()
  void after(double t, const Eigen::VectorXd& x, std::span<const int> changes);
  std::vector<RunEvent> found;
  std::size_t count = 0;  ///< also of those that are not listed

 private:
  struct Source {
    GiNaC::ex function;
    std::size_t law;
  };
  void add(double t, const Source&, const std::string& kind, int direction);
  std::string text_of(const GiNaC::ex& function);
  std::vector<double> switches(double t, const Eigen::VectorXd& x);

  const SignalFlowGraph& graph_;
  CoupledSystem& system_;
  std::vector<Source> jumps_, switches_;
  std::vector<bool> friction_;  ///< of the jumps: as far as the graph says which signals are rates
  GiNaC::exmap names_;
  std::map<GiNaC::ex, std::string, GiNaC::ex_is_less> texts_;
  // Before the event.
  std::optional<ModesBefore> modes_;
  Eigen::VectorXd outputs_, outputs_after_;
  std::vector<double> signs_;
};

/// A note where there are more than are listed.
std::vector<std::string> notes_of_events(std::size_t count);

}  // namespace sfg
