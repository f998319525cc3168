#include "sfg/analysis/question.hpp"
