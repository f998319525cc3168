#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/read/input.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

// Input as the words say it, with the small-signal values of --operating-point and the temperature where they are given.

/// A text whose name names no file.
Input read_given(const Arguments&, std::string_view text, InputFormat, const std::string& name);
/// The text of the file.
Input read_text(const Arguments&, std::string_view text, const std::string& file, std::optional<InputFormat>);

/// What --temperature sets: "temper=85"; nothing without it.
std::vector<std::string> temperature_setting(Task&);

}  // namespace sfg::command
