#include "sfg/read/dot.hpp"
