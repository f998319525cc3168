#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "sfg/plot/figures.hpp"
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
  const Input& input() const noexcept { return input_; }
  const Model* model() const { return std::get_if<Model>(&input_.content); }

  /// The input with the values of a set.
  Input at(std::size_t set) const;
  /// The same with the values stated, where an answer keeps the names of the parameters.
  Input stating(std::size_t set) const;
  /// The graph of a set, and the equations of a model.
  SignalFlowGraph graph(std::size_t set);
  EquationSystem equations(std::size_t set);
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
  void begin(std::size_t set) const;
  void note_failure(std::size_t set) const;
  void note_idle_parameters() const;
  bool derived_once() const;
  std::vector<ExactTransfer> solved(std::size_t set);
  const SweptTransfers* in_symbols();

  Task& task_;
  Input input_;
  Sweep sweep_;
  std::optional<EquationSystem> equations_;  ///< of a model, with the swept parameters as symbols
  std::optional<SweptTransfers> transfers_;  ///< the same of the transfer functions
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
/// @param bands  of a picture: of each response that oscillates too often, or none
void write_responses(Task&, const SweptInput&, std::vector<std::vector<NamedResponse>>, const std::string& title, bool discrete,
                     std::vector<std::optional<OscillationBand>> bands = {});

Option sweep_option();

}  // namespace sfg::command
