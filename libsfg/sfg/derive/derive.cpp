#include "sfg/derive/derive.hpp"
