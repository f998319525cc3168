#include "sfg/write/transfer.hpp"
