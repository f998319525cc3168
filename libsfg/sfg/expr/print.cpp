#include "sfg/expr/print.hpp"
