#include "tools/frame/sweep.hpp"

#include <algorithm>

#include "sfg/expr/exact_value.hpp"
#include "sfg/model/dependence.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/write/sweep.hpp"
#include "sfg/write/time_response.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

const SymbolTable& stated_symbols(const Input& input) {
  if (const auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return graph->symbols;
  return std::visit([](const auto& model) -> const SymbolTable& { return model.symbols; }, std::get<Model>(input.content));
}

bool mentions(const std::vector<SimulationSettings::Entry>& entries, const std::string& name) {
  return std::ranges::any_of(entries, [&](const auto& entry) { return entry.text.find(name) != std::string::npos; });
}

}  // namespace

SweptInput::SweptInput(Task& task) : task_(task), input_(input_of(task)) {
  sweep_ = as_usage("option --sweep", [&] { return sweep_of(task.arguments.list("sweep")); });
  as_usage("option --sweep", [&] { return values_in(stated_symbols(input_), sweep_[0]); });
  note_idle_parameters();
}

void SweptInput::note_idle_parameters() const {
  for (const SweptParameter& parameter : sweep_.parameters()) {
    const bool depends = std::visit([&](const auto& content) { return depends_on(content, parameter.name); }, input_.content);
    bool used =
        depends || mentions(input_.simulation.inputs, parameter.name) || mentions(input_.simulation.initial, parameter.name);
    for (const char* option : {"input", "initial", "to"})
      for (const std::string& text : task_.arguments.list(option)) used = used || text.find(parameter.name) != std::string::npos;
    if (!used)
      task_.notes.push_back({stated_symbols(input_).at(parameter.name).where,
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

/// What is linearised at an equilibrium is derived for every set, since the equilibrium moves.
bool SweptInput::derived_once() const {
  const auto moves = [](const auto& part) {
    const auto* lagrangian = std::get_if<Lagrangian>(&part);
    return lagrangian && lagrangian->equilibrium;
  };
  const auto* joined = model() ? std::get_if<Joined>(model()) : nullptr;
  return joined ? std::ranges::none_of(joined->parts, moves) : !model() || !moves(*model());
}

Input SweptInput::at(std::size_t set) const {
  Input there = input_;
  if (sweep_.empty()) return there;
  if (const auto* graph = std::get_if<SignalFlowGraph>(&input_.content))
    there.content = sfg::at(*graph, sweep_[set]);
  else
    there.content = sfg::at(*model(), sweep_[set]);
  return there;
}

Input SweptInput::stating(std::size_t set) const {
  Input there = input_;
  auto* graph = std::get_if<SignalFlowGraph>(&there.content);
  SymbolTable& symbols =
      graph ? graph->symbols
            : std::visit([](auto& model) -> SymbolTable& { return model.symbols; }, std::get<Model>(there.content));
  for (const SweepSet::Value& entry : sweep_[set].values) symbols.find(entry.name)->value = numeric_value(entry.value);
  return there;
}

EquationSystem SweptInput::equations(std::size_t set) {
  if (!derived_once()) return equations_of(task_, std::get<Model>(at(set).content));
  if (!equations_) equations_ = equations_of(task_, *model());
  return sweep_.empty() ? *equations_ : substituted(*equations_, values_in(equations_->symbols, sweep_[set]));
}

SignalFlowGraph SweptInput::graph(std::size_t set) {
  return sampled(task_.arguments, sweep_.empty() || !model() ? graph_of(task_, at(set)) : graph_of(task_, equations(set)));
}

std::vector<ExactTransfer> SweptInput::solved(std::size_t set) {
  const SignalFlowGraph there = graph(set);
  const std::vector<Question> questions = questions_of(task_.arguments, there);
  if (sweep_.empty()) task_.working("finding transfer functions");
  return exact_transfers(there, questions, {.budget = task_.budget, .seed = task_.arguments.count("seed", 1)});
}

/// Nothing where every set has to be solved by itself.
const SweptTransfers* SweptInput::in_symbols() {
  if (transfers_tried_ || sweep_.size() == 1 || !derived_once() || task_.arguments.has("linearize"))
    return transfers_ ? &*transfers_ : nullptr;
  transfers_tried_ = true;
  try {
    if (model() && !equations_) equations_ = equations_of(task_, *model());
    const SignalFlowGraph whole = sampled(task_.arguments, model() ? graph_of(task_, *equations_) : graph_of(task_, input_));
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
    if (!symbolic || (model() && !dependent_equations(equations(set)).empty())) return solved(set);
    try {
      return symbolic->at(sweep_[set]);
    } catch (const Failure&) {
      if (!model()) throw;
      return solved(set);  // solved for other unknowns, it may have an answer
    }
  };
  return approximated(task_, found());
}

std::string SweptInput::unit_of(const std::string& parameter) const { return stated_symbols(input_).at(parameter).unit; }

std::vector<std::string> SweptInput::sets_of_curves(std::size_t curves) const {
  std::vector<std::string> names;
  if (sweep_.empty()) return names;
  for (const SweepSet& set : sweep_.sets()) names.insert(names.end(), curves, set.text());
  return names;
}

void write_responses(Task& task, const SweptInput& input, std::vector<std::vector<NamedResponse>> found, const std::string& title,
                     bool discrete, std::vector<std::optional<OscillationBand>> bands) {
  for (std::vector<NamedResponse>& set : found)
    for (NamedResponse& response : set) response.unit = task.unit_of(response.name.substr(0, response.name.find(" (")));
  const std::string& verb = task.arguments.verb();
  switch (answer_of(task.arguments, curves)) {
    case Answer::json:
      write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_json(out, found[set], verb); });
      break;
    case Answer::csv:
      write_csv(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_csv(out, found[set]); });
      break;
    case Answer::picture:
      put(task,
          response_figure(joined(found), title,
                          {.samples = discrete, .sets = input.sets_of_curves(found.front().size()), .bands = std::move(bands)}));
      break;
    case Answer::text: show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set], verb); })); break;
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
