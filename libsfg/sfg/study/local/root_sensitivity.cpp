// A root p of D(s; k) moves with k so that D stays 0. Locally D ≈ a (s − p)^m + b δk with a = (∂^m D/∂s^m)/m! and b = ∂D/∂k,
// which is the first side of Newton's polygon wherever b ≠ 0: δp = (−b/a)^(1/m) δk^(1/m) (Puiseux 1850; Kato, Perturbation Theory
// for Linear Operators, ch. II). For m = 1 that is the derivative. D is a polynomial of s and one parameter, all others being
// numbers, so that a and b are exact but for the root, which has many more digits than are shown.
#include "sfg/study/local/root_sensitivity.hpp"

#include <ginac/ginac.h>

#include <array>
#include <cmath>
#include <limits>

#include "sfg/control/poles.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;
using ring::Polynomial;

constexpr std::size_t digits_of_roots = 80;
constexpr double vanishing = 1e-45;  // what is left of 0 with so many digits

struct ExactComplex {
  Rational real, imaginary;
};

ExactComplex product(const ExactComplex& a, const ExactComplex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

ExactComplex exact_quotient(const ExactComplex& a, const ExactComplex& b) {
  const Rational size = b.real * b.real + b.imaginary * b.imaginary;
  const ExactComplex above = product(a, {b.real, -b.imaginary});
  return {above.real / size, above.imaginary / size};
}

/// Value at a root; 0 where it is 0 but for the digits of the root that are missing.
ExactComplex exact_value_at(const RationalPolynomial& polynomial, const exact::Root& root) {
  const ExactComplex s{root.real, root.imaginary};
  const Rational modulus = s.real.abs() + s.imaginary.abs();
  ExactComplex value;
  Rational size;
  for (const Rational& coefficient : polynomial.coefficients()) {
    value = product(value, s);
    value.real += coefficient;
    size = size * modulus + coefficient.abs();
  }
  const Rational bound = size * Rational::of(vanishing);
  if (value.real.abs() <= bound) value.real = 0;
  if (value.imaginary.abs() <= bound) value.imaginary = 0;
  return value;
}

/// A part that is no more than what the missing digits of the root make of 0 is 0.
std::complex<double> rounded(const ExactComplex& z) {
  const Rational bound = (z.real.abs() + z.imaginary.abs()) * Rational::of(vanishing);
  const auto part = [&](const Rational& x) { return x.abs() <= bound ? 0.0 : x.to_double(); };
  return {part(z.real), part(z.imaginary)};
}

/// a + b, 0 where that is no more than rounding.
double compensated(double a, double b) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  return std::abs(a + b) <= rounding * (std::abs(a) + std::abs(b)) ? 0.0 : a + b;
}

/// A side of the transfer function with the value of the parameter put in, and its derivatives by the parameter.
struct Side {
  RationalPolynomial value, slope, bend;
};

/// Of a double root without a split of order √δk: (s − p)²·a/2 + (s − p) δk·b + δk²·e/2 has a double root itself where b² = a e.
std::optional<std::complex<double>> moved_together(const Side& side, const exact::Root& root) {
  if (side.slope.is_zero()) return 0;
  if (root.multiplicity != 2) return {};
  const ExactComplex a = exact_value_at(side.value.derivative().derivative(), root),
                     b = exact_value_at(side.slope.derivative(), root), e = exact_value_at(side.bend, root),
                     twice = product(b, b), other = product(a, e);
  const Rational size = twice.real.abs() + twice.imaginary.abs() + other.real.abs() + other.imaginary.abs();
  const Rational apart = (twice.real - other.real).abs() + (twice.imaginary - other.imaginary).abs();
  if ((a.real.is_zero() && a.imaginary.is_zero()) || apart > size * Rational::of(vanishing)) return {};
  return rounded(exact_quotient({-b.real, -b.imaginary}, a));
}

/// c with δp = c·δk^(1/m).
std::complex<double> split_root(const Side& side, const exact::Root& root) {
  const ExactComplex b = exact_value_at(side.slope, root);
  if (b.real.is_zero() && b.imaginary.is_zero()) return 0;
  RationalPolynomial taylor = side.value;
  Rational factorial = 1;
  for (std::size_t i = 1; i <= root.multiplicity; ++i) {
    taylor = taylor.derivative();
    factorial *= Rational(i);
  }
  const ExactComplex a = exact_value_at(taylor, root);
  if (a.real.is_zero() && a.imaginary.is_zero())
    throw NoAnswer("the root " + exact::decimal(root.real, 6) +
                       (root.is_real ? "" : " ± j·" + exact::decimal(root.imaginary.abs(), 6)) +
                       " coincides with one that cancels for these values: how it moves is not determined",
                   Advice::substitute_others);
  const std::complex<double> z = rounded(exact_quotient({-b.real * factorial, -b.imaginary * factorial}, a));
  if (root.multiplicity == 1) return z;
  if (z.imag() == 0 && z.real() > 0) return std::pow(z.real(), 1.0 / static_cast<double>(root.multiplicity));
  return root.multiplicity == 2 ? std::sqrt(z) : std::pow(z, 1.0 / static_cast<double>(root.multiplicity));
}

/// Numerator and denominator in s and one parameter.
class RootSides {
 public:
  RootSides(const SignalFlowGraph& graph, const Question& question, const GiNaC::ex& parameter, const TransferOptions& options)
      : question_(question), s_(graph.op.in(graph.symbols)), parameter_(parameter) {
    mostly_numbers_ = graph.substituted(values_keeping(graph.symbols, std::vector<GiNaC::ex>{parameter, s_}));
    for (const Branch& branch : mostly_numbers_.branches()) idle_ = idle_ && !(branch.linear() && branch.gain().has(parameter));
    if (!idle_) transfer_.emplace(transfer_function(mostly_numbers_, question, options));
  }

  bool idle() const { return idle_; }  ///< the parameter occurs nowhere
  Side numerator() const { return side(transfer_->value.numerator()); }
  Side denominator() const { return side(transfer_->value.denominator()); }

 private:
  Side side(const Polynomial& p) const {
    const PolynomialSpace& space = transfer_->value.space();
    GiNaC::ex slope = 0;
    for (const auto& [index, generator_slope] : dependences(space, parameter_, {}))
      slope += space.expression(p.derivative(index)) * generator_slope;
    const auto derivative = [&](const GiNaC::ex& e) {
      const std::array<GiNaC::ex, 2> both{e, s_};
      return numbers(PolynomialSpace(both, s_).rational(e));
    };
    return {numbers(RationalFunction(space, p, Polynomial::constant(space.context(), 1))), derivative(slope),
            derivative(slope.diff(GiNaC::ex_to<GiNaC::symbol>(parameter_)))};
  }
  RationalPolynomial numbers(const RationalFunction& f) const {
    const Polynomial one = Polynomial::constant(f.space().context(), 1);
    const ExactTransfer found = exact_transfer(TransferFunction{question_, f, one, {}, {}}, mostly_numbers_);
    if (found.numerator.parts.size() > 1 || !found.denominator.rational())
      throw NoAnswer("dead time inside the loops: there are infinitely many roots", Advice::pade);
    if (found.numerator.parts.empty()) return {};
    return found.numerator.parts.front().polynomial *
           RationalPolynomial::constant(Rational(1) / found.denominator.polynomial().leading());
  }

  Question question_;
  GiNaC::ex s_, parameter_;
  SignalFlowGraph mostly_numbers_;
  bool idle_ = true;
  std::optional<TransferFunction> transfer_;
};

/// Of p, or of ln(z)/h.
std::optional<RootSensitivity::Oscillation> oscillation(const RootSensitivity& pole, const Operator& op) {
  const std::complex<double> z = pole.root.value, p = op.in_s(z);
  const double h = op.period().to_double();
  RootSensitivity::Oscillation result;
  result.frequency = std::abs(p);
  if (pole.root.multiplicity > 1 || result.frequency == 0 || !std::isfinite(result.frequency)) return {};
  result.damping = -p.real() / result.frequency + 0.0;
  for (const std::complex<double> slope : pole.slope) {
    const std::complex<double> dp = op.discrete() ? slope / (z * h) : slope;
    const double frequency = compensated(p.real() * dp.real(), p.imag() * dp.imag()) / result.frequency;
    result.frequency_slope.push_back(frequency);
    result.damping_slope.push_back(-compensated(dp.real(), result.damping * frequency) / result.frequency + 0.0);
  }
  return result;
}

}  // namespace

RootSensitivities root_sensitivities(const StudiedGraph& studied, const Question& question, RootsOf of,
                                     const TransferOptions& options) {
  const SignalFlowGraph& graph = studied.graph;
  const GiNaC::exmap values = graph.symbols.values();
  const PolesZeros nominal = poles_zeros(exact_transfers(graph, std::span(&question, 1), options).front(), digits_of_roots);
  RootSensitivities result;
  if (of == RootsOf::denominator)
    for (const Mode& mode : nominal.modes) result.roots.push_back({mode.pole, {}});
  else
    for (const exact::Root& zero : nominal.zeros) result.roots.push_back({zero, {}});
  for (const StudyParameter& parameter : studied.parameters) {
    if (!values.contains(parameter.symbol)) continue;
    options.budget.check("the moves of the roots");
    result.parameters.push_back(parameter.name);
    const RootSides sides(graph, question, parameter.symbol, options);
    const Side side = sides.idle() ? Side{} : of == RootsOf::denominator ? sides.denominator() : sides.numerator();
    for (RootSensitivity& root : result.roots) {
      root.slope.push_back(split_root(side, root.root));
      if (root.root.multiplicity == 1)
        root.together.push_back(root.slope.back());
      else
        root.together.push_back(root.slope.back() == 0.0 ? moved_together(side, root.root) : std::nullopt);
    }
  }
  if (of == RootsOf::denominator)
    for (RootSensitivity& pole : result.roots) pole.oscillation = oscillation(pole, nominal.op);
  return result;
}

}  // namespace sfg
