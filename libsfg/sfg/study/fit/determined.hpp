#pragma once
#include <string>
#include <vector>

#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// What residuals say of parameters to first order.
struct Determination {
  Eigen::Index rank = 0;
  std::vector<bool> determined = {};           ///< by parameter
  std::vector<std::string> combinations = {};  ///< of what is not: products of powers, or sums
  Eigen::MatrixXd inverse = {};                ///< (JᵀJ)⁻¹; of what is not determined the pseudoinverse
};

/// @param jacobian  of the residuals by the parameters
Determination determination(const Eigen::MatrixXd& jacobian, const std::vector<std::string>& names,
                            const std::vector<double>& values);

}  // namespace sfg
