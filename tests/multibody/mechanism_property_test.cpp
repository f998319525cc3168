// Random mechanisms: energy and momenta stay, a state of rest stays where it is, and two independent ways of following a motion
// (equations of motion of the whole, and elimination along its parts) agree.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

std::string text(const auto&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

/// A tree of bodies on hinges and slides with springs, and values of coordinates and rates.
class RandomMechanism {
 public:
  explicit RandomMechanism(unsigned seed) : random_(seed) {}

  struct Made {
    std::string text;
    std::vector<std::string> coordinates;
    std::vector<InitialValue> initial;
  };

  /// @param floating  the first body moves freely, nothing acts from outside
  /// @param damping   of every joint
  Made operator()(bool floating, double damping, const std::string& more = {}) {
    Made made;
    const int bodies = 2 + int(random_() % 3);
    std::string parts, joints, springs;
    for (int i = 1; i <= bodies; ++i) {
      parts += text("{ name = \"b", i, "\", mass = ", 1 + unit(), ", com = ", vector(0.5),
                    ", inertia = [[1.1, 0.1, -0.1], [0.1, 1.3, 0.2], [-0.1, 0.2, 1.5]] },\n");
      const int on = i == 1 ? 0 : 1 + int(random_() % unsigned(i - 1));
      const std::string ends =
          text("bodies = [\"", on == 0 ? "frame" : text("b", on), "\", \"b", i, "\"], at = [", vector(1), ", ", vector(1), "]");
      if (i == 1 && floating) {
        joints += text("{ name = \"J1\", type = \"free\", ", ends, " },\n");
        continue;
      }
      const std::string q = text("q", i);
      joints += text("{ name = \"J", i, "\", type = \"", random_() % 3 == 0 ? "prismatic" : "revolute", "\", ", ends,
                     ", axis = \"", "xyz"[random_() % 3], "\", coordinate = \"", q, "\" },\n");
      springs += text("{ name = \"S", i, "\", joint = \"J", i, "\", stiffness = ", 60 + 20 * unit(), ", rest = ", unit() - 0.5,
                      ", damping = ", damping, " },\n");
      made.coordinates.push_back(q);
      made.initial.push_back({q, unit() - 0.5});
      made.initial.push_back({"D" + q, 2 * unit() - 1});
    }
    made.text = text("[multibody]\ngravity = ", floating ? "[0, 0, 0]" : vector(5), "\nbodies = [\n", parts, "]\njoints = [\n",
                     joints, "]\nsprings = [\n", springs, "]\n", more);
    return made;
  }

 private:
  double unit() { return double(random_() % 1000) / 1000; }
  std::string vector(double size) {
    std::string entries;
    for (int i = 0; i < 3; ++i) entries += text(i == 0 ? "" : ", ", size * (2 * unit() - 1));
    return "[" + entries + "]";
  }
  std::mt19937 random_;
};

Multibody model_of(const std::string& text) { return std::get<Multibody>(std::get<Model>(read_toml(text, "random.toml"))); }

std::vector<double> evenly(double until, std::size_t points) {
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * double(i) / double(points - 1);
  return times;
}

double energy_of(const Multibody& model, const std::vector<InitialValue>& state) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : state) values[name] = value;
  const MotionState at = motion_at(multibody_equations(model), values);
  return at.kinetic + at.potential;
}

TEST(RandomMechanisms, EnergyStaysAndTwoWaysAgree) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const auto made = RandomMechanism(seed)(false, 0);
    const Multibody model = model_of(made.text);
    const MechanismQuestion question{
        .inputs = {}, .time = GiNaC::symbol("t"), .initial = made.initial, .outputs = made.coordinates};
    const std::vector<double> times = evenly(5, 11);
    const MechanismRun run = mechanism_run(model, question, times);
    const double before = energy_of(model, made.initial), scale = 1 + std::abs(before);
    EXPECT_NEAR(energy_of(model, run.last_state), before, 1e-9 * scale) << made.text;
    EXPECT_NEAR(run.energy.start, before, 1e-9 * scale) << made.text;
    EXPECT_LT(run.energy.unaccounted, 1e-9 * scale) << made.text;
    EXPECT_TRUE(run.energy.conserved);
    const AggregateMotion parts = aggregate_motion(model, question, times);
    for (std::size_t k = 0; k < made.coordinates.size(); ++k) {
      const double allowed = 1e-7 + 10 * (run.signals[k].value.error.value_or(0) + parts.signals[k].value.error.value_or(0));
      EXPECT_LT(allowed, 1e-4);
      for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_NEAR(run.signals[k].value.value[i], parts.signals[k].value.value[i], allowed) << "seed " << seed << made.text;
    }
  }
}

TEST(RandomMechanisms, MomentaOfWhatFloatsStay) {
  for (unsigned seed = 21; seed <= 24; ++seed) {
    auto made = RandomMechanism(seed)(true, 0.3);
    made.initial.insert(made.initial.end(), {{"w1x", 0.7}, {"w1y", -0.4}, {"w1z", 1.1}, {"v1x", 0.2}, {"v1y", 0.1}});
    const Multibody model = model_of(made.text);
    const MechanismQuestion question{
        .inputs = {}, .time = GiNaC::symbol("t"), .initial = made.initial, .outputs = made.coordinates};
    const MechanismRun run = mechanism_run(model, question, evenly(5, 5));
    EXPECT_LT(run.momentum.change, 1e-9) << made.text;
    EXPECT_LT(run.angular_momentum.change, 1e-8) << made.text;
    const AggregateMotion parts = aggregate_motion(model, question, evenly(5, 5));
    EXPECT_LT(parts.momentum_change, 1e-9) << made.text;
    EXPECT_LT(parts.angular_momentum_change, 1e-8) << made.text;
  }
}

TEST(RandomMechanisms, WhatRestsStays) {
  for (unsigned seed = 41; seed <= 50; ++seed) {
    const auto made = RandomMechanism(seed)(false, 1, "[equilibrium]\nfind = true\n");
    const Multibody model = model_of(made.text);
    const MechanismQuestion question{.inputs = {}, .time = GiNaC::symbol("t"), .initial = {}, .outputs = made.coordinates};
    double largest = 0;
    const auto stays = [&](const auto& run) {
      for (const auto& signal : run.signals)
        for (const double value : signal.value.value) {
          EXPECT_NEAR(value, signal.value.value.front(), 1e-9) << signal.name << made.text;
          largest = std::max(largest, std::abs(value));
        }
    };
    stays(mechanism_run(model, question, evenly(10, 5)));
    stays(aggregate_motion(model, question, evenly(10, 5)));
    EXPECT_GT(largest, 1e-3) << "it rests at 0, which says nothing";
  }
}

// A force of a hundredth of a second in a hundred seconds of rest: what it does is its impulse.
TEST(RandomMechanisms, NoPulseIsSteppedOver) {
  const Multibody model = model_of(
      "[multibody]\nbodies = [{ name = \"b\", mass = 2, inertia = [1, 1, 1] }]\n"
      "joints = [{ name = \"J\", type = \"prismatic\", bodies = [\"frame\", \"b\"], axis = \"x\", coordinate = \"x\" }]\n"
      "forces = [{ joint = \"J\", force = \"F\" }]\n");
  for (const double width : {1e-1, 1e-2, 1e-3}) {
    const GiNaC::symbol t("t");
    MechanismQuestion question{.inputs = {}, .time = t, .initial = {}, .outputs = {"Dx"}};
    question.inputs.push_back({"F", GiNaC::ex(GiNaC::exp(-GiNaC::pow((t - 50) / GiNaC::numeric(width), 2)))});
    const double speed = std::sqrt(M_PI) * width / 2;
    EXPECT_NEAR(mechanism_run(model, question, evenly(100, 3)).signals[0].value.value.back(), speed, 1e-6 * speed);
    EXPECT_NEAR(aggregate_motion(model, question, evenly(100, 3)).signals[0].value.value.back(), speed, 1e-6 * speed);
  }
}

}  // namespace
}  // namespace sfg
