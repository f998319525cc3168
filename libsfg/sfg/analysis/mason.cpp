#include "sfg/analysis/mason.hpp"
