#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "sfg/read/input.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

// Input as the words say it, with the small-signal values of --operating-point where that is given.

/// A text whose name names no file.
Input read_given(const Arguments&, std::string_view text, InputFormat, const std::string& name);
/// The text of the file.
Input read_text(const Arguments&, std::string_view text, const std::string& file, std::optional<InputFormat>);

}  // namespace sfg::command
