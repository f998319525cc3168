#include "sfg/ask/subject.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>
#include <sstream>

#include "sfg/ask/measured.hpp"
#include "sfg/control/modes.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/write/graph.hpp"

namespace {

using namespace sfg;

std::string dot(const SignalFlowGraph& graph) {
  std::ostringstream out;
  write_dot(out, graph);
  return out.str();
}

/// What the command writes to standard output; nothing where it has no answer.
std::optional<std::string> answered(const std::string& words) {
  std::FILE* pipe = popen(("'" SFG_COMMAND "' " + words + " --quiet 2>/dev/null").c_str(), "r");
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t got = 0; (got = fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), got);
  return pclose(pipe) == 0 ? std::optional(text) : std::nullopt;
}

template <class Work>
std::optional<std::string> made(const Work& work) {
  try {
    return dot(work());
  } catch (const Failure&) {
    return {};
  }
}

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(SFG_SOURCE_DIR "/examples")) try {
      format_of(entry.path().string());
      if (entry.path().filename() != "CMakeLists.txt" && entry.path().filename() != "bump.csv") files.push_back(entry.path());
    } catch (const Error&) {  // no input
    }
  std::ranges::sort(files);
  return files;
}

// A graph is not kept twice where nothing that is asked for changes it, and is another one where something does.
TEST(Subject, AGraphThatIsAskedAsStatedIsThatOfTheInput) {
  const auto subject = [](SubjectTerms terms) {
    return Subject(read_file(SFG_SOURCE_DIR "/examples/servo.dot"), std::move(terms));
  };
  const auto is_stated = [](const Subject& one) { return &one.graph() == &std::get<SignalFlowGraph>(one.input().content); };
  const Subject plain = subject({.signals = {"theta"}, .inputs = {"ref"}});
  EXPECT_TRUE(is_stated(plain));
  EXPECT_TRUE(is_stated(plain));
  EXPECT_EQ(&plain.regular_graph(), &plain.graph());
  const Subject copy = plain;
  EXPECT_TRUE(is_stated(copy));
  const Subject more = subject({.signals = {"ref - theta"}});
  EXPECT_FALSE(is_stated(more));
  EXPECT_TRUE(more.graph().find("ref - theta"));
  const Subject opened = plain.about(LoopTerms{.where = "theta,err"});
  EXPECT_FALSE(is_stated(opened));
  SignalFlowGraph other;
  other.add_branch(other.node("x"), other.node("y"), GiNaC::ex(2));
  EXPECT_EQ(dot(plain.with(other).graph()), dot(other));
  std::size_t heard = 0;  // whoever linearizes hears of a graph without laws, once
  SubjectTerms terms;
  terms.linearized = [&](SignalFlowGraph graph, const Subject&) { return ++heard, SubjectTerms::Linearized{std::move(graph)}; };
  const Subject linear = subject(terms);
  EXPECT_TRUE(is_stated(linear));
  EXPECT_TRUE(is_stated(linear));
  EXPECT_EQ(heard, 1U);
}

// The one way from a file to a graph: of a program, of the command, and of graph_of(), which has no terms.
TEST(Subject, ItsGraphIsThatOfTheCommandForEveryExample) {
  std::size_t graphs = 0;
  for (const std::filesystem::path& file : examples()) {
    Input input;
    try {
      input = read_file(file.string());
    } catch (const Error&) {
      EXPECT_FALSE(answered("graph '" + file.string() + "'")) << file;
      continue;
    }
    const auto graph = made([&] { return Subject(input).graph(); });
    EXPECT_EQ(graph, answered("graph '" + file.string() + "'")) << file;
    if (const Model* model = std::get_if<Model>(&input.content))
      EXPECT_EQ(graph, made([&] { return graph_of(*model); })) << file;
    else
      EXPECT_EQ(graph, dot(std::get<SignalFlowGraph>(input.content))) << file;
    graphs += graph ? 1 : 0;
  }
  EXPECT_GT(graphs, 50U);
}

/// A rod on a spring that gravity turns: where it rests follows from every parameter.
std::string rod(double mass, double stiffness) {
  std::ostringstream text;
  text << R"([multibody]
gravity = ["0", "-g", "0"]
planar = true
bodies = [{ name = "rod", mass = "m", com = ["l", "0", "0"], inertia = ["0", "0", "I"] }]
joints = [{ name = "O", type = "revolute", bodies = ["frame", "rod"], axis = "z", coordinate = "th" }]
springs = [{ joint = "O", stiffness = "k" }]
forces = [{ joint = "O", torque = "tau" }]
[equilibrium]
find = true
th = -0.3
[analysis]
input = "tau"
output = ["th"]
[parameters]
l = 0.5
I = 0.1
g = 9.81
)"
       << "m = " << mass << "\nk = " << stiffness << "\n";
  return text.str();
}

Subject subject_of(const std::string& toml) { return Subject(read(toml, InputFormat::toml, "rod.toml"), {.rest = Rest::moves}); }

double fastest(Subject subject) {
  double greatest = 0;
  for (const Mode& mode : poles(subject.equations()).modes) greatest = std::max(greatest, std::abs(mode.pole.value));
  return greatest;
}

SweepSet set_of(double mass, double stiffness) {
  return {{{"m", exact::Rational::of(mass), ""}, {"k", exact::Rational::of(stiffness), ""}}};
}

// Values that are put in afterwards give what the same values give when they are stated: by independent balance,
// k th = -m g l cos(th) and (I + m l^2) w^2 = k - m g l sin(th).
TEST(Subject, ARestThatIsSearchedMovesWithTheValues) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> mass(0.5, 1.5), stiffness(8, 30);
  Subject stated = subject_of(rod(1, 20));
  ASSERT_FALSE(stated.derived_once());
  for (int i = 0; i < 6; ++i) {
    const double m = mass(random), k = stiffness(random);
    double th = 0;
    for (int step = 0; step < 200; ++step) th -= (k * th + m * 9.81 * 0.5 * std::cos(th)) / (k - m * 9.81 * 0.5 * std::sin(th));
    const double expected = std::sqrt((k - m * 9.81 * 0.5 * std::sin(th)) / (0.1 + m * 0.25));
    EXPECT_NEAR(fastest(stated.at(set_of(m, k))), expected, 1e-6 * expected);
    EXPECT_NEAR(fastest(stated.substituted(set_of(m, k))), expected, 1e-6 * expected);
  }
}

// Of several rests the one is taken that is near what the model states, whatever the sizes: the crank hangs and swings. Newton's
// iteration alone left some of these starts for the rest where it stands on its head, and would fall.
TEST(Subject, TheRestThatIsFoundIsNearWhatIsStated) {
  const Subject stated(read_file(SFG_SOURCE_DIR "/examples/slider_crank.toml"), {.rest = Rest::moves});
  std::mt19937 random(11);
  std::uniform_real_distribution<double> factor(0.94, 1.06);
  for (int i = 0; i < 40; ++i) {
    SweepSet set;
    for (const auto& [name, value] : {std::pair("r", 0.2), {"l", 0.6}, {"l1", 0.08}, {"l2", 0.25}, {"m1", 1.1}, {"m2", 0.9}})
      set.values.push_back({name, exact::Rational::of(value * factor(random)), ""});
    const Subject there = stated.at(set);
    for (const Mode& mode : poles(there.equations()).modes) EXPECT_NEAR(mode.pole.value.real(), 0, 1e-9) << i;
  }
}

TEST(Subject, WhatDoesNotMoveIsDerivedOnce) {
  Subject stated(read_file(SFG_SOURCE_DIR "/examples/vehicle.toml"));
  EXPECT_TRUE(stated.derived_once());
  const SweepSet set{{{"h", exact::Rational(4000), ""}}};
  EXPECT_EQ(stated.substituted(set).equations().unknowns.size(), stated.at(set).equations().unknowns.size());
}

// A part of a joined model says as much of its rest as it does alone.
TEST(Subject, APartOfAJoinedModelTellsThatItsRestWasSearched) {
  Joined joined;
  joined.op = "p";
  const Input input = read(rod(1, 20), InputFormat::toml, "rod.toml");
  add_part(joined, std::get<Multibody>(std::get<Model>(input.content)));
  joined.outputs = {{"th"}};
  Input whole = input;
  whole.content = Model(joined);
  Subject subject(whole, {.rest = Rest::moves});
  subject.graph();
  EXPECT_TRUE(subject.point_searched());
  EXPECT_FALSE(subject.derived_once());
  EXPECT_NEAR(fastest(subject.substituted(set_of(1, 10))), 5.880498847, 1e-8);
}

TEST(Subject, TermsThatAreWrongAreTold) {
  const Input input = read("digraph { a -> b [gain=\"K*s\"] }", InputFormat::dot, "g.dot");
  EXPECT_THROW(Subject(input, {.settings = {"Q=2"}}), Error);
  std::vector<SubjectTerms::Kind> wrong;
  SubjectTerms terms{.settings = {"K"}};
  terms.wrong = [&](SubjectTerms::Kind kind, const std::string&, const Error&) { wrong.push_back(kind); };
  EXPECT_THROW(Subject(input, terms), Error);
  EXPECT_EQ(wrong, std::vector{SubjectTerms::Kind::setting});
  Subject renamed(read("digraph { a -> b [gain=\"K*s\"] }", InputFormat::dot, "g.dot"), {.settings = {"K=3"}, .op = "p"});
  EXPECT_EQ(renamed.graph().op.symbol(), "p");
  EXPECT_EQ(renamed.symbols().find("K"), nullptr);
}

// Every sample is a model of its own: its measure is that of the model that states these values.
TEST(Measured, EverySampleHasItsOwnRest) {
  const Subject stated = subject_of(rod(1, 20));
  const MeasuredSystem system = measured(stated, between("tau", "th"));
  ASSERT_TRUE(system.anew);
  const std::vector<std::string> names{"m", "k"};
  const std::vector<double> values{1.25, 11};
  const MeasuredSystem there = system.anew(names, values), alone = measured(subject_of(rod(1.25, 11)), between("tau", "th"));
  EXPECT_NEAR(value_at(exact_transfers(there.graph, {{there.question}}).front(), {0, 1}).real(),
              value_at(exact_transfers(alone.graph, {{alone.question}}).front(), {0, 1}).real(), 1e-9);
}

}  // namespace
