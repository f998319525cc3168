#include "sfg/derive/lagrange.hpp"
