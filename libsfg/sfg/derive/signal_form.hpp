#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

// Not installed: terms that depend on signals through one difference or other sum of them.
namespace sfg {

/// Σ coefficient · signal, by the signal's number; coefficients are not 0.
using SignalForm = std::map<std::size_t, GiNaC::ex>;

/// A signal's symbols: its own, its rate's, its acceleration's.
using SignalSymbols = std::vector<GiNaC::ex>;

/// The linear form through which, and through whose rate, an expression depends on signals: x2 − x1 of (x2 − x1)^3, as written or
/// multiplied out. Nothing where it needs more than one, or accelerations, or where it is itself linear. The scale and sign do
/// not depend on the order in which expressions are held.
std::optional<SignalForm> single_form(const GiNaC::ex&, std::span<const SignalSymbols>);

/// What is left of an expression of that form when the form is `value`, and its rate `rate`.
GiNaC::ex in_form(const GiNaC::ex&, const SignalForm&, std::span<const SignalSymbols>, const GiNaC::ex& value,
                  const GiNaC::ex& rate);

/// a/b where the forms are multiples of each other.
std::optional<GiNaC::ex> ratio(const SignalForm& a, const SignalForm& b);

/// The terms of a sum, factors without signals multiplied in, in an order that is the same on every run.
std::vector<GiNaC::ex> signal_terms(const GiNaC::ex&, std::span<const SignalSymbols>);

}  // namespace sfg
