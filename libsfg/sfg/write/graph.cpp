#include "sfg/write/graph.hpp"
