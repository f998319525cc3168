#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sfg/study/local/local_study.hpp"
#include "sfg/study/measures/measure.hpp"

// Not installed: whether a measure has a derivative at the stated values, or one to each side.
namespace sfg {

/// Least, greatest and first ones have corners where two share them, roots of roots have none at all, and what appears or cancels
/// at the stated values makes a measure jump: the analytic derivatives at points to both sides, nearer and nearer, tell. What
/// they tend to is the derivative to this side; nothing is divided by a difference of two values.
class SideSlopes {
 public:
  explicit SideSlopes(const MeasureProgram& program) : program_(program) {}

  /// @param value, slope  at the stated values; the slope by the formula of what is regular, NaN where that knows none
  SidedSlope operator()(std::size_t measure, std::size_t parameter, double value, double slope);

 private:
  /// What the points to one side show.
  struct Side {
    enum class Kind { slope, unbounded, jump, missing, unknown } kind = Kind::unknown;
    double slope = 0;
  };
  const LocalMeasures& at(std::size_t parameter, double offset);
  Side side(std::size_t measure, std::size_t parameter, double value, double reach);
  double reach(std::size_t parameter, double value, double slope) const;
  static std::string told(const Side& below, const Side& above);

  const MeasureProgram& program_;
  struct Known {
    std::size_t parameter;
    double offset;
    LocalMeasures found;
  };
  std::vector<Known> known_;  ///< points about the last parameter
};

}  // namespace sfg
