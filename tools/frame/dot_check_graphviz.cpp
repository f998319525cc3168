#include "sfg/read/cgraph_check.hpp"
#include "tools/frame/dot_check.hpp"

namespace sfg::command {

void check_dot() { check_dot_with_cgraph(); }
std::string graphviz_version() { return SFG_GRAPHVIZ_VERSION; }

}  // namespace sfg::command
