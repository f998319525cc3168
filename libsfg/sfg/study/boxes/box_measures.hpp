#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sfg/ring/jet.hpp"
#include "sfg/study/measures/measure.hpp"

// Not installed: measures over a box of parameters.
namespace sfg {

/// Measures as functions over boxes. The range of a measure holds its value at every point of the box where it exists; the side
/// to which it fails is unbounded.
class BoxMeasures {
 public:
  /// @throws as CoefficientProgram; NoAnswer naming a measure that has no rigorous bounds
  BoxMeasures(const MeasuredSystem&, std::span<const Measure>, const std::vector<std::string>& parameters, const Budget& = {});
  ~BoxMeasures();
  BoxMeasures(const BoxMeasures&) = delete;
  BoxMeasures& operator=(const BoxMeasures&) = delete;

  /// Any number of threads may ask at once.
  /// @param parameters  all of them over the box, whose sides are some of them
  ring::Jet over(std::size_t measure, const ring::ParameterBox&, std::span<const ring::Jet> parameters) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sfg
