#include "sfg/analysis/verify.hpp"
