#include "sfg/read/json.hpp"
