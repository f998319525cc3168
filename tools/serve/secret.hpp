#pragma once
#include <string>
#include <string_view>

namespace sfg::command {

/// 128 random bits of the operating system as 32 hexadecimal digits.
std::string random_secret();
/// Compares in a time that does not tell where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace sfg::command
