// Random forests of bodies with springs, dampers and motors in their joints: the wrenches of the joints must be what Newton and
// Euler need, contain what acts inside of the joint, and agree with the equations of motion; energy must stay.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

using Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

std::string text(const auto&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

/// What acts along the coordinate of a joint.
struct Inside {
  std::string joint, kind;
  double stiffness = 0, damping = 0, rest = 0;
  std::string motor;  ///< name of its input
};

struct Forest {
  std::string text;
  std::vector<Inside> inside;
};

class RandomForest {
 public:
  RandomForest(unsigned seed, bool conservative) : random_(seed), conservative_(conservative) {}

  Forest operator()() {
    const int bodies = 2 + pick(4);
    std::string parts, joints;
    for (int i = 1; i <= bodies; ++i) {
      parts += text("{ name = \"b", i, "\", mass = ", 1 + 2 * unit(), ", com = ", vector(),
                    ", inertia = [[4.1, 0.3, -0.2], [0.3, 3.7, 0.4], [-0.2, 0.4, 4.5]] },\n");
      joints += joint(i);
    }
    forest_.text = text("[multibody]\ngravity = ", vector(), "\nbodies = [\n", parts, "]\njoints = [\n", joints,
                        "]\nsprings = [\n", springs_, "]\nforces = [\n", forces_, "]\n");
    return forest_;
  }

  std::mt19937& random() { return random_; }

 private:
  int pick(int n) { return int(random_() % unsigned(n)); }
  double unit() { return double(random_() % 1000) / 1000; }
  std::string vector() {
    std::string entries;
    for (int i = 0; i < 3; ++i) entries += text(i == 0 ? "" : ", ", 2 * unit() - 1);
    return "[" + entries + "]";
  }

  std::string joint(int i) {
    static constexpr std::array<const char*, 7> kinds{"revolute",  "prismatic", "planar", "cylindrical",
                                                      "spherical", "weld",      "free"};
    const std::string name = text("J", i), kind = kinds[std::size_t(pick(3) == 0 ? pick(2) : pick(i == 1 ? 7 : 6))];
    const int parent = kind == "free" ? 0 : pick(i);
    std::array<std::string, 2> pair{parent == 0 ? "frame" : text("b", parent), text("b", i)};
    if (pick(3) == 0 && kind != "free" && kind != "planar") std::swap(pair[0], pair[1]);
    const bool has_axis = kind != "spherical" && kind != "weld" && kind != "free";
    std::string made = text("{ name = \"", name, "\", type = \"", kind, "\", bodies = [\"", pair[0], "\", \"", pair[1], "\"]");
    const std::string one = vector(), other = vector();
    if (kind != "free") made += text(", at = [", one, ", ", other, "], orient = [[0.8, 0.6, 0, 0], [0.6, 0, 0, 0.8]]");
    if (has_axis) made += ", axis = [0.48, 0.6, 0.64]";
    if ((kind == "revolute" || kind == "prismatic") && pick(4) != 0) act(name, kind);
    return made + " },\n";
  }

  void act(const std::string& joint, const std::string& kind) {
    const char* what = kind == "prismatic" ? "force" : "torque";
    Inside inside{joint, kind, 5 + 10 * unit(), conservative_ ? 0 : unit(), 0.4 * unit() - 0.2, ""};
    springs_ += text("{ joint = \"", joint, "\", stiffness = ", inside.stiffness, ", damping = ", inside.damping,
                     ", rest = ", inside.rest, " },\n");
    if (!conservative_ && pick(2) == 0) {
      inside.motor = "u" + joint;
      forces_ += text("{ joint = \"", joint, "\", ", what, " = \"", inside.motor, "\" },\n");
    }
    forest_.inside.push_back(inside);
  }

  std::mt19937 random_;
  bool conservative_;
  Forest forest_;
  std::string springs_, forces_;
};

Multibody model_of(const std::string& text) { return std::get<Multibody>(std::get<Model>(read_toml(text, "model.toml"))); }

/// Some state; quaternions of length 1.
std::map<std::string, double> some_state(const Multibody& stated, const AggregateModel& model, std::mt19937& random) {
  const auto next = [&] { return double(random() % 2000) / 1000 - 1; };
  std::map<std::string, double> at;
  for (const std::string& name : model.coordinates()) at[name] = 0.5 * next();
  for (const std::string& name : model.speeds()) at[name] = next();
  for (const auto& joint : stated.joints) {
    if (joint.coordinates.size() != 4 && joint.coordinates.size() != 7) continue;
    const std::size_t from = joint.coordinates.size() - 4;
    double square = 0;
    for (std::size_t k = from; k < from + 4; ++k) square += at[joint.coordinates[k]] * at[joint.coordinates[k]];
    for (std::size_t k = from; k < from + 4; ++k) at[joint.coordinates[k]] /= std::sqrt(square);
  }
  return at;
}

Vector3d three(const double* v) { return {v[0], v[1], v[2]}; }

struct Setting {
  Forest forest;
  Multibody stated;
  AggregateModel model;
  std::map<std::string, double> at;
  std::vector<double> state;
  AggregateLoads loads;
  AggregateModel::Inputs inputs;
  std::map<std::string, double> motors;

  explicit Setting(RandomForest random) : forest(random()), stated(model_of(forest.text)), model(stated) {
    at = some_state(stated, model, random.random());
    state = model.state(at);
    for (const std::string& name : stated.input_names) {
      motors[name] = 5.0 * double(random.random()() % 100) / 100;
      inputs[name] = [u = motors[name]](double) { return u; };
    }
    loads.inputs.assign(model.aggregate().size().inputs, 0.0);
    model.law(inputs)(0, state, loads);
  }
};

TEST(AggregateForests, WrenchesAreWhatNewtonAndEulerNeed) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Setting s(RandomForest(seed, false));
    SCOPED_TRACE(s.forest.text);
    const Aggregate& aggregate = s.model.aggregate();
    const Aggregate::Motion motion = aggregate.motion(0, s.state, s.loads);
    const std::vector<double> rate = aggregate.rate(0, s.state, s.loads);
    for (std::size_t part = 0; part < aggregate.part_count(); ++part) {
      if (aggregate.part(part).size().speeds == 0) continue;
      const auto momentum = [&](double h) {
        std::vector<double> moved = s.state;
        for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += h * rate[k];
        return Vector6(
            Vector6::Map(aggregate.part(part).momentum(aggregate.state_of(part, std::span<const double>(moved))).data()));
      };
      constexpr double h = 1e-3;
      const Vector6 change = (8 * (momentum(h) - momentum(-h)) - (momentum(2 * h) - momentum(-2 * h))) / (12 * h);
      const auto mass = aggregate.part(part).mass(aggregate.state_of(part, s.state));
      const Vector3d g = three(s.loads.gravity.data());
      Vector6 acting;
      acting << mass[0] * g, three(mass.data() + 1).cross(g);
      for (std::size_t c = 0; c < aggregate.connections().size(); ++c) {
        const auto& connection = aggregate.connections()[c];
        const double sign = connection.second.part == part ? 1 : connection.first.part == part ? -1 : 0;
        const Vector3d place = three(aggregate.motion_of(connection.first, s.state).position.data()),
                       force = three(motion.wrenches[c].data()), moment = three(motion.wrenches[c].data() + 3);
        acting.head<3>() += sign * force;
        acting.tail<3>() += sign * (moment + place.cross(force));
      }
      EXPECT_LT((change - acting).norm(), 1e-6 * (1 + acting.norm())) << aggregate.name(part);
    }
  }
}

TEST(AggregateForests, WrenchesHoldSpringsDampersAndMotorsOfTheJoint) {
  std::size_t seen = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Setting s(RandomForest(seed, false));
    SCOPED_TRACE(s.forest.text);
    const Aggregate& aggregate = s.model.aggregate();
    const Aggregate::Motion motion = aggregate.motion(0, s.state, s.loads);
    for (const Inside& inside : s.forest.inside)
      for (std::size_t c = 0; c < aggregate.connections().size(); ++c) {
        const auto& connection = aggregate.connections()[c];
        if (connection.name != inside.joint) continue;
        std::string q;
        for (const auto& joint : s.stated.joints)
          if (joint.name == inside.joint) q = joint.coordinates[0];
        double want = -inside.stiffness * (s.at.at(q) - inside.rest) - inside.damping * s.at.at("D" + q);
        if (!inside.motor.empty()) want += s.motors.at(inside.motor);
        const MovingPlace first = aggregate.motion_of(connection.first, s.state);
        const std::size_t from = inside.kind == "prismatic" ? 0 : 3;
        double along = 0;  // of the z axis of the first place, by rows
        for (std::size_t k = 0; k < 3; ++k) along += first.axes[3 * k + 2] * motion.wrenches[c][from + k];
        EXPECT_NEAR(along, want, 1e-9 * (1 + std::abs(want))) << inside.joint;
        ++seen;
      }
  }
  EXPECT_GT(seen, 40u);
}

TEST(AggregateForests, TheWholeSystemAndTheEquationsOfMotionSayTheSame) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const Setting s(RandomForest(seed, false));
    SCOPED_TRACE(s.forest.text);
    const Aggregate& aggregate = s.model.aggregate();
    const Aggregate::Motion motion = aggregate.motion(0, s.state, s.loads),
                            whole = aggregate.motion_of_whole_system(0, s.state, s.loads);
    for (std::size_t c = 0; c < motion.wrenches.size(); ++c)
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(motion.wrenches[c][k], whole.wrenches[c][k], 1e-8 * (1 + std::abs(whole.wrenches[c][k])));
    std::map<std::string, double> point = s.at;
    point.insert(s.motors.begin(), s.motors.end());
    const MotionState want = motion_at(multibody_equations(s.stated), point);
    const std::vector<double> values = s.model.values(s.state), rate = aggregate.rate(0, s.state, s.loads);
    const auto moved = [&](double h) {
      std::vector<double> after = s.state;
      for (std::size_t k = 0; k < after.size(); ++k) after[k] += h * rate[k];
      return s.model.values(after, values);
    };
    constexpr double h = 1e-3;
    const auto before = moved(-h), after = moved(h), before2 = moved(-2 * h), after2 = moved(2 * h);
    ASSERT_EQ(want.accelerations.size(), s.model.speeds().size());
    for (std::size_t k = 0; k < want.accelerations.size(); ++k) {
      const std::size_t v = s.model.coordinates().size() + k;
      const double a = (8 * (after[v] - before[v]) - (after2[v] - before2[v])) / (12 * h), w = want.accelerations[k].second;
      EXPECT_NEAR(a, w, 1e-6 * (1 + std::abs(w))) << want.accelerations[k].first;
    }
  }
}

TEST(AggregateForests, EnergyStays) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Setting s(RandomForest(seed, true));
    SCOPED_TRACE(s.forest.text);
    const std::vector<double> times{0, 0.25, 0.5, 1};
    const AggregateRun r = run(s.model.aggregate(), s.state, times, s.model.law(), {.rtol = 1e-10, .atol = 1e-12});
    const double kinetic = s.model.aggregate().kinetic_energy(0, s.state);
    for (const double energy : r.energy) EXPECT_NEAR(energy, r.energy.front(), 1e-6 * (1 + kinetic));
  }
}

}  // namespace
}  // namespace sfg
