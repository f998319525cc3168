#pragma once
#include <ginac/ginac.h>

#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/multibody/small_motion.hpp"

namespace sfg {

/// Whether small motions about a steady motion have constant coefficients: a while later along it forces still balance, inputs
/// act as before, and the determinant of D(p) is the same at some p. (The entries may turn with the axes that displacements are
/// components along.)
class StationaryMotion {
 public:
  /// @param values       the point at t = 0, by symbol
  /// @param multipliers  by constraint
  /// @param rows         constraints that are independent
  StationaryMotion(const SmallMotion&, const GiNaC::exmap& values, std::vector<GiNaC::ex> multipliers,
                   std::vector<std::size_t> rows);
  /// What changes; nothing where all stays. Parameters without a value have one at random.
  std::optional<std::string> change(const Budget&) const;

 private:
  struct Coefficients;
  Coefficients at(const GiNaC::numeric& time, const Budget&) const;
  GiNaC::exmap moved(const GiNaC::numeric& time) const;

  const SmallMotion& small_;
  GiNaC::exmap values_, parameters_;
  std::vector<GiNaC::ex> multipliers_;
  std::vector<std::size_t> rows_;
};

}  // namespace sfg
