#include "sfg/derive/multibody/body_integrals.hpp"

#include <ginac/ginac.h>

#include <functional>

namespace sfg {

namespace {

using GiNaC::ex;
using namespace spatial;
using Elastic = Multibody::Elastic;

bool equal(const ex& a, const ex& b) { return a.is_equal(b) || (a - b).normal().is_zero(); }

bool equal(const Vector& a, const Vector& b) { return equal(a[0], b[0]) && equal(a[1], b[1]) && equal(a[2], b[2]); }

const Elastic* elastic_of(const Multibody& model, std::size_t body) {
  for (const Elastic& elastic : model.elastic)
    if (elastic.body == body) return &elastic;
  return nullptr;
}

/// A mass point of an elastic body, or the cross-section of a beam.
struct Sample {
  Vector at;
  std::vector<Vector> shapes;
};

Vector deflection(int direction, const ex& value) { return direction == 2 ? Vector{0, 0, value} : Vector{0, value, 0}; }

Sample section(const Elastic::Beam& beam, const ex& x) {
  Sample sample{{x, 0, 0}, {}};
  for (std::size_t j = 0; j < beam.shapes.size(); ++j)
    sample.shapes.push_back(deflection(beam.directions.empty() ? 1 : beam.directions[j], beam.shapes[j].subs(beam.x == x)));
  return sample;
}

/// ∫₀ᴸ of a polynomial in x.
ex integral(const ex& polynomial, const ex& x, const ex& length) {
  const ex expanded = polynomial.expand();
  ex sum = 0;
  for (int k = expanded.ldegree(x); k <= expanded.degree(x); ++k)
    sum += expanded.coeff(x, k) * GiNaC::power(length, k + 1) / (k + 1);
  return sum.normal();
}

/// Σ or ∫ over the mass of the elastic part.
class Mass {
 public:
  explicit Mass(const Elastic& elastic) : elastic_(elastic) {}

  ex operator()(const std::function<ex(const Sample&)>& f) const {
    ex sum = 0;
    for (const Elastic::Point& point : elastic_.points) sum += point.mass * f(sample(point));
    if (!elastic_.beam) return sum;
    const Elastic::Beam& beam = *elastic_.beam;
    return sum + (beam.rhoA * integral(f(section(beam, beam.x)), beam.x, beam.length)).normal() +
           beam.tip_mass * f(section(beam, beam.length)).normal();
  }
  Vector operator()(const std::function<Vector(const Sample&)>& f) const {
    Vector result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = (*this)(std::function([&](const Sample& s) { return f(s)[i]; }));
    return result;
  }
  Matrix operator()(const std::function<Matrix(const Sample&)>& f) const {
    Matrix result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = (*this)(std::function([&](const Sample& s) { return f(s)[i]; }));
    return result;
  }

 private:
  static Sample sample(const Elastic::Point& point) {
    Sample result{point.at, {}};
    for (const Elastic::Mode& mode : point.modes) result.shapes.push_back(mode.shape);
    return result;
  }

  const Elastic& elastic_;
};

template <class Result>
Result over(const Mass& mass, Result (*f)(const Sample&, std::size_t, std::size_t), std::size_t j = 0, std::size_t k = 0) {
  return mass(std::function<Result(const Sample&)>([=](const Sample& sample) { return f(sample, j, k); }));
}

void add_modes(BodyIntegrals& result, const Elastic& elastic, Substitutions& names) {
  const Mass mass(elastic);
  const std::size_t n = elastic.coordinates.size();
  using S = const Sample&;
  using I = std::size_t;
  for (I j = 0; j < n; ++j) {
    BodyIntegrals::Mode mode;
    mode.N2 = names(over<Vector>(
        mass, [](S s, I a, I) { return s.shapes[a]; }, j));
    mode.N4 = names(over<Matrix>(
        mass, [](S s, I a, I) { return skew_product(s.at, s.shapes[a]); }, j));
    mode.N6 = names(over<Vector>(
        mass, [](S s, I a, I) { return cross(s.at, s.shapes[a]); }, j));
    for (I k = 0; k < n; ++k) {
      mode.N5.push_back(names(over<Matrix>(
          mass, [](S s, I a, I b) { return skew_product(s.shapes[b], s.shapes[a]); }, j, k)));
      mode.N7.push_back(names(over<Vector>(
          mass, [](S s, I a, I b) { return cross(s.shapes[b], s.shapes[a]); }, j, k)));
    }
    result.modes.push_back(std::move(mode));
    result.K.emplace_back();
    for (I k = 0; k < n; ++k)
      result.K[j].push_back(names(over<ex>(
          mass, [](S s, I a, I b) { return dot(s.shapes[a], s.shapes[b]); }, j, k)));
  }
}

/// K* = ∫ EI φ_j″ φ_k″ dx, of Kelvin and Voigt D* = damping K*; or as stated.
void add_stiffness(BodyIntegrals& result, const Elastic& elastic, Substitutions& names) {
  const std::size_t n = elastic.coordinates.size();
  result.stiffness.assign(n, std::vector<ex>(n, 0));
  result.damping = result.stiffness;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k) {
      if (j < elastic.stiffness.size() && k < elastic.stiffness[j].size()) result.stiffness[j][k] = elastic.stiffness[j][k];
      if (j < elastic.damping.size() && k < elastic.damping[j].size()) result.damping[j][k] = elastic.damping[j][k];
      if (!elastic.beam) continue;
      const Elastic::Beam& beam = *elastic.beam;
      const GiNaC::symbol& x = GiNaC::ex_to<GiNaC::symbol>(beam.x);
      if (!beam.directions.empty() && beam.directions[j] != beam.directions[k]) continue;
      const ex bending =
          (beam.EI * integral(beam.shapes[j].diff(x, 2) * beam.shapes[k].diff(x, 2), beam.x, beam.length)).normal();
      result.stiffness[j][k] = names(result.stiffness[j][k] + bending);
      result.damping[j][k] = names(result.damping[j][k] + beam.damping * bending);
    }
}

/// A wheel is a coordinate that moves no mass: it has the inertia of its axis, N6 = J n, K = J.
void add_wheel(BodyIntegrals& result, const Multibody::Flywheel& wheel, Substitutions& names) {
  const Vector axis = product(rotation(wheel.on.orientation), wheel.axis);
  BodyIntegrals::Mode mode;
  mode.N4 = {zero(), zero(), zero()};
  mode.N6 = names(scaled(wheel.inertia, axis));
  for (auto& row : result.K) row.push_back(0);
  result.K.emplace_back(result.modes.size() + 1, 0);
  result.K.back().back() = wheel.inertia;
  result.modes.push_back(std::move(mode));
  const Vector at = wheel.on.at;
  result.mass = result.mass + wheel.case_mass;
  result.N1 = sum(result.N1, scaled(wheel.case_mass, at));
  result.N3 = sum(result.N3, sum(wheel.case_inertia, scaled(wheel.case_mass, skew_product(at, at))));
}

}  // namespace

BodyIntegrals body_integrals(const Multibody& model, std::size_t number, Substitutions& names) {
  const Multibody::Body& body = model.bodies[number - 1];
  BodyIntegrals result;
  result.mass = body.mass;
  result.N1 = names(scaled(body.mass, body.com));
  result.N3 = sum(body.inertia, skew_product(body.com, result.N1));
  const Elastic* elastic = elastic_of(model, number);
  if (elastic) {
    const Mass mass(*elastic);
    result.mass += over<ex>(mass, [](const Sample&, std::size_t, std::size_t) { return ex(1); });
    result.N1 = sum(result.N1, over<Vector>(mass, [](const Sample& s, std::size_t, std::size_t) { return s.at; }));
    result.N3 =
        sum(result.N3, over<Matrix>(mass, [](const Sample& s, std::size_t, std::size_t) { return skew_product(s.at, s.at); }));
    add_modes(result, *elastic, names);
    add_stiffness(result, *elastic, names);
  }
  for (const auto& wheel : model.flywheels)
    if (wheel.on.body == number) add_wheel(result, wheel, names);
  result.mass = names(result.mass);
  result.N1 = names(result.N1);
  result.N3 = names.symmetric(result.N3);
  return result;
}

ShapeAt shape_at(const Multibody& model, std::size_t body, const Multibody::Place& place) {
  ShapeAt result;
  const Elastic* elastic = body == Multibody::frame ? nullptr : elastic_of(model, body);
  if (!elastic) return result;
  const std::size_t n = elastic->coordinates.size();
  result.translation.assign(n, zero());
  result.rotation = result.translation;
  for (const Elastic::Point& point : elastic->points)
    if (equal(point.at, place.at)) {
      for (std::size_t j = 0; j < n; ++j) {
        result.translation[j] = point.modes[j].shape;
        result.rotation[j] = point.modes[j].rotation;
      }
      return result;
    }
  if (elastic->beam && equal(place.at[1], 0) && equal(place.at[2], 0)) {
    const Elastic::Beam& beam = *elastic->beam;
    for (std::size_t j = 0; j < n; ++j) {
      const bool along_z = !beam.directions.empty() && beam.directions[j] == 2;
      const ex slope = beam.shapes[j].diff(GiNaC::ex_to<GiNaC::symbol>(beam.x));
      result.translation[j] = deflection(along_z ? 2 : 1, beam.shapes[j].subs(beam.x == place.at[0]).normal());
      result.rotation[j] = deflection(along_z ? 1 : 2, (along_z ? -slope : slope).subs(beam.x == place.at[0]).normal());
    }
    return result;
  }
  if (is_zero(place.at)) return result;  // the frame of the body moves with its origin
  throw Error(
      place.where, "the elastic body '" + model.name_of(body) + "' has no shapes at this point",
      elastic->beam ? "a point of a beam is [x, 0, 0]" : "add the point to the points of the body, with mass 0 if it has none");
}

std::vector<std::string> modal_coordinates(const Multibody& model, std::size_t body) {
  const Elastic* elastic = elastic_of(model, body);
  return elastic ? elastic->coordinates : std::vector<std::string>{};
}

}  // namespace sfg
