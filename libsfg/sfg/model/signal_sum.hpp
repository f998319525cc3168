#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// Σ coefficient · dᵏ(signal)/dtᵏ: what an expression such as `ks*ds + cs*Dds` means.
struct SignalSum {
  struct Term {
    std::string signal;
    std::size_t derivatives = 0;
    GiNaC::ex coefficient;
  };
  std::vector<Term> terms;  ///< in the order of the text
};

/// Reads an expression that is linear in signals, with parameters as coefficients. A name is a signal of the list before it is
/// anything else; "Dx" is the rate of x, "DDx" that of "Dx", unless it is a parameter with a value; then parameters of the table.
/// A name may be a call, as in "v(out)" and "Di(R1)".
/// @throws sfg::Error at `where`: an unknown name, with the nearest one; a product or function of signals; an added constant.
SignalSum signal_sum(std::string_view text, const SymbolTable& parameters, std::span<const std::string> signals,
                     const SourceSpan& where = {});

/// The names in an expression, calls of no known function whole and without blanks: "v(a,b)".
std::vector<std::string> names_in(std::string_view text);

}  // namespace sfg
