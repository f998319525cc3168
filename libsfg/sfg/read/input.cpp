#include "sfg/read/input.hpp"
