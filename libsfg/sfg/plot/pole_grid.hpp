#pragma once
#include <complex>
#include <vector>

#include "sfg/plot/plot.hpp"

// Not installed: what lies behind poles in the plane of s and of z.
namespace sfg {

/// The frame of a map of poles: it holds all points and the origin, with one scale for both axes; never empty.
struct PlaneFrame {
  double left = -1, right = 1, top = 1;  ///< from −top to top
  double reach() const;                  ///< from the origin to the furthest corner
};
/// @param unit_circle  is to be seen as a whole
PlaneFrame frame_about(const std::vector<std::complex<double>>& points, bool unit_circle);
void set_frame(Panel&, const PlaneFrame&);

/// Rays of equal damping ratio ζ and circles of equal natural frequency ω_n in the left half plane, to the frame.
void add_s_grid(Panel&, const PlaneFrame&);
/// The unit circle, and inside of it the images of the same: spirals of equal ζ, and lines of equal ω_n in parts of π/h.
void add_z_grid(Panel&);
/// That of the plane of s or z, and the names of its axes where they have no unit.
void add_grid(Panel&, const PlaneFrame&, bool discrete);
/// A frame about the points with the grid of its plane.
void show_plane(Panel&, const std::vector<std::complex<double>>& points, bool discrete);

}  // namespace sfg
