#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/read/input.hpp"

namespace sfg {

/// Every problem of an input at once, errors and warnings, in the order of the file; empty when there is none.
/// Further than read() it warns of what is legal but hardly meant: a graph without branches, an output that no input reaches.
std::vector<Diagnostic> problems(std::string_view text, InputFormat, std::string file);

}  // namespace sfg
