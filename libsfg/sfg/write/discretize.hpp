#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/response/sampled_formula.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

/// Transfer functions in z of a sampled system and their difference equations; sfg/discretize/1: as `tf` of the form numeric,
/// with "sample_time", "method" and "difference".
Page page(std::span<const ExactTransfer>, const exact::Rational& sample_time, const std::string& method);
void write_json(std::ostream&, std::span<const ExactTransfer>, const exact::Rational& sample_time, const std::string& method);

/// The same with symbols: of the form rational.
Page page(std::span<const SampledFormula>, const GiNaC::ex& sample_time, const std::string& method);
void write_json(std::ostream&, std::span<const SampledFormula>, const GiNaC::ex& sample_time, const std::string& method);

}  // namespace sfg
