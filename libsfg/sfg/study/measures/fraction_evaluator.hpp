#pragma once
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/measures/axis_measures.hpp"
#include "sfg/study/measures/coefficient_program.hpp"
#include "sfg/study/measures/pole_measures.hpp"
#include "sfg/study/measures/step_measures.hpp"

// Not installed.
namespace sfg {

/// A transfer function as a program, with what is known of it at the stated values.
struct CompiledFraction {
  CoefficientProgram program;
  std::vector<double> nominal;              ///< outputs of the tape
  std::vector<std::complex<double>> roots;  ///< of the denominator; infinite ones where its degree drops at the stated values
  std::vector<std::complex<double>> poles;  ///< those that do not cancel at the stated values
  /// At the stated values the fraction has a lower degree than beside them: a leading coefficient vanishes, or a pole cancels.
  bool degenerate = false;
  double unit = 1;

  NumberFraction at(std::span<const double> outputs) const {
    const std::size_t n = program.numerator_size(), d = program.denominator_size();
    return {outputs.first(n), outputs.subspan(n, d), program.delayed() ? outputs[n + d] : 0.0};
  }
  /// ∂(measure)/∂(parameter) from ∂(measure)/∂(coefficient), by one sweep back.
  void sweep_back(std::span<const double> point, const CoefficientSlopes&, std::span<double> derivative) const;
};

/// Nothing where the transfer function is no fraction of polynomials that can be written down. The program is that of values in
/// general: what the stated ones make vanish or cancel is there beside them.
std::optional<CompiledFraction> compiled_fraction(const SignalFlowGraph&, const Question&,
                                                  const std::vector<std::string>& parameters, std::span<const double> nominal,
                                                  const Budget&);

/// The measures of a fraction, point after point, with memory of their own.
class FractionEvaluator {
 public:
  explicit FractionEvaluator(const CompiledFraction& fraction)
      : fraction_(fraction),
        axis_(fraction.program, fraction.unit),
        poles_(fraction.program.op(), fraction.at(fraction.nominal).denominator, fraction.roots, fraction.poles, fraction.unit),
        step_(fraction.program.op(), fraction.unit) {}

  void set(std::span<const double> outputs) {
    outputs_ = outputs;
    const NumberFraction T = fraction_.at(outputs);
    axis_.set(T);
    poles_.set(T.denominator);
    step_known_ = false;
  }

  FoundMeasure operator()(const BaseMeasure&);
  /// Of the measure that was asked last. False where it has no derivative.
  bool slopes(const BaseMeasure&, CoefficientSlopes&);
  AxisMeasures& axis() { return axis_; }
  StepMeasures& step() {
    if (!step_known_) step_.set(fraction_.at(outputs_), poles_.finite());
    step_known_ = true;
    return step_;
  }

 private:
  bool cancels(std::complex<double> pole) const;

  const CompiledFraction& fraction_;
  std::span<const double> outputs_;
  AxisMeasures axis_;
  PoleMeasures poles_;
  StepMeasures step_;
  bool step_known_ = false;
};

}  // namespace sfg
