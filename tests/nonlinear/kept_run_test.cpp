/// A run that is kept and goes on later gives the very bits of one that was not interrupted, from whichever state.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/input.hpp"

namespace {

using namespace sfg;

/// Everything that a run finds, bit by bit.
void expect_same(const std::vector<NamedResponse>& one, const RunRecord& of_one, const std::vector<NamedResponse>& other,
                 const RunRecord& of_other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].value.value, other[k].value.value);
    EXPECT_EQ(one[k].value.error, other[k].value.error);
    EXPECT_EQ(one[k].value.notes, other[k].value.notes);
    EXPECT_EQ(one[k].value.method, other[k].value.method);
  }
  ASSERT_EQ(of_one.last_state.size(), of_other.last_state.size());
  for (std::size_t i = 0; i < of_one.last_state.size(); ++i) EXPECT_EQ(of_one.last_state[i].value, of_other.last_state[i].value);
  ASSERT_EQ(of_one.events.size(), of_other.events.size());
  for (std::size_t i = 0; i < of_one.events.size(); ++i) {
    EXPECT_EQ(of_one.events[i].time, of_other.events[i].time);
    EXPECT_EQ(of_one.events[i].kind, of_other.events[i].kind);
    EXPECT_EQ(of_one.events[i].function, of_other.events[i].function);
    EXPECT_EQ(of_one.events[i].after, of_other.events[i].after);
  }
}

struct Case {
  std::string graph, signal;
  double until;
};

/// Long enough for many states on the way.
const std::vector<Case> cases{
    // friction and an excitation that never repeats
    {"digraph { input=r; output=x; r -> a; v -> a [nonlinear=\"-friction(u, 0.5, 0.8)\"]; x -> a [gain=-1]; a -> v "
     "[gain=\"1/s\"];"
     "v -> x [gain=\"1/s\"]; }",
     "sin(t) + sin(1.6180339887*t)", 300},
    // dead time in a loop with a saturation
    {"digraph { input=r; output=x; r -> e; x -> e [gain=-1]; e -> u [nonlinear=\"saturation(u, 0.7)\"];"
     "u -> x [gain=\"2*exp(-s)/(s + 1)\"]; }",
     "1 + 0.1*sin(3*t)", 200},
    // a relay and a play
    {"digraph { input=r; output=y; r -> e; y -> e [gain=-1]; e -> u [nonlinear=\"hysteresis(u, 0.1, 1)\"]; u -> x "
     "[gain=\"1/(s*(s + 1))\"]; x -> y [nonlinear=\"backlash(u, 0.05)\"]; }",
     "sin(0.3*t)", 150},
    // smooth
    {"digraph { input=r; output=x; r -> a; x -> a [nonlinear=\"-u^3\"]; a -> x [gain=\"1/(s^2 + 0.1*s + 1)\"]; }", "cos(1.3*t)",
     1500},
    // decay that is fast beside the range
    {"digraph { input=r; output=x; r -> a; x -> a [nonlinear=\"-1000*u*abs(u)\"]; a -> y [gain=\"1/(s + 2000)\"];"
     "y -> x [gain=\"1/(s + 1)\"]; }",
     "2000*sin(7*t)", 40},
};

TEST(KeptRun, GoesOnToTheSameBitsFromWhicheverState) {
  for (const Case& each : cases) {
    SignalFlowGraph graph = read_dot(each.graph, "test.dot");
    SymbolTable symbols;
    SimulationQuestion asked;
    asked.time = symbols.symbol("t");
    asked.drives.push_back({graph.stated_inputs().front(), parse(each.signal, symbols)});
    asked.outputs = graph.stated_outputs();
    std::vector<double> times;
    for (int j = 0; j <= 97; ++j) times.push_back(each.until * j / 97);
    RunRecord record, kept_record;
    const auto whole = transient(graph, asked, times, {}, &record);
    std::vector<std::string> states;
    const KeptRun keeping{.keep = [&](const std::string& state) { states.push_back(state); }, .seconds_between = 0};
    expect_same(whole, record, transient(graph, asked, times, {}, &kept_record, &keeping), kept_record);
    EXPECT_GT(states.size(), 2U) << each.graph;
    for (std::size_t i = 0; i < states.size(); i += 1 + states.size() / 4) {
      RunRecord resumed_record;
      const KeptRun resuming{.resume = states[i]};
      expect_same(whole, record, transient(graph, asked, times, {}, &resumed_record, &resuming), resumed_record);
    }
    // of another question
    const KeptRun resuming{.resume = states.back()};
    EXPECT_THROW(transient(graph, asked, times, {.rtol = 1e-8}, nullptr, &resuming), Error);
    asked.initial.push_back({"x", 0.25});
    EXPECT_THROW(transient(graph, asked, times, {}, nullptr, &resuming), Error);
    std::string damaged = states.back();
    damaged[damaged.size() / 2] ^= 1;
    const KeptRun spoilt{.resume = damaged};
    asked.initial.clear();
    EXPECT_THROW(transient(graph, asked, times, {}, nullptr, &spoilt), Error);
  }
}

TEST(KeptRun, AnInterruptedOneLosesNothingThatWasKept) {
  const Case& each = cases.front();
  SignalFlowGraph graph = read_dot(each.graph, "test.dot");
  SymbolTable symbols;
  SimulationQuestion asked;
  asked.time = symbols.symbol("t");
  asked.drives.push_back({graph.stated_inputs().front(), parse(each.signal, symbols)});
  asked.outputs = graph.stated_outputs();
  const std::vector<double> times{0, each.until / 2, each.until};
  RunRecord record;
  const auto whole = transient(graph, asked, times, {}, &record);
  std::string state;
  std::stop_source stop;
  std::size_t passed = 0;
  const KeptRun keeping{.keep = [&](const std::string& kept) { state = kept; },
                        .seconds_between = 0,
                        .progress =
                            [&](double, double) {
                              if (++passed == 2) stop.request_stop();
                            }};
  ForcedOptions options;
  options.budget = Budget({}, stop.get_token());
  EXPECT_THROW(transient(graph, asked, times, options, nullptr, &keeping), Cancelled);
  ASSERT_FALSE(state.empty());
  RunRecord resumed;
  const KeptRun resuming{.resume = state};
  expect_same(whole, record, transient(graph, asked, times, {}, &resumed, &resuming), resumed);
}

TEST(KeptRun, MechanismsGoOnToTheSameBits) {
  const std::vector<std::string> models{
      // a pendulum that rubs in its bearing, driven
      "[multibody]\nplanar = true\nbodies = [ { name = \"b\", mass = \"1\", com = [\"0.5\", \"0\", \"0\"], inertia = [\"0\", "
      "\"0\", \"0.1\"] } ]\n"
      "joints = [ { name = \"G\", type = \"revolute\", bodies = [\"frame\", \"b\"], axis = \"z\", coordinate = \"phi\" } ]\n"
      "springs = [ { name = \"S\", joint = \"G\", stiffness = \"4\", damping = \"0.02\", rest = \"0\" } ]\n"
      "forces = [ { joint = \"G\", torque = \"M - 0.2*sign(Dphi)\" } ]\n"
      "[simulation]\ninputs = { M = \"sin(2*t) + cos(3.3*t)\" }\n",
      // a ball between two walls
      "[multibody]\nplanar = true\nbodies = [ { name = \"b\", mass = \"1\" } ]\n"
      "joints = [ { name = \"G\", type = \"prismatic\", bodies = [\"frame\", \"b\"], axis = \"x\", coordinate = \"phi\" } ]\n"
      "springs = [ { name = \"S\", joint = \"G\", stiffness = \"4\", damping = \"0.1\", rest = \"0\" } ]\n"
      "forces = [ { joint = \"G\", force = \"M\" } ]\n"
      "events = [ { name = \"wall\", type = \"stop\", coordinate = \"phi\", above = \"0.3\", restitution = \"0.7\" } ]\n"
      "[simulation]\ninputs = { M = \"sin(2*t) + cos(3.3*t)\" }\n"};
  for (const std::string& text : models) {
    const Input input = read_as_file(text, "test.toml");
    const auto& model = std::get<Multibody>(std::get<Model>(input.content));
    SymbolTable symbols;
    MechanismQuestion asked;
    asked.time = symbols.symbol("t");
    asked.inputs.push_back({"M", parse("sin(2*t) + cos(3.3*t)", symbols)});
    asked.outputs = {"phi", "Dphi"};
    std::vector<double> times;
    for (int j = 0; j <= 50; ++j) times.push_back(2.0 * j);
    const MechanismRun whole = mechanism_run(model, asked, times);
    std::vector<std::string> states;
    const KeptRun keeping{.keep = [&](const std::string& state) { states.push_back(state); }, .seconds_between = 0};
    mechanism_run(model, asked, times, {}, &keeping);
    EXPECT_GT(states.size(), 2U);
    EXPECT_GT(whole.events.size(), 10U);
    for (std::size_t i = 0; i < states.size(); i += 1 + states.size() / 3) {
      const KeptRun resuming{.resume = states[i]};
      const MechanismRun found = mechanism_run(model, asked, times, {}, &resuming);
      for (std::size_t k = 0; k < whole.signals.size(); ++k) {
        EXPECT_EQ(found.signals[k].value.value, whole.signals[k].value.value) << i;
        EXPECT_EQ(found.signals[k].value.error, whole.signals[k].value.error) << i;
      }
      EXPECT_EQ(found.energy.unaccounted, whole.energy.unaccounted);
      EXPECT_EQ(found.energy.work, whole.energy.work);
      EXPECT_EQ(found.events.size(), whole.events.size());
      EXPECT_EQ(found.steps, whole.steps);
      EXPECT_EQ(found.notes.size(), whole.notes.size());
    }
  }
}

}  // namespace
