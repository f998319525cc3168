#include "sfg/write/spice_run.hpp"

#include <fmt/format.h>

#include "sfg/expr/print.hpp"

namespace sfg {

std::string integrator(const std::string& node, const std::string& current, const std::string& farads, const std::string& start,
                       const std::string& ohms) {
  return fmt::format("B{0} 0 {0} I={1}\nC{0} {0} 0 {2} IC={3}\nR{0} {0} 0 {4}\n", node, current, farads, start, ohms);
}

std::string end_of_run(const std::string& name, double until) {
  constexpr double nearly = 1 - 1e-9;
  return "let reached = time[length(time) - 1]\nif reached < " + print(nearly * until) + "\n  echo " + name +
         ": the run ended at $&reached of " + print(until) + "\n  quit 1\nend\n";
}

}  // namespace sfg
