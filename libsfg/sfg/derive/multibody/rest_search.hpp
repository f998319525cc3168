#pragma once
#include <ginac/ginac.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/multibody/small_motion.hpp"

namespace sfg {

/// Newton's method for a position where loops are closed and forces balance: F(x, v_e, u_e) + Jᵀ λ = 0, φ(x) = 0, in doubles from
/// several starts, then with 60 digits. Steps have the least norm, so that what is free stays where it started.
class RestSearch {
 public:
  /// What is solved for and what shall hold.
  struct Task {
    std::vector<bool> moves;     ///< by speed: the displacement is looked for
    std::vector<bool> balances;  ///< by speed: the force along it vanishes; all false: loops are closed and nothing else
  };
  struct Position {
    std::vector<GiNaC::ex> coordinates;  ///< decimals of 40 digits, or multiples of pi/12
    std::vector<std::string> free = {};  ///< displacements that nothing holds
  };

  /// @param fixed  numbers for parameters, speeds, inputs without a law and the time
  /// @throws sfg::Error naming parameters without a value.
  RestSearch(const SmallMotion&, const GiNaC::exmap& fixed);
  ~RestSearch();
  RestSearch(const RestSearch&) = delete;
  RestSearch& operator=(const RestSearch&) = delete;

  /// From one start; nothing when the iteration does not converge.
  std::optional<Position> from(std::vector<double> start, const Task&, const Budget&) const;
  /// From this start, then from others about it on the scales of angles and lengths: different positions, at most `most`, the
  /// nearest to the start first: Newton's iteration may leave a start for a position far away.
  std::vector<Position> around(const std::vector<double>& start, const Task&, std::size_t most, const Budget&) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

/// Definitions in the order of their evaluation, as far as the expressions need them.
/// @throws sfg::Error when definitions refer to each other in a circle (a control law that reads its own output).
std::vector<std::pair<GiNaC::ex, GiNaC::ex>> in_order(const std::vector<EquationsOfMotion::Definition>&,
                                                      const std::vector<GiNaC::ex>& expressions);
/// A number with 40 digits, 0 below 1e-40; a multiple of pi/12 is kept as that.
GiNaC::ex decimal_of(const GiNaC::numeric&);

}  // namespace sfg
