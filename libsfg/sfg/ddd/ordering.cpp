#include "sfg/ddd/ordering.hpp"
