#pragma once
#include <optional>
#include <span>
#include <vector>

#include "sfg/numeric/tape.hpp"
#include "sfg/ring/bounds.hpp"

// Not installed: bounds that hold however far away.
namespace sfg {

/// What lies in A^power · factor for every A from a reach R ≥ 1 on.
struct Growth {
  double power = 0;
  ring::Bounds factor{};
};

/// Interval arithmetic of what grows: x³ − 100 x² is A³ (1 − 100 [0, 1/R]), which is positive from R = 101 on.
class GrowthArithmetic {
 public:
  explicit GrowthArithmetic(double reach) : reach_(reach) {}

  Growth sum(const Growth&, const Growth&) const;
  /// Of every output of a tape, from those of its inputs; nothing where some function has no value for any of them.
  /// @note  As in enclosure(), constants that are no integers count as rounded once.
  std::optional<std::vector<Growth>> operator()(const numeric::Tape&, std::span<const Growth> inputs) const;

 private:
  Growth value(const numeric::Instruction&, const Growth& a, const Growth& b) const;
  Growth raised(const Growth&, const Growth& exponent) const;
  Growth steep(const Growth&, ring::Bounds (*function)(const ring::Bounds&)) const;
  Growth exponential(const Growth&) const;
  bool is_nowhere(const numeric::Instruction&, const Growth&) const;
  ring::Bounds factor_at(const Growth&, double power) const;
  ring::Bounds values(const Growth&) const;
  ring::Bounds reach_to(double power) const;

  double reach_;
};

}  // namespace sfg
