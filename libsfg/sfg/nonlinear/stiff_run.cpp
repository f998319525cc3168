#include "sfg/nonlinear/stiff_run.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_steps = 2'000'000;

struct Released {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Released>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, Released>;
using Solver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, Released>;

void quiet(int, const char*, const char*, char*, void*) {}

}  // namespace

struct StiffRun::Impl {
  const Rates& rates;
  const RungeKuttaOptions& options;
  std::size_t size;
  double t = 0, last = HUGE_VAL;
  std::size_t steps = 0;
  std::exception_ptr failure;
  SUNContext context = nullptr;
  void* memory = nullptr;
  Vector x, allowed;
  Matrix matrix;
  Solver solver;

  Impl(const Rates& r, const RungeKuttaOptions& o, std::size_t n) : rates(r), options(o), size(n) {
    SUNContext_Create(nullptr, &context);
    const auto length = static_cast<sunindextype>(n);
    x.reset(N_VNew_Serial(length, context));
    allowed.reset(N_VNew_Serial(length, context));
    matrix.reset(SUNDenseMatrix(length, length, context));
    solver.reset(SUNLinSol_Dense(x.get(), matrix.get(), context));
    memory = CVodeCreate(CV_BDF, context);
  }
  ~Impl() {
    CVodeFree(&memory);
    solver.reset();
    matrix.reset();
    allowed.reset();
    x.reset();
    SUNContext_Free(&context);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::span<double> data() const { return {N_VGetArrayPointer(x.get()), size}; }

  /// CVODE is C: what the equations throw waits until it has returned.
  static int evaluate(double t, N_Vector x, N_Vector rates, void* user) {
    auto& self = *static_cast<Impl*>(user);
    try {
      self.rates(std::min(t, self.last), {N_VGetArrayPointer(x), self.size}, {N_VGetArrayPointer(rates), self.size});
      return std::ranges::all_of(std::span(N_VGetArrayPointer(rates), self.size), [](double v) { return std::isfinite(v); }) ? 0
                                                                                                                             : 1;
    } catch (...) {
      self.failure = std::current_exception();
      return -1;
    }
  }
};

StiffRun::StiffRun(const Rates& rates, const RungeKuttaOptions& options, double t, std::span<const double> x,
                   std::span<const double> largest)
    : impl_(std::make_unique<Impl>(rates, options, x.size())) {
  impl_->t = t;
  std::ranges::copy(x, impl_->data().begin());
  for (std::size_t i = 0; i < x.size(); ++i)
    N_VGetArrayPointer(impl_->allowed.get())[i] = options.atol + options.rtol * largest[i];
  CVodeInit(impl_->memory, Impl::evaluate, t, impl_->x.get());
  CVodeSetErrHandlerFn(impl_->memory, quiet, nullptr);
  CVodeSetUserData(impl_->memory, impl_.get());
  CVodeSVtolerances(impl_->memory, options.rtol, impl_->allowed.get());
  CVodeSetLinearSolver(impl_->memory, impl_->solver.get(), impl_->matrix.get());
  CVodeSetMaxErrTestFails(impl_->memory, 20);
}

StiffRun::~StiffRun() = default;
double StiffRun::time() const { return impl_->t; }
std::span<const double> StiffRun::state() const { return impl_->data(); }
void StiffRun::restart() { CVodeReInit(impl_->memory, impl_->t, impl_->x.get()); }

void StiffRun::advance(double end, double last, const Seen& step) {
  Impl& run = *impl_;
  run.last = last;
  while (run.t < end) {
    if (++run.steps % 64 == 0) run.options.budget.check("running the analog program");
    if (run.steps > most_steps)
      throw LimitReached("the run needs more than " + std::to_string(most_steps) + " steps, though it is taken for stiff",
                         Advice::shorten_time);
    CVodeSetStopTime(run.memory, end);
    const int status = CVode(run.memory, end, run.x.get(), &run.t, CV_ONE_STEP);
    if (run.failure) std::rethrow_exception(std::exchange(run.failure, nullptr));
    if (status < 0) throw NoAnswer("the run does not go on after t = " + print(run.t), "shorten the time, or lower the inputs");
    step(run.t, state());
  }
}

}  // namespace sfg
