#pragma once
#include <ginac/ex.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/model/multibody.hpp"

/// What acts on a body from afar, and what it measures: local vertical, attitude and rates, gravity with its gradient, a magnetic
/// field (Ivankov 2018, section 5). T is GiNaC::ex, for equations, or double, for numbers. SI units.
namespace sfg::surroundings {

template <class T>
using Vector = std::array<T, 3>;
template <class T>
using Matrix3 = std::array<Vector<T>, 3>;  ///< by rows
template <class T>
using Quaternion = std::array<T, 4>;  ///< scalar first
/// Gives an intermediate result a name: returns what stands for it. Nothing: the result itself.
template <class T>
using Naming = std::function<T(const T&)>;

/// Axes with a motion; components are inertial where nothing else is said.
template <class T>
struct MovingFrame {
  Vector<T> position, velocity;
  Vector<T> w;      ///< angular velocity, in the axes of the frame
  Quaternion<T> q;  ///< turns components in the frame into inertial ones
  Matrix3<T> axes;  ///< its columns are the axes
};
using FrameExpressions = MovingFrame<GiNaC::ex>;

/// The axes that a quaternion of length 1 stands for.
template <class T>
Matrix3<T> axes_of(const Quaternion<T>& q);
/// a ∘ b: the turn b seen in the axes of a.
template <class T>
Quaternion<T> product(const Quaternion<T>& a, const Quaternion<T>& b);
template <class T>
Quaternion<T> conjugate(const Quaternion<T>& q) {
  return {q[0], -q[1], -q[2], -q[3]};
}
template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b);
template <class T>
T dot(const Vector<T>& a, const Vector<T>& b);
/// Sᵀ a: components in the axes.
template <class T>
Vector<T> in_axes(const Matrix3<T>& axes, const Vector<T>& a);
/// S a: components of a, which is given in the axes, in the frame around.
template <class T>
Vector<T> from_axes(const Matrix3<T>& axes, const Vector<T>& a);

/// The local vertical frame on a circular orbit about the origin, ascending node on +x at t = 0: z to the centre, y against the
/// normal of the orbit, x forwards. `w` is (0, −n, 0), n = √(mu/radius³). Its quaternion goes on without jumps.
template <class T>
MovingFrame<T> orbit_frame(const T& mu, const T& radius, const T& inclination, const T& t, const Naming<T>& name = {});
/// The same where position and velocity from the centre are known; `q` is that of positive scalar.
/// @note  Not where the frame is turned by exactly half a revolution from the inertial one.
template <class T>
MovingFrame<T> local_vertical(const Vector<T>& position, const Vector<T>& velocity, const Naming<T>& name = {});

/// −mu m r/|r|³.
template <class T>
Vector<T> central_gravity(const T& mu, const T& mass, const Vector<T>& position, const Naming<T>& name = {});
/// Moment about the centre of mass 3 mu/|r|⁵ r × (J r), to the first order of size over distance.
/// @param position  from the centre of attraction, in body axes
/// @param J         inertia about the centre of mass, body axes
template <class T>
Vector<T> gravity_gradient(const T& mu, const Vector<T>& position, const Matrix3<T>& J, const Naming<T>& name = {});
/// μ0/(4π r³) (3 (m·r̂) r̂ − m), in T: field of a dipole of moment m, A m², at a position from it.
template <class T>
Vector<T> dipole_field(const Vector<T>& moment, const Vector<T>& position, const Naming<T>& name = {});

/// Readings of a sensor by name: "qe0" … "qe3" of an attitude relative to the reference or to the local vertical,
/// "w1" … "w3" of an angular velocity, absolute or relative to the local vertical frame, in body axes; "qe" or "w" is the name of
/// the sensor. Without an orbit the vertical is that of the body's own position about `centre`.
/// @param t  the time
std::vector<std::pair<std::string, GiNaC::ex>> readings(const Multibody::Sensor&, const FrameExpressions& body,
                                                        const std::optional<Multibody::Orbit>&, const GiNaC::ex& t,
                                                        const Vector<GiNaC::ex>& centre = {0, 0, 0},
                                                        const Naming<GiNaC::ex>& name = {});
/// The moment d × B of a magnet on its body, in body axes: of the stated field, or of a dipole at the centre that the orbit, or
/// the body's own position, gives the distance of.
/// @param field_axes  of the stated field
Vector<GiNaC::ex> magnetic_moment(const Multibody::Magnet&, const FrameExpressions& body, const Matrix3<GiNaC::ex>& field_axes,
                                  const std::optional<Multibody::Orbit>&, const GiNaC::ex& t, const Naming<GiNaC::ex>& name = {});
/// What central gravity does to a body of that mass and inertia: the force at its centre of mass, inertial components (none with
/// an orbit, where the axes fall freely), and the moment of its gradient, in body axes.
/// @param body  moves with the centre of mass; of a number of bodies that are welded together, all of them
struct GravityPull {
  Vector<GiNaC::ex> force, moment;
};
GravityPull central_pull(const Multibody::CentralGravity&, const std::optional<Multibody::Orbit>&, const GiNaC::ex& mass,
                         const Matrix3<GiNaC::ex>& inertia, const FrameExpressions& body, const GiNaC::ex& t,
                         const Naming<GiNaC::ex>& name = {});

}  // namespace sfg::surroundings
