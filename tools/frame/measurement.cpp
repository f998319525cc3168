#include "tools/frame/measurement.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/measurement/touchstone.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

/// What the library advises in its own words.
Error in_words_of_options(const Error& error) {
  std::vector<Diagnostic> told(error.diagnostics().begin(), error.diagnostics().end());
  for (Diagnostic& each : told)
    for (const Remedy::Step& step : each.hint.steps())
      if (step.subject == expect_decimal_commas) {
        each.hint = "add --decimal-comma, or write decimals with a point";
        break;
      }
  return Error(std::move(told));
}

SourceSpan whole(const std::string& file) {
  SourceSpan span;
  span.file = std::make_shared<const std::string>(file);
  return span;
}

void refuse_matrix(const std::string& file) {
  if (touchstone_ports(file) == 0) return;
  throw Error(whole(file), "scattering parameters are of a circuit at its ports", "ask sfg ports --as s, or give a table (.csv)");
}

}  // namespace

std::vector<Option> data_options(const std::string& what) {
  return {{"--data",
           "FILE",
           "measured " + what + " beside the model's, as points, with a measure of misfit; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--decimal-comma", "", "the decimals of --data have a comma"}};
}

std::vector<Measurement> measurements(const Task& task, const MeasurableNames& names) {
  const std::vector<std::string> files = task.arguments.list("data");
  if (task.arguments.has("decimal-comma") && files.empty())
    throw UsageError("--decimal-comma is of the numbers of --data", "add --data FILE.csv, or leave it out");
  std::set<std::string> seen;
  std::vector<Measurement> all;
  for (const std::string& file : files) {
    if (!seen.insert(file).second) throw UsageError("--data " + file + " is given twice", "name each file once");
    refuse_matrix(file);
    try {
      all.push_back(read_measurement(text_of_file(file), file, names, {task.arguments.has("decimal-comma")}));
    } catch (const Error& error) {
      throw in_words_of_options(error);
    }
  }
  return all;
}

MeasurableNames measurable_responses(const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  MeasurableNames names{.axis = MeasuredAxis::time};
  for (const Question& question : questions)
    if (std::ranges::find(names.inputs, graph[question.input].name) == names.inputs.end())
      names.inputs.push_back(graph[question.input].name);
  for (const Question& question : questions) {
    const std::string &input = graph[question.input].name, &output = graph[question.output].name;
    names.signals.push_back(names.inputs.size() > 1 ? output + " (" + input + ")" : output);
  }
  return names;
}

MeasurableNames measurable_signals(const SignalFlowGraph& graph, const std::vector<NodeId>& outputs) {
  MeasurableNames names{.axis = MeasuredAxis::time};
  for (const NodeId output : outputs) names.signals.push_back(graph[output].name);
  for (const NodeId input : graph.stated_inputs()) names.inputs.push_back(graph[input].name);
  return names;
}

std::optional<double> last_measured(std::span<const Measurement> records) {
  double last = 0;
  for (const Measurement& record : records) last = std::max(last, record.at.back());
  return last > 0 ? std::optional(last) : std::nullopt;
}

std::vector<std::pair<std::string, SampledSignal>> measured_inputs(std::span<const Measurement> records) {
  std::vector<std::pair<std::string, SampledSignal>> all;
  for (const Measurement& record : records) {
    if (!record.inputs.empty() && !all.empty())
      throw UsageError("two records state what drove the model, and a simulation has one", "give one of them at a time");
    for (const MeasuredColumn& input : record.inputs) all.emplace_back(input.output, sampled(record, input));
  }
  return all;
}

void note_inputs(Task& task, std::span<const Measurement> records, const std::string& verb) {
  for (const Measurement& record : records)
    for (const MeasuredColumn& input : record.inputs)
      task.notes.push_back(
          {input.where,
           "the column '" + input.output + "' is not used: the response is one to a" + (verb == "step" ? " step" : "n impulse"),
           "sfg simulate follows the input that was measured", Severity::warning});
}

void note_before_start(Task& task, std::span<const Measurement> records) {
  for (const Measurement& record : records) {
    const auto rows = std::ranges::count_if(record.at, [](double time) { return time < 0; });
    if (rows == 0) continue;
    task.notes.push_back({whole(record.file),
                          (rows == 1 ? "a row lies" : std::to_string(rows) + " rows lie") +
                              std::string(" before t = 0, where the simulation begins: no value of the model is beside, and the "
                                          "misfit leaves it out"),
                          "let the times of the record begin where the state of the model is known", Severity::warning});
  }
}

void note_units(Task& task, std::span<const Measurement> records) {
  const auto note = [&](const MeasuredColumn& column) {
    if (column.unit.empty() || column.part == MeasuredPart::magnitude_db || column.part == MeasuredPart::phase_deg) return;
    const std::string own = column.input.empty() ? task.unit_of(column.output) : "";
    if (own == column.unit) return;
    task.notes.push_back({column.where,
                          "the column is in " + column.unit + ", and " +
                              (own.empty() ? "the unit of the model is not known" : "the model in " + own) +
                              ": its numbers are taken as they stand",
                          "convert the column to the units of the model", own.empty() ? Severity::note : Severity::warning});
  };
  for (const Measurement& record : records) {
    std::ranges::for_each(record.columns, note);
    std::ranges::for_each(record.inputs, note);
  }
}

}  // namespace sfg::command
