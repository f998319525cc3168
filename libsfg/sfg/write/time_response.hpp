#pragma once
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "sfg/expr/condition.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/sampled_formula.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// `verb` is step, impulse or simulate; figures are shown for step only.
Page page(std::span<const NamedResponse>, const std::string& verb);
void write_json(std::ostream&, std::span<const NamedResponse>, const std::string& verb);
/// Of a simulation, with what happened and the state at its end: another one may go on from there.
void write_json(std::ostream&, std::span<const NamedResponse>, const RunRecord&);
void write_csv(std::ostream&, std::span<const NamedResponse>);

/// A time function, an impulse as delta(t - 1), its derivative as delta'(t - 1); nothing where it is too long to be read.
std::optional<Math> shown_expression(const ClosedForm&);

/// Time functions with symbols; `verb` is step or impulse.
Page page(std::span<const std::pair<std::string, SymbolicResponse>>, const PositiveLetters& = {});
void write_json(std::ostream&, std::span<const std::pair<std::string, SymbolicResponse>>, const std::string& verb,
                const PositiveLetters& = {});

/// Transfer functions in z of a sampled system and their difference equations; sfg/discretize/1: as `tf` of the form numeric or,
/// with symbols, rational, with "sample_time", "method" and "difference".
/// @param sample_time  a number (s) or a symbol
Page page(std::span<const SampledFormula>, const GiNaC::ex& sample_time, const std::string& method);
void write_json(std::ostream&, std::span<const SampledFormula>, const GiNaC::ex& sample_time, const std::string& method);

}  // namespace sfg
