#include "sfg/graph/loops.hpp"
