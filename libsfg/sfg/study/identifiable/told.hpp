#pragma once
// Not installed: what transfer functions tell of their parameters, as polynomials, and the same made shorter.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// A quotient of polynomials of one space.
struct ToldFunction {
  ring::Polynomial above, below;
};

/// Transfer functions are known exactly if these are.
struct Told {
  PolynomialSpace space;
  std::vector<std::size_t> unknown;  ///< variables: the parameters in their order, behind them roots in them
  std::size_t parameters = 0;        ///< so many of `unknown` are parameters
  std::vector<std::string> names;    ///< of those
  std::vector<bool> within;          ///< whether the parameter is seen only through a function of it, which stands in its place
  std::vector<bool> influence;       ///< whether the transfer functions depend on it
  std::vector<std::vector<ring::Polynomial>> groups;  ///< each is told up to a factor that all of its members share
  std::vector<ring::Polynomial> relations;            ///< vanish: between roots and what is under them
  std::vector<bool> found = {};                       ///< of `unknown`: has one value, as peel() found out
};

/// @param known  parameters
Told told(const SignalFlowGraph&, std::span<const Question>, std::span<const std::string> known, const TransferOptions&);

/// Finds parameters that follow from two coefficients, and shortens the others by what is found: only `groups` and `found`
/// change.
void peel(Told&);

}  // namespace sfg
