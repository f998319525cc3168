#pragma once
#include <string>
#include <string_view>

namespace sfg {

/// SHA-256 in base 64, as a Content-Security-Policy names a script by.
std::string script_hash(std::string_view script);

}  // namespace sfg
