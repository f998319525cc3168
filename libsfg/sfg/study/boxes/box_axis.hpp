#pragma once
#include <optional>
#include <vector>

#include "sfg/study/boxes/box_roots.hpp"
#include "sfg/study/boxes/box_transfer.hpp"

// Not installed: measures of a whole frequency response over a box.
namespace sfg {

/// T on the axis by polynomials in x: x = ω² of a system in s; in z x = sin²(ωh/2), from 0 to 1.
class BoxAxis {
 public:
  BoxAxis(const ring::ParameterBox&, const BoxTransfer&);

  /// Height and frequency of the greatest magnitude.
  struct Peak {
    ring::Jet height, frequency;
  };
  Peak peak() const;
  ring::Jet bandwidth() const;
  /// Of the open loop T, as the following; dB.
  ring::Jet gain_margin() const;
  ring::Jet phase_margin() const;  ///< deg
  ring::Jet modulus_margin() const;
  ring::Jet disk_margin() const;  ///< α of σ = 0
  ring::Jet delay_margin() const;
  ring::Jet gain_crossover() const;  ///< the lowest one, rad/s; as is the following
  ring::Jet phase_crossover() const;

 private:
  struct Candidate {
    ring::Jet value;
    bool certain;
  };
  using Polynomial = std::vector<ring::Jet>;

  ring::Jet frequency(const ring::Jet& x) const;
  ring::Jet sine(const ring::Jet& x) const;  ///< what V is multiplied with: ω, sin ωh
  double end(const Polynomial&) const;       ///< of the range that holds all roots
  /// Of above/below.
  /// @param slope   has the sign of its derivative
  /// @param limit   of the ratio at infinite frequency, of a system in s; nothing: 0
  Peak greatest(const Polynomial& above, const Polynomial& below, const BoxFunction& slope, const std::optional<ring::Jet>& limit,
                bool limit_counts) const;
  ring::Jet decibels(const ring::Jet& x) const;  ///< that the gain may rise by
  std::vector<BoxRoot> gain_crossovers() const;
  std::vector<BoxRoot> real_values() const;  ///< where the imaginary part vanishes, 0 < x
  ring::Jet delayed_gain_margin() const;
  ring::Jet angle_at(const ring::Jet& x) const;  ///< 180° + arg T, in (−180°, 180°]; deg
  static ring::Jet least(const std::vector<Candidate>&);
  static ring::Jet lowest(const std::vector<Candidate>&);

  const ring::ParameterBox& box_;
  const BoxTransfer& T_;
  Polynomial above_, below_;     // |N|², |D|²
  Polynomial real_, imaginary_;  // N·conj(D) = real + j·sine·imaginary
  Polynomial closed_;            // |N + D|²
};

/// Whether all roots of a polynomial lie on the left of the axis (in z: within the circle): 1 for all parameters, −1 for none, 0
/// where it cannot be told.
int stable_over(std::span<const ring::Jet> ascending, bool discrete);

}  // namespace sfg
