#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <memory>
#include <span>

namespace sfg {

/// What the functions in a set of expressions are made of: letters between which no identity holds. e^(u/n) and tan(u/2n) of the
/// products u in the arguments are such letters (Ax, Annals of Mathematics 93, 1971): with them sin² + cos² is 1, sin(2a) is
/// 2 sin(a) cos(a), e^a e^b is e^(a+b), sinh(a) is (e^a − e^−a)/2, as rational functions. |x| is the root of x², of real x, and
/// min and max are made of it; what is under a root is factored, and leaves it where its sign is known. Numbers stay.
class IndependentFunctions {
 public:
  /// @param op        the operator, the only letter that is not real
  /// @param positive  all other letters are
  explicit IndependentFunctions(std::span<const GiNaC::ex> expressions, const GiNaC::ex& op = {}, bool positive = false);
  ~IndependentFunctions();
  IndependentFunctions(const IndependentFunctions&) = delete;
  IndependentFunctions& operator=(const IndependentFunctions&) = delete;

  /// Whether any expression has more than letters, numbers and whole powers.
  bool needed() const noexcept;
  /// The same function in these letters; functions that are not understood stay, each for itself.
  GiNaC::ex operator()(const GiNaC::ex&);
  /// Whether all that was rewritten so far is a rational function of independent letters: two that differ as such differ.
  bool complete() const noexcept;
  /// Whether a root is left of what may be negative. Residues of roots are those of positive numbers: to them √(K²) is K.
  bool has_open_signs() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sfg
