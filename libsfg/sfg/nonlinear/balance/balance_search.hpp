#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "sfg/nonlinear/balance/balance_path.hpp"
#include "sfg/nonlinear/balance/balance_starts.hpp"
#include "sfg/nonlinear/balance/balance_transmittances.hpp"
#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: all periodic motions at given frequencies.
namespace sfg {

class BalanceSearch {
 public:
  BalanceSearch(const BalanceEquations&, std::vector<double> frequencies, std::uint64_t seed);

  struct Solution {
    double frequency;
    Eigen::VectorXd x;
    std::size_t curve;
    std::size_t place;  ///< of the curve's samples
  };
  struct Sample {
    Eigen::VectorXd x;
    double frequency;
    bool mark = false;  ///< stability may change here
  };
  struct Mark {
    MotionMark::Kind kind;
    Eigen::VectorXd x;
    double frequency;
  };
  /// Transmittances as the curves have them.
  std::shared_ptr<const BalanceEquations::Linear> linear(double frequency) { return transmittances_.at(frequency); }
  BalanceTransmittances& transmittances() { return transmittances_; }
  const std::vector<Solution>& solutions() const { return solutions_; }
  const std::vector<std::vector<Sample>>& curves() const { return curves_; }
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  PathProblem in_frequency();
  std::shared_ptr<const BalanceEquations::Linear> exact(double frequency);
  std::vector<double> start_frequencies() const;
  void start_at(double frequency, const Eigen::VectorXd&);
  void follow(BalancePath);
  void follow_other_branches();
  bool step(const BalancePath&);
  bool solve_between(const BalancePath&, const BalancePath::Point& a, const BalancePath::Point& b);
  bool add(double frequency, const Eigen::VectorXd&);
  bool known(double frequency, const Eigen::VectorXd&) const;
  void mark(MotionMark::Kind, const BalancePath::Point&);

  const BalanceEquations& equations_;
  BalanceTransmittances transmittances_;
  std::vector<double> frequencies_;  ///< sorted
  std::map<double, std::shared_ptr<const BalanceEquations::Linear>> exact_;
  bool mirrors_ = false;  ///< a motion turned about is one, too
  double low_, high_;     ///< as far as curves are followed
  std::vector<Solution> solutions_;
  std::vector<std::vector<Sample>> curves_;
  std::vector<Mark> marks_;
  std::vector<BalancePath::Point> branch_points_;
};

}  // namespace sfg
