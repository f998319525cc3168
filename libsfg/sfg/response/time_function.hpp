#pragma once
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/delayed_loop.hpp"
#include "sfg/exact/inverse_laplace.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// The parts of a sum with dead time, as the ring takes them.
std::vector<exact::DelayedPolynomial> delayed_polynomials(const QuasiPolynomial&);
/// Σ p_k(s) q(s) e^(−(τ_k + delay) s).
QuasiPolynomial product(const QuasiPolynomial&, const exact::RationalPolynomial&, const exact::Rational& delay = 0);

/// Weights at one time and of one order are added; what adds up to 0 is left out. Ascending.
std::vector<exact::DelayedImpulse> added(std::vector<exact::DelayedImpulse>);

/// The time function of N(s)/D(s) up to a time: partial fractions in ball arithmetic, one for each dead time of N; with dead time
/// in D the method of steps (exact/delayed_loop), and a Padé approximant, said so, where that is too long.
class TimeFunction {
 public:
  /// @param pade_order  0: no approximant.
  /// @throws LimitReached  when the method of steps is too long and there is to be no approximant; by the budget.
  /// @throws NoAnswer  when what has gone round a loop is differentiated, or comes back before it went.
  TimeFunction(const QuasiPolynomial& numerator, const QuasiPolynomial& denominator, double until, std::size_t pade_order = 8,
               const Budget& = {});

  /// At a jump the limit from the right.
  std::vector<double> at(std::span<const double> times) const;
  double at(double time) const { return at(std::span(&time, 1)).front(); }
  const std::vector<exact::DelayedImpulse>& impulses() const noexcept { return impulses_; }
  /// What is to be said of the way it was found.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  struct Part {
    double delay;
    exact::InverseLaplace function;
  };
  void add_parts(const QuasiPolynomial& numerator, const QuasiPolynomial& denominator, double until);

  std::variant<std::vector<Part>, exact::DelayedLoop> value_;
  std::vector<exact::DelayedImpulse> impulses_;
  std::vector<std::string> notes_;
  Budget budget_;
};

/// How a signal with the transform N(s)/D(s) goes on for t → ∞.
struct LongTerm {
  enum class Kind { settles, oscillates, grows, unknown };
  Kind kind = Kind::settles;
  exact::Rational limit = {};  ///< where it settles
};
/// By the roots of D: exact for polynomials; with dead time in D by their proven number to the right of the axis, and unknown
/// where that number is.
LongTerm long_term(const QuasiPolynomial& numerator, const QuasiPolynomial& denominator, const Budget& = {});

}  // namespace sfg
