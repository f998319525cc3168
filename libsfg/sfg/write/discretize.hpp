#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

/// Transfer functions in z of a sampled system; sfg/discretize/1: as `tf` of the form numeric, with "sample_time" and "method".
Page page(std::span<const ExactTransfer>, const exact::Rational& sample_time, const std::string& method);
void write_json(std::ostream&, std::span<const ExactTransfer>, const exact::Rational& sample_time, const std::string& method);

}  // namespace sfg
