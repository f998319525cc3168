#pragma once
#include "tools/frame/verb.hpp"

namespace sfg::command {

Verb weave();

}  // namespace sfg::command
