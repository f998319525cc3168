#include "sfg/nonlinear/run/law_loop.hpp"

#include <utility>

namespace sfg {

namespace {

constexpr int most_iterations = 60;
constexpr double tolerance = 1e-13;

}  // namespace

LawLoop::LawLoop(const CompiledLaws& laws, Eigen::MatrixXd through)
    : arguments(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(laws.arguments()))),
      outputs(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(laws.laws()))),
      memory(laws.initial_memory()),
      parameters(laws.parameters(), 0),
      laws_(laws),
      through_(std::move(through)),
      direct_(through_.isZero(0)),
      slopes_(outputs.size(), arguments.size()) {}

CompiledLaws::Point LawLoop::point(double time) const {
  return {{arguments.data(), static_cast<std::size_t>(arguments.size())}, time, parameters, memory};
}

void LawLoop::evaluate(double time) {
  laws_.values(point(time), {outputs.data(), static_cast<std::size_t>(outputs.size())},
               {slopes_.data(), static_cast<std::size_t>(slopes_.size())});
  // sign(u)·√|u| has a value where it has no slope.
  slopes_ = slopes_.unaryExpr([](double slope) { return std::isfinite(slope) ? slope : 0; });
}

bool LawLoop::solve(double time, const Eigen::VectorXd& known) {
  if (direct_) {
    arguments = known;
    laws_.values(point(time), {outputs.data(), static_cast<std::size_t>(outputs.size())});
    return outputs.allFinite();
  }
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(arguments.size(), arguments.size());
  // What no law reaches at once is known: laws that have no value elsewhere (at a pole, where an inertia vanishes) have one here.
  for (Eigen::Index i = 0; i < arguments.size(); ++i)
    if (through_.row(i).isZero(0)) arguments[i] = known[i];
  const auto residual = [&] { return Eigen::VectorXd(known + through_ * outputs - arguments); };
  evaluate(time);
  Eigen::VectorXd rest = residual();
  for (int i = 0; i < most_iterations; ++i) {
    const Eigen::VectorXd step = (unit - through_ * slopes_).partialPivLu().solve(rest);
    if (!step.allFinite()) return false;
    const Eigen::VectorXd before = arguments;
    const double size = rest.norm();
    double part = 1;
    for (int halved = 0; halved < 30; ++halved, part /= 2) {  // damped: laws may be steep
      arguments = before + part * step;
      evaluate(time);
      rest = residual();
      if (rest.allFinite() && (rest.norm() <= size || part * step.norm() < tolerance)) break;
    }
    if (!outputs.allFinite()) return false;
    if ((part * step).norm() <= tolerance * (1 + arguments.norm())) return true;
  }
  return false;
}

Eigen::MatrixXd LawLoop::sensitivity(double time) {
  evaluate(time);
  if (direct_) return slopes_;
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(arguments.size(), arguments.size());
  return slopes_ * (unit - through_ * slopes_).inverse();
}

Eigen::MatrixXd through(const PrincipalForm& form, const Dynamics& linear) {
  const auto at = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  return Eigen::MatrixXd(linear.D[0]).block(0, at(form.sources.size()), at(form.arguments.size()), at(form.laws.size()));
}

Eigen::MatrixXd closed(const PrincipalForm& form, const Dynamics& linear, const Eigen::MatrixXd& sensitivity) {
  const auto at = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  const Eigen::MatrixXd from_laws = linear.B.middleCols(at(form.sources.size()), at(form.laws.size()));
  const Eigen::MatrixXd to_arguments = linear.C.topRows(at(form.arguments.size()));
  return Eigen::MatrixXd(linear.A) + from_laws * (sensitivity * to_arguments);
}

}  // namespace sfg
