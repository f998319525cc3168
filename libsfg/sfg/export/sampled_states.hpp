#pragma once
#include <vector>

#include "sfg/export/exported_motion.hpp"

namespace sfg {

/// x⁺ = A x + B u, y = C x + D u in numbers: of a graph in z its own, of another with the inputs held over the sample time.
struct SampledStates {
  using Matrix = std::vector<std::vector<double>>;
  Matrix A, B, C, D;
  std::vector<int> scales = {};  ///< state k is the subject's times 2^−scales[k]

  /// With states that keep within the range of the inputs, as far as they have bounds (the sum of the moduli of their impulse
  /// response, L. B. Jackson, 1970), and use it.
  SampledStates scaled() const;
};

/// @throws NoAnswer  where the graph is in neither z nor has a sample time
SampledStates sampled_states(const ExportSubject&, const std::vector<ExportedParameter>&, const ExportedStates&);

}  // namespace sfg
