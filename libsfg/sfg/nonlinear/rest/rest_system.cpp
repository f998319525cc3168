#include "sfg/nonlinear/rest/rest_system.hpp"

#include <cmath>
#include <limits>

#include "sfg/nonlinear/rest/rest_reach.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using ring::Bounds;

RestBox middle_of(const RestBox& box) {
  RestBox point;
  for (const Bounds& side : box) point.push_back(Bounds::exactly(middle(side)));
  return point;
}

Bounds sum_of(const RestSystem::Row& row, const RestBox& arguments, const RestBox& laws) {
  Bounds sum = row.constant;
  for (std::size_t j = 0; j < arguments.size(); ++j) sum = sum + row.arguments[j] * arguments[j];
  for (std::size_t i = 0; i < laws.size(); ++i) sum = sum + row.laws[i] * laws[i];
  return sum;
}

/// f(m) + S (X − m), which is narrow where the law is a straight line, and what is natural where it is not.
void by_mean_value(Enclosure& laws, const Enclosure& at_middle, const RestBox& box) {
  for (std::size_t i = 0; i < laws.values.size(); ++i) {
    Bounds mean = at_middle.values[i];
    for (std::size_t j = 0; j < box.size(); ++j)
      mean = mean + laws.slopes[i * box.size() + j] * (box[j] - Bounds::exactly(middle(box[j])));
    if (const Bounds both = intersection(laws.values[i], mean); !empty(both)) laws.values[i] = both;
  }
}

}  // namespace

RestSystem::RestSystem(const PrincipalForm& form, const RestEquations& equations, const CompiledLaws& compiled,
                       const std::vector<double>& inputs)
    : size_(form.arguments.size()), laws_(form.laws.size()), compiled_(compiled) {
  for (const auto& equation : with_combinations(equations, form).equations) {
    Row row{RestBox(size_, Bounds{}), RestBox(laws_, Bounds{}), Bounds{}};
    for (const auto& [i, value] : equation.arguments) row.arguments[i] = bounds_of(value);
    for (const auto& [i, value] : equation.laws) row.laws[i] = bounds_of(value);
    for (const auto& [i, value] : equation.sources) row.constant = row.constant + bounds_of(value) * Bounds::exactly(inputs[i]);
    (rows_.size() < size_ ? rows_ : combinations_).push_back(std::move(row));
  }
}

RestSystem::Values RestSystem::at(const RestBox& box, std::span<const int> sides) const {
  using Defined = Enclosure::Defined;
  Values found{{}, {}, compiled_.enclosure(box, {}, {}, sides), {}};
  const Enclosure at_middle = compiled_.enclosure(middle_of(box));
  found.middle_defined = at_middle.defined == Defined::everywhere;
  if (found.laws.defined == Defined::everywhere) by_mean_value(found.laws, at_middle, box);
  for (const Bounds& law : at_middle.values) found.at_middle.push_back(middle(law));
  for (const Row& row : rows_) {
    found.residual.push_back(sum_of(row, box, found.laws.values));
    RestBox slopes = row.arguments;
    for (std::size_t j = 0; j < size_; ++j)
      for (std::size_t i = 0; i < laws_; ++i) slopes[j] = slopes[j] + row.laws[i] * found.laws.slopes[i * size_ + j];
    found.jacobian.push_back(std::move(slopes));
  }
  return found;
}

RestBox RestSystem::residual_at_middle(const RestBox& box) const {
  const RestBox point = middle_of(box);
  const Enclosure laws = compiled_.enclosure(point);
  RestBox result;
  for (const Row& row : rows_) result.push_back(sum_of(row, point, laws.values));
  return result;
}

double RestSystem::residual(const std::vector<double>& arguments, double least) const {
  std::vector<double> f(laws_);
  compiled_.values({arguments, 0}, f);
  double worst = 0;
  for (const Row& row : rows_) {
    double sum = middle(row.constant), size = std::max(least, std::abs(sum));
    const auto add = [&](const Bounds& factor, double value) {
      sum += middle(factor) * value;
      size += std::abs(middle(factor) * value);
    };
    for (std::size_t j = 0; j < size_; ++j) add(row.arguments[j], arguments[j]);
    for (std::size_t i = 0; i < laws_; ++i) add(row.laws[i], f[i]);
    const double relative = size == 0 ? 0 : std::abs(sum) / size;
    worst = std::isnan(relative) ? std::numeric_limits<double>::infinity() : std::max(worst, relative);
  }
  return worst;
}

bool RestSystem::narrow(RestBox& box, const RestBox& laws) const {
  const auto by = [&](const Row& row) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (row.arguments[j].contains(0)) continue;
      Bounds rest = row.constant;
      for (std::size_t i = 0; i < laws_; ++i) rest = rest + row.laws[i] * laws[i];
      for (std::size_t other = 0; other < size_; ++other)
        if (other != j) rest = rest + row.arguments[other] * box[other];
      box[j] = intersection(box[j], -rest / row.arguments[j]);
      if (empty(box[j])) return false;
    }
    return true;
  };
  return std::ranges::all_of(rows_, by) && std::ranges::all_of(combinations_, by);
}

bool RestSystem::newton(std::vector<double>& arguments) const {
  using Eigen::Index;
  const auto n = static_cast<Index>(size_);
  std::vector<double> f(laws_), slopes(laws_ * size_);
  for (int step = 0; step < 60; ++step) {
    compiled_.values({arguments, 0}, f, slopes);
    Eigen::VectorXd G(n);
    Eigen::MatrixXd J(n, n);
    for (Index r = 0; r < n; ++r) {
      const Row& row = rows_[static_cast<std::size_t>(r)];
      G(r) = middle(row.constant);
      for (std::size_t j = 0; j < size_; ++j) {
        G(r) += middle(row.arguments[j]) * arguments[j];
        double slope = middle(row.arguments[j]);
        for (std::size_t i = 0; i < laws_; ++i) slope += middle(row.laws[i]) * slopes[i * size_ + j];
        J(r, static_cast<Index>(j)) = slope;
      }
      for (std::size_t i = 0; i < laws_; ++i) G(r) += middle(row.laws[i]) * f[i];
    }
    const Eigen::VectorXd change = J.fullPivLu().solve(-G);
    if (!change.allFinite()) return false;
    bool small = true;
    for (std::size_t j = 0; j < size_; ++j) {
      const double by = change(static_cast<Index>(j));
      small = small && std::abs(by) <= 1e-13 * std::max(1.0, std::abs(arguments[j]));
      arguments[j] += by;
    }
    if (small) return residual(arguments) < 1e-9;
  }
  return false;
}

}  // namespace sfg
