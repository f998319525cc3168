#include "sfg/study/fit/signal_residuals.hpp"

#include <cmath>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"

namespace sfg {

SignalResiduals::SignalResiduals(const SignalFlowGraph& graph, SignalQuestion question,
                                 const std::vector<std::string>& parameters, std::vector<double> times,
                                 std::vector<SignalSamples> samples, const Budget& budget)
    : names_(parameters),
      graph_(graph),
      question_(std::move(question)),
      budget_(budget),
      times_(std::move(times)),
      samples_(std::move(samples)) {
  for (const SignalSamples& each : samples_) size_ += each.at.size();
  for (const std::string& name : names_) symbols_.push_back(graph_.symbols.at(name).expr);
  std::vector<GiNaC::ex> kept = symbols_;
  kept.push_back(graph_.op.in(graph_.symbols));
  kept.push_back(question_.time);
  values_ = values_keeping(graph_.symbols, kept);
  graph_ = graph_.substituted(values_);
}

bool SignalResiduals::evaluate(std::span<const double> parameters, std::span<double> residuals, std::span<double> slopes) {
  const FollowedSignals found = follow(parameters, !slopes.empty());
  std::size_t row = 0;
  for (const SignalSamples& each : samples_)
    for (std::size_t i = 0; i < each.at.size(); ++i, ++row) {
      const auto time = static_cast<Eigen::Index>(each.at[i]), output = static_cast<Eigen::Index>(each.output);
      residuals[row] = (each.value[i] - found.value(time, output)) * each.weight[i];
      if (!std::isfinite(residuals[row])) return false;
      if (slopes.empty()) continue;
      for (std::size_t k = 0; k < parameters.size(); ++k) {
        const double slope = -found.slope[k](time, output) * each.weight[i];
        if (!std::isfinite(slope)) return false;
        slopes[row * parameters.size() + k] = slope;
      }
    }
  return true;
}

SignalFlowGraph with_parameters(SignalFlowGraph graph, const std::vector<std::string>& names, std::span<const double> values) {
  for (std::size_t k = 0; k < names.size(); ++k)
    graph.symbols.find(names[k])->value = GiNaC::ex(numeric_value(exact::Rational::of(values[k])));
  return graph;
}

}  // namespace sfg
