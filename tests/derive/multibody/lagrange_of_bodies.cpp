#include "derive/multibody/lagrange_of_bodies.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "sfg/expr/print.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg::test {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using GiNaC::symbol;
using Vector = Multibody::Vector;
using Matrix3 = Multibody::Matrix3;
using Kind = Multibody::JointKind;

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(const ex& k, const Vector& a) { return {k * a[0], k * a[1], k * a[2]}; }
ex dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector operator*(const Matrix3& A, const Vector& x) { return {dot(A[0], x), dot(A[1], x), dot(A[2], x)}; }
Matrix3 transposed(const Matrix3& A) {
  return {Vector{A[0][0], A[1][0], A[2][0]}, Vector{A[0][1], A[1][1], A[2][1]}, Vector{A[0][2], A[1][2], A[2][2]}};
}
Matrix3 operator*(const Matrix3& A, const Matrix3& B) {
  const Matrix3 columns = transposed(B);
  Matrix3 result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = dot(A[i], columns[j]);
  return result;
}
const Matrix3 identity{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};

/// Rodrigues' formula.
Matrix3 turned(const Vector& n, const ex& angle) {
  const ex c = GiNaC::cos(angle), s = GiNaC::sin(angle);
  const Matrix3 skew{Vector{0, -n[2], n[1]}, Vector{n[2], 0, -n[0]}, Vector{-n[1], n[0], 0}};
  Matrix3 result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = c * identity[i][j] + s * skew[i][j] + (1 - c) * n[i] * n[j];
  return result;
}

Matrix3 rotation(const Multibody::Quaternion& q) {
  const ex &w = q[0], &x = q[1], &y = q[2], &z = q[3];
  return {Vector{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
          Vector{2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
          Vector{2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
}

struct Pose {
  Matrix3 S = identity;
  Vector p{0, 0, 0};
};

class Lagrange {
 public:
  explicit Lagrange(const Multibody& stated) : model_(stated), symbols_(model_.symbols) {}

  MultibodyEquations operator()() {
    poses_.resize(model_.bodies.size() + 1);
    known_.assign(model_.bodies.size() + 1, false);
    known_[0] = true;
    add_coordinates();
    place_bodies();
    add_bodies();
    add_particles();
    add_flywheels();
    add_elastic();
    add_springs();
    add_forces();
    add_constraints();
    return equations();
  }

 private:
  ex symbol_of(const std::string& name) { return symbols_.symbol(name); }

  /// A coordinate whose rate is a symbol of its own.
  void add_coordinate(const std::string& name, const std::string& rate) {
    motion_.coordinates.push_back({name, symbol_of(name), symbol_of(rate), {}});
    motion_.speeds.push_back({rate, symbol_of(rate), {}});
    rates_.push_back(symbol_of(rate));
  }

  void add_quaternion(const std::vector<std::string>& q, const std::vector<std::string>& w) {
    const std::array<ex, 3> speed{symbol_of(w[0]), symbol_of(w[1]), symbol_of(w[2])};
    const std::array<ex, 4> Q{symbol_of(q[0]), symbol_of(q[1]), symbol_of(q[2]), symbol_of(q[3])};
    const std::array<ex, 4> rate{
        (-Q[1] * speed[0] - Q[2] * speed[1] - Q[3] * speed[2]) / 2, (Q[0] * speed[0] + Q[2] * speed[2] - Q[3] * speed[1]) / 2,
        (Q[0] * speed[1] + Q[3] * speed[0] - Q[1] * speed[2]) / 2, (Q[0] * speed[2] + Q[1] * speed[1] - Q[2] * speed[0]) / 2};
    quaternions_.push_back({});
    for (std::size_t i = 0; i < 4; ++i) {
      quaternions_.back()[i] = motion_.coordinates.size();
      motion_.coordinates.push_back({q[i], Q[i], rate[i], {}});
      rates_.push_back(symbol("rate of " + q[i]));
    }
    for (std::size_t i = 0; i < 3; ++i) motion_.speeds.push_back({w[i], speed[i], {}});
  }

  void add_coordinates() {
    for (const auto& joint : model_.joints) {
      if (joint.cut) continue;
      const auto& q = joint.coordinates;
      const std::size_t four = q.size() >= 4 ? q.size() - 4 : q.size();  // where a quaternion begins
      for (std::size_t i = 0; i < four; ++i) add_coordinate(q[i], joint.speeds.size() == 6 ? joint.speeds[i] : rate_name(q[i]));
      if (four == q.size()) continue;
      const std::vector<std::string> w(joint.speeds.end() - 3, joint.speeds.end());
      add_quaternion({q.begin() + static_cast<std::ptrdiff_t>(four), q.end()}, w);
    }
    for (const auto& wheel : model_.flywheels) add_coordinate(wheel.name, wheel.speed);
    if (model_.generalized.empty())
      for (const auto& particle : model_.particles)
        for (const std::string& name : particle.coordinates) add_coordinate(name, rate_name(name));
    for (const std::string& name : model_.generalized_coordinates) add_coordinate(name, rate_name(name));
    for (const auto& elastic : model_.elastic)
      for (const std::string& name : elastic.coordinates) add_coordinate(name, rate_name(name));
    for (const std::string& name : model_.input_names) motion_.inputs.push_back({name, SourceKind::force, {symbol_of(name)}, {}});
  }

  const Multibody::Elastic* elastic_of(std::size_t body) const {
    for (const auto& elastic : model_.elastic)
      if (elastic.body == body) return &elastic;
    return nullptr;
  }

  ex at_x(const ex& shape, const Multibody::Elastic::Beam& beam, const ex& x) const { return shape.subs(beam.x == x); }

  /// Where a point of a body is and how it is turned, its deformation among it, in axes of the body.
  Pose deformed(std::size_t body, const Vector& at) {
    Pose result{identity, at};
    const Multibody::Elastic* elastic = elastic_of(body);
    if (!elastic) return result;
    Vector rotation{0, 0, 0};
    if (elastic->beam) {
      const auto& beam = *elastic->beam;
      for (std::size_t i = 0; i < beam.shapes.size(); ++i) {
        const ex e = symbol_of(elastic->coordinates[i]), slope = beam.shapes[i].diff(ex_to<symbol>(beam.x));
        const auto direction = static_cast<std::size_t>(beam.directions[i]);
        result.p[direction] += at_x(beam.shapes[i], beam, at[0]) * e;
        rotation[direction == 1 ? 2 : 1] += (direction == 1 ? 1 : -1) * at_x(slope, beam, at[0]) * e;
      }
    } else {
      for (const auto& point : elastic->points)
        if ((point.at[0] - at[0]).is_zero() && (point.at[1] - at[1]).is_zero() && (point.at[2] - at[2]).is_zero())
          for (std::size_t i = 0; i < point.modes.size(); ++i) {
            const ex e = symbol_of(elastic->coordinates[i]);
            result.p = result.p + e * point.modes[i].shape;
            rotation = rotation + e * point.modes[i].rotation;
          }
    }
    for (std::size_t i = 0; i < 3; ++i)
      if (!rotation[i].is_zero()) result.S = result.S * turned(identity[i], rotation[i].expand());
    return result;
  }

  Pose of(const Multibody::Place& place) {
    const Pose& body = poses_[place.body];
    const Pose local = deformed(place.body, place.at);
    return {body.S * (local.S * rotation(place.orientation)), body.p + body.S * local.p};
  }

  void place_bodies() {
    for (std::size_t round = 0; round < model_.joints.size(); ++round)
      for (const auto& joint : model_.joints) {
        if (joint.cut || !known_[joint.places[0].body] || known_[joint.places[1].body]) continue;
        const Pose first = of(joint.places[0]);
        const Pose relative = motion_of(joint);
        const Matrix3 place = first.S * relative.S;
        const Pose local = deformed(joint.places[1].body, joint.places[1].at);
        Pose& second = poses_[joint.places[1].body];
        second.S = place * transposed(local.S * rotation(joint.places[1].orientation));
        second.p = first.p + first.S * relative.p - second.S * local.p;
        known_[joint.places[1].body] = true;
      }
  }

  Pose motion_of(const Multibody::Joint& joint) {
    std::vector<ex> q;
    for (const std::string& name : joint.coordinates) q.push_back(symbol_of(name));
    const Vector& n = joint.axis;
    switch (joint.kind) {
      case Kind::revolute:
      case Kind::revolute_between_bodies: return {turned(n, q[0]), {0, 0, 0}};
      case Kind::prismatic: return {identity, q[0] * n};
      case Kind::weld: return {};
      case Kind::cylindrical: return {turned(n, q[0]), q[1] * n};
      case Kind::universal: return {turned(n, q[0]) * turned(joint.second_axis, q[1]), {0, 0, 0}};
      case Kind::spherical: return {rotation({q[0], q[1], q[2], q[3]}), {0, 0, 0}};
      case Kind::planar: return {turned(n, q[2]), {q[0], q[1], 0}};
      case Kind::free:
        if (q.size() == 3) return {turned(n, q[2]), {q[0], q[1], 0}};
        return {rotation({q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
    }
    return {};
  }

  ex in_time(const ex& value) const {
    ex result = 0;
    for (std::size_t j = 0; j < rates_.size(); ++j) result += value.diff(ex_to<symbol>(motion_.coordinates[j].q)) * rates_[j];
    return result;
  }
  Vector in_time(const Vector& value) const { return {in_time(value[0]), in_time(value[1]), in_time(value[2])}; }

  /// In axes of the body.
  Vector angular_velocity(const Matrix3& S) const {
    const Matrix3 columns = transposed(S);
    return {dot(in_time(columns[1]), columns[2]), dot(in_time(columns[2]), columns[0]), dot(in_time(columns[0]), columns[1])};
  }

  void add_mass(const ex& mass, const Vector& position) {
    const Vector v = in_time(position);
    T_ += mass * dot(v, v) / 2;
    Pi_ -= mass * dot(model_.gravity, position);
  }

  void add_bodies() {
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const auto& body = model_.bodies[i];
      const Pose& pose = poses_[i + 1];
      add_mass(body.mass, pose.p + pose.S * body.com);
      const Vector w = angular_velocity(pose.S);
      T_ += dot(w, body.inertia * w) / 2;
    }
  }

  void add_particles() {
    GiNaC::exmap transformation;
    for (const auto& entry : model_.generalized) transformation[symbol_of(entry.coordinate)] = entry.value;
    for (const auto& particle : model_.particles) {
      Vector position{0, 0, 0};
      for (std::size_t i = 0; i < particle.coordinates.size(); ++i)
        position[i] = symbol_of(particle.coordinates[i]).subs(transformation);
      add_mass(particle.mass, position);
      act(particle.force, position);
    }
  }

  void add_flywheels() {
    for (const auto& wheel : model_.flywheels) {
      const Pose& body = poses_[wheel.on.body];
      const Vector n = rotation(wheel.on.orientation) * wheel.axis;
      const Vector w = angular_velocity(body.S);
      const ex speed = symbol_of(wheel.speed);
      add_mass(wheel.case_mass, of(wheel.on).p);
      T_ += dot(w, wheel.case_inertia * w) / 2 + wheel.inertia * (dot(n, w) * speed + speed * speed / 2);
      Q_[wheel.name] += wheel.torque - wheel.friction * speed;
    }
  }

  void add_elastic() {
    for (const auto& elastic : model_.elastic) {
      const Pose& body = poses_[elastic.body];
      if (elastic.beam) {
        add_beam(elastic, body);
        continue;
      }
      for (const auto& point : elastic.points) add_mass(point.mass, body.p + body.S * deformed(elastic.body, point.at).p);
      for (std::size_t i = 0; i < elastic.coordinates.size(); ++i)
        for (std::size_t k = 0; k < elastic.coordinates.size(); ++k) {
          const ex e = symbol_of(elastic.coordinates[i]), other = symbol_of(elastic.coordinates[k]);
          if (!elastic.stiffness.empty()) Pi_ += elastic.stiffness[i][k] * e * other / 2;
          if (!elastic.damping.empty())
            Q_[elastic.coordinates[i]] -= elastic.damping[i][k] * symbol_of(rate_name(elastic.coordinates[k]));
        }
    }
  }

  ex integral(const ex& value, const Multibody::Elastic::Beam& beam) const {
    const ex polynomial = value.expand().collect(beam.x);
    ex result = 0;
    for (int power = polynomial.ldegree(beam.x); power <= polynomial.degree(beam.x); ++power)
      result += polynomial.coeff(beam.x, power) * GiNaC::pow(beam.length, power + 1) / (power + 1);
    return result;
  }

  void add_beam(const Multibody::Elastic& elastic, const Pose& body) {
    const auto& beam = *elastic.beam;
    const Vector local = deformed(elastic.body, {beam.x, 0, 0}).p;
    const Vector w = angular_velocity(body.S), v = transposed(body.S) * in_time(body.p), u = in_time(local);
    const Vector turned_part{w[1] * local[2] - w[2] * local[1], w[2] * local[0] - w[0] * local[2],
                             w[0] * local[1] - w[1] * local[0]};
    const Vector velocity = v + u + turned_part;
    for (std::size_t i = 0; i < 3; ++i) T_ += beam.rhoA * integral(velocity[i] * velocity[i], beam) / 2;
    const Vector weight = transposed(body.S) * model_.gravity;
    Pi_ -= beam.rhoA * (beam.length * dot(model_.gravity, body.p) + integral(dot(weight, local), beam));
    add_mass(beam.tip_mass, body.p + body.S * deformed(elastic.body, {beam.length, 0, 0}).p);
    for (const std::size_t direction : {1, 2}) {
      ex curvature = 0, rate = 0;
      for (std::size_t i = 0; i < beam.shapes.size(); ++i) {
        if (static_cast<std::size_t>(beam.directions[i]) != direction) continue;
        const ex bent = beam.shapes[i].diff(ex_to<symbol>(beam.x), 2);
        curvature += bent * symbol_of(elastic.coordinates[i]);
        rate += bent * symbol_of(rate_name(elastic.coordinates[i]));
      }
      Pi_ += beam.EI * integral(curvature * curvature, beam) / 2;
      dissipation_ += beam.damping * beam.EI * integral(rate * rate, beam) / 2;
    }
  }

  void add_springs() {
    for (const auto& spring : model_.springs) {
      if (spring.joint) {
        const std::string& name = model_.joints[*spring.joint].coordinates[0];
        Pi_ += spring.stiffness * GiNaC::pow(symbol_of(name) - spring.rest, 2) / 2;
        Q_[name] -= spring.damping * symbol_of(rate_name(name));
        continue;
      }
      const Vector apart = of(spring.between[1]).p - of(spring.between[0]).p;
      const ex length = GiNaC::sqrt(dot(apart, apart));
      Pi_ += spring.stiffness * GiNaC::pow(length - spring.rest, 2) / 2;
      dissipation_ += spring.damping * GiNaC::pow(in_time(length), 2) / 2;
    }
  }

  /// Virtual work of a force at a moving point.
  void act(const Vector& force, const Vector& position) {
    for (std::size_t j = 0; j < rates_.size(); ++j) {
      const ex q = motion_.coordinates[j].q;
      for (std::size_t i = 0; i < 3; ++i) Q_[motion_.coordinates[j].name] += force[i] * position[i].diff(ex_to<symbol>(q));
    }
  }

  void add_forces() {
    for (const auto& force : model_.forces) {
      if (force.joint) {
        Q_[model_.joints[*force.joint].coordinates[0]] += force.along;
        continue;
      }
      const Pose point = of(force.on);
      const Matrix3& axes = poses_[force.axes].S;
      act(axes * force.force, point.p);
      const Vector torque = transposed(point.S) * (axes * force.torque), w = angular_velocity(point.S);
      for (std::size_t j = 0; j < rates_.size(); ++j)
        for (std::size_t i = 0; i < 3; ++i) Q_[motion_.coordinates[j].name] += torque[i] * w[i].diff(ex_to<symbol>(rates_[j]));
    }
  }

  void add_constraints() {
    const auto add = [&](const std::string& name, const ex& value) {
      motion_.constraints.push_back({name, value, symbol_of("lambda_" + std::to_string(motion_.constraints.size())), {}});
    };
    for (const auto& constraint : model_.constraints) add(constraint.name, constraint.value);
    for (const auto& joint : model_.joints) {
      if (!joint.cut) continue;
      const Vector gap = of(joint.places[1]).p - of(joint.places[0]).p;
      for (std::size_t i = 0; i < (model_.planar ? 2U : 3U); ++i) add(joint.name + "." + std::string(1, "xyz"[i]), gap[i]);
    }
  }

  MultibodyEquations equations() {
    const std::size_t nc = rates_.size(), n = motion_.speeds.size();
    GiNaC::exmap rates;
    for (std::size_t j = 0; j < nc; ++j) rates[rates_[j]] = motion_.coordinates[j].rate;
    std::vector<std::vector<ex>> N(nc, std::vector<ex>(n)), A(nc, std::vector<ex>(nc));
    std::vector<ex> G(nc);
    for (std::size_t j = 0; j < nc; ++j) {
      const auto& coordinate = motion_.coordinates[j];
      const ex momentum = T_.diff(ex_to<symbol>(rates_[j]));
      ex drift = 0;  // Ṅ v
      for (std::size_t k = 0; k < n; ++k) {
        N[j][k] = coordinate.rate.diff(ex_to<symbol>(motion_.speeds[k].symbol));
        drift += in_time(N[j][k]) * motion_.speeds[k].symbol;
      }
      G[j] += Q_[coordinate.name] - dissipation_.diff(ex_to<symbol>(rates_[j])) - in_time(momentum) +
              (T_ - Pi_).diff(ex_to<symbol>(coordinate.q));
      for (std::size_t k = 0; k < nc; ++k) {
        A[k][j] = momentum.diff(ex_to<symbol>(rates_[k]));
        G[k] -= A[k][j] * drift;
      }
    }
    motion_.M.assign(n, std::vector<ex>(n));
    motion_.F.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < nc; ++j) {
        if (N[j][i].is_zero()) continue;
        motion_.F[i] += N[j][i] * G[j].subs(rates);
        for (std::size_t k = 0; k < n; ++k)
          for (std::size_t l = 0; l < nc; ++l)
            if (!N[l][k].is_zero()) motion_.M[i][k] += N[j][i] * A[j][l].subs(rates) * N[l][k];
      }
    motion_.title = model_.title;
    motion_.op = model_.op;
    motion_.symbols = symbols_;
    motion_.stated_inputs = model_.inputs;
    motion_.stated_outputs = model_.outputs;
    MultibodyEquations result;
    result.motion = motion_;
    result.quaternions = quaternions_;
    result.kinetic = T_.subs(rates);
    result.potential = Pi_;
    return result;
  }

  Multibody model_;
  SymbolTable symbols_;
  EquationsOfMotion motion_;
  std::vector<ex> rates_;  ///< by coordinate; of quaternions symbols of their own
  std::vector<std::array<std::size_t, 4>> quaternions_;
  std::vector<Pose> poses_;
  std::vector<bool> known_;
  ex T_ = 0, Pi_ = 0, dissipation_ = 0;
  std::map<std::string, ex> Q_;
};

}  // namespace

MultibodyEquations lagrange_of_bodies(const Multibody& model) { return Lagrange(model)(); }

std::uint64_t ResiduePoint::of_text(const std::string& text) const {
  std::uint64_t h = 0xCBF29CE484222325 ^ (seed_ * 0x9E3779B97F4A7C15);
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9;
  return (h ^ (h >> 27)) % prime_;
}

void ResiduePoint::set_quaternion(const std::vector<std::string>& names) {
  const ring::ModularRing field(prime_);
  std::array<std::uint64_t, 4> r;
  for (std::size_t i = 0; i < 4; ++i) r[i] = of_text(names[i]);
  const auto square = [&](std::size_t i) { return field.multiply(r[i], r[i]); };
  const std::uint64_t vector = field.add(square(1), field.add(square(2), square(3)));
  const std::uint64_t length = field.inverse(field.add(square(0), vector));  // r ∘ r / |r|² has length 1
  set(names[0], field.multiply(field.subtract(square(0), vector), length));
  for (std::size_t i = 1; i < 4; ++i) set(names[i], field.multiply(field.multiply(2, field.multiply(r[0], r[i])), length));
}

void ResiduePoint::define(const std::vector<EquationsOfMotion::Definition>& definitions) {
  constexpr std::size_t most_terms = 20;
  for (const auto& definition : definitions) {
    set(ex_to<symbol>(definition.symbol).get_name(), (*this)(definition.value));
    const bool may_be_angle =
        GiNaC::is_exactly_a<GiNaC::add>(definition.value) || GiNaC::is_exactly_a<GiNaC::mul>(definition.value);
    if (may_be_angle && definition.value.nops() < most_terms) angles_[definition.symbol] = definition.value.subs(angles_);
  }
}

/// By the addition theorem, so that sin(a + b) is what it is of a and b.
std::pair<std::uint64_t, std::uint64_t> ResiduePoint::sine_and_cosine(const ex& angle) {
  const ring::ModularRing field(prime_);
  if (angle.is_zero()) return {0, 1};
  if (GiNaC::is_exactly_a<GiNaC::add>(angle)) {
    std::pair<std::uint64_t, std::uint64_t> sum{0, 1};
    for (std::size_t i = 0; i < angle.nops(); ++i) {
      const auto [s, c] = sine_and_cosine(angle.op(i));
      sum = {field.add(field.multiply(sum.first, c), field.multiply(sum.second, s)),
             field.subtract(field.multiply(sum.second, c), field.multiply(sum.first, s))};
    }
    return sum;
  }
  const bool negative = GiNaC::is_exactly_a<GiNaC::mul>(angle) &&
                        GiNaC::is_exactly_a<GiNaC::numeric>(angle.op(angle.nops() - 1)) &&
                        ex_to<GiNaC::numeric>(angle.op(angle.nops() - 1)).is_negative();
  const std::uint64_t t = of_text("half tangent of " + print(negative ? -angle : angle)), square = field.multiply(t, t);
  const std::uint64_t denominator = field.add(1, square), sine = field.divide(field.multiply(2, t), denominator);
  return {negative ? field.negate(sine) : sine, field.divide(field.subtract(1, square), denominator)};
}

std::uint64_t ResiduePoint::function(const ex& value) {
  const std::string name = ex_to<GiNaC::function>(value).get_name();
  if (name != "sin" && name != "cos") return of_text(print(value));
  const auto [sine, cosine] = sine_and_cosine(value.op(0).subs(angles_).normal().expand());
  return name == "sin" ? sine : cosine;
}

std::uint64_t ResiduePoint::operator()(const ex& value) {
  const ring::ModularRing field(prime_);
  if (GiNaC::is_exactly_a<symbol>(value)) {
    const std::string name = ex_to<symbol>(value).get_name();
    const auto known = known_.find(name);
    return known == known_.end() ? of_text(name) : known->second;
  }
  if (GiNaC::is_exactly_a<GiNaC::numeric>(value)) {
    const auto& number = ex_to<GiNaC::numeric>(value);
    const auto residue = [&](const GiNaC::numeric& whole) {
      return static_cast<std::uint64_t>(GiNaC::mod(whole, GiNaC::numeric(std::to_string(prime_).c_str())).to_long());
    };
    return field.divide(residue(number.numer()), residue(number.denom()));
  }
  if (GiNaC::is_exactly_a<GiNaC::function>(value)) return function(value);
  if (GiNaC::is_exactly_a<GiNaC::power>(value)) {
    const auto& exponent = ex_to<GiNaC::numeric>(value.op(1));
    if (!exponent.is_integer()) {  // a root: a letter of its own, for its rational powers
      const ex root = GiNaC::power(value.op(0), 1 / exponent.denom());
      return field.power(of_text(print(root.normal())), static_cast<std::uint64_t>(exponent.numer().to_long()));
    }
    const std::uint64_t power = field.power((*this)(value.op(0)), static_cast<std::uint64_t>(abs(exponent).to_long()));
    return exponent.is_negative() ? field.inverse(power) : power;
  }
  const GiNaC::basic* node = &ex_to<GiNaC::basic>(value);
  if (const auto seen = seen_.find(node); seen != seen_.end()) return seen->second.second;
  const bool is_sum = GiNaC::is_exactly_a<GiNaC::add>(value);
  EXPECT_TRUE(is_sum || GiNaC::is_exactly_a<GiNaC::mul>(value)) << print(value);
  std::uint64_t result = is_sum ? 0 : 1;
  for (std::size_t i = 0; i < value.nops(); ++i)
    result = is_sum ? field.add(result, (*this)(value.op(i))) : field.multiply(result, (*this)(value.op(i)));
  seen_.emplace(node, std::pair(value, result));
  return result;
}

}  // namespace sfg::test
