#pragma once
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sfg/numeric/tape.hpp"
#include "sfg/ring/bounds.hpp"

// Not installed: bounds that hold however far away.
namespace sfg {

/// What lies in A^power · factor for every A from a reach R ≥ 1 on.
struct FarBounds {
  double power = 0;
  ring::Bounds factor{};
};

/// Interval arithmetic of what grows: x³ − 100 x² is A³ (1 − 100 [0, 1/R]), which is positive from R = 101 on.
class FarArithmetic {
 public:
  explicit FarArithmetic(double reach) : reach_(reach) {}

  FarBounds sum(const FarBounds&, const FarBounds&) const;
  /// Of every output of a tape, from those of its inputs; nothing where some function has no value for any of them.
  /// @note  As in enclosure(), constants that are no integers count as rounded once.
  std::optional<std::vector<FarBounds>> operator()(const numeric::Tape&, std::span<const FarBounds> inputs) const;

 private:
  FarBounds value(const numeric::Instruction&, const FarBounds& a, const FarBounds& b) const;
  FarBounds raised(const FarBounds&, const FarBounds& exponent) const;
  FarBounds steep(const FarBounds&, ring::Bounds (*function)(const ring::Bounds&)) const;
  FarBounds exponential(const FarBounds&) const;
  bool is_nowhere(const numeric::Instruction&, const FarBounds&) const;
  ring::Bounds factor_at(const FarBounds&, double power) const;
  ring::Bounds values(const FarBounds&) const;
  ring::Bounds reach_to(double power) const;

  double reach_;
  mutable std::map<double, ring::Bounds> powers_;  ///< of the reach, once each
};

}  // namespace sfg
