#include "sfg/model/equations.hpp"
