#pragma once
#include <ginac/ex.h>

#include <optional>
#include <vector>

#include "sfg/exact/rational.hpp"

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

}  // namespace sfg
