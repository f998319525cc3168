#include "sfg/expr/rational.hpp"
