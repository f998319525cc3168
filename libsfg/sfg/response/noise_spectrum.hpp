#pragma once
#include <ginac/ex.h>

#include <span>

#include "sfg/exact/integral.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/noise.hpp"
#include "sfg/transfer/exact_transfer.hpp"

// Not installed: noise with numbers, as exact fractions of polynomials in w.
namespace sfg {

/// k_B, the temperature and the charge of an electron, exactly, but what has a value of its own.
GiNaC::exmap noise_constants(SymbolTable&, double temperature);

/// The density of a source with the values of the table.
/// @param w  the symbol of the frequency in it
/// @throws sfg::Error for a density that is no rational function of w, naming parameters without values
exact::RationalFraction noise_density(const NoiseSource&, const GiNaC::ex& w, const SymbolTable&, const GiNaC::exmap& constants);

/// |p(jw)|² as a polynomial in w.
exact::RationalPolynomial squared_modulus(const exact::RationalPolynomial&);

/// Poles to the right of the axis, and on it, of any of the transfer functions.
exact::RationalPolynomial::RootCounts worst_counts(std::span<const ExactTransfer>);

}  // namespace sfg
