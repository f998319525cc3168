// The solver of fits is loaded when the first is asked for: what it stands on would be a fifth of every start of the command.
#include "sfg/study/fit/least_squares.hpp"

#ifdef SFG_FIT_LIBRARY
#include <dlfcn.h>

#include <string>

#include "sfg/error.hpp"
#endif

namespace sfg {

namespace {

using Solver = decltype(&sfg_least_squares);

Solver solver() {
#ifdef SFG_FIT_LIBRARY
  static const Solver loaded = [] {
    void* const library = dlopen(SFG_FIT_LIBRARY, RTLD_NOW | RTLD_LOCAL);  // beside this one: its RUNPATH
    void* const found = library != nullptr ? dlsym(library, "sfg_least_squares") : nullptr;
    if (found == nullptr)
      throw NoAnswer(std::string("the library that solves fits cannot be loaded: ") + dlerror(),
                     "install " SFG_FIT_LIBRARY " beside libsfg");
    return reinterpret_cast<Solver>(found);
  }();
  return loaded;
#else
  return &sfg_least_squares;
#endif
}

}  // namespace

LeastSquaresPoint least_squares(const LeastSquaresProblem& problem, int most_iterations, const Budget& budget) {
  LeastSquaresPoint found;
  solver()(
      problem, most_iterations, [&budget] { budget.check("the fit"); }, found);
  return found;
}

}  // namespace sfg
