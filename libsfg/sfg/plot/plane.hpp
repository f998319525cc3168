#pragma once
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "sfg/plot/plot.hpp"

// Not installed: the complex plane, of s and of z.
namespace sfg {

/// What a frequency in rad/s is divided by.
constexpr double per_hertz = 2 * std::numbers::pi;

/// With axes through 0 and one scale, in rad/s or Hz.
Panel plane(bool hertz = false);
/// Makes it the plane of z.
void make_discrete(Panel&);
void add_unit_circle(Panel&);
/// The distance of the furthest point from the origin.
double reach_of(const Panel&);

/// Number of the colour of what is marked on a curve: that of the curve, the second one where there is one curve alone.
inline std::size_t colour_of_marks(std::size_t index, std::size_t count) { return count == 1 ? 1 : index; }
inline bool is_finite(std::complex<double> z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

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
