#pragma once
#include <complex>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// Σ_k p_k(s) e^(−τ_k s) with exact numbers; one part with τ = 0 when there is no dead time.
struct QuasiPolynomial {
  struct Part {
    exact::Rational delay;  ///< τ ≥ 0
    exact::RationalPolynomial polynomial;
  };
  std::vector<Part> parts;  ///< ascending delay; {} for 0
  bool rational() const;    ///< no dead time
  /// The polynomial, where there is no dead time. @throws std::logic_error when there is.
  exact::RationalPolynomial polynomial() const;
};

/// A transfer function with numbers for its parameters: what poles, responses and margins are computed from.
/// Irrational values (sqrt(2), pi) are exact until degrees, common factors, multiple roots and roots on the boundary of
/// stability are found (exact/exact_polynomial); then they are rounded to 120 digits.
struct ExactTransfer {
  std::string input;
  std::string output;
  Operator op = "s";
  QuasiPolynomial numerator;
  QuasiPolynomial denominator;
  exact::RationalPolynomial cancelled = {
      1};  ///< the factor that was cancelled: hidden modes; 0 where it vanishes for these values or has dead times

  bool rational() const { return numerator.rational() && denominator.rational(); }
};

/// The numbers of a symbolic transfer function; parameters take their values from `symbols`.
/// @throws sfg::Error naming every parameter that has no value.
ExactTransfer exact_transfer(const TransferFunction&, const SignalFlowGraph&);

/// The transfer functions of a graph with its values put in first: the fast way when no symbols are wanted.
std::vector<ExactTransfer> exact_transfers(const SignalFlowGraph&, std::span<const Question>, const TransferOptions& = {});

/// det D(p) with numbers: its roots are the poles of the whole model, hidden modes included. Coefficients, highest first.
/// @throws NoAnswer when the determinant vanishes; sfg::Error naming parameters without values.
std::vector<exact::Rational> characteristic_coefficients(const EquationSystem&, const Budget& = {});

/// The entries of D(p) with numbers, row by row, by column; every row cleared of denominators. Irrational numbers are rounded to
/// 120 digits. @throws sfg::Error naming parameters without values.
std::vector<std::map<std::size_t, exact::RationalPolynomial>> operator_rows(const EquationSystem&, const Budget& = {});

/// e^(−τs) replaced by its Padé approximant of the order (Padé 1892): a rational transfer function.
ExactTransfer pade(const ExactTransfer&, std::size_t order);

/// Value at a complex point, in ball arithmetic: correct to double precision. Infinite at a pole.
std::complex<double> value_at(const ExactTransfer&, std::complex<double> s);
std::vector<std::complex<double>> values_at(const ExactTransfer&, std::span<const std::complex<double>> s);

}  // namespace sfg
