// Pictures of mechanisms: every body, joint and spring is there once, at its place; an animation is frames of the same picture.
#include "sfg/draw/bodies/mechanism_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "sfg/draw/set_caption.hpp"
#include "sfg/model/model.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/multibody/mechanism_position.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

Multibody read(const std::string& text) { return std::get<Multibody>(std::get<Model>(read_toml(text, "test.toml"))); }

constexpr const char* four_bar = R"toml(title = "</script><b>&"
[multibody]
gravity = ["0","-g","0"]
planar = true
bodies = [{name="crank",mass="1",com=["0.15","0","0"],inertia=["0","0","0.01"]},{name="coupler",mass="1.5",com=["0.4","0.2","0"],inertia=["0","0","0.08"]},{name="rocker",mass="1.2",com=["0.3","0","0"],inertia=["0","0","0.05"]}]
joints = [ {name="O",type="revolute",bodies=["frame","crank"],axis="z",coordinate="s1"},
 {name="A",type="revolute",bodies=["crank","coupler"],at=[["a","0","0"],["0","0","0"]],axis="z",coordinate="s2"},
 {name="C",type="revolute",bodies=["frame","rocker"],at=[["d","0","0"],["0","0","0"]],axis="z",coordinate="s3"},
 {name="B",type="revolute",bodies=["coupler","rocker"],at=[["b","0","0"],["c","0","0"]],axis="z",cut=true} ]
forces = [{joint="O",torque="tau"}]
springs = [ {joint="O", stiffness="20"}, {name="S", between=["frame","coupler"], at=[["0.2","1.1","0"],["0.4","0.2","0"]], stiffness="80", damping="1", length="0.4"} ]
assembly = { s1 = "1.2", s2 = "-0.8", s3 = "1.9" }
[parameters]
a = 0.3
b = 0.8
c = 0.6
d = 0.9
g = 9.81
)toml";

constexpr const char* pendulum = R"toml([multibody]
gravity = ["0","-g","0"]
planar = true
bodies = [ { name="b1", mass="m1", com=["0","-lc1","0"], inertia=["0","0","I1"] }, { name="b2", mass="m2", com=["0","-lc2","0"], inertia=["0","0","I2"] } ]
joints = [ { name="O", type="revolute", bodies=["frame","b1"], axis="z", coordinate="s1" },
           { name="P", type="revolute", bodies=["b1","b2"], at=[["0","-l1","0"],["0","0","0"]], axis="z", coordinate="s2" } ]
[equilibrium]
s1 = 0
[parameters]
m1 = 1.5
m2 = 0.8
l1 = 0.9
lc1 = 0.4
lc2 = 0.35
I1 = 0.11
I2 = 0.03
g = 9.81
)toml";

std::string svg_of(const Scene& scene) { return picture(scene, PictureFormat::svg); }

struct Place {
  double x, y;
};
double distance(Place a, Place b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// The centre of the circle of a joint.
Place joint(const std::string& svg, const std::string& name) {
  std::smatch found;
  const std::regex circle("data-joint=\"" + name + "\">[^]*?<circle class=\"paper-line\" cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  EXPECT_TRUE(std::regex_search(svg, found, circle)) << name;
  return {std::stod(found[1]), std::stod(found[2])};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(MechanismPicture, ShowsEveryThingOnceWithLinksInProportion) {
  const Multibody model = read(four_bar);
  const MultibodyEquations equations = multibody_equations(model);
  const MechanismPose pose = MechanismPoses(model, equations)(mechanism_position(model, equations, {}));
  const std::string svg = svg_of(mechanism_picture(mechanism(model), pose));
  for (const char* name : {"crank", "coupler", "rocker"}) EXPECT_EQ(count(svg, std::string("data-body=\"") + name + '"'), 1U);
  EXPECT_EQ(count(svg, "class=\"spring\""), 2U);
  EXPECT_EQ(count(svg, "class=\"ground\""), 2U);
  EXPECT_EQ(count(svg, "class=\"force\""), 1U);
  EXPECT_EQ(count(svg, "<g "), count(svg, "</g>"));
  EXPECT_NE(svg.find("&lt;/script&gt;&lt;b&gt;&amp;"), std::string::npos);
  const Place O = joint(svg, "O"), A = joint(svg, "A"), B = joint(svg, "B"), C = joint(svg, "C");
  const double scale = distance(O, C) / 0.9;  // the loop is closed, and nothing is distorted
  EXPECT_NEAR(distance(O, A) / scale, 0.3, 0.002);
  EXPECT_NEAR(distance(A, B) / scale, 0.8, 0.002);
  EXPECT_NEAR(distance(B, C) / scale, 0.6, 0.002);
  EXPECT_LT(A.y, O.y);  // upwards is up
}

// Wherever the slider stands: its guide is under it, and reaches no bearing.
TEST(MechanismPicture, AGuideLiesUnderTheStrokeAlone) {
  const Multibody model = read(R"toml([multibody]
gravity = ["0","-g","0"]
planar = true
bodies = [ { name="crank", mass="1", inertia=["0","0","1"] }, { name="slider", mass="m" } ]
joints = [ { name="O", type="revolute", bodies=["frame","crank"], axis="z", coordinate="a" },
           { name="G", type="prismatic", bodies=["frame","slider"], axis="x", coordinate="x" } ]
[parameters]
m = 1
g = 9.81
)toml");
  const MultibodyEquations equations = multibody_equations(model);
  for (const double at : {-2.0, -0.3, 0.5, 3.0}) {
    const MechanismPose pose = MechanismPoses(model, equations)(mechanism_position(model, equations, {{"x", at}}));
    const std::string svg = svg_of(mechanism_picture(mechanism(model), pose));
    std::smatch found;
    const std::regex rail("data-ground=\"G\">[^]*?class=\"ground-line\" d=\"M([-0-9.]+),[-0-9.]+ ?L([-0-9.]+),");
    ASSERT_TRUE(std::regex_search(svg, found, rail)) << svg;
    const double left = std::stod(found[1]), right = std::stod(found[2]);
    EXPECT_NEAR(right - left, 76, 1);
    if (std::abs(at) > 1) {
      const double bearing = joint(svg, "O").x;
      EXPECT_TRUE(bearing < left || bearing > right);
    }
  }
}

TEST(MechanismPicture, GivenCoordinatesAreWhereTheyAre) {
  const Multibody model = read(pendulum);
  const MultibodyEquations equations = multibody_equations(model);
  const MechanismPose pose = MechanismPoses(model, equations)(mechanism_position(model, equations, {{"s1", M_PI / 2}}));
  EXPECT_NEAR(pose.at(2, {0, 0, 0})[0], 0.9, 1e-12);
  const std::string svg = svg_of(mechanism_picture(mechanism(model), pose));
  const Place O = joint(svg, "O"), P = joint(svg, "P");
  EXPECT_GT(P.x, O.x + 10);
  EXPECT_NEAR(P.y, O.y, 0.2);
  EXPECT_THROW(mechanism_position(model, equations, {{"s9", 1}}), Error);
  EXPECT_THROW(picture(mechanism_picture(mechanism(model), pose), PictureFormat::dot), NoAnswer);
}

// Without a given position loops close from anywhere near the assembly, a flexible rod straight, as a simulation closes them.
TEST(MechanismPicture, LoopsCloseAsTheyDoForASimulation) {
  const std::string crank = R"toml([multibody]
planar = true
bodies = [ { name = "crank", mass = 0.8, inertia = 0.01 }, { name = "rod" }, { name = "slider", mass = 0.6 } ]
joints = [
  { name = "O", type = "revolute", bodies = ["frame", "crank"], coordinate = "phi" },
  { name = "A", type = "revolute", bodies = ["crank", "rod"], at = [["0.15", "0"], ["0", "0"]], coordinate = "psi" },
  { name = "G", type = "prismatic", bodies = ["frame", "slider"], axis = "x", coordinate = "x" },
  { name = "B", type = "revolute", bodies = ["rod", "slider"], at = [["0.5", "0"], ["0", "0"]], cut = true },
]
elastic = [ { body = "rod", beam = { length = 0.5, EI = 40, rhoA = 0.9, shapes = ["(x/0.5)^2", "(x/0.5)^3"], coordinates = ["e1", "e2"] } } ]
)toml";
  for (int k = 0; k < 12; ++k) {
    const double phi = 0.3 + 0.2 * k, psi = -phi - std::asin(0.3 * std::sin(phi)) + 0.05 * (k % 5 - 2), x = 0.6 + 0.02 * (k % 3);
    const Multibody model = read(crank + "assembly = { phi = " + std::to_string(phi) + ", psi = " + std::to_string(psi) +
                                 ", x = " + std::to_string(x) + " }\n");
    const MultibodyEquations equations = multibody_equations(model);
    const std::vector<double> found = mechanism_position(model, equations, {});
    MechanismQuestion question;
    for (const auto& coordinate : equations.motion.coordinates) question.outputs.push_back(coordinate.name);
    const std::vector<double> times{0};
    const MechanismRun run = mechanism_run(model, equations, question, times);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], run.signals[i].value.value[0], 1e-9) << question.outputs[i];
    const MechanismPose pose = MechanismPoses(model, equations)(found);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(pose.at(2, {0.5, 0, 0})[i], pose.at(3, {0, 0, 0})[i], 1e-8);
  }
}

TEST(MechanismPicture, AnElasticBeamBends) {
  const Multibody model = read(R"toml([multibody]
planar = true
bodies = [ { name="a" }, { name="tip", mass="1" } ]
joints = [ { name="J", type="revolute", bodies=["frame","a"], axis="z", coordinate="s" },
           { name="T", type="revolute", bodies=["a","tip"], at=[["L","0","0"],["0","0","0"]], axis="z", coordinate="r" } ]
elastic = [ { body="a", beam={ length="L", EI="EI", rhoA="rhoA", shapes=["(x/L)^2"], coordinates=["e"] } } ]
[parameters]
L = 2
)toml");
  const MultibodyEquations equations = multibody_equations(model);
  const MechanismPose pose = MechanismPoses(model, equations)(mechanism_position(model, equations, {{"e", 0.5}}));
  const std::string svg = svg_of(mechanism_picture(mechanism(model), pose));
  const Place J = joint(svg, "J"), T = joint(svg, "T");
  EXPECT_NEAR((J.y - T.y) / (T.x - J.x), 0.25, 0.002);  // the tip is up by e on the length L
  EXPECT_EQ(count(svg, "class=\"undeformed\""), 1U);
}

// Points of an elastic body that are in a row are a link, others a panel; in space every body without length shows its axes.
TEST(MechanismPicture, InSpacePanelsAreAreasAndWheelsStandSideBySide) {
  const Multibody model = read(R"toml([multibody]
bodies = [ { name="hub", mass="10", inertia=["1","1","1"] }, { name="panel" }, { name="probe", mass="1", inertia=["1","1","1"] } ]
joints = [ { name="F", type="free", bodies=["frame","hub"] }, { name="W", type="weld", bodies=["hub","panel"], at=[["1","0","0"],["0","0","0"]] },
           { name="D", type="free", bodies=["frame","probe"], at=[["0","3","0"],["0","0","0"]] } ]
elastic = [ { body="panel", points = [["0","-0.5","0"],["2","0.5","0"],["2","-0.5","0"],["0","0.5","0"]], masses = ["1","1","1","1"], modes = [ { shape = [["0","0","0"],["0","0","1"],["0","0","1"],["0","0","0"]] } ], stiffness = [["50"]] } ]
flywheels = [ { name = "w1", on = "hub", axis = ["1","0","0"], inertia = "0.01", torque = "t1", speed = "O1" },
              { name = "w2", on = "hub", axis = ["0","0","1"], inertia = "0.01", torque = "t2", speed = "O2" } ]
)toml");
  const MultibodyEquations equations = multibody_equations(model);
  const MechanismPoses poses(model, equations);
  const std::string svg = svg_of(mechanism_picture(mechanism(model), poses(mechanism_position(model, equations, {}))));
  std::smatch panel;
  ASSERT_TRUE(std::regex_search(svg, panel, std::regex("data-body=\"panel\">[^]*?<path class=\"box tint1\" d=\"([^\"]*)")));
  EXPECT_EQ(count(panel[1], "L"), 4U);  // to the other corners and back, whatever their order; the weld is on an edge
  EXPECT_EQ(count(svg, "class=\"wheel\""), 2U);
  EXPECT_EQ(count(svg, "class=\"axis back\""), 1U);
  const std::string bent =
      svg_of(mechanism_picture(mechanism(model), poses(mechanism_position(model, equations, {{"e1b2", 0.3}}))));
  EXPECT_NE(svg, bent);
}

void add_lines(const SceneGroup& group, std::vector<std::pair<Point, Point>>& lines) {
  if (group.style == "names") return;
  for (const SceneShape& shape : group.shapes) {
    if (shape.kind == SceneShape::Kind::circle || shape.kind == SceneShape::Kind::curve) continue;
    for (std::size_t i = 1; i < shape.points.size(); ++i)
      if (!is_pen_up(shape.points[i - 1]) && !is_pen_up(shape.points[i]))
        lines.emplace_back(shape.points[i - 1], shape.points[i]);
  }
  for (const SceneGroup& inner : group.groups) add_lines(inner, lines);
}

/// Names whose small letters a line runs through.
std::string struck_names(const Scene& scene) {
  constexpr double size = 15, half_of_small_letters = 4;
  std::vector<std::pair<Point, Point>> lines;
  for (const SceneGroup& group : scene.groups) add_lines(group, lines);
  std::string struck;
  for (const SceneWords& name : scene.groups.back().words)
    for (const auto& [a, b] : lines) {
      bool hit = false;
      for (int i = 0; i <= 200; ++i) {
        const double x = a.x + i / 200.0 * (b.x - a.x), y = a.y + i / 200.0 * (b.y - a.y);
        hit = hit ||
              (std::abs(x - name.at.x) < width_of(name.text, size) / 2 && std::abs(y - name.at.y + 5) < half_of_small_letters);
      }
      if (hit) {
        struck += name.text.plain() + "; ";
        break;
      }
    }
  return struck;
}

// As wide as it comes and in a column of a journal, where the bodies are drawn smaller before the letters are.
TEST(MechanismPicture, NoNameLiesOnALine) {
  for (const char* name : {"whipple", "four_bar", "furuta", "rssr", "slider_crank", "bogie", "flexible_arm"}) {
    const Multibody model =
        std::get<Multibody>(std::get<Model>(read_file(std::string(SFG_SOURCE_DIR "/examples/") + name + ".toml").content));
    const MultibodyEquations equations = multibody_equations(model);
    const MechanismPose pose = MechanismPoses(model, equations)(mechanism_position(model, equations, {}));
    EXPECT_EQ(struck_names(mechanism_picture(mechanism(model), pose)), "") << name;
    const Scene narrow = mechanism_picture(mechanism(model), pose, {}, {.width = 84, .font_size = 8});
    EXPECT_EQ(struck_names(narrow), "") << name << " at 84 mm";
    EXPECT_LE(narrow.width, 447 / 0.9) << name;
  }
}

TEST(MechanismMode, SwingsAsThePublishedDoublePendulum) {
  const Multibody model = read(pendulum);
  const MultibodyEquations equations = multibody_equations(model);
  const MechanismMode slow = mechanism_mode(model, equations, 1), fast = mechanism_mode(model, equations, 2);
  EXPECT_NEAR(slow.frequency, 3.06064382, 1e-8);
  EXPECT_NEAR(fast.frequency, 7.68810721, 1e-8);
  EXPECT_EQ(slow.count, 2U);
  const auto bottom = [](const MechanismPose& pose) { return pose.at(2, {0, -0.35, 0})[0]; };
  const auto middle = [](const MechanismPose& pose) { return pose.at(2, {0, 0, 0})[0]; };
  EXPECT_GT(bottom(slow.ends[0]) * middle(slow.ends[0]), 0);                           // together
  EXPECT_LT((bottom(fast.ends[0]) - middle(fast.ends[0])) * middle(fast.ends[0]), 0);  // against each other
  EXPECT_NEAR(bottom(slow.ends[0]), -bottom(slow.ends[1]), 1e-12);
  EXPECT_THROW(mechanism_mode(model, equations, 3), NoAnswer);
  EXPECT_THROW(mechanism_mode(model, equations, 0), NoAnswer);
}

TEST(MechanismAnimation, FramesArePicturesAndNamesAreData) {
  const Multibody model = read(four_bar);
  const MultibodyEquations equations = multibody_equations(model);
  const MechanismPoses pose_of(model, equations);
  std::vector<MechanismPose> poses;
  std::vector<double> times;
  for (int k = 0; k < 5; ++k) {
    times.push_back(0.25 * k);
    poses.push_back(pose_of(mechanism_position(model, equations, {{"s1", 1.2 + 0.1 * k}})));
  }
  const std::string html = mechanism_animation(mechanism(model), times, poses);
  const std::string open = "<script type=\"application/json\" id=\"frames\">";
  const std::size_t begin = html.find(open) + open.size();
  const auto frames = nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  EXPECT_EQ(frames["times"].size(), 5U);
  EXPECT_GT(frames["paths"].size(), 5U);
  for (const auto& path : frames["paths"]) EXPECT_EQ(path.size(), 5U);
  EXPECT_EQ(count(html, "data-i=\"0\""), 2U);  // the first path and the first name that move
  EXPECT_EQ(count(html, "</script>"), 2U);     // the title's is escaped
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(count(html, "http"), 1U);  // the name space
  EXPECT_NE(html.find("prefers-reduced-motion"), std::string::npos);
  EXPECT_THROW(mechanism_animation(mechanism(model), times, {}), std::invalid_argument);
}

TEST(Mechanism, ALengthWithoutValueIsSaidWithItsPlace) {
  Multibody model = read(pendulum);
  model.symbols.find("l1")->value.reset();
  try {
    mechanism(model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.diagnostics().front().message.find("'l1'"), std::string::npos);
    EXPECT_GT(error.diagnostics().front().where.line, 0U);
  }
}

// Ten joints at two points: names stand apart, a line leads to those that stand far off, and nothing leaves the paper.
TEST(MechanismPicture, NamesOfJointsAtOnePointStandApartWithinThePicture) {
  std::string text = R"([multibody]
gravity = ["0","0","g"]
bodies = [)",
              joints = "]\njoints = [";
  for (int i = 1; i <= 6; ++i) {
    const std::string n = std::to_string(i), before = i == 1 ? "frame" : "part" + std::to_string(i - 1);
    text += "{name=\"part" + n + "\",mass=\"1\",inertia=[\"1\",\"1\",\"1\"]},";
    joints += "{name=\"a joint " + n + "\",type=\"revolute\",bodies=[\"" + before + "\",\"part" + n + "\"],axis=\"" +
              "xyz"[i % 3] + "\",coordinate=\"s" + n + "\"},";
  }
  const Multibody model = read(text + joints + "]\n[parameters]\ng = 9.81\n");
  const MultibodyEquations equations = multibody_equations(model);
  const MechanismPose pose = MechanismPoses(model, equations)(mechanism_position(model, equations, {}));
  const Scene scene = mechanism_picture(mechanism(model), pose);
  std::vector<const SceneWords*> names;
  for (const SceneGroup& group : scene.groups)
    if (group.style == "names")
      for (const SceneWords& words : group.words) names.push_back(&words);
  ASSERT_GE(names.size(), 7U);
  for (const SceneWords* a : names) {
    EXPECT_TRUE(a->at.x > 0 && a->at.x < scene.width && a->at.y > 0 && a->at.y < scene.height) << a->text;
    for (const SceneWords* b : names) {
      EXPECT_TRUE(a >= b || std::abs(a->at.y - b->at.y) > 14 || std::abs(a->at.x - b->at.x) > 40) << a->text << b->text;
    }
  }
  // gravity along +z: it points down all the same
  for (const SceneGroup& group : scene.groups)
    if (group.style == "gravity" || (!group.data.empty() && group.data.front().second == "gravity")) {
      EXPECT_GT(group.shapes.front().points.back().y, group.shapes.front().points.front().y);
    }
}

}  // namespace
}  // namespace sfg
