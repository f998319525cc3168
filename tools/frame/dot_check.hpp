#pragma once
#include <string>

namespace sfg::command {

/// Lets Graphviz read every DOT file, too, where the command is built with it (SFG_GRAPHVIZ).
void check_dot();
/// Of the Graphviz that it is built with; "" without one.
std::string graphviz_version();

}  // namespace sfg::command
