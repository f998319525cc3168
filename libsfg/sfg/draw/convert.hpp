#pragma once
#include <string>
#include <vector>

#include "sfg/draw/picture.hpp"

namespace sfg {

/// An SVG picture as PNG (scaled as the options say), PDF or EPS, by librsvg's `rsvg-convert` in a child process with limits.
/// @throws NoAnswer when the program is missing or fails, and for formats that no SVG becomes; LimitReached when it takes too
/// long.
std::string converted(const std::string& svg, PictureFormat, const PictureOptions& = {});

struct PictureProgram {
  const char* package = "";  ///< that has the program, for the message when it is missing
  double seconds = 20;
};

/// What a program of pictures makes of its standard input; the first word of the command is its name.
/// @throws as converted().
std::string picture_by(const std::vector<std::string>& command, const std::string& input, const PictureProgram&);

}  // namespace sfg
