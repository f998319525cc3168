#include "sfg/derive/multibody/surroundings.hpp"

#include <ginac/ginac.h>

#include <cmath>

namespace sfg::surroundings {

namespace {

using GiNaC::ex;
using std::cos;
using std::sin;
using std::sqrt;

template <class T>
T named(const T& value, const Naming<T>& name) {
  return name ? name(value) : value;
}

template <class T>
Vector<T> named(const Vector<T>& values, const Naming<T>& name) {
  return {named(values[0], name), named(values[1], name), named(values[2], name)};
}

template <class T>
Vector<T> scaled(const Vector<T>& a, const T& factor) {
  return {a[0] * factor, a[1] * factor, a[2] * factor};
}

template <class T>
Vector<T> difference(const Vector<T>& a, const Vector<T>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

template <class T>
T length(const Vector<T>& a) {
  return sqrt(T(dot(a, a)));
}

template <class T>
T half(const T& a) {
  return a / 2;
}

/// μ0/(4π), H/m: the exact 1e-7 of the SI before 2019, which differs by 2e-10 of it from what is measured since.
template <class T>
T magnetic_constant() {
  return T(1) / 10000000;
}

/// Where the local vertical of a body is.
MovingFrame<ex> vertical(const std::optional<Multibody::Orbit>& orbit, const FrameExpressions& body, const Vector<ex>& centre,
                         const ex& t, const Naming<ex>& name) {
  if (orbit) return orbit_frame<ex>(orbit->mu, orbit->radius, orbit->inclination, t, name);
  return local_vertical<ex>(named(difference(body.position, centre), name), body.velocity, name);
}

}  // namespace

template <class T>
Matrix3<T> axes_of(const Quaternion<T>& q) {
  const auto& [a, b, c, d] = q;
  return {Vector<T>{1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)},
          Vector<T>{2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)},
          Vector<T>{2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)}};
}

template <class T>
Quaternion<T> product(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T>
T dot(const Vector<T>& a, const Vector<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T>
Vector<T> in_axes(const Matrix3<T>& axes, const Vector<T>& a) {
  Vector<T> result;
  for (std::size_t k = 0; k < 3; ++k) result[k] = axes[0][k] * a[0] + axes[1][k] * a[1] + axes[2][k] * a[2];
  return result;
}

template <class T>
Vector<T> from_axes(const Matrix3<T>& axes, const Vector<T>& a) {
  return {dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)};
}

template <class T>
MovingFrame<T> orbit_frame(const T& mu, const T& radius, const T& inclination, const T& t, const Naming<T>& name) {
  const T n = named(T(sqrt(T(mu / (radius * radius * radius)))), name), u = named(T(n * t), name);
  const T cu = named(T(cos(u)), name), su = named(T(sin(u)), name), ci = named(T(cos(inclination)), name),
          si = named(T(sin(inclination)), name), speed = named(T(n * radius), name);
  const Vector<T> up = named(Vector<T>{cu, su * ci, su * si}, name), forwards = named(Vector<T>{-su, cu * ci, cu * si}, name);
  // Turned by the inclination about x, by the argument u about z, and then x up and z along the normal becomes x forwards, z
  // down.
  const Quaternion<T> tilt{cos(half(inclination)), sin(half(inclination)), 0, 0};
  const Quaternion<T> along{cos(half(u)), 0, 0, sin(half(u))};
  const Quaternion<T> down{T(1) / 2, T(-1) / 2, T(-1) / 2, T(1) / 2};
  MovingFrame<T> frame;
  frame.position = scaled(up, radius);
  frame.velocity = scaled(forwards, speed);
  frame.w = {T(0), -n, T(0)};
  frame.q = product(product(tilt, along), down);
  for (T& component : frame.q) component = named(component, name);
  frame.axes = {Vector<T>{forwards[0], T(0), -up[0]}, Vector<T>{forwards[1], si, -up[1]}, Vector<T>{forwards[2], -ci, -up[2]}};
  return frame;
}

template <class T>
MovingFrame<T> local_vertical(const Vector<T>& position, const Vector<T>& velocity, const Naming<T>& name) {
  const T r = named(length(position), name);
  const Vector<T> area = named(cross(position, velocity), name);
  const T h = named(length(area), name);
  const Vector<T> down = named(scaled(position, T(-1 / r)), name), y = named(scaled(area, T(-1 / h)), name);
  const Vector<T> x = named(cross(y, down), name);
  MovingFrame<T> frame;
  frame.position = position;
  frame.velocity = velocity;
  frame.w = {T(0), named(T(-h / (r * r)), name), T(0)};
  frame.axes = {Vector<T>{x[0], y[0], down[0]}, Vector<T>{x[1], y[1], down[1]}, Vector<T>{x[2], y[2], down[2]}};
  const T scalar = named(T(sqrt(T(1 + x[0] + y[1] + down[2])) / 2), name);
  frame.q = {scalar, (y[2] - down[1]) / (4 * scalar), (down[0] - x[2]) / (4 * scalar), (x[1] - y[0]) / (4 * scalar)};
  for (T& component : frame.q) component = named(component, name);
  return frame;
}

template <class T>
Vector<T> central_gravity(const T& mu, const T& mass, const Vector<T>& position, const Naming<T>& name) {
  const T r = named(length(position), name);
  return scaled(position, named(T(-mu * mass / (r * r * r)), name));
}

template <class T>
Vector<T> gravity_gradient(const T& mu, const Vector<T>& position, const Matrix3<T>& J, const Naming<T>& name) {
  const T r = named(length(position), name);
  const Vector<T> up = named(scaled(position, T(1 / r)), name);
  const T strength = named(T(3 * mu / (r * r * r)), name);
  return named(scaled(cross(up, named(from_axes(J, up), name)), strength), name);
}

template <class T>
Vector<T> dipole_field(const Vector<T>& moment, const Vector<T>& position, const Naming<T>& name) {
  const T r = named(length(position), name);
  const Vector<T> up = named(scaled(position, T(1 / r)), name);
  const T factor = named(T(magnetic_constant<T>() / (r * r * r)), name), along = named(T(3 * dot(moment, up)), name);
  return named(scaled(difference(scaled(up, along), moment), factor), name);
}

std::vector<std::pair<std::string, ex>> readings(const Multibody::Sensor& sensor, const FrameExpressions& body,
                                                 const std::optional<Multibody::Orbit>& orbit, const ex& t,
                                                 const Vector<ex>& centre, const Naming<ex>& name) {
  using Kind = Multibody::Sensor::Kind;
  std::vector<std::pair<std::string, ex>> result;
  const auto attitude = [&](const Quaternion<ex>& reference) {
    const Quaternion<ex> error = product(conjugate(reference), body.q);
    for (std::size_t k = 0; k < 4; ++k) result.emplace_back(sensor.name + std::to_string(k), named(error[k], name));
  };
  const auto rate = [&](const Vector<ex>& w) {
    for (std::size_t k = 0; k < 3; ++k) result.emplace_back(sensor.name + std::to_string(k + 1), named(w[k], name));
  };
  switch (sensor.kind) {
    case Kind::attitude: attitude(sensor.reference); break;
    case Kind::local_vertical: attitude(vertical(orbit, body, centre, t, name).q); break;
    case Kind::rate: rate(body.w); break;
    case Kind::orbital_rate: {
      const MovingFrame<ex> frame = vertical(orbit, body, centre, t, name);
      rate(difference(body.w, in_axes(body.axes, named(from_axes(frame.axes, frame.w), name))));
      break;
    }
  }
  return result;
}

Vector<ex> magnetic_moment(const Multibody::Magnet& magnet, const FrameExpressions& body, const Matrix3<ex>& field_axes,
                           const std::optional<Multibody::Orbit>& orbit, const ex& t, const Naming<ex>& name) {
  Vector<ex> field;
  if (magnet.source)
    field = dipole_field<ex>(
        *magnet.source, orbit ? orbit_frame<ex>(orbit->mu, orbit->radius, orbit->inclination, t, name).position : body.position,
        name);
  else
    field = named(from_axes(field_axes, magnet.field), name);
  return named(cross(magnet.dipole, named(in_axes(body.axes, field), name)), name);
}

GravityPull central_pull(const Multibody::CentralGravity& gravity, const std::optional<Multibody::Orbit>& orbit, const ex& mass,
                         const Matrix3<ex>& inertia, const FrameExpressions& body, const ex& t, const Naming<ex>& name) {
  GravityPull pull{{0, 0, 0}, {0, 0, 0}};
  const Vector<ex> position = orbit ? orbit_frame<ex>(orbit->mu, orbit->radius, orbit->inclination, t, name).position
                                    : named(difference(body.position, gravity.centre), name);
  if (!orbit) pull.force = named(central_gravity<ex>(gravity.mu, mass, position, name), name);
  pull.moment = gravity_gradient<ex>(gravity.mu, named(in_axes(body.axes, position), name), inertia, name);
  return pull;
}

template Matrix3<double> axes_of(const Quaternion<double>&);
template Quaternion<double> product(const Quaternion<double>&, const Quaternion<double>&);
template Vector<double> cross(const Vector<double>&, const Vector<double>&);
template double dot(const Vector<double>&, const Vector<double>&);
template Vector<double> in_axes(const Matrix3<double>&, const Vector<double>&);
template Vector<double> from_axes(const Matrix3<double>&, const Vector<double>&);
template MovingFrame<double> orbit_frame(const double&, const double&, const double&, const double&, const Naming<double>&);
template MovingFrame<double> local_vertical(const Vector<double>&, const Vector<double>&, const Naming<double>&);
template Vector<double> central_gravity(const double&, const double&, const Vector<double>&, const Naming<double>&);
template Vector<double> gravity_gradient(const double&, const Vector<double>&, const Matrix3<double>&, const Naming<double>&);
template Vector<double> dipole_field(const Vector<double>&, const Vector<double>&, const Naming<double>&);

template Matrix3<ex> axes_of(const Quaternion<ex>&);
template Quaternion<ex> product(const Quaternion<ex>&, const Quaternion<ex>&);
template Vector<ex> cross(const Vector<ex>&, const Vector<ex>&);
template ex dot(const Vector<ex>&, const Vector<ex>&);
template Vector<ex> in_axes(const Matrix3<ex>&, const Vector<ex>&);
template Vector<ex> from_axes(const Matrix3<ex>&, const Vector<ex>&);
template MovingFrame<ex> orbit_frame(const ex&, const ex&, const ex&, const ex&, const Naming<ex>&);
template MovingFrame<ex> local_vertical(const Vector<ex>&, const Vector<ex>&, const Naming<ex>&);
template Vector<ex> central_gravity(const ex&, const ex&, const Vector<ex>&, const Naming<ex>&);
template Vector<ex> gravity_gradient(const ex&, const Vector<ex>&, const Matrix3<ex>&, const Naming<ex>&);
template Vector<ex> dipole_field(const Vector<ex>&, const Vector<ex>&, const Naming<ex>&);

}  // namespace sfg::surroundings
