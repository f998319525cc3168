#pragma once
#include <string>

// Not installed.
namespace sfg {

/// A capacitor charged by a current, with a resistor that gives its node a way to ground.
std::string integrator(const std::string& node, const std::string& current, const std::string& farads, const std::string& start,
                       const std::string& ohms);

/// Commands of ngspice behind a run: one that did not come to its end says so and ends with status 1. What it has not reached,
/// `linearize` would fill with zeros.
std::string end_of_run(const std::string& name, double until);

}  // namespace sfg
