#include "sfg/draw/graphviz.hpp"
