#pragma once
#include <map>
#include <optional>

#include "sfg/study/local/root_sensitivity.hpp"
#include "sfg/study/measures/measure.hpp"
#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

// Not installed: derivatives of measures by the certified passes.
namespace sfg {

/// ∂(measure)/∂(parameter) from ∂T/∂k as a transfer function of its own (exact_sensitivity()), one parameter at a time: slower
/// than the measures' program, and also where that has none (multiple poles, a degree that changes with the parameter).
class ExactSlopes {
 public:
  /// @param T  the transfer function at the stated values
  ExactSlopes(StudiedGraph, Question, ExactTransfer T, TransferOptions);

  /// @param value  of the measure. @returns NaN where it has no derivative, or none is known here
  double operator()(const BaseMeasure&, double value, std::size_t parameter);

  const StudyParameter& parameter(std::size_t index) const { return studied_.parameters[index]; }
  GiNaC::exmap derived() const;  ///< parameters that follow from others

 private:
  const ExactTransfer& sensitivity(std::size_t parameter);
  double response(const ExactTransfer&, double t) const;
  double rate(double t) const;
  std::optional<double> crossing(double level) const;

  double of_step(const BaseMeasure&, double value, const ExactTransfer& slope) const;
  double of_axis(const BaseMeasure&, double value, const ExactTransfer& slope) const;
  double of_poles(const BaseMeasure&, std::size_t parameter);

  StudiedGraph studied_;
  Question question_;
  ExactTransfer T_;
  TransferOptions options_;
  std::map<std::size_t, ExactTransfer> known_;
  std::optional<RootSensitivities> poles_;
};

}  // namespace sfg
