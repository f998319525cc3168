#include "sfg/ddd/determinant_diagram.hpp"
