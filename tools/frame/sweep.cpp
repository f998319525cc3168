#include "tools/frame/sweep.hpp"

#include <algorithm>

#include "sfg/model/dependence.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/write/study/sweep.hpp"
#include "sfg/write/time_response.hpp"
#include "tools/frame/measurement.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

SweptInput::SweptInput(Task& task) : task_(task), subject_(subject_of(task)) {
  sweep_ = as_usage("option --sweep", [&] { return sweep_of(task.arguments.list("sweep")); });
  for (const SweptParameter& parameter : sweep_.parameters())
    for (const std::string& setting : subject_.terms().settings)
      if (setting.substr(0, setting.find('=')) == parameter.name)
        throw UsageError("option --sweep: --set gives '" + parameter.name + "' a value of its own", "leave one of them out");
  as_usage("option --sweep", [&] { return values_in(subject_.symbols(), of_model(0)); });
  note_idle_parameters();
}

/// Without the parameters that stand in what drives the model alone.
SweepSet SweptInput::of_model(std::size_t set) const {
  SweepSet found = sweep_[set];
  std::erase_if(found.values, [&](const SweepSet::Value& entry) {
    return !subject_.symbols().find(entry.name) && entry.name != "t" && subject_.drives_with(entry.name);
  });
  return found;
}

void SweptInput::note_idle_parameters() const {
  for (const SweptParameter& parameter : sweep_.parameters()) {
    bool used = std::visit([&](const auto& content) { return depends_on(content, parameter.name); }, input().content) ||
                subject_.drives_with(parameter.name);
    for (const char* option : {"from", "to", "ratio-of"})
      for (const std::string& text : task_.arguments.list(option)) used = used || has_name(text, parameter.name);
    if (!used)
      task_.notes.push_back({subject_.symbols().at(parameter.name).where,
                             "nothing depends on the parameter '" + parameter.name + "': its values make no difference",
                             "sweep another one", Severity::warning});
  }
}

void SweptInput::begin(std::size_t set) const {
  task_.budget.check("the sweep");
  if (!sweep_.empty() && set == 0) task_.working("sweeping");
}

void SweptInput::note_failure(std::size_t set) const {
  if (sweep_.empty()) return;
  task_.notes.push_back({{},
                         "the sweep ends at " + sweep_[set].text(" = ") + ", where there is no answer",
                         "leave these values out",
                         Severity::warning});
}

Subject SweptInput::at(std::size_t set) const { return sweep_.empty() ? subject_ : subject_.at(of_model(set)); }

Subject& SweptInput::substituted(std::size_t set) {
  if (sweep_.empty()) return subject_;
  if (!last_ || last_->first != set) last_.emplace(set, subject_.substituted(of_model(set)));
  return last_->second;
}

SignalFlowGraph SweptInput::graph(std::size_t set) {
  const Subject& there = substituted(set);
  if (there.infinite_with_values()) throw NoAnswer(there.infinite_ratio(), "change a value; 'sfg tf' has the formula");
  return sampled(task_.arguments, there.graph());
}

std::vector<ExactTransfer> SweptInput::solved(std::size_t set) {
  const SignalFlowGraph there = graph(set);
  const std::vector<Question> questions = questions_of(task_.arguments, there);
  if (sweep_.empty()) task_.working("finding transfer functions");
  return exact_transfers(there, questions, {.budget = task_.budget, .seed = task_.arguments.count("seed", 1)});
}

/// Nothing where every set has to be solved by itself.
const SweptTransfers* SweptInput::in_symbols() {
  if (transfers_tried_ || sweep_.size() == 1 || !subject_.derived_once() || task_.arguments.has("linearize"))
    return transfers_ ? &*transfers_ : nullptr;
  transfers_tried_ = true;
  try {
    const SignalFlowGraph whole = sampled(task_.arguments, subject_.graph());
    task_.working("finding transfer functions");
    transfers_.emplace(whole, questions_of(task_.arguments, whole), sweep_,
                       TransferOptions{.budget = task_.budget, .seed = task_.arguments.count("seed", 1)});
  } catch (const Failure&) {
    task_.budget.check("the transfer functions");
  }
  return transfers_ ? &*transfers_ : nullptr;
}

std::vector<ExactTransfer> SweptInput::transfers(std::size_t set) {
  const auto found = [&] {
    const SweptTransfers* symbolic = in_symbols();
    if (!symbolic || (model() && !dependent_equations(substituted(set).equations()).empty())) return solved(set);
    try {
      return symbolic->at(sweep_[set]);
    } catch (const Failure&) {
      if (!model()) throw;
      return solved(set);  // solved for other unknowns, it may have an answer
    }
  };
  return approximated(task_, found());
}

std::string SweptInput::unit_of(const std::string& parameter) const {
  const Symbol* symbol = subject_.symbols().find(parameter);
  return symbol ? symbol->unit : "";
}

std::vector<std::string> SweptInput::sets_of_curves(std::size_t curves) const {
  std::vector<std::string> names;
  if (sweep_.empty()) return names;
  for (const SweepSet& set : sweep_.sets()) names.insert(names.end(), curves, set.text());
  return names;
}

void write_responses(Task& task, const SweptInput& input, std::vector<std::vector<NamedResponse>> found, const std::string& verb,
                     const std::string& title, bool discrete, std::vector<std::optional<OscillationBand>> bands,
                     const std::vector<std::vector<MeasuredSignal>>& measured) {
  for (std::vector<NamedResponse>& set : found)
    for (NamedResponse& response : set) response.unit = task.unit_of(response.name.substr(0, response.name.find(" (")));
  const auto beside = [&](std::size_t set) { return measured.empty() ? std::vector<MeasuredSignal>() : measured[set]; };
  switch (answer_of(task.arguments, curves)) {
    case Answer::json:
      write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) {
        write_beside(out, beside(set), [&](std::ostream& text) { write_json(text, found[set], verb); });
      });
      break;
    case Answer::csv:
      write_csv(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) {
        measured.empty() ? write_csv(out, found[set]) : write_csv(out, beside(set));
      });
      break;
    case Answer::picture: {
      Figure figure =
          response_figure(joined(found), title,
                          {.samples = discrete, .sets = input.sets_of_curves(found.front().size()), .bands = std::move(bands)});
      add_measured(figure, joined(found), beside(0), {.residuals = found.size() == 1});
      put(task, std::move(figure));
      break;
    }
    case Answer::text:
      show(task, page(input.sweep(), [&](std::size_t set) {
             Page whole = page(found[set], verb);
             if (!measured.empty()) whole.add(page(beside(set)));
             return whole;
           }));
      break;
  }
}

Option sweep_option() {
  return {"--sweep",
          "NAME=V1,V2|LO:HI:N[:log]",
          "the answer for each of these values of a parameter; repeatable: every combination, the last one fastest",
          Option::Kind::text,
          {},
          true};
}

}  // namespace sfg::command
