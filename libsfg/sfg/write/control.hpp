#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <utility>

#include "sfg/control/interval_family.hpp"
#include "sfg/control/margins.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/control/root_locus.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/control/stability_region.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"

namespace sfg {

/// Poles with natural frequency, damping ratio and time constant, zeros, gain; hidden modes named.
void write_text(std::ostream&, std::span<const PolesZeros>, std::size_t digits);
/// docs/schema/poles.schema.json: of the first at the top level, of all in "transfers".
void write_json(std::ostream&, std::span<const PolesZeros>, std::size_t digits);

/// Transfer functions by zeros, poles and gain: gain*(s - z1)*…/((s - p1)*…), and docs/schema/tf.schema.json, form zpk.
void write_zpk_text(std::ostream&, std::span<const PolesZeros>);
void write_zpk_json(std::ostream&, std::span<const PolesZeros>);

void write_text(std::ostream&, std::span<const FrequencyResponse>);
/// docs/schema/bode.schema.json. A response on a pole of the axis is null.
void write_json(std::ostream&, std::span<const FrequencyResponse>, const std::string& verb);
/// frequency, then re, im, dB, deg of each.
void write_csv(std::ostream&, std::span<const FrequencyResponse>);

/// `verb` is step, impulse or simulate; figures are shown for step only.
void write_text(std::ostream&, std::span<const NamedResponse>, const std::string& verb);
void write_json(std::ostream&, std::span<const NamedResponse>, const std::string& verb);
void write_csv(std::ostream&, std::span<const NamedResponse>);

/// Time functions with symbols; `verb` is step or impulse.
void write_text(std::ostream&, std::span<const std::pair<std::string, SymbolicResponse>>);
void write_json(std::ostream&, std::span<const std::pair<std::string, SymbolicResponse>>, const std::string& verb);

/// Transfer functions in z of a sampled system; sfg/discretize/1: as `tf` of the form numeric, with "sample_time" and "method".
void write_text(std::ostream&, std::span<const ExactTransfer>, const std::string& sample_time, const std::string& method);
void write_json(std::ostream&, std::span<const ExactTransfer>, const std::string& sample_time, const std::string& method);

void write_text(std::ostream&, const Margins&);
void write_json(std::ostream&, const Margins&);

/// `ranges` with the parameter's name when they were asked for.
void write_text(std::ostream&, const RouthArray&, const std::string& parameter, std::span<const OpenRange> ranges);
void write_json(std::ostream&, const RouthArray&, const std::string& parameter, std::span<const OpenRange> ranges);

/// The stable region of two parameters: a few columns as text; every column and the boundary as JSON; the boundary as CSV.
void write_text(std::ostream&, const StabilityRegion&, const std::string& first, const std::string& second);
void write_json(std::ostream&, const StabilityRegion&, const std::string& first, const std::string& second);
void write_csv(std::ostream&, const StabilityRegion&, const std::string& first, const std::string& second);

/// Kharitonov's polynomials and the verdict; `variable` is the operator of the polynomials.
void write_text(std::ostream&, const IntervalFamily&, const std::string& variable);
void write_json(std::ostream&, const IntervalFamily&, const std::string& variable);

void write_text(std::ostream&, const RootLocus&, const std::string& parameter);
void write_json(std::ostream&, const RootLocus&, const std::string& parameter);

}  // namespace sfg
