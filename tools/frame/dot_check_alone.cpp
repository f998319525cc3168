#include "tools/frame/dot_check.hpp"

namespace sfg::command {

void check_dot() {}
std::string graphviz_version() { return {}; }

}  // namespace sfg::command
