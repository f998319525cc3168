#include "sfg/ask/fit.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <set>

#include "sfg/ask/nonlinear_residuals.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/study/fit/transfer_residuals.hpp"
#include "sfg/study/identifiable/identifiable.hpp"

namespace sfg {

namespace {

/// Records one behind the other.
class AllRecords : public FitResiduals {
 public:
  void add(std::unique_ptr<FitResiduals> record) { records_.push_back(std::move(record)); }

  std::size_t size() const override {
    std::size_t sum = 0;
    for (const auto& record : records_) sum += record->size();
    return sum;
  }
  bool evaluate(std::span<const double> parameters, std::span<double> residuals, std::span<double> slopes) override {
    const std::size_t count = slopes.empty() ? 0 : parameters.size();
    for (const auto& record : records_) {
      const std::size_t rows = record->size();
      if (!record->evaluate(parameters, residuals.first(rows), slopes.first(rows * count))) return false;
      residuals = residuals.subspan(rows);
      slopes = slopes.subspan(rows * count);
    }
    return true;
  }
  bool check(std::span<const double> parameters) override {
    bool right = true;
    for (const auto& record : records_) right = record->check(parameters) && right;
    return right;
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> all;
    for (const auto& record : records_)
      for (const std::string& note : record->notes())
        if (std::ranges::find(all, note) == all.end()) all.push_back(note);
    return all;
  }

 private:
  std::vector<std::unique_ptr<FitResiduals>> records_;
};

double weight(const MeasuredColumn& column, std::size_t row) { return column.deviations ? 1 / (*column.deviations)[row] : 1; }

/// Its cells as samples of either kind, and as a series that is shown.
template <class Samples>
Samples samples_of(const Measurement& record, const MeasuredColumn& column, std::vector<FittedSeries>& series) {
  static const std::map<MeasuredPart, std::string> parts{{MeasuredPart::value, ""},
                                                         {MeasuredPart::real, "re"},
                                                         {MeasuredPart::imaginary, "im"},
                                                         {MeasuredPart::magnitude_db, "db"},
                                                         {MeasuredPart::phase_deg, "deg"}};
  Samples samples;
  FittedSeries& shown = series.emplace_back();
  shown.file = record.file;
  shown.input = column.input;
  shown.output = column.output;
  shown.part = parts.at(column.part);
  const bool several =
      std::ranges::any_of(record.columns, [&](const MeasuredColumn& other) { return other.input != column.input; });
  shown.name = column.output + (several ? "/" + column.input : "") + (shown.part.empty() ? "" : "_" + shown.part);
  for (std::size_t row = 0; row < column.samples.size(); ++row) {
    if (!column.samples[row]) continue;
    samples.at.push_back(row);
    samples.value.push_back(*column.samples[row]);
    samples.weight.push_back(weight(column, row));
    shown.row.push_back(row);
    shown.at.push_back(record.at[row]);
    shown.measured.push_back(*column.samples[row]);
  }
  return samples;
}

/// The place of a value in a list, added where it is new.
template <class Value>
std::size_t place(std::vector<Value>& list, const Value& value) {
  const auto at = static_cast<std::size_t>(std::ranges::find(list, value) - list.begin());
  if (at == list.size()) list.push_back(value);
  return at;
}

std::vector<std::string> names_of(const FitQuestion& question) {
  std::vector<std::string> names;
  for (const FitParameter& parameter : question.parameters) names.push_back(parameter.name);
  return names;
}

std::unique_ptr<FitResiduals> transfer_record(const SignalFlowGraph& graph, const FitQuestion& question,
                                              const Measurement& record, std::vector<FittedSeries>& series,
                                              const Budget& budget) {
  using Part = TransferSamples::Part;
  static const std::map<MeasuredPart, Part> parts{{MeasuredPart::real, Part::real},
                                                  {MeasuredPart::imaginary, Part::imaginary},
                                                  {MeasuredPart::magnitude_db, Part::decibels},
                                                  {MeasuredPart::phase_deg, Part::degrees}};
  std::vector<std::pair<std::string, std::string>> ends;
  std::vector<TransferSamples> samples;
  for (std::size_t c = 0; c < record.columns.size(); ++c) {
    const MeasuredColumn& column = record.columns[c];
    samples.push_back(samples_of<TransferSamples>(record, column, series));
    samples.back().question = place(ends, {column.input, column.output});
    samples.back().part = parts.at(column.part);
  }
  std::vector<Question> questions;
  for (const auto& [input, output] : ends)
    questions.push_back(sfg::question(graph, input, output, question.inject ? Question::Mode::inject : Question::Mode::source));
  return std::make_unique<TransferResiduals>(graph, questions, names_of(question), record.at, std::move(samples), budget);
}

/// What drives the record: its own inputs, what is stated of others, else the unit step.
SignalQuestion signal_question(const SignalFlowGraph& graph, const FitQuestion& question, const Measurement& record,
                               double begin) {
  SignalQuestion asked{.time = question.time, .inject = question.inject};
  Measurement clock;  // what is before 0 drives it, too
  clock.at = record.at;
  for (double& t : clock.at) t -= begin;
  for (const MeasuredColumn& input : record.inputs) asked.drives.push_back({graph.at(input.output), sampled(clock, input)});
  const auto driven = [&](NodeId node) {
    return std::ranges::any_of(asked.drives, [&](const Drive& drive) { return drive.node == node; });
  };
  for (const FitQuestion::Input& input : question.driven)
    if (const NodeId node = graph.at(input.name); !driven(node)) asked.drives.push_back({node, input.signal});
  if (asked.drives.empty() && question.initial.empty()) {
    for (const std::string& name : question.inputs) asked.drives.push_back({graph.at(name), GiNaC::ex(1)});
  } else {
    for (const auto& [source, rest] : rest_inputs(graph))
      if (rest.lasts && !driven(source) && !rest.value.is_zero())
        asked.drives.push_back({source, GiNaC::ex(numeric_value(rest.value))});
  }
  for (const FitQuestion::Start& start : question.initial) asked.initial.push_back({start.state, start.value});
  return asked;
}

/// Times once each, and of every row its number among them; of a graph in z all samples up to the last one.
std::vector<double> times_of(const SignalFlowGraph& graph, const Measurement& record, double begin,
                             std::vector<std::size_t>& number) {
  std::vector<double> times;
  if (graph.op.discrete()) {
    const double period = graph.op.period().to_double();
    constexpr double rounding = 1e-6;
    for (const double t : record.at) number.push_back(static_cast<std::size_t>(std::floor((t - begin) / period + rounding)));
    for (std::size_t k = 0; k <= *std::ranges::max_element(number); ++k) times.push_back(static_cast<double>(k) * period);
    return times;
  }
  for (const double t : record.at) {
    if (times.empty() || t - begin > times.back()) times.push_back(t - begin);
    number.push_back(times.size() - 1);
  }
  return times;
}

std::unique_ptr<FitResiduals> signal_record(const SignalFlowGraph& graph, const FitQuestion& question, const Measurement& record,
                                            std::vector<FittedSeries>& series, const Budget& budget) {
  const auto recorded = [&](const FitQuestion::Input& stated) {
    return std::ranges::count(record.inputs, stated.name, &MeasuredColumn::output) > 0;
  };
  const bool all_recorded = !record.inputs.empty() && std::ranges::all_of(question.driven, recorded);
  const double first = record.at.empty() ? 0 : record.at.front(), begin = all_recorded ? std::min(first, 0.0) : 0;
  if (first < begin) {
    SourceSpan where = record.columns.empty() ? SourceSpan() : record.columns.front().where;
    where.line = record.lines.empty() ? where.line : record.lines.front();
    where.column = where.length = 1;
    throw Error(where, "there are times before 0, when nothing drives the model yet",
                "count time from where the input begins, or record the input as a column");
  }
  SignalQuestion asked = signal_question(graph, question, record, begin);
  std::vector<std::size_t> number;
  std::vector<double> times = times_of(graph, record, begin, number);
  std::vector<SignalSamples> samples;
  for (std::size_t c = 0; c < record.columns.size(); ++c) {
    samples.push_back(samples_of<SignalSamples>(record, record.columns[c], series));
    samples.back().output = place(asked.outputs, graph.at(record.columns[c].output));
    for (std::size_t& at : samples.back().at) at = number[at];
  }
  const auto make = has_laws(graph, asked) ? nonlinear_residuals : linear_residuals;
  return make(graph, std::move(asked), names_of(question), std::move(times), std::move(samples), budget);
}

/// Whether a parameter stands in a dead time.
bool is_dead_time(const SignalFlowGraph& graph, const std::string& name) {
  const GiNaC::ex s = graph.op.in(graph.symbols);
  const auto delays = [&](const GiNaC::ex& part) {
    return function_name(part) == "exp" && part.has(s) && std::ranges::any_of(symbol_names(part), [&](const std::string& each) {
             const Symbol* symbol = graph.symbols.find(each);
             return each == name || (symbol && std::ranges::count(bases_of(graph.symbols, *symbol), name) > 0);
           });
  };
  return std::ranges::any_of(graph.branches(), [&](const Branch& branch) {
    if (!branch.linear()) return false;
    const GiNaC::ex& gain = branch.gain();
    return std::any_of(gain.preorder_begin(), gain.preorder_end(), delays);
  });
}

/// The longest dead time that a record could show: its length; over frequency, until phases turn around between two of its
/// points.
double latest_of(const Measurement& record) {
  const auto [first, last] = std::ranges::minmax_element(record.at);
  if (record.at.size() < 2 || *first == *last) return 0;
  if (record.axis == MeasuredAxis::time) return *last - *first;
  return std::numbers::pi * static_cast<double>(record.at.size() - 1) / (*last - *first);
}

/// What the residuals at the end say of every cell.
void state_residuals(const FitQuestion& question, FitAnswer& answer) {
  std::size_t next = 0, column = 0;
  for (std::size_t i = 0; i < answer.series.size(); ++i, ++column) {
    FittedSeries& series = answer.series[i];
    if (i > 0 && series.record != answer.series[i - 1].record) column = 0;
    for (std::size_t k = 0; k < series.row.size(); ++k, ++next) {
      const MeasuredColumn& measured = question.records[series.record].columns[column];
      series.residual.push_back(answer.fit.residuals[next] / weight(measured, series.row[k]));
      series.model.push_back(series.measured[k] - series.residual[k]);
    }
  }
}

/// Transfer functions of the records, where all that they show is in these.
std::vector<Question> questions_of_records(const SignalFlowGraph& graph, const FitQuestion& question) {
  std::vector<Question> questions;
  const auto add = [&](const std::string& input, const std::string& output) {
    questions.push_back(sfg::question(graph, input, output, question.inject ? Question::Mode::inject : Question::Mode::source));
  };
  for (const Measurement& record : question.records)
    for (const MeasuredColumn& column : record.columns) {
      if (record.axis == MeasuredAxis::frequency) {
        add(column.input, column.output);
        continue;
      }
      if (!question.initial.empty()) return {};
      if (record.inputs.empty() && question.driven.empty())
        for (const std::string& input : question.inputs) add(input, column.output);
      for (const MeasuredColumn& input : record.inputs) add(input.output, column.output);
      for (const FitQuestion::Input& input : question.driven) add(input.name, column.output);
    }
  return questions;
}

/// Combinations that are exact, where the model is the reason for which the data do not tell all: its transfer functions do not.
void state_exactly(const SignalFlowGraph& graph, const FitQuestion& question, Fit& fit, const Budget& budget) {
  std::set<std::string> unknown;
  for (const FittedParameter& p : fit.parameters)
    if (!p.determined) unknown.insert(p.name);
  if (unknown.empty()) return;
  for (const FitQuestion::Input& input : question.driven)
    if (const auto* expression = std::get_if<GiNaC::ex>(&input.signal))
      for (const std::string& name : unknown)
        if (expression->has(graph.symbols.at(name).expr)) return;
  IdentifiableOptions options{.budget = budget};
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.kind == SymbolKind::parameter && symbol.name != graph.op.symbol() && !unknown.contains(symbol.name) &&
        !is_derived(symbol))
      options.known.push_back(symbol.name);
  try {
    const std::vector<Question> questions = questions_of_records(graph, question);
    if (questions.empty() || !graph.linear()) return;
    const Identifiable exact = identifiable(graph, questions, options);
    if (exact.combinations.size() != fit.combinations.size()) return;  // it is the data, too
    std::vector<std::string> texts;
    for (const RationalFunction& combination : exact.combinations) texts.push_back(combination.text());
    fit.combinations = texts;
  } catch (const Failure&) {  // to first order, then
    budget.check("the fit");
  }
}

}  // namespace

FitAnswer fitted(const SignalFlowGraph& graph, const FitQuestion& question, const FitOptions& options) {
  AllRecords all;
  FitAnswer answer;
  for (std::size_t number = 0; number < question.records.size(); ++number) {
    const Measurement& record = question.records[number];
    const std::size_t before = answer.series.size();
    const bool of_time = record.axis == MeasuredAxis::time;
    all.add((of_time ? signal_record : transfer_record)(graph, question, record, answer.series, options.budget));
    for (std::size_t i = before; i < answer.series.size(); ++i) answer.series[i].record = number;
  }
  std::vector<FitParameter> parameters = question.parameters;
  for (FitParameter& parameter : parameters)
    if (is_dead_time(graph, parameter.name))
      for (const Measurement& record : question.records) parameter.latest = std::max(parameter.latest, latest_of(record));
  answer.fit = fitted(all, parameters, options);
  state_exactly(graph, question, answer.fit, options.budget);
  state_residuals(question, answer);
  return answer;
}

}  // namespace sfg
