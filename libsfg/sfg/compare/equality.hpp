#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/compare/model_pair.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// What is known of two transfer functions.
enum class Sameness {
  same,
  different,
  open,  ///< neither was proved
};

/// All of one, some of the other: different where one is, else open where one is.
Sameness combined(std::span<const Sameness>);

/// Whether the transfer functions of two models are the same, and how that is known.
struct Equality {
  enum class Method {
    exact,    ///< the fractions are the same polynomials; or they differ at a point modulo a prime, which proves that they differ
    modular,  ///< the same at random points modulo primes
    balls,    ///< some differ at a point in ball arithmetic; all else is exact
  };
  std::vector<Sameness> same = {};  ///< of every pair
  Method method = Method::exact;
  bool functions = false;        ///< the gains have functions or roots: what is said of polynomials is of those in their letters
  double error_probability = 0;  ///< that transfer functions called the same differ (Schwartz–Zippel)
  std::size_t points = 0;        ///< at which both models were eliminated
  /// Of every pair in lowest terms; empty where they were too large or not wanted.
  std::vector<TransferFunction> a = {}, b = {};

  bool all() const;  ///< the same
};

struct EqualityOptions {
  Budget budget = {};
  std::uint64_t seed = 1;
  /// Products that an expanded fraction may have before the answer rests on the modular check alone.
  std::uint64_t exact_terms = 200'000;
  std::size_t points = 4;
  bool positive = false;  ///< letters but the operator are positive, so that √(K²) is K
};

/// Values of the transfer functions of one model at a point, one for each pair; nothing where the point is unlucky.
std::vector<std::optional<std::uint64_t>> responses_modulo(const SignalFlowGraph&, std::span<const Question>, const ModularPoint&,
                                                           const Budget& = {});

/// The questions of one side.
std::vector<Question> questions_of_a(const ModelPair&);
std::vector<Question> questions_of_b(const ModelPair&);
/// Points at which the gains of both models have values.
RandomPoints random_points(const ModelPair&);

/// Compares by two routes that share no code: elimination of both graphs modulo 61-bit primes at random points, and, where that
/// sees no difference, the closed forms of both from their determinant diagrams, as polynomials. Functions and roots are written
/// by letters that are independent first (IndependentFunctions); where some are left of which that is not known, a difference is
/// not proved so, and what is not the same is open: prove_apart() may find it different.
/// @throws NoAnswer where a model has no transfer function (Δ ≡ 0); sfg::Error where it is nonlinear.
Equality equality(const ModelPair&, const EqualityOptions& = {});

/// The modular check alone, of graphs over the same symbols: for candidates of an explanation.
bool same_modulo(const SignalFlowGraph& a, std::span<const Question> of_a, const SignalFlowGraph& b,
                 std::span<const Question> of_b, std::size_t points, const Budget& = {});

}  // namespace sfg
