#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sfg/ddd/determinant_diagram.hpp"

namespace sfg::ddd {

/// A ring with division by what is not zero.
template <class R>
concept Field = Ring<R> && requires(const R& r, typename R::Value a) {
  { r.divide(a, a) } -> std::convertible_to<typename R::Value>;
};

struct EliminationOptions {
  /// The last so many rows and columns are not eliminated: what becomes of them is the result (Schur complement).
  std::size_t kept = 0;
  /// Values of the entries modulo 2^61 − 1 at a random point: no pivot vanishes there, and what does is dropped, so that the plan
  /// is right, with certainty for all practical purposes, even where entries depend on each other. Empty: entries are
  /// independent.
  std::span<const std::uint64_t> sample = {};
  /// Which entries are pivots: any; or those of the diagonal as long as one is left, which is node elimination in the proper
  /// sense and loses far fewer digits where nodes influence each other little.
  enum class Pivots { any, diagonal } pivots = Pivots::any;
  std::uint64_t max_operations = 100'000'000;
  std::function<void(std::uint64_t)> checkpoint = {};  ///< as in BuildOptions, with the number of operations
};

/// Gaussian elimination of a sparse matrix as a list of operations, made once for a pattern and run in any field. Unlike a
/// diagram it has no width: the price is division. Pivots are those of the smallest (row − 1)·(column − 1) (Markowitz 1957).
/// In the words of signal-flow graphs: nodes are absorbed one after the other, those with the fewest new branches first.
class Elimination {
 public:
  /// @throws TooLarge               if it takes more than the operations allowed.
  /// @throws std::invalid_argument  if `sample` has a wrong length or more lines are to be kept than there are.
  explicit Elimination(const Pattern&, const EliminationOptions& = {});

  /// No pivots for all the lines to be eliminated: their determinant vanishes, and there is nothing to be run.
  bool is_singular() const noexcept { return singular_; }
  std::size_t multiplication_count() const noexcept { return multiplications_; }  ///< each with a subtraction, nearly always
  std::size_t division_count() const noexcept { return divisions_; }
  std::size_t fill() const noexcept { return fill_; }  ///< places that were zero before
  std::size_t kept() const noexcept { return kept_; }

  struct Step {
    enum class Kind : std::uint8_t {
      divide,    ///< target = left / right
      negative,  ///< target = −left·right, which was zero before
      update,    ///< target = target − left·right
    } kind;
    std::uint32_t target, left, right;  ///< numbers of entries, or beyond them of quotients and of places filled in
  };
  std::size_t entry_count() const noexcept { return entry_count_; }
  std::size_t value_count() const noexcept { return value_count_; }  ///< entries, quotients and fill
  std::span<const Step> steps() const noexcept { return steps_; }
  std::span<const std::uint32_t> pivots() const noexcept { return pivots_; }
  /// kept × kept, by rows: the values that make the Schur complement; beyond value_count() where it is zero.
  std::span<const std::uint32_t> schur() const noexcept { return schur_; }
  bool negative() const noexcept { return negative_; }  ///< sign of the determinant against the product of the pivots

 private:
  friend class Markowitz;

  std::size_t entry_count_ = 0;
  std::size_t value_count_ = 0;
  std::size_t kept_ = 0;
  std::size_t fill_ = 0;
  std::size_t multiplications_ = 0;
  std::size_t divisions_ = 0;
  bool singular_ = false;
  bool negative_ = false;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> pivots_;
  std::vector<std::uint32_t> schur_;
};

template <Field R>
struct Eliminated {
  typename R::Value determinant;         ///< of the lines that are not kept
  std::vector<typename R::Value> schur;  ///< kept × kept, by rows: D − C·A⁻¹·B of the matrix [A B; C D]
};

/// Runs an elimination in a field.
/// @throws std::invalid_argument  if the number of values is not the number of entries, or the elimination is singular.
template <Field R>
Eliminated<R> eliminate(const Elimination& plan, const R& ring, std::span<const typename R::Value> entries) {
  if (entries.size() != plan.entry_count()) throw std::invalid_argument("eliminate: one value for every entry of the pattern");
  if (plan.is_singular()) throw std::invalid_argument("eliminate: the elimination is singular");
  std::vector<typename R::Value> x(entries.begin(), entries.end());
  x.resize(plan.value_count(), ring.zero());
  for (const auto& step : plan.steps()) {
    switch (step.kind) {
      case Elimination::Step::Kind::divide: x[step.target] = ring.divide(x[step.left], x[step.right]); break;
      case Elimination::Step::Kind::negative: x[step.target] = ring.negate(ring.multiply(x[step.left], x[step.right])); break;
      case Elimination::Step::Kind::update: detail::accumulate(ring, x[step.target], x[step.left], x[step.right], true); break;
    }
  }
  Eliminated<R> result{ring.one(), {}};
  for (const std::uint32_t pivot : plan.pivots()) result.determinant = ring.multiply(result.determinant, x[pivot]);
  if (plan.negative()) result.determinant = ring.negate(result.determinant);
  for (const std::uint32_t entry : plan.schur()) result.schur.push_back(entry < x.size() ? x[entry] : ring.zero());
  return result;
}

template <Field R>
Eliminated<R> eliminate(const Elimination& plan, const R& ring, const std::vector<typename R::Value>& entries) {
  return eliminate(plan, ring, std::span<const typename R::Value>(entries));
}

}  // namespace sfg::ddd
