#include "sfg/nonlinear/run/integrator.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

template <class T, auto destroy>
struct Destroy {
  using pointer = T;
  void operator()(T value) const { destroy(value); }
};
template <class T, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Destroy<T, destroy>>;

void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_memory(void* memory) { CVodeFree(&memory); }
struct FreeMemory {
  void operator()(void* memory) const { free_memory(memory); }
};

Eigen::Map<const Eigen::VectorXd> view(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }

}  // namespace

struct Integrator::Impl {
  explicit Impl(Problem given) : problem(std::move(given)) {
    SUNContext made = nullptr;
    if (SUNContext_Create(nullptr, &made) != 0) throw std::bad_alloc();
    context.reset(made);
    x.reset(N_VNew_Serial(problem.size, made));
    between.reset(N_VNew_Serial(problem.size, made));
    memory.reset(CVodeCreate(problem.stiff ? CV_BDF : CV_ADAMS, made));
    rate = Eigen::VectorXd::Zero(problem.size);
  }

  void initialise(double t) {
    void* cvode = memory.get();
    CVodeInit(cvode, &Impl::rate_of, t, x.get());
    CVodeSetErrHandlerFn(
        cvode, [](int, const char*, const char*, char*, void*) {}, nullptr);  // failures are thrown, not printed
    CVodeSetUserData(cvode, this);
    if (problem.allowed.size() > 0) {
      std::copy_n(problem.allowed.data(), problem.size, N_VGetArrayPointer(between.get()));
      CVodeSVtolerances(cvode, problem.rtol, between.get());
    } else {
      CVodeSStolerances(cvode, problem.rtol, problem.atol);
    }
    CVodeSetMaxNumSteps(cvode, 1'000'000);
    CVodeSetMaxConvFails(cvode, 30);
    CVodeSetMaxErrTestFails(cvode, 30);
    if (problem.longest_step) CVodeSetMaxStep(cvode, *problem.longest_step);
    if (problem.switches > 0) CVodeRootInit(cvode, problem.switches, &Impl::switching_of);
    constexpr Eigen::Index largest_dense = 300;
    if (problem.functional) {
      iteration.reset(SUNNonlinSol_FixedPoint(x.get(), 0, context.get()));
      CVodeSetNonlinearSolver(cvode, iteration.get());
    } else if (problem.sparse_jacobian) {
      const auto entries = problem.sparse_jacobian(t, view(x.get())).nonZeros();
      matrix.reset(SUNSparseMatrix(problem.size, problem.size, entries, CSR_MAT, context.get()));
      solver.reset(SUNLinSol_KLU(x.get(), matrix.get(), context.get()));
      CVodeSetLinearSolver(cvode, solver.get(), matrix.get());
      CVodeSetJacFn(cvode, &Impl::sparse_jacobian_of);
    } else if (problem.jacobian || problem.size <= largest_dense) {
      matrix.reset(SUNDenseMatrix(problem.size, problem.size, context.get()));
      solver.reset(SUNLinSol_Dense(x.get(), matrix.get(), context.get()));
      CVodeSetLinearSolver(cvode, solver.get(), matrix.get());
      if (problem.jacobian) CVodeSetJacFn(cvode, &Impl::jacobian_of);
    } else {
      solver.reset(SUNLinSol_SPGMR(x.get(), SUN_PREC_NONE, 0, context.get()));
      CVodeSetLinearSolver(cvode, solver.get(), nullptr);
    }
    begun = true;
  }

  /// CVODE is C: what the problem throws waits until it has returned.
  template <class Work>
  int guarded(Work work) {
    try {
      return work();
    } catch (...) {
      failure = std::current_exception();
      return -1;
    }
  }

  static int rate_of(realtype t, N_Vector x, N_Vector rate, void* self) {
    auto& impl = *static_cast<Impl*>(self);
    return impl.guarded([&] {
      impl.state = view(x);
      if (!impl.problem.rate(t, impl.state, impl.rate) || !impl.rate.allFinite()) return 1;  // recoverable: a smaller step
      Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(rate), impl.rate.size()) = impl.rate;
      return 0;
    });
  }

  static int switching_of(realtype t, N_Vector x, realtype* g, void* self) {
    auto& impl = *static_cast<Impl*>(self);
    return impl.guarded([&] {
      impl.state = view(x);
      impl.problem.switching(t, impl.state, g);
      return 0;
    });
  }

  static int jacobian_of(realtype t, N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    auto& impl = *static_cast<Impl*>(self);
    return impl.guarded([&] {
      impl.state = view(x);
      const Eigen::MatrixXd made = impl.problem.jacobian(t, impl.state);
      if (!made.allFinite()) return 1;
      for (Eigen::Index column = 0; column < made.cols(); ++column)
        std::copy_n(made.col(column).data(), made.rows(), SUNDenseMatrix_Column(J, column));
      return 0;
    });
  }

  static int sparse_jacobian_of(realtype t, N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    auto& impl = *static_cast<Impl*>(self);
    return impl.guarded([&] {
      impl.state = view(x);
      const auto made = impl.problem.sparse_jacobian(t, impl.state);
      const auto entries = made.nonZeros();
      if (!made.isCompressed() || entries > SUNSparseMatrix_NNZ(J)) throw std::logic_error("a Jacobian with other places");
      for (Eigen::Index k = 0; k < entries; ++k) {
        if (!std::isfinite(made.valuePtr()[k])) return 1;
        SUNSparseMatrix_Data(J)[k] = made.valuePtr()[k];
        SUNSparseMatrix_IndexValues(J)[k] = made.innerIndexPtr()[k];
      }
      for (Eigen::Index row = 0; row <= made.rows(); ++row) SUNSparseMatrix_IndexPointers(J)[row] = made.outerIndexPtr()[row];
      return 0;
    });
  }

  Problem problem;
  Owned<SUNContext, free_context> context;
  Owned<N_Vector, N_VDestroy> x, between;
  Owned<SUNMatrix, SUNMatDestroy> matrix;
  Owned<SUNLinearSolver, SUNLinSolFree> solver;
  Owned<SUNNonlinearSolver, SUNNonlinSolFree> iteration;
  std::unique_ptr<void, FreeMemory> memory;
  Eigen::VectorXd state, rate;
  double now = 0;
  std::exception_ptr failure;
  bool begun = false;
  int idle = 0;
};

Integrator::Integrator(Problem problem) : impl_(std::make_unique<Impl>(std::move(problem))) {}
Integrator::~Integrator() = default;

void Integrator::start(double t, const Eigen::VectorXd& x) {
  std::copy_n(x.data(), x.size(), N_VGetArrayPointer(impl_->x.get()));
  impl_->now = t;
  impl_->idle = 0;
  if (impl_->begun)
    CVodeReInit(impl_->memory.get(), t, impl_->x.get());
  else
    impl_->initialise(t);
}

double Integrator::now() const { return impl_->now; }

void Integrator::limit(double longest) { CVodeSetMaxStep(impl_->memory.get(), std::isfinite(longest) ? longest : 0); }

Integrator::Step Integrator::step(double last) {
  Impl& impl = *impl_;
  Step result{impl.now, impl.now, false};
  CVodeSetStopTime(impl.memory.get(), last);
  const int flag = CVode(impl.memory.get(), last, impl.x.get(), &result.to, CV_ONE_STEP);
  if (impl.failure) std::rethrow_exception(std::exchange(impl.failure, nullptr));
  // Steps that no longer move the time come before a pole.
  constexpr int most_idle = 100;
  impl.idle = result.to - result.from <= 1e-13 * std::abs(result.to) ? impl.idle + 1 : 0;
  if (flag < 0 || impl.idle > most_idle)
    throw NoAnswer("the response cannot be followed beyond t = " + print(result.to) +
                       ": it grows without bound there, or its equations have no solution",
                   "ask for times before that, or look at the laws there");
  result.switched = flag == CV_ROOT_RETURN;
  impl.now = result.to;
  return result;
}

Eigen::VectorXd Integrator::at(double t) const {
  if (t == impl_->now) return view(impl_->x.get());
  if (CVodeGetDky(impl_->memory.get(), t, 0, impl_->between.get()) != CV_SUCCESS)
    throw std::logic_error("a time outside of the last step");
  return view(impl_->between.get());
}

std::vector<int> Integrator::changes() const {
  std::vector<int> found(static_cast<std::size_t>(impl_->problem.switches), 0);
  if (found.empty()) return found;
  CVodeGetRootInfo(impl_->memory.get(), found.data());
  return found;
}

}  // namespace sfg
