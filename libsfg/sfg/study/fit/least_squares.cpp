#include "sfg/study/fit/least_squares.hpp"

#include <ceres/ceres.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <utility>

namespace sfg {

namespace {

/// Ceres reports through glog, on standard error: what is of importance is in its summary. Silent as long as one of them is
/// there.
class Silence {
 public:
  Silence() {
    const std::lock_guard lock(mutex());
    if (count()++ == 0) before() = std::exchange(FLAGS_minloglevel, google::GLOG_FATAL);
  }
  ~Silence() {
    const std::lock_guard lock(mutex());
    if (--count() == 0) FLAGS_minloglevel = before();
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static int& count() {
    static int many = 0;
    return many;
  }
  static int& before() {
    static int level = 0;
    return level;
  }
};

/// All residuals at once, in variables of size 1.
class AllResiduals : public ceres::CostFunction {
 public:
  explicit AllResiduals(const LeastSquaresProblem& problem) : problem_(problem), x_(problem.start.size()) {
    set_num_residuals(static_cast<int>(problem.residuals));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(problem.start.size()));
  }

  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    if (thrown_) return false;
    const std::size_t count = x_.size();
    for (std::size_t k = 0; k < count; ++k) x_[k] = parameters[0][k] * problem_.scale[k];
    double* const slopes = jacobians != nullptr ? jacobians[0] : nullptr;
    const std::size_t asked = slopes != nullptr ? problem_.residuals * count : 0;
    try {
      if (!problem_.evaluate(x_, {residuals, problem_.residuals}, {slopes, asked})) return false;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
    for (std::size_t i = 0; i < asked; ++i) slopes[i] *= problem_.scale[i % count];
    return true;
  }

  const std::exception_ptr& thrown() const { return thrown_; }

 private:
  const LeastSquaresProblem& problem_;
  mutable std::vector<double> x_;
  mutable std::exception_ptr thrown_;
};

/// Ends the search where time is over, or the function has thrown.
class Watch : public ceres::IterationCallback {
 public:
  Watch(const AllResiduals& function, const std::function<void()>& check) : function_(function), check_(check) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary&) override {
    if (function_.thrown()) return ceres::SOLVER_ABORT;
    try {
      check_();
    } catch (...) {
      over_ = std::current_exception();
      return ceres::SOLVER_ABORT;
    }
    return ceres::SOLVER_CONTINUE;
  }
  const std::exception_ptr& over() const { return over_; }

 private:
  const AllResiduals& function_;
  const std::function<void()>& check_;
  std::exception_ptr over_;
};

}  // namespace

}  // namespace sfg

void sfg_least_squares(const sfg::LeastSquaresProblem& problem, int most_iterations, const std::function<void()>& check,
                       sfg::LeastSquaresPoint& found) {
  using namespace sfg;
  const Silence silence;
  std::vector<double> x(problem.start.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = problem.start[k] / problem.scale[k];
  auto* const function = new AllResiduals(problem);  // the problem owns it
  ceres::Problem solved;
  solved.AddResidualBlock(function, nullptr, x.data());
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isfinite(problem.low[k]))
      solved.SetParameterLowerBound(x.data(), static_cast<int>(k), problem.low[k] / problem.scale[k]);
    if (std::isfinite(problem.high[k]))
      solved.SetParameterUpperBound(x.data(), static_cast<int>(k), problem.high[k] / problem.scale[k]);
  }
  Watch watch(*function, check);
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.max_num_iterations = most_iterations;
  options.initial_trust_region_radius = 1;  // the first step half as long as Newton's: it passes over no minimum beside the start
  options.function_tolerance = 1e-15;
  options.gradient_tolerance = 1e-15;
  options.parameter_tolerance = 1e-12;
  options.max_num_consecutive_invalid_steps = 20;
  options.num_threads = 1;
  options.logging_type = ceres::SILENT;
  options.callbacks.push_back(&watch);
  ceres::Solver::Summary summary;
  ceres::Solve(options, &solved, &summary);
  if (watch.over()) std::rethrow_exception(watch.over());
  if (function->thrown()) std::rethrow_exception(function->thrown());
  found = {std::vector<double>(x.size()), summary.final_cost, summary.termination_type == ceres::CONVERGENCE};
  for (std::size_t k = 0; k < x.size(); ++k)
    found.x[k] = std::min(std::max(x[k] * problem.scale[k], problem.low[k]), problem.high[k]);
}
