#include "sfg/ring/integer.hpp"
