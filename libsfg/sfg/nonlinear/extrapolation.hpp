#pragma once
#include <Eigen/Dense>
#include <functional>
#include <limits>
#include <vector>

// Not installed.
namespace sfg {

/// ẋ = f(t, x) of smooth equations without fast decay, to nearly all digits of a double: Gragg's midpoint steps, extrapolated to
/// orders up to 24 (Bulirsch and Stoer 1966; Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, section
/// II.9). A step knows nothing of those before: the state may be changed between them.
class Extrapolation {
 public:
  using Rate = std::function<bool(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate)>;
  /// @param rate  false where there is none: the step is made smaller
  /// @param rtol  of the largest value of a state so far; @param atol  beside it
  Extrapolation(Rate rate, double rtol, double atol) : rate_(std::move(rate)), rtol_(rtol), atol_(atol) {}

  void start(double t, const Eigen::VectorXd& x);
  /// Puts the state to a place near the one where it is.
  void move(const Eigen::VectorXd& x) { x_ = x; }
  /// The next steps are no longer than that.
  void limit(double longest) { longest_ = longest; }
  /// One step, not beyond `last`, to which time; @throws NoAnswer where none is possible.
  double step(double last);

  double now() const { return t_; }
  const Eigen::VectorXd& state() const { return x_; }

 private:
  static constexpr std::size_t columns = 12;
  struct Attempt {
    bool taken = false;
    std::size_t column = 0;  ///< with whose value the step is taken
  };
  Attempt attempt(double h);
  bool midpoint(double h, std::size_t count, Eigen::VectorXd& end);
  /// Takes a column in; the difference of the two best values, 1: as much as is allowed.
  double extrapolate(std::size_t column, const Eigen::VectorXd& end);
  void choose(std::size_t column);

  Rate rate_;
  double rtol_, atol_, t_ = 0, h_ = 0, longest_ = std::numeric_limits<double>::infinity();
  std::size_t target_ = 5;
  Eigen::VectorXd x_, largest_, slope_, here_, before_, after_;
  std::vector<Eigen::VectorXd> row_ = std::vector<Eigen::VectorXd>(columns);
  std::vector<double> lengths_ = std::vector<double>(columns);  ///< that each column allows
};

}  // namespace sfg
