#pragma once
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/study/identifiable/fibre.hpp"
#include "sfg/study/identifiable/told.hpp"

// Not installed: functions of parameters that transfer functions determine.
namespace sfg {

struct ToldCombinations {
  std::vector<ToldFunction> functions;  ///< independent, each with one value
  bool generate = false;                ///< all that is told follows from them
};

/// @param fibres  a function has to have one value in all of them; where they are not solved, it is one of the coefficients
/// @param single  places in Told::unknown of the parameters with one value
ToldCombinations combinations(const Told&, const std::vector<Fibre>& fibres, const std::vector<std::size_t>& single,
                              const Budget&);

}  // namespace sfg
