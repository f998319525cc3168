#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "sfg/draw/picture.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// --theme, or --dark.
/// @throws UsageError where these contradict each other.
Theme theme_of(const Arguments&);
Option theme_option();

/// --style FILE: a house style. @throws sfg::Error for what is wrong in the file.
std::shared_ptr<const HouseStyle> style_of(const Arguments&);
Option style_option();
/// --outline. @throws UsageError for a format whose letters are outlines anyway.
bool outline_of(const Arguments&, PictureFormat);
Option outline_option();

/// --type, --theme, --dark, --width, --font-size, --scale, --fragment, --style, --outline.
std::vector<Option> picture_option_table();

/// What the picture is written as: --type, else the extension of -o, else SVG.
/// @throws UsageError for another extension, and for a terminal.
PictureFormat picture_format(const Arguments&);
/// That of a file whose answer may be a picture, beside text and graphs: svg, png, pdf, eps; none of any other.
std::optional<PictureFormat> picture_named(const std::string& extension);
/// What the options say of any picture; its notes go to the task.
/// @throws UsageError for options that do not go together or with the format.
PictureOptions picture_options(Task&, PictureFormat);

/// --highlight loop:2, path:1, set:1,3, branch:A,B, node:NAME: paths, loops and sets by their numbers in the derivation by
/// Mason's rule, of the stated inputs and outputs of the graph.
/// @throws UsageError for what the graph does not have, with what it has.
Highlight highlight_of(Task&, const SignalFlowGraph&);
Option highlight_option();

}  // namespace sfg::command
