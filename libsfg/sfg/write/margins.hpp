#pragma once
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sfg/control/interval_family.hpp"
#include "sfg/control/margins.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const Margins&, bool hertz = false);  ///< frequencies in rad/s or Hz
void write_json(std::ostream&, const Margins&);

/// Margins of one of several loops.
struct LoopMargins {
  std::string place;  ///< where it is opened
  Margins margins;
};

Page page(const std::vector<LoopMargins>&, bool hertz = false);
void write_json(std::ostream&, const std::vector<LoopMargins>&);

/// @param opened  where the loop is opened whose 1 + L has these roots; "": they are those of the whole
Page page(const RootLocus&, const std::string& parameter, const std::string& opened = {});
void write_json(std::ostream&, const RootLocus&, const std::string& parameter, const std::string& opened = {});

/// `ranges` with the parameter's name when they were asked for.
Page page(const RouthArray&, const std::string& parameter, std::span<const OpenRange> ranges);
void write_json(std::ostream&, const RouthArray&, const std::string& parameter, std::span<const OpenRange> ranges);

/// The stable region of two parameters: a few columns as text; every column and the boundary as JSON; the boundary as CSV.
Page page(const StabilityRegion&, const std::string& first, const std::string& second);
void write_json(std::ostream&, const StabilityRegion&, const std::string& first, const std::string& second);
void write_csv(std::ostream&, const StabilityRegion&, const std::string& first, const std::string& second);

/// Kharitonov's polynomials and the verdict; `variable` is the operator of the polynomials.
Page page(const IntervalFamily&, const std::string& variable);
void write_json(std::ostream&, const IntervalFamily&, const std::string& variable);

}  // namespace sfg
