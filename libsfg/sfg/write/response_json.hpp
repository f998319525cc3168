#pragma once
#include <span>
#include <string>

#include "sfg/response/time_response.hpp"
#include "sfg/write/json_numbers.hpp"

// Not installed.
namespace sfg::json {

/// {"schema", "time", "signals", "figures"} of responses over time.
Json responses(std::span<const NamedResponse>, const std::string& verb);

}  // namespace sfg::json
