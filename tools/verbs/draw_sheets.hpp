#pragma once
#include <string>

#include "sfg/draw/picture.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// True for the kinds of --as that show a graph or its matrix otherwise than as a signal-flow graph: blocks, matrix, loops.
bool is_sheet(const std::string& kind);
/// draw --as blocks | matrix | loops.
int draw_sheet(Task&, const std::string& kind, PictureFormat, const PictureOptions&);
/// A word on a picture that shows nothing.
void note_empty(Task&, const SignalFlowGraph&);

}  // namespace sfg::command
