#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sfg/read/input.hpp"

namespace sfg {

/// A value that a parameter gets in a file.
struct RestatedValue {
  std::string parameter;
  std::string value;  ///< a number or an expression, as a person would write it
};

/// The text of a model with other values for parameters. Only the characters of the values are replaced: comments, spaces and
/// everything else stay byte for byte. The new text is read again: its parameters are those of the old one but for these values.
/// @throws sfg::Error  as read(); for a parameter whose value is not stated in this file.
std::string restated(std::string_view text, InputFormat, const std::string& file, std::span<const RestatedValue>,
                     const FileBeside& beside = {});

}  // namespace sfg
