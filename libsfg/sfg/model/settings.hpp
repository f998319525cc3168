#pragma once
#include <ginac/ex.h>

#include <span>
#include <string>

#include "sfg/model/model.hpp"

namespace sfg {

/// Values for parameters, stated outside the model as "name=value" (on a command line, in a study). A value is a number,
/// with a SPICE suffix or as a fraction, or an expression. Values may use each other's names; what is returned has none
/// of the names that are set. Names new in an expression are added to `symbols` as parameters.
/// @throws sfg::Error for a text without "=", a name that is no parameter (with the nearest one), a name set twice or by
///         itself, and whatever is wrong with a value.
GiNaC::exmap settings(std::span<const std::string> texts, SymbolTable& symbols);

/// The symbols that remain when parameters are substituted: the keys are gone, and values that used them have theirs.
SymbolTable without(const SymbolTable&, const GiNaC::exmap& values);

/// The expression with values put in: in lowest terms where its own form would divide by zero, (j - 1)/(j^2 - 1) at j = 1.
/// @param where  place named in the error.
/// @throws sfg::Error when the values are a pole.
GiNaC::ex substituted(const GiNaC::ex&, const GiNaC::exmap& values, const SourceSpan& where);

/// The factor of a denominator in the operator that is lost as values are put in: s − a of K/(s − a) at K = 0, 1 where all of it
/// stays.
/// @param valued  the gain with the values put in
GiNaC::ex lost_modes(const GiNaC::ex& gain, const GiNaC::ex& valued, const GiNaC::exmap& values, const GiNaC::ex& op);

/// The model with values put in for parameters, before anything is derived from it.
Lagrangian substituted(const Lagrangian&, const GiNaC::exmap& values);
EquationSystem substituted(const EquationSystem&, const GiNaC::exmap& values);
Circuit substituted(const Circuit&, const GiNaC::exmap& values);
PolarNetwork substituted(const PolarNetwork&, const GiNaC::exmap& values);
Multibody substituted(const Multibody&, const GiNaC::exmap& values);
Joined substituted(const Joined&, const GiNaC::exmap& values);
Model substituted(const Model&, const GiNaC::exmap& values);

}  // namespace sfg
