#pragma once
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/compare/model_pair.hpp"

namespace sfg {

/// A point at which two transfer functions have different values.
struct Counterexample {
  std::size_t transfer = 0;           ///< of the pairs
  std::optional<double> frequency{};  ///< rad/s; nothing where neither depends on the operator
  std::complex<double> a, b;          ///< infinite at a pole
  /// Values of the parameters as text, exact; the same for both models.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  bool stated = true;  ///< every value is a stated one; false: some were chosen
};

double magnitude_db(std::complex<double>);
double phase_deg(std::complex<double>);  ///< in (−180°, 180°]

/// The plainest frequency (1, 10, 0.1, 2 … rad/s) at which the pair differs by a tenth, else where it differs most. Parameters
/// have their stated values, those of a first; where these are missing, or make no difference, small integers.
/// @returns nothing where no difference shows in the decimals.
/// @throws as CompiledResponse.
std::optional<Counterexample> counterexample(const ModelPair&, std::size_t transfer, const Budget& = {});

}  // namespace sfg
