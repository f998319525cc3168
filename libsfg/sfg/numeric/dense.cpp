// Makes what the headers say is made elsewhere.
#define SFG_DENSE template
#include "sfg/numeric/dense.hpp"
#include "sfg/numeric/sparse_lu.hpp"
