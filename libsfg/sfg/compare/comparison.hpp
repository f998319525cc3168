#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/compare/counterexample.hpp"
#include "sfg/compare/equality.hpp"
#include "sfg/compare/explanation.hpp"
#include "sfg/compare/model_pair.hpp"
#include "sfg/compare/pair_deviation.hpp"

namespace sfg {

/// Whether two models have the same transfer functions: the proof, or what shows and explains that they have not.
struct Comparison {
  struct Transfer {
    std::string input, output;      ///< as a calls them
    std::string input_b, output_b;  ///< as b does
    Sameness same = Sameness::open;
    std::optional<TransferFunction> a, b;  ///< in lowest terms, where they are not too large
  };
  std::string a, b;  ///< the names of the models
  Operator op;
  Sameness same = Sameness::open;  ///< with limits of deviation: within them
  Equality::Method method = Equality::Method::exact;
  bool functions = false;  ///< the gains have functions or roots (Equality)
  double error_probability = 0;
  std::vector<Transfer> transfers = {};
  bool valued = false;  ///< compared with the stated values put in
  /// With the stated values: nothing where none are stated, a value is missing that decides, or neither was proved.
  std::optional<bool> same_with_values = {};
  std::vector<StatedValue> different_values = {};  ///< of parameters of one name
  std::vector<StatedValue> one_sided_values = {};  ///< that only one states
  std::optional<Counterexample> counterexample = {};
  Explanations explanations = {};
  std::optional<DeviationLimits> limits = {};
  std::vector<PairDeviation> deviations = {};
  std::vector<std::string> notes = {};
};

struct ComparisonOptions {
  std::span<const NamePair> names = {};
  bool values = false;                         ///< put in the stated values first
  std::optional<DeviationLimits> within = {};  ///< the same is what deviates no more than this, with the stated values
  std::uint64_t exact_terms = 200'000;
  bool positive = false;  ///< take letters as positive, so that sqrt(K^2) is K
  bool explain = true;
  std::uint64_t seed = 1;
  Budget budget = {};
};

/// @throws as paired, equality and deviations. A limit that is reached after the models are known to differ ends the explanation,
/// and
///         a note says so.
Comparison compare(ComparedModel a, ComparedModel b, const ComparisonOptions& = {});

}  // namespace sfg
