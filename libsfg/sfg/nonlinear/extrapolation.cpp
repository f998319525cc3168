#include "sfg/nonlinear/extrapolation.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using Eigen::VectorXd;

/// Midpoint steps of a column, and rates that are evaluated up to it.
double steps_of(std::size_t column) { return 2 * (static_cast<double>(column) + 1); }
double work_of(std::size_t column) {
  const double k = static_cast<double>(column) + 1;
  return 1 + k * k;
}

}  // namespace

void Extrapolation::start(double t, const VectorXd& x) {
  t_ = t;
  x_ = x;
  if (largest_.size() != x.size()) largest_ = VectorXd::Zero(x.size());
  h_ = 0;
}

double Extrapolation::step(double last) {
  largest_ = largest_.cwiseMax(x_.cwiseAbs());
  slope_.resize(x_.size());
  const auto stuck = [&] {
    return NoAnswer("the motion cannot be followed beyond t = " + print(t_) + ": it grows without bound there",
                    "ask for times before that, or look at what acts there");
  };
  if (!rate_(t_, x_, slope_) || !slope_.allFinite()) throw stuck();
  const double size = (x_.array().abs() / (atol_ + rtol_ * largest_.array())).maxCoeff() * rtol_,
               speed = (slope_.array().abs() / (atol_ + rtol_ * largest_.array())).maxCoeff() * rtol_;
  if (h_ == 0) h_ = speed > 0 ? 0.01 * std::max(size, 1e-3) / speed : last - t_;
  constexpr int most = 60;
  for (int i = 0; i < most; ++i) {
    const double allowed = std::min(h_, longest_), left = last - t_;
    const bool whole = allowed * 1.001 >= left;
    const double h = whole ? left : allowed < left && 2 * allowed > left ? left / 2 : allowed;
    if (t_ + h == t_) break;
    const double proposed = h_;
    const Attempt made = attempt(h);
    if (!made.taken) continue;
    x_ = row_[made.column];
    t_ = whole ? last : t_ + h;
    if (h < 0.9 * proposed) h_ = std::max(h_, proposed);  // it was cut short by something else
    return t_;
  }
  throw stuck();
}

Extrapolation::Attempt Extrapolation::attempt(double h) {
  const std::size_t last = std::min(target_ + 1, columns - 1);
  for (std::size_t column = 0; column <= last; ++column) {
    if (!midpoint(h, static_cast<std::size_t>(steps_of(column)), after_)) {
      h_ = h / 4;
      return {};
    }
    const double error = extrapolate(column, after_);
    if (column == 0) continue;
    lengths_[column] =
        h * std::clamp(0.94 * std::pow(0.65 / std::max(error, 1e-30), 1 / (2 * static_cast<double>(column) + 1)), 0.02, 4.0);
    if (error > 1 || column + 1 < target_) continue;
    choose(column);
    return {true, column};
  }
  h_ = std::min(lengths_[target_], 0.7 * h);
  return {};
}

/// The modified midpoint rule, without smoothing.
bool Extrapolation::midpoint(double h, std::size_t count, VectorXd& end) {
  const double part = h / static_cast<double>(count);
  before_ = x_;
  end = x_ + part * slope_;
  for (std::size_t k = 1; k < count; ++k) {
    here_.resize(x_.size());
    if (!rate_(t_ + static_cast<double>(k) * part, end, here_) || !here_.allFinite()) return false;
    before_ += 2 * part * here_;
    before_.swap(end);
  }
  return true;
}

double Extrapolation::extrapolate(std::size_t column, const VectorXd& end) {
  VectorXd value = end, difference = VectorXd::Zero(end.size());
  for (std::size_t k = 0; k < column; ++k) {
    const double ratio = steps_of(column) / steps_of(column - 1 - k);
    VectorXd better = value + (value - row_[k]) / (ratio * ratio - 1);
    row_[k].swap(value);
    difference = better - row_[k];
    value.swap(better);
  }
  row_[column].swap(value);
  const auto& reached = row_[column];
  const double error = (difference.array().abs() / (atol_ + rtol_ * largest_.cwiseMax(reached.cwiseAbs()).array())).maxCoeff();
  return std::isfinite(error) ? error : 1e30;
}

/// Order and length of the next step: what costs least a unit of time.
void Extrapolation::choose(std::size_t column) {
  const auto cost = [&](std::size_t k) { return work_of(k) / lengths_[k]; };
  target_ = column;
  if (column > 2 && cost(column - 1) < 0.8 * cost(column)) target_ = column - 1;
  h_ = lengths_[target_];
  if (target_ == column && column + 1 < columns - 1 && column > 1 && cost(column) < 0.9 * cost(column - 1)) {
    h_ *= work_of(column + 1) / work_of(column);
    target_ = column + 1;
  }
  target_ = std::clamp<std::size_t>(target_, 2, columns - 2);
}

}  // namespace sfg
