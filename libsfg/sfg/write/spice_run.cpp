#include "sfg/write/spice_run.hpp"

#include "sfg/expr/print.hpp"

namespace sfg {

std::string end_of_run(const std::string& name, double until) {
  constexpr double nearly = 1 - 1e-9;
  return "let reached = time[length(time) - 1]\nif reached < " + print(nearly * until) + "\n  echo " + name +
         ": the run ended at $&reached of " + print(until) + "\n  quit 1\nend\n";
}

}  // namespace sfg
