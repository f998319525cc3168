#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/response/sampled_formula.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Transfer functions in z of a sampled system and their difference equations; sfg/discretize/1: as `tf` of the form numeric or,
/// with symbols, rational, with "sample_time", "method" and "difference".
/// @param sample_time  a number (s) or a symbol
Page page(std::span<const SampledFormula>, const GiNaC::ex& sample_time, const std::string& method);
void write_json(std::ostream&, std::span<const SampledFormula>, const GiNaC::ex& sample_time, const std::string& method);

}  // namespace sfg
