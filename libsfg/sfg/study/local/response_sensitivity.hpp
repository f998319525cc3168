#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/study/study_parameters.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// The unit step response y(t) and how every parameter changes it.
struct ResponseSensitivity {
  std::string input, output;
  std::vector<double> time, value;
  std::vector<std::string> parameters;
  std::vector<std::vector<double>> slope;  ///< ∂y(t)/∂k, parameter by parameter
  std::vector<std::string> impulsive;  ///< parameters by which ∂y/∂k has impulses, which no sample shows (a jump that moves)
  bool exact = true;  ///< every slope by partial fractions of ∂T/∂k; else by one sweep back through the coefficients
};

/// Parameters that have a value. Of few parameters every ∂y/∂k is the certified step response of ∂T/∂k. Of more of them, where
/// the poles are simple, the slopes of y(t) by the coefficients of T are found once for each time and go back to all parameters
/// in one sweep, at a cost that does not grow with their number; an exact derivative in a random direction checks them all.
/// @throws as step_response(); sfg::Error naming parameters without values.
ResponseSensitivity step_sensitivity(const StudiedGraph&, const Question&, std::span<const double> times,
                                     const TransferOptions& = {});

}  // namespace sfg
