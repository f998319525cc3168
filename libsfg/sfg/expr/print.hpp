#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <optional>
#include <string>
#include <string_view>

#include "sfg/expr/notation.hpp"
#include "sfg/ring/multivariate.hpp"

namespace sfg {

/// The expression as text; the same bytes on every run and machine: sums and products are ordered by name and degree.
/// A sum that is a polynomial of `main` (when given) is ordered by descending powers of it.
std::string print(const GiNaC::ex&, Notation = Notation::text, std::string_view main = {});

/// A polynomial as a sum of products, by descending powers of its first variable.
std::string print(const ring::Polynomial&, Notation = Notation::text, Terms = Terms::collected);

/// One name in the notation: "phi1" is `\varphi_{1}` in LaTeX, φ₁ in Unicode.
std::string print_name(std::string_view name, Notation);

/// Shortest text that reads back to the same double.
std::string print(double);

/// The number as a decimal, exactly; nothing where its denominator has other prime factors than 2 and 5.
std::optional<std::string> finite_decimal(const GiNaC::numeric&);

}  // namespace sfg
