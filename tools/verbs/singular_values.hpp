#pragma once
#include <span>
#include <vector>

#include "sfg/response/frequency_response.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

/// bode --singular-values: of the matrix of the responses, set by set.
int show_singular_values(Task&, SweptInput&, std::span<const std::vector<FrequencyResponse>>);

}  // namespace sfg::command
