#include "sfg/analysis/transfer.hpp"
