#pragma once
#include <string>

namespace sfg::command {

/// A report as it stands in a frame: with a script of ours, which tells the page around it how far it is scrolled and scrolls it
/// back when it is made anew. The report's policy lets that script run and nothing more. Other pages come back as they are.
std::string framed(std::string report);

}  // namespace sfg::command
