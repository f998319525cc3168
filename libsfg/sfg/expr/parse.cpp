#include "sfg/expr/parse.hpp"
