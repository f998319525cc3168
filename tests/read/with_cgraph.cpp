// Whatever these tests read of DOT is read by cgraph, too.
#include "sfg/read/cgraph_check.hpp"

namespace {

const bool checked = (sfg::check_dot_with_cgraph(), true);

}  // namespace
