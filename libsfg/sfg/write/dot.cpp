#include "sfg/write/dot.hpp"
