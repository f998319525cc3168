#include "sfg/write/derivation.hpp"
