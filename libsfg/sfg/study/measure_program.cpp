#include "sfg/study/measure_program.hpp"

#include <ginac/ginac.h>

#include <cmath>
#include <limits>
#include <mutex>

#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/study/exact_measure.hpp"

namespace sfg {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

struct MeasureProgram::Impl {
  MeasuredSystem system;
  std::vector<Measure> measures;
  std::vector<std::string> parameters;
  std::vector<double> nominal;
  Budget budget;
  mutable std::mutex exact;  // GiNaC is not to be used by several threads

  double value(const Measure& measure, const ExactTransfer& T, const ExactTransfer& loop, std::span<const double> point) const {
    GiNaC::exmap values;
    for (std::size_t i = 0; i < measure.bases.size(); ++i) {
      const auto found = exact_measure(T, loop, measure.bases[i]);
      if (!found) return none;
      values[measure.symbols[i]] = GiNaC::numeric(*found);
    }
    for (std::size_t k = 0; k < parameters.size(); ++k)
      values[system.graph.symbols.at(parameters[k]).expr] = GiNaC::numeric(point[k]);
    for (const auto& [symbol, number] : system.graph.symbols.values()) values.emplace(symbol, number);
    return double_value(measure.expression.subs(values, GiNaC::subs_options::no_pattern)).value_or(none);
  }

  ExactTransfer transfer(SignalFlowGraph graph, const Question& question, std::span<const double> point) const {
    for (std::size_t k = 0; k < parameters.size(); ++k)
      if (point[k] != nominal[k]) graph.symbols.find(parameters[k])->value = numeric_value(exact::Rational::of(point[k]));
    return exact_transfers(graph, std::span(&question, 1), {.budget = budget}).front();
  }

  std::vector<double> values(std::span<const double> point) const {
    const std::lock_guard lock(exact);
    const ExactTransfer T = transfer(system.graph, system.question, point);
    const ExactTransfer loop = system.loop ? transfer(system.loop->first, system.loop->second, point) : T;
    std::vector<double> result;
    for (const Measure& measure : measures) result.push_back(value(measure, T, loop, point));
    return result;
  }
};

MeasureProgram::MeasureProgram(MeasuredSystem system, std::vector<Measure> measures, std::vector<std::string> parameters,
                               const Budget& budget)
    : impl_(std::make_unique<Impl>()) {
  impl_->system = std::move(system);
  impl_->measures = std::move(measures);
  impl_->parameters = std::move(parameters);
  impl_->budget = budget;
  const GiNaC::exmap values = impl_->system.graph.symbols.values();
  for (const std::string& name : impl_->parameters) {
    const auto value = values.find(impl_->system.graph.symbols.at(name).expr);
    if (value == values.end()) throw missing_values({name}, impl_->system.graph.symbols);
    impl_->nominal.push_back(double_value(value->second).value_or(none));
  }
}
MeasureProgram::~MeasureProgram() = default;
MeasureProgram::MeasureProgram(MeasureProgram&&) noexcept = default;
MeasureProgram& MeasureProgram::operator=(MeasureProgram&&) noexcept = default;

std::size_t MeasureProgram::size() const noexcept { return impl_->measures.size(); }
const std::vector<Measure>& MeasureProgram::measures() const noexcept { return impl_->measures; }
const std::vector<std::string>& MeasureProgram::parameters() const noexcept { return impl_->parameters; }
std::span<const double> MeasureProgram::nominal() const noexcept { return impl_->nominal; }

void MeasureProgram::evaluate(std::size_t points, std::span<const double> parameters, std::span<double> values) const {
  const std::size_t n = impl_->parameters.size();
  std::vector<double> point(n);
  for (std::size_t p = 0; p < points; ++p) {
    impl_->budget.check("the measures");
    for (std::size_t k = 0; k < n; ++k) point[k] = parameters[k * points + p];
    const std::vector<double> found = impl_->values(point);
    for (std::size_t m = 0; m < found.size(); ++m) values[m * points + p] = found[m];
  }
}

LocalMeasures MeasureProgram::at(std::span<const double> parameters) const {
  return {impl_->values(parameters), std::vector<double>(size() * parameters.size(), none)};
}

std::string MeasureProgram::missing(std::size_t measure, std::span<const double> parameters) const {
  return std::isfinite(impl_->values(parameters)[measure]) ? "" : impl_->measures[measure].text + " does not exist here";
}

}  // namespace sfg
