#include "sfg/study/fit/determined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Exponents or factors that stand for a row: small whole numbers where a multiple of it consists of them.
std::vector<double> whole(const VectorXd& row) {
  constexpr int most = 12;
  constexpr double rounding = 1e-5;
  std::vector<double> found(static_cast<std::size_t>(row.size()));
  for (int factor = 1; factor <= most; ++factor) {
    bool good = true;
    for (Index i = 0; i < row.size(); ++i) {
      const double value = row[i] * factor, near = std::round(value);
      good = good && std::abs(value - near) <= rounding * factor;
      found[static_cast<std::size_t>(i)] = near;
    }
    if (good) return found;
  }
  return {};
}

std::string power(const std::string& name, double exponent) {
  return exponent == 1 ? name : fmt::format("{}^{}", name, static_cast<int>(exponent));
}

/// A*B^2/(C*D)
std::string power_product(const std::vector<double>& exponents, const std::vector<std::string>& names) {
  std::string above, below;
  int factors = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (exponents[i] == 0) continue;
    std::string& side = exponents[i] > 0 ? above : below;
    if (exponents[i] < 0) ++factors;
    side += (side.empty() ? "" : "*") + power(names[i], std::abs(exponents[i]));
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + "/" + (factors > 1 ? "(" + below + ")" : below);
}

/// A + 2*B - 0.3*C
std::string weighted_sum(const VectorXd& factors, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double factor = factors[static_cast<Index>(i)];
    if (std::abs(factor) < 1e-9) continue;
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    if (const double size = std::abs(factor); std::abs(size - 1) > 1e-9) text += fmt::format("{:.6g}*", size);
    text += names[i];
  }
  return text;
}

/// A basis of the space of rows in which every row has a leading 1 where the others have 0.
MatrixXd echelon(MatrixXd rows) {
  Index next = 0;
  for (Index column = 0; column < rows.cols() && next < rows.rows(); ++column) {
    Index pivot = next;
    rows.col(column).tail(rows.rows() - next).cwiseAbs().maxCoeff(&pivot);
    pivot += next;
    if (std::abs(rows(pivot, column)) < 1e-7) continue;
    rows.row(next).swap(rows.row(pivot));
    rows.row(next) /= rows(next, column);
    for (Index other = 0; other < rows.rows(); ++other)
      if (other != next) rows.row(other) -= rows(other, column) * rows.row(next).eval();
    ++next;
  }
  return rows.topRows(next);
}

/// The largest of the whole numbers that stand for rows; infinite where some are no such numbers.
double height(const MatrixXd& rows) {
  double largest = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    const std::vector<double> numbers = whole(rows.row(i));
    if (numbers.empty()) return HUGE_VAL;
    for (const double number : numbers) largest = std::max(largest, std::abs(number));
  }
  return largest;
}

/// Products of powers where their exponents are small whole numbers, and not larger than the factors of sums; else sums.
std::vector<std::string> combined(const MatrixXd& rows, const std::vector<std::string>& names, const VectorXd& values) {
  std::vector<std::string> products, sums;
  const bool nonzero = values.cwiseAbs().minCoeff() > 0;
  MatrixXd of_logarithms = nonzero ? echelon(rows * values.asDiagonal()) : MatrixXd(0, 0);
  constexpr double credible = 6;
  const double powers = height(of_logarithms);
  const bool products_fit = nonzero && powers <= credible && powers <= height(echelon(rows));
  if (!products_fit) of_logarithms.resize(0, 0);
  for (Index i = 0; i < of_logarithms.rows(); ++i) {
    const std::vector<double> exponents = whole(of_logarithms.row(i));
    if (exponents.empty()) break;
    products.push_back(power_product(exponents, names));
  }
  if (products_fit) return products;
  VectorXd size = values.cwiseAbs();
  for (double& each : size) each = each > 0 ? each : 1;
  MatrixXd plain = echelon(rows * size.asDiagonal()) * size.cwiseInverse().asDiagonal();
  for (Index i = 0; i < plain.rows(); ++i) {
    Index lead = 0;
    (plain.row(i) * size.asDiagonal()).cwiseAbs().maxCoeff(&lead);
    for (Index k = plain.cols(); k-- > 0;)
      if (std::abs(plain(i, k)) * size[k] > 1e-6 * std::abs(plain(i, lead)) * size[lead]) lead = k;
    sums.push_back(weighted_sum(plain.row(i) / plain(i, lead), names));
  }
  return sums;
}

}  // namespace

Determination determination(const MatrixXd& jacobian, const std::vector<std::string>& names, const std::vector<double>& values) {
  const Index count = jacobian.cols();
  Determination found{0, std::vector<bool>(static_cast<std::size_t>(count), true), {}, MatrixXd::Zero(count, count)};
  if (count == 0) return found;
  // Parameters in their own size, then columns of length 1, so that units do not matter.
  VectorXd size(count), scale(count);
  for (Index k = 0; k < count; ++k) {
    const double value = std::abs(values[static_cast<std::size_t>(k)]);
    size[k] = value > 0 ? value : 1;
    scale[k] = jacobian.col(k).norm();
  }
  constexpr double nothing = 1e-12;
  const double largest = (scale.array() * size.array()).maxCoeff();
  MatrixXd scaled = jacobian;
  for (Index k = 0; k < count; ++k) {
    if (!(scale[k] * size[k] > nothing * largest)) scale[k] = 0;
    scaled.col(k) *= scale[k] > 0 ? 1 / scale[k] : 0;
  }
  const MatrixXd triangle =
      Eigen::HouseholderQR<MatrixXd>(scaled).matrixQR().topRows(std::min(count, scaled.rows())).triangularView<Eigen::Upper>();
  const Eigen::JacobiSVD<MatrixXd> svd(triangle, Eigen::ComputeThinU | Eigen::ComputeFullV);
  constexpr double dependent = 1e-8;
  const VectorXd& singular = svd.singularValues();
  for (Index i = 0; i < singular.size(); ++i)
    if (singular[i] > dependent * singular[0] && singular[0] > 0) ++found.rank;
  const MatrixXd seen = svd.matrixV().leftCols(found.rank), unseen = svd.matrixV().rightCols(count - found.rank);
  VectorXd back(count);
  for (Index k = 0; k < count; ++k) back[k] = scale[k] > 0 ? 1 / scale[k] : 0;
  const MatrixXd half = back.asDiagonal() * seen * singular.head(found.rank).cwiseInverse().asDiagonal();
  found.inverse = half * half.transpose();
  std::vector<Index> free;
  for (Index k = 0; k < count; ++k)
    if (found.rank < count && unseen.row(k).norm() > 1e-6) {
      found.determined[static_cast<std::size_t>(k)] = false;
      free.push_back(k);
    }
  const auto unknown = static_cast<Index>(free.size());
  const Index kept = found.rank - (count - unknown);
  if (unknown == 0 || kept <= 0) return found;
  // What is seen of the unknown ones alone: orthogonal to what is not seen, back in the parameters themselves.
  MatrixXd hidden(unknown, unseen.cols());
  std::vector<std::string> own_names;
  VectorXd own_values(unknown), own_scale(unknown);
  for (Index i = 0; i < unknown; ++i) {
    const Index k = free[static_cast<std::size_t>(i)];
    hidden.row(i) = unseen.row(k);
    own_names.push_back(names[static_cast<std::size_t>(k)]);
    own_values[i] = values[static_cast<std::size_t>(k)];
    own_scale[i] = scale[k];
  }
  const Eigen::JacobiSVD<MatrixXd> apart(hidden, Eigen::ComputeFullU | Eigen::ComputeThinV);
  const MatrixXd rows = apart.matrixU().rightCols(kept).transpose() * own_scale.asDiagonal();
  const double most = (rows * own_values.asDiagonal()).cwiseAbs().maxCoeff();
  found.combinations = combined(rows / (most > 0 ? most : 1), own_names, own_values);
  return found;
}

}  // namespace sfg
