#include "sfg/ring/multivariate.hpp"
