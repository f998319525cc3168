#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "sfg/plot/figures.hpp"
#include "sfg/response/measured_response.hpp"
#include "sfg/study/sweep.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "tools/frame/load.hpp"

namespace sfg::command {

/// The input of the task under --sweep: its graph, equations and transfer functions for every set; without --sweep there is one
/// set, and everything is as stated. What does not depend on the values is done once.
class SweptInput {
 public:
  /// Reads the input. @throws UsageError for what is wrong with --sweep.
  explicit SweptInput(Task&);
  SweptInput(const SweptInput&) = delete;
  SweptInput& operator=(const SweptInput&) = delete;

  const Sweep& sweep() const noexcept { return sweep_; }
  const Subject& subject() const noexcept { return subject_; }
  const Input& input() const noexcept { return subject_.input(); }
  const Model* model() const { return subject_.model(); }

  /// The subject with the values of a set, derived anew.
  Subject at(std::size_t set) const;
  /// The same with the values put into what was derived once, where that may be.
  Subject& substituted(std::size_t set);
  /// The graph of a set, in z where --sample-time says so.
  SignalFlowGraph graph(std::size_t set);
  /// Of --from and --to, with numbers for all parameters and Padé approximants where --pade asks for them.
  std::vector<ExactTransfer> transfers(std::size_t set);

  /// The answers of all sets in their order. Where one fails, a note says for which values.
  template <class Answer>
  auto each(Answer answer) {
    std::vector<decltype(answer(std::size_t{}))> all;
    for (std::size_t set = 0; set < sweep_.size(); ++set) try {
        begin(set);
        all.push_back(answer(set));
      } catch (...) {
        note_failure(set);
        throw;
      }
    return all;
  }

  /// The unit that the input states for a parameter; "" for none.
  std::string unit_of(const std::string& parameter) const;
  /// For pictures: the values of each of `curves` curves a set.
  std::vector<std::string> sets_of_curves(std::size_t curves) const;

 private:
  SweepSet of_model(std::size_t set) const;
  void begin(std::size_t set) const;
  void note_failure(std::size_t set) const;
  void note_idle_parameters() const;
  std::vector<ExactTransfer> solved(std::size_t set);
  const SweptTransfers* in_symbols();

  Task& task_;
  Subject subject_;
  Sweep sweep_;
  std::optional<std::pair<std::size_t, Subject>> last_;  ///< of the set that was asked for last
  std::optional<SweptTransfers> transfers_;              ///< with the swept parameters as symbols
  bool transfers_tried_ = false;
};

/// The answers of all sets one behind the other, as figures take them.
template <class Answer>
std::vector<Answer> joined(const std::vector<std::vector<Answer>>& sets) {
  std::vector<Answer> all;
  for (const auto& set : sets) all.insert(all.end(), set.begin(), set.end());
  return all;
}

/// Responses over time in the way that is asked for.
/// @param verb   names the answer: "step"
/// @param bands     of a picture: of each response that oscillates too often, or none
/// @param measured  beside the responses of each set; none: nothing was
void write_responses(Task&, const SweptInput&, std::vector<std::vector<NamedResponse>>, const std::string& verb,
                     const std::string& title, bool discrete, std::vector<std::optional<OscillationBand>> bands = {},
                     const std::vector<std::vector<MeasuredSignal>>& measured = {});

Option sweep_option();

}  // namespace sfg::command
