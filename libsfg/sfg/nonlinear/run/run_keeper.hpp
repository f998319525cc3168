#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/numeric/kept_state.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

/// Keeps a checked run on its way. Its state are the runs that have ended, and a moment of the one that goes on: one from which
/// every run, kept or not, begins anew with nothing but that state, so that nothing depends on whether and when it was kept.
class RunKeeper {
 public:
  /// @throws sfg::Error where what is to be resumed is no state, or that of another run
  RunKeeper(const KeptRun&, const Identity&);

  /// What the runs before had found when the run was kept; nothing where it begins.
  std::optional<std::string> before() const { return before_resumed_; }
  /// The state that the run which begins now goes on from; "" where it begins at its start.
  std::string take_state();
  /// A run begins. @param before  what those before have found
  void begin(std::string before);
  /// What the run begins as, where it does not go on.
  void starts(std::string state) { state_ = std::move(state); }
  /// A moment at which a run begins anew. @param state  makes its state; called where it is time to keep it
  void pass(double t, double until, const std::function<std::string()>& state);
  /// The last state goes where it is kept: the work ends, by itself or before its time.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void keep();
  static double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

  const KeptRun& kept_;
  const Identity identity_;
  std::optional<std::string> before_resumed_;
  std::string resumed_, before_, state_;
  Clock::time_point noted_ = Clock::now(), written_ = Clock::now();
  bool written_is_last_ = true;
};

/// Work that is kept where it ends, also before its time.
template <class Work>
auto kept_to_its_end(RunKeeper* keeper, Work&& work) {
  if (!keeper) return work();
  try {
    auto found = work();
    keeper->finish();
    return found;
  } catch (const Cancelled&) {
    keeper->finish();
    throw;
  } catch (const LimitReached&) {
    keeper->finish();
    throw;
  }
}

std::string text_of(const std::variant<GiNaC::ex, SampledSignal>& signal);
/// What makes a run the one that it is. @param inputs  "name = signal"
Identity identity_of(const std::string& model, const std::vector<std::string>& inputs, const std::vector<InitialValue>& initial,
                     const std::vector<std::string>& outputs, std::span<const double> times, double rtol, double atol);
Identity identity_of(const SignalFlowGraph&, const SimulationQuestion&, std::span<const double> times, const ForcedOptions&);

}  // namespace sfg
