#pragma once
#include <string>

// Not installed.
namespace sfg {

/// Commands of ngspice behind a run: one that did not come to its end says so and ends with status 1. What it has not reached,
/// `linearize` would fill with zeros.
std::string end_of_run(const std::string& name, double until);

}  // namespace sfg
