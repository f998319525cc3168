#include "sfg/graph/from_equations.hpp"
