// Idea: 0 = F x + G u, a = C x + D u as one sparse system in x, a and u; Gauss–Jordan on the columns of x. A state that
// integrates leaves a condition on u instead of a value, and is determined by an argument in its turn.
#include "sfg/nonlinear/rest/rest_equations.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/transfer/descriptor_rows.hpp"

namespace sfg {

namespace {

using exact::Rational;
using Entries = SparseDescriptor::Entries;

/// Columns: states, delayed signals and freed sources, which go; then arguments, then inputs.
class RestRow {
 public:
  RestRow(const PrincipalForm& form, const ExactDynamics& exact, const RestTrim& trim, const Budget& budget)
      : form_(form), budget_(budget), exact_(exact), trim_(trim) {
    states_ = exact_.system.names.size();
    going_ = states_ + exact_.delays.size() + trim.freed.size();
    add_rows();
  }

  RestEquations operator()() {
    for (std::size_t column = 0; column < going_; ++column) eliminate(column);
    RestEquations result;
    for (const Entries& row : rows_)
      if (!row.empty() && row.begin()->first >= going_) result.equations.push_back(sum(row));
    if (result.equations.size() != form_.arguments.size() && !trim_.wanted.empty())
      throw NoAnswer(
          "the wanted values do not determine the freed inputs: a wanted signal follows from the others whatever these are, or "
          "something is free to move or to add up for ever",
          "want other signals, or free other inputs");
    if (result.equations.size() != form_.arguments.size())
      throw NoAnswer(
          "at rest not every signal that a law depends on is determined: something is free to move, or to add up for ever",
          "give the point instead, or hold it");
    for (const Entries& row : sinks_) {
      if (!row.empty() && row.begin()->first < going_)
        throw NoAnswer("at rest an output is not determined: it is free to move, or adds up for ever", "ask for another output");
      result.sinks.push_back(sum(row));
    }
    return result;
  }

 private:
  std::size_t argument_column(std::size_t i) const { return going_ + i; }
  std::size_t input_column(std::size_t input) const {
    const std::size_t own = form_.input_count();
    const auto freed = std::ranges::find(trim_.freed, input);
    if (freed != trim_.freed.end()) return states_ + exact_.delays.size() + static_cast<std::size_t>(freed - trim_.freed.begin());
    return input < own ? going_ + form_.arguments.size() + input : states_ + (input - own);
  }

  Entries row_of(const SparseDescriptor::Entries& of_states, const std::vector<SparseDescriptor::Entries>& of_inputs) const {
    Entries row(of_states.begin(), of_states.end());
    if (of_inputs.empty()) return row;
    for (const auto& [input, value] : of_inputs[0]) add_multiple(row, value, {{input_column(input), Rational(1)}});
    return row;
  }

  void add_rows() {
    const bool discrete = form_.linear.op.discrete();
    for (const auto& state : exact_.system.rows) {
      Entries row = row_of(state.F, state.G);
      if (discrete) add_multiple(row, Rational(-1), {{state.own, Rational(1)}});  // x of the next sample is x
      rows_.push_back(std::move(row));
    }
    const auto& outputs = exact_.system.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      Entries row = row_of(outputs[i].C, outputs[i].D);
      const std::size_t sinks = form_.arguments.size(), delayed = sinks + form_.sinks.size();
      if (i >= sinks && i < delayed) {
        for (const auto& wanted : trim_.wanted)
          if (wanted.sink == i - sinks) {
            Entries& equal = rows_.emplace_back(row);
            add_multiple(equal, Rational(-1), {{input_column(wanted.source), Rational(1)}});
          }
        sinks_.push_back(std::move(row));
        continue;
      }
      const std::size_t column = i < sinks ? argument_column(i) : states_ + (i - delayed);
      add_multiple(row, Rational(-1), {{column, Rational(1)}});
      rows_.push_back(std::move(row));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const auto& [column, value] : rows_[i]) with_[column].insert(i);
  }

  /// Solves a row for that column and puts it into all others; the row is done then.
  void eliminate(std::size_t column) {
    budget_.check("the equations at rest");
    std::optional<std::size_t> pivot;
    for (const std::size_t i : with_[column])
      if (!pivot || rows_[i].size() < rows_[*pivot].size()) pivot = i;
    if (!pivot) return;
    const Entries solved = std::exchange(rows_[*pivot], {});
    for (const auto& [other, value] : solved) with_[other].erase(*pivot);
    const Rational scale = Rational(-1) / solved.at(column);
    const std::set<std::size_t> touched = with_[column];
    for (const std::size_t i : touched) {
      for (const auto& [other, value] : rows_[i]) with_[other].erase(i);
      add_multiple(rows_[i], rows_[i].at(column) * scale, solved);
      for (const auto& [other, value] : rows_[i]) with_[other].insert(i);
    }
    for (Entries& sink : sinks_)
      if (const auto entry = sink.find(column); entry != sink.end()) add_multiple(sink, entry->second * scale, solved);
  }

  RestEquations::Sum sum(const Entries& row) const {
    RestEquations::Sum sum;
    const std::size_t inputs = going_ + form_.arguments.size(), laws = inputs + form_.sources.size();
    for (const auto& [column, value] : row)
      if (column < inputs)
        sum.arguments.emplace(column - going_, value);
      else if (column < laws)
        sum.sources.emplace(column - inputs, value);
      else
        sum.laws.emplace(column - laws, value);
    return sum;
  }

  const PrincipalForm& form_;
  const Budget& budget_;
  const ExactDynamics& exact_;
  const RestTrim& trim_;
  std::size_t states_ = 0, going_ = 0;
  std::vector<Entries> rows_, sinks_;
  std::map<std::size_t, std::set<std::size_t>> with_;  // of every column its rows
};

}  // namespace

RestEquations rest_equations(const PrincipalForm& form, const ExactDynamics& exact, const RestTrim& trim, const Budget& budget) {
  return RestRow(form, exact, trim, budget)();
}

}  // namespace sfg
