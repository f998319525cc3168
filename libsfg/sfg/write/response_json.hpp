#pragma once
#include <span>
#include <string>

#include "sfg/response/simulation.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/write/json_numbers.hpp"

// Not installed.
namespace sfg::json {

/// {"schema", "time", "signals", "figures"} of responses over time.
Json responses(std::span<const NamedResponse>, const std::string& verb);
/// {name: value}
Json state(std::span<const InitialValue>);
/// [{"time", "name", "kind", …}]
Json events(std::span<const RunEvent>);

}  // namespace sfg::json
