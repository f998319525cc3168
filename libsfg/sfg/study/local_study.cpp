#include "sfg/study/local_study.hpp"

#include <ginac/ginac.h>

#include <cmath>
#include <limits>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/study/exact_measure.hpp"

namespace sfg {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// The value of a measure by the certified passes; NaN where it does not exist.
double certified(const Measure& measure, const ExactTransfer& T, const ExactTransfer& loop, const GiNaC::exmap& parameters) {
  GiNaC::exmap values = parameters;
  for (std::size_t i = 0; i < measure.bases.size(); ++i) {
    const auto found = exact_measure(T, loop, measure.bases[i]);
    if (!found) return none;
    if (measure.base()) return *found;
    values[measure.symbols[i]] = numeric_value(exact::Rational::of(*found));
  }
  return double_value(measure.expression.subs(values, GiNaC::subs_options::no_pattern)).value_or(none);
}

[[noreturn]] void refuse(const MeasureProgram& program, std::size_t measure) {
  const std::string why = program.missing(measure, program.nominal());
  const std::string& name = program.measures()[measure].text;
  throw NoAnswer(why.empty() ? "the measure '" + name + "' does not exist for these values" : why, Advice::substitute_others);
}

}  // namespace

LocalStudy local_study(const MeasuredSystem& system, const std::vector<StudyParameter>& parameters,
                       const std::vector<Measure>& measures, const Budget& budget) {
  const SignalFlowGraph& graph = system.graph;
  const GiNaC::exmap values = graph.symbols.values();
  LocalStudy result{graph[system.question.input].name, graph[system.question.output].name, {}};
  std::vector<std::string> symbols;
  std::vector<double> nominal;
  for (const StudyParameter& parameter : parameters) {
    if (!values.contains(parameter.symbol)) continue;
    result.parameters.push_back(parameter.name);
    symbols.push_back(GiNaC::ex_to<GiNaC::symbol>(parameter.symbol).get_name());
    nominal.push_back(double_value(parameter.nominal.subs(values, GiNaC::subs_options::no_pattern)).value_or(none));
  }
  const TransferOptions options{.budget = budget};
  const ExactTransfer T = exact_transfers(graph, std::span(&system.question, 1), options).front();
  const ExactTransfer loop =
      system.loop ? exact_transfers(system.loop->first, std::span(&system.loop->second, 1), options).front() : T;
  const MeasureProgram program(system, measures, symbols, budget);
  const LocalMeasures found = program.at(program.nominal());
  for (std::size_t m = 0; m < measures.size(); ++m) {
    MeasureSensitivity& row =
        result.measures.emplace_back(measures[m].text, measures[m].unit, certified(measures[m], T, loop, values));
    if (!std::isfinite(row.value)) refuse(program, m);
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      const double slope = found.derivative[m * symbols.size() + k] + 0.0;
      row.derivative.push_back(slope);
      row.relative.push_back(row.value == 0 ? none : nominal[k] / row.value * slope + 0.0);
    }
  }
  return result;
}

}  // namespace sfg
