#include "sfg/write/mason.hpp"
