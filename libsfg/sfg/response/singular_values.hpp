#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/response/frequency_response.hpp"

namespace sfg {

/// Of the matrix of several frequency responses: how much it amplifies at most and at least, over all directions of a sinusoid at
/// its inputs.
struct SingularValues {
  std::vector<std::string> inputs = {}, outputs = {};
  std::vector<double> frequency = {};            ///< rad/s
  std::vector<std::vector<double>> values = {};  ///< a list a frequency, descending; NaN on a pole of the axis
  /// Bound of the error of each of them at a frequency: from what is left of the matrix without its decomposition, computed with
  /// more digits (Weyl 1912; Ostrowski 1959 for directions that are not quite orthogonal), and the error of the entries.
  std::vector<double> error = {};
};

/// @param responses  at the same frequencies, from every input to every output
/// @throws std::invalid_argument for others.
SingularValues singular_values(std::span<const FrequencyResponse> responses);

}  // namespace sfg
