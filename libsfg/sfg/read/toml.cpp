#include "sfg/read/toml.hpp"
