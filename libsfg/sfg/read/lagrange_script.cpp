#include "sfg/read/lagrange_script.hpp"
