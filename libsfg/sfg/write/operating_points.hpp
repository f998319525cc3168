#pragma once
#include <iosfwd>
#include <map>
#include <span>
#include <string>

#include "sfg/model/netlist_rest.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// States of rest for constants at the inputs.
struct StaticCase {
  std::map<std::string, double> inputs;
  OperatingPoints found;
};

Page page(std::span<const StaticCase>);
/// One case: its points; several, a static characteristic: "cases".
void write_json(std::ostream&, std::span<const StaticCase>);
/// Inputs, signals, whether stable (1, 0; empty where open): a line a point.
void write_csv(std::ostream&, std::span<const StaticCase>);

/// The operating point of a netlist: its voltages, and what is proven of them.
Page page(const SpiceRest&);
void write_json(std::ostream&, const SpiceRest&);
void write_csv(std::ostream&, const SpiceRest&);

}  // namespace sfg
