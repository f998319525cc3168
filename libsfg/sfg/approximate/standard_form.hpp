#pragma once
#include <complex>
#include <vector>

#include "sfg/approximate/approximate.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/standard.hpp"

namespace sfg {

/// An approximation in standard form, with the error of each root.
struct StandardApproximation {
  struct Roots {
    std::vector<std::string> names;  ///< the definitions they follow from
    bool zeros = false;
    std::vector<std::complex<double>> values, exact;  ///< what the definitions give at the stated values, and the exact roots
    double relative_error = 0;                        ///< greatest |value − exact| / |exact|
  };
  StandardTransfer form;
  Deviation error;  ///< of the whole
  std::vector<Roots> roots;
};

/// Every root by a formula of its own where that is within the limit (ApproximateTransfer::by_roots), else as the approximation
/// can be factored. Roots are compared with the nearest of the exact ones; both are rounded from enclosures.
StandardApproximation standard_form(const ApproximateTransfer&, const SignalFlowGraph&, const PositiveLetters&, const Budget& = {});

}  // namespace sfg
