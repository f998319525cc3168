#pragma once
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "python/formula_thread.hpp"
#include "sfg/budget.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::python {

/// Limits of one call; nothing: none of time, the usual ones of size.
struct CallLimits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> terms;
  std::optional<double> mebibytes;

  Budget::Limits of_budget() const {
    Budget::Limits limits{.seconds = seconds};
    limits.memory_bytes = static_cast<std::size_t>(mebibytes.value_or(command::default_mebibytes) * 1048576);
    if (terms) limits.terms = *terms;
    return limits;
  }
};

/// The failure that is being handled as sfg._errors.failure has it. Call it in a catch block, with the interpreter's lock.
[[noreturn]] void raise_failure(const CallLimits&);

/// The result of work(budget) on the formula thread.
template <class Work>
auto on_thread(const CallLimits& limits, Work work) {
  try {
    return FormulaThread::of_process().run(limits.of_budget(), std::move(work));
  } catch (pybind11::error_already_set&) {
    throw;
  } catch (...) {
    raise_failure(limits);
  }
}

/// The same for work of microseconds.
template <class Work>
auto at_once(Work work) {
  try {
    return FormulaThread::of_process().at_once(CallLimits{}.of_budget(), std::move(work));
  } catch (pybind11::error_already_set&) {
    throw;
  } catch (...) {
    raise_failure({});
  }
}

/// Adds sfg._core.Evaluation, and the functions of formulas.
void define_evaluation(pybind11::module_&);
void define_formulas(pybind11::module_&);

}  // namespace sfg::python
