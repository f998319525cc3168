#include "sfg/study/fit/transfer_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sfg {

namespace {

using TransferPart = TransferSamples::Part;

const double decibels_per_neper = 20 / std::numbers::ln10;
constexpr double degrees_per_radian = 180 / std::numbers::pi;

constexpr double usual = 1e-8;  ///< of values with bounds of their errors

/// Degrees within (−180, 180].
double wrapped(double degrees) {
  const double turned = std::remainder(degrees, 360);
  return turned <= -180 ? turned + 360 : turned;
}

double residual(TransferPart part, double measured, std::complex<double> T) {
  switch (part) {
    case TransferPart::real: return measured - T.real();
    case TransferPart::imaginary: return measured - T.imag();
    case TransferPart::decibels: return measured - decibels_per_neper * std::log(std::abs(T));
    case TransferPart::degrees: return wrapped(measured - degrees_per_radian * std::arg(T));
  }
  return 0;
}

double slope(TransferPart part, std::complex<double> T, std::complex<double> by_parameter) {
  switch (part) {
    case TransferPart::real: return by_parameter.real();
    case TransferPart::imaginary: return by_parameter.imag();
    case TransferPart::decibels: return decibels_per_neper * (by_parameter / T).real();
    case TransferPart::degrees: return degrees_per_radian * (by_parameter / T).imag();
  }
  return 0;
}

}  // namespace

TransferResiduals::TransferResiduals(const SignalFlowGraph& graph, std::span<const Question> questions,
                                     const std::vector<std::string>& parameters, const std::vector<double>& frequencies,
                                     std::vector<TransferSamples> samples, const Budget& budget)
    : plain_(graph, questions, {.parameters = parameters, .budget = budget}),
      with_slopes_(graph, questions, {.parameters = parameters, .budget = budget, .derivatives = parameters}),
      samples_(std::move(samples)),
      budget_(budget) {
  const double period = graph.op.discrete() ? graph.op.period().to_double() : 0;
  for (const double w : frequencies) s_.push_back(period > 0 ? std::polar(1.0, w * period) : std::complex<double>(0, w));
  for (const TransferSamples& each : samples_) size_ += each.at.size();
}

bool TransferResiduals::evaluate(std::span<const double> parameters, std::span<double> residuals, std::span<double> slopes) {
  std::vector<std::span<const double>> columns;
  for (const double& value : parameters) columns.emplace_back(&value, 1);
  const CompiledResponse& program = slopes.empty() ? plain_ : with_slopes_;
  const CompiledValues T = program.values(s_, columns, {.tolerance = bounded_ ? usual : 0, .threads = 1, .budget = budget_});
  const std::size_t points = s_.size(), count = parameters.size(), questions = program.question_count();
  std::size_t row = 0;
  for (const TransferSamples& each : samples_)
    for (std::size_t i = 0; i < each.at.size(); ++i, ++row) {
      const std::complex<double> value = T.value[each.question * points + each.at[i]];
      residuals[row] = residual(each.part, each.value[i], value) * each.weight[i];
      if (!std::isfinite(residuals[row])) return false;
      if (slopes.empty()) continue;
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t place = (questions + each.question * count + k) * points + each.at[i];
        slopes[row * count + k] = -slope(each.part, value, T.value[place]) * each.weight[i];
        if (!std::isfinite(slopes[row * count + k])) return false;
      }
    }
  return true;
}

bool TransferResiduals::check(std::span<const double> parameters) {
  if (bounded_) return true;
  std::vector<double> quick(size_), quick_slopes(size_ * parameters.size()), right = quick, right_slopes = quick_slopes;
  const bool found = evaluate(parameters, quick, quick_slopes);
  bounded_ = true;
  if (evaluate(parameters, right, right_slopes) != found) return false;
  constexpr double agreeing = 1e-7;
  const auto agree = [](const std::vector<double>& a, const std::vector<double>& b, double size) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(std::abs(a[i] - b[i]) <= agreeing * (std::abs(b[i]) + size))) return false;
    return true;
  };
  double size = 0;
  for (const TransferSamples& each : samples_)
    for (std::size_t i = 0; i < each.value.size(); ++i) size = std::max(size, std::abs(each.value[i] * each.weight[i]));
  double steepest = 0;
  for (const double slope : right_slopes) steepest = std::max(steepest, std::abs(slope));
  const bool same = agree(quick, right, size) && agree(quick_slopes, right_slopes, 1e-3 * steepest);
  bounded_ = !same;
  return same;
}

}  // namespace sfg
