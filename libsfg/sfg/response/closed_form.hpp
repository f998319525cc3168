#pragma once
#include <ginac/ex.h>
#include <ginac/operators.h>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// A signal whose Laplace transform is rational from piece to piece: u(t) = Σ_j 1(t − t_j) f_j(t − t_j) for t ≥ 0.
struct InputSignal {
  struct Piece {
    exact::Rational start;                     ///< t_j ≥ 0, s
    std::vector<exact::Rational> numerator;    ///< of the transform of f_j: highest power first; {} for 0
    std::vector<exact::Rational> denominator;  ///< as above
  };
  std::vector<Piece> pieces;  ///< ascending start; {} for 0
  bool rounded = false;       ///< an irrational constant (exp(1), sin(1), pi) entered as a rational of 120 digits
};

/// The unit step, or the unit impulse, times a factor.
InputSignal step_signal(const exact::Rational& factor = 1);
InputSignal impulse_signal(const exact::Rational& factor = 1);

/// The exact form of an expression of time: sums and products of constants, t, exp, sin, cos, sinh and cosh of a·t + b, and of
/// step, sign, abs, min and max where what they ask about is a·t + b. Nothing for any other expression (tanh(t), sqrt(t),
/// sin(t^2)).
/// @param u  an expression of `t` alone, every parameter a number.
std::optional<InputSignal> input_signal(const GiNaC::ex& u, const GiNaC::ex& t);

/// The last time at which step, sign, abs, min or max of a·t + b switch somewhere in the expression; 0 where none does.
double last_switch(const GiNaC::ex& u, const GiNaC::ex& t);

/// The inverse Laplace transform of a rational function as an expression in `t`, for t > 0, where its poles are known in
/// closed form: rational poles and pairs from quadratic factors over ℚ, of any multiplicity. Impulses are left out.
/// Nothing when a factor of the denominator has a higher degree.
/// @param numerator, denominator  highest power first.
std::optional<GiNaC::ex> inverse_laplace(std::span<const exact::Rational> numerator, std::span<const exact::Rational> denominator,
                                         const GiNaC::ex& t);

/// The response of a transfer function to an input with exact form; pieces that begin later and dead time carry a step(t - t0).
/// Nothing where a factor of a denominator is of higher degree than two, where a constant of
/// the input is irrational, dead time lies inside a loop, or the order is beyond 16.
std::optional<ClosedForm> time_function(const ExactTransfer&, const InputSignal&, const GiNaC::ex& t);

/// A time function with symbols for the parameters.
struct SymbolicResponse {
  GiNaC::ex value;                       ///< for t > 0
  std::vector<GiNaC::ex> impulses = {};  ///< weights of δ, δ′, … at 0; some may be 0
  GiNaC::ex initial;                     ///< at 0+
  std::optional<GiNaC::ex>
      final;  ///< T(0) of a step, 0 of an impulse: the limit where the poles are stable; nothing for a pole at 0
  std::vector<GiNaC::ex>
      positive;  ///< assumed positive: 4ac − b² of the quadratic factors; elsewhere sin and cos are of imaginary angles
};
/// The step or impulse response with symbols. Nothing where a factor of the denominator is of higher degree than two in the
/// operator.
/// @throws NoAnswer when a gain is not rational in the operator.
std::optional<SymbolicResponse> symbolic_response(const TransferFunction&, const GiNaC::ex& variable, Excitation excitation,
                                                  const GiNaC::ex& t);

/// The time functions f_k, g_k of 1/(s² + q)^k and s/(s² + q)^k from those of k = 1: from −t f_k = dF_k/ds and the same of g_k
/// follow g_(k+1) = t f_k/(2k) and f_(k+1) = ((2k − 1) f_k − t g_k)/(2kq).
inline std::pair<GiNaC::ex, GiNaC::ex> pair_functions(GiNaC::ex f, GiNaC::ex g, const GiNaC::ex& q, std::size_t k,
                                                      const GiNaC::ex& t) {
  for (std::size_t i = 1; i < k; ++i) {
    const GiNaC::ex twice = static_cast<unsigned long>(2 * i), next = ((twice - 1) * f - t * g) / (twice * q);
    g = t * f / twice;
    f = next;
  }
  return {f, g};
}

}  // namespace sfg
