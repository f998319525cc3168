#pragma once
#include <optional>
#include <vector>

#include "sfg/study/boxes/box_transfer.hpp"

// Not installed: poles over a box, and measures of them.
namespace sfg {

/// One root of a polynomial for every point of the box, and no other, in a rectangle of the plane; or several of which nothing
/// more is known. Of conjugate ones the upper one.
struct BoxPole {
  ring::Interval real, imaginary;             ///< the rectangle
  std::size_t count = 1;                      ///< roots in it, with their conjugates where it reaches the real axis
  std::optional<ring::ComplexJet> root = {};  ///< of a simple one
  bool on_axis = false;                       ///< a simple real root
  /// Of two roots that may be a pair, real, or one: half ± √discriminant.
  struct Two {
    ring::Jet half, discriminant;
    ring::Jet product() const;
  };
  std::optional<Two> two = {};
};

/// All roots: one after the other by interval Newton in the complex plane and deflation, the last two by the formula; what is not
/// isolated by discs (Smith 1970; Neumaier 2003).
/// @param together  whether two that are near each other stay two, though they can be told apart
/// @returns nothing where they are not found
std::optional<std::vector<BoxPole>> box_poles(const ring::ParameterBox&, std::span<const ring::Jet> ascending,
                                              bool together = false);

class BoxPoles {
 public:
  BoxPoles(const ring::ParameterBox&, const BoxTransfer&);
  ring::Jet abscissa() const;
  ring::Jet damping() const;
  /// Of the mode that has this natural frequency at the centre of the box; the number tells which of two it is that meet.
  ring::Jet mode_frequency(double at_centre, std::size_t number) const;
  ring::Jet mode_damping(double frequency_at_centre, std::size_t number) const;

 private:
  const BoxPole* mode(double frequency_at_centre) const;
  bool has_no(std::size_t number) const;
  ring::Jet frequency_of_two(const BoxPole&, double at_centre, std::size_t number) const;
  ring::ComplexJet in_s(const BoxPole&) const;

  double period_;
  std::optional<std::vector<BoxPole>> poles_;
};

}  // namespace sfg
