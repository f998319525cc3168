#pragma once
#include <string>
#include <string_view>

namespace sfg {

std::string sha256(std::string_view bytes);  ///< 32 bytes (FIPS 180-4)
std::string base64(std::string_view bytes);  ///< RFC 4648, section 4

}  // namespace sfg
