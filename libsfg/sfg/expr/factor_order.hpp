#pragma once
#include <string_view>

// Not installed.
namespace sfg {

/// Whether a letter stands in front of another one in a product: by name, but a damping ratio in front of frequencies, as
/// books have it (2ζω_n s), and k_B, T_K, q_e of noise in front of all (4 k_B T R).
bool stands_before(std::string_view a, std::string_view b);

}  // namespace sfg
