#pragma once
#include <string>
#include <string_view>

#include "sfg/draw/theme.hpp"

namespace sfg {

/// A house style in TOML: the tables [colours], [fonts], [lines], [arrow], [node] (docs/guide/plots.md).
/// @throws sfg::Error with every problem found.
HouseStyle read_house_style(std::string_view text, std::string file);

}  // namespace sfg
