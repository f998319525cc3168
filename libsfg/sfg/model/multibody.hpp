#pragma once
#include <ginac/ex.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/spatial.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// Rigid and elastic bodies, particles, joints, springs, flywheels and what acts on them (Pelz 2003; Ivankov 2018; Mráz).
/// SI units, radians, right-handed axes; quaternions have the scalar first and turn components of a body into those of the frame.
/// Expressions are over the symbols of `symbols`: a coordinate q is the symbol "q", its rate "Dq", the time "t".
struct Multibody {
  using Vector = spatial::Vector;
  using Matrix3 = spatial::Matrix;
  using Quaternion = spatial::Quaternion;  ///< of length 1
  static constexpr std::size_t frame = 0;  ///< the number of the inertial frame; `bodies[i]` has number i + 1

  /// Kinds of joints with their numbers in a structure matrix (design of the matrix: Mráz).
  enum class JointKind {
    revolute = 1,
    prismatic,
    weld,
    spherical,
    universal,
    cylindrical,
    planar,
    revolute_between_bodies,
    free
  };

  struct Body {
    std::string name;
    GiNaC::ex mass = 0;
    Vector com{0, 0, 0};                                                 ///< in body axes, from the origin of the body frame
    Matrix3 inertia{Vector{0, 0, 0}, Vector{0, 0, 0}, Vector{0, 0, 0}};  ///< about the centre of mass, body axes, kg m²
    SourceSpan where = {};
  };
  /// A point of a body with axes: those of the body, turned by a constant quaternion.
  struct Place {
    std::size_t body = frame;
    Vector at{0, 0, 0};  ///< from the origin of the body frame, undeformed
    Quaternion orientation{1, 0, 0, 0};
    SourceSpan where = {};
  };
  /// Motion of the second place with respect to the first.
  struct Joint {
    std::string name;
    JointKind kind = JointKind::revolute;
    std::array<Place, 2> places;
    Vector axis{0, 0, 1};         ///< in the axes of the places; of length 1
    Vector second_axis{0, 1, 0};  ///< of a universal joint, in the axes of the second place
    /// Names of the coordinates: revolute, prismatic 1; universal 2 (angles about axis, then second axis); cylindrical 2 (angle,
    /// displacement); planar 3 (two displacements, in the plane normal to the axis, and the angle about it); spherical 4
    /// (quaternion); free 7 (position, quaternion). In the plane free is planar. Of a cut joint none.
    std::vector<std::string> coordinates;
    /// Names of the speeds of a spherical joint (3: relative angular velocity in the axes of the second place) and a free one (6:
    /// velocity in the axes of the first place, then that). Else none: the rates of the coordinates.
    std::vector<std::string> speeds;
    bool cut = false;  ///< closes a loop: a constraint
    SourceSpan where = {};
  };
  /// What acts on a place, or along the coordinate of a joint: on its second body, the opposite on its first.
  struct Force {
    std::string name;
    Place on;
    std::optional<std::size_t> joint = {};  ///< number; then `along` acts on its (only) coordinate
    GiNaC::ex along = 0;
    Vector force{0, 0, 0}, torque{0, 0, 0};
    std::size_t axes = frame;  ///< number of the body whose axes the components are in
    SourceSpan where = {};
  };
  struct Spring {
    std::string name;
    std::array<Place, 2> between;
    std::optional<std::size_t> joint = {};  ///< number; then it acts on its coordinate
    GiNaC::ex stiffness = 0, damping = 0;
    GiNaC::ex rest = 0;  ///< unstretched length, or rest value of the coordinate
    SourceSpan where = {};
  };
  /// Small deformations u(ξ, t) = Σ shape_j(ξ) e_j of a body in its frame, as mass points or as a beam.
  struct Elastic {
    struct Mode {
      Vector shape{0, 0, 0};     ///< translation at the point
      Vector rotation{0, 0, 0};  ///< small rotation at the point
    };
    struct Point {
      Vector at{0, 0, 0};
      GiNaC::ex mass = 0;       ///< lumped, or a weight of a quadrature
      std::vector<Mode> modes;  ///< as many as coordinates
    };
    /// Euler and Bernoulli's beam along the x axis of the body, deflection along y (and z), polynomial shapes in x.
    struct Beam {
      GiNaC::ex x;  ///< the symbol in shapes
      GiNaC::ex length = 0, EI = 0, rhoA = 0, tip_mass = 0;
      GiNaC::ex damping = 0;          ///< Kelvin and Voigt: D* = damping K*
      std::vector<GiNaC::ex> shapes;  ///< as many as coordinates
      std::vector<int> directions;    ///< 1: y, 2: z; as many
    };
    std::size_t body = 1;
    std::vector<std::string> coordinates;  ///< modal, e_j
    std::vector<Point> points = {};
    std::optional<Beam> beam = {};
    std::vector<std::vector<GiNaC::ex>> stiffness = {}, damping = {};  ///< K*, D*; of a beam they follow
    SourceSpan where = {};
  };
  /// A wheel without imbalance that turns about an axis of its body (Ivankov 2018).
  struct Flywheel {
    std::string name;  ///< also of its angle
    Place on;
    Vector axis{0, 0, 1};    ///< in the axes of the place; of length 1
    GiNaC::ex inertia = 0;   ///< about the axis
    GiNaC::ex torque = 0;    ///< of the motor on the wheel; the body gets the opposite
    GiNaC::ex friction = 0;  ///< torque −friction·Ω on the wheel
    std::string speed;       ///< name of Ω relative to the body
    GiNaC::ex case_mass = 0;
    Matrix3 case_inertia{Vector{0, 0, 0}, Vector{0, 0, 0},
                         Vector{0, 0, 0}};  ///< case and locked wheel, about the place, axes of the body
    SourceSpan where = {};
  };
  /// A mass point in Cartesian coordinates (Pelz 2003).
  struct Particle {
    std::string name;
    GiNaC::ex mass = 0;
    std::vector<std::string> coordinates;  ///< x, y and in space z
    Vector force{0, 0, 0};                 ///< applied, beside gravity
    SourceSpan where = {};
  };
  /// f(q, t) = 0, or A(q) q̇ + a(q, t) = 0 of rates.
  struct Constraint {
    std::string name;
    GiNaC::ex value;
    SourceSpan where = {};
  };
  /// A coordinate of a particle in terms of generalised coordinates and the time.
  struct Transformation {
    std::string coordinate;
    GiNaC::ex value;
    SourceSpan where = {};
  };
  /// What a control law may use: "qe" of attitude and local_vertical gives qe0 … qe3, "w" of rate and orbital_rate gives w1, w2,
  /// w3.
  struct Sensor {
    enum class Kind { attitude, local_vertical, rate, orbital_rate };
    std::string name;
    Kind kind = Kind::attitude;
    std::size_t body = 1;
    Quaternion reference{1, 0, 0, 0};  ///< of attitude: q_e = conj(reference) ∘ q
    SourceSpan where = {};
  };
  /// A circular orbit about the centre of the frame that the orbit frame goes along; ascending node on +x at t = 0.
  struct Orbit {
    GiNaC::ex mu, radius, inclination = 0;
    SourceSpan where = {};
  };
  /// Forces −μ m r/r³ and gravity-gradient moments; with an orbit the moments alone.
  struct CentralGravity {
    GiNaC::ex mu;
    Vector centre{0, 0, 0};
    SourceSpan where = {};
  };
  /// The moment d × B.
  struct Magnet {
    std::size_t body = 1;
    Vector dipole{0, 0, 0};  ///< body axes
    Vector field{0, 0, 0};
    std::size_t axes = frame;           ///< of the field
    std::optional<Vector> source = {};  ///< with an orbit: the moment of the dipole at the centre, whose field it is
    SourceSpan where = {};
  };
  /// A change of the motion when `when` becomes positive from below.
  struct Event {
    enum class Kind { stop, release, end };
    std::string name;
    Kind kind = Kind::end;
    GiNaC::ex when;                              ///< of a stop its distance (negative: open); of coordinates, rates, t
    std::optional<std::size_t> coordinate = {};  ///< of a stop with restitution: which of coordinate_names() meets it
    GiNaC::ex restitution = 0;
    std::vector<std::string> releases = {};  ///< of a release: constraints, cut joints and springs that are gone then
    SourceSpan where = {};
  };
  /// The point to linearise at.
  struct Equilibrium {
    bool find = false;                              ///< solve for it, starting from `values` (0 where absent)
    std::map<std::string, GiNaC::ex> values = {};   ///< by coordinate, speed or input
    std::map<std::string, SourceSpan> steady = {};  ///< which of them are rates of a motion that goes on, and where they stand
    SourceSpan where = {};
  };

  std::string title = {};
  Operator op = "p";
  SymbolTable symbols;
  bool planar = false;      ///< x, y and rotation about z
  Vector gravity{0, 0, 0};  ///< acceleration
  std::vector<Body> bodies = {};
  std::vector<Joint> joints = {};
  std::vector<Force> forces = {};
  std::vector<Spring> springs = {};
  std::vector<Elastic> elastic = {};
  std::vector<Flywheel> flywheels = {};
  std::vector<Particle> particles = {};
  std::vector<Constraint> constraints = {};
  std::vector<Constraint> rate_constraints = {};  ///< linear in rates, not integrable in general (Pfaff)
  std::vector<Transformation> generalized = {};   ///< with them the particles' coordinates are no unknowns
  std::vector<std::string> generalized_coordinates = {};
  std::vector<std::string> input_names = {};      ///< names in forces and torques that are nothing else
  std::map<std::string, GiNaC::ex> control = {};  ///< laws of inputs, in coordinates, rates and sensors
  std::vector<Sensor> sensors = {};
  std::optional<Orbit> orbit = {};
  std::optional<CentralGravity> gravity_field = {};
  std::vector<Magnet> magnets = {};
  std::vector<Event> events = {};
  /// How the drift at connections is taken back (Ivankov 2018): by placing bodies anew outwards from the root, by the least
  /// correction in terms of mass, or not at all.
  enum class Normalization { tree, mass, off };
  std::optional<Normalization> normalization = {};  ///< nothing: as the method does by itself
  std::map<std::string, GiNaC::ex> assembly = {};   ///< start values of coordinates from which loops are closed
  std::vector<std::string> independent = {};  ///< coordinates that describe the motion where loops are closed; empty: chosen
  std::optional<Equilibrium> equilibrium = {};
  std::vector<std::string> inputs = {};  ///< defaults of the analyses, as stated in the model
  std::vector<std::string> outputs = {};
  SourceSpan where = {};

  /// Calls `visit` with every expression that the model states and where it stands.
  void visit_expressions(const std::function<void(GiNaC::ex&, const SourceSpan&)>& visit);
  /// Names of all coordinates: of joints, angles of wheels, modal ones, then of particles or generalised ones.
  std::vector<std::string> coordinate_names() const;
  /// "frame" or the name of a body.
  std::string name_of(std::size_t body) const { return body == frame ? "frame" : bodies[body - 1].name; }
};

}  // namespace sfg
