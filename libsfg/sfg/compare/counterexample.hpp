#pragma once
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/compare/model_pair.hpp"

namespace sfg {

/// A point at which two transfer functions have different values, proved in ball arithmetic.
struct Counterexample {
  std::size_t transfer = 0;           ///< of the pairs
  std::optional<double> frequency{};  ///< rad/s; nothing where neither depends on the operator
  std::complex<double> a, b;          ///< infinite at a pole
  /// Values of the parameters as text, exact; the same for both models.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  bool stated = true;  ///< every value is a stated one; false: some were chosen
  bool proved = true;  ///< by balls that do not touch; false: seen in double precision
};

struct CounterexampleOptions {
  bool known = true;      ///< that they differ is proved already: a point where no balls tell them apart will do
  bool positive = false;  ///< letters without a stated value are positive
  Budget budget = {};
};

double magnitude_db(std::complex<double>);
double phase_deg(std::complex<double>);  ///< in (−180°, 180°]

/// The plainest frequency (1, 10, 0.1, 2 … rad/s) at which the pair differs by a tenth, else where it differs most. Parameters
/// have their stated values, those of a first; where these are missing, or make no difference, small integers, negative ones
/// last.
/// @returns nothing where no difference shows in the decimals.
/// @throws as CompiledResponse.
std::optional<Counterexample> counterexample(const ModelPair&, std::size_t transfer, const CounterexampleOptions& = {});

/// Values of the letters, the operator among them, at which two transfer functions have different values, proved in ball
/// arithmetic: "a = -3/7, s = 1/2 + 2j". Nothing where none was found among some random ones.
std::optional<std::string> point_apart(const ModelPair&, std::size_t transfer, const CounterexampleOptions& = {});

}  // namespace sfg
