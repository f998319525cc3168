// The writers of SVG and TikZ against each other: random scenes of every kind have the same points in both, and no look or colour
// is used that the picture does not define.
#include "sfg/draw/looks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sfg/draw/svg.hpp"
#include "sfg/draw/tikz.hpp"

namespace sfg {
namespace {

const std::map<std::string, std::vector<std::string>>& shape_classes() {
  static const std::map<std::string, std::vector<std::string>> classes{
      {"plot", {"line", "line thin", "mark", "area", "bars", "bars pale", "bars open", "grid", "rule muted", "key"}},
      {"mechanism", {"edge", "fill tint1", "box tint3", "paper-line", "element", "load", "axis third", "undeformed"}},
      {"polar", {"course", "course bold", "head", "ground", "vertex"}},
      {"analog", {"wire", "end", "element", "potentiometer"}}};
  return classes;
}

class RandomScene {
 public:
  RandomScene(unsigned seed, std::string kind) : random_(seed), kind_(std::move(kind)) {}

  Scene operator()() {
    Scene scene{.title = "a <b> \"c\" 100 %", .width = 500, .height = 400, .text_size = 13, .kind = kind_, .shades = {0.1, 0.9}};
    for (int i = 0; i < 4; ++i) scene.groups.push_back(group(0));
    return scene;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double pixel() { return std::uniform_real_distribution<double>(0, 400)(random_); }

  SceneGroup group(int depth) {
    static const std::vector<std::string> colours{"", "c0", "curve c6", "s1", "law", "back", "muted"};
    SceneGroup made{.style = colours[static_cast<std::size_t>(below(7))], .title = depth == 0 ? "100 % & more" : ""};
    for (int i = below(4); i >= 0; --i) made.shapes.push_back(shape());
    made.words.push_back({{pixel(), pixel()}, below(2) == 0 ? "middle halo" : "end muted", Caption::name("x_1") + " & 50 %"});
    if (depth < 2 && below(2) == 0) made.groups.push_back(group(depth + 1));
    return made;
  }

  SceneShape shape() {
    const std::vector<std::string>& classes = shape_classes().at(kind_);
    const auto kind = std::array{SceneShape::Kind::polyline, SceneShape::Kind::polygon, SceneShape::Kind::curve}[below(3)];
    SceneShape made{kind, classes[static_cast<std::size_t>(below(static_cast<int>(classes.size())))]};
    for (int piece = below(3); piece >= 0; --piece) {
      if (!made.points.empty()) made.points.push_back(pen_up);
      for (int i = kind == SceneShape::Kind::curve ? 3 * (1 + below(3)) : 1 + below(9); i >= 0; --i)
        made.points.push_back({pixel(), pixel()});
    }
    made.dash = static_cast<std::size_t>(below(static_cast<int>(dash_count)));
    return made;
  }

  std::mt19937 random_;
  std::string kind_;
};

std::vector<std::string> all(const std::string& text, const std::regex& pattern, int part = 1) {
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), none; i != none; ++i) found.push_back((*i)[part]);
  return found;
}

std::vector<Point> points_of(const std::string& text, const std::regex& paths, const std::regex& point) {
  std::vector<Point> found;
  for (const std::string& path : all(text, paths))
    for (std::sregex_iterator i(path.begin(), path.end(), point), none; i != none; ++i)
      found.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
  return found;
}

TEST(Looks, SvgAndTikzOfASceneHaveTheSamePointsAndDefineWhatTheyUse) {
  constexpr double centimetres = 2.54 / 72.27 * 10 / 13;  // of a pixel
  std::size_t points = 0;
  for (const auto& [kind, classes] : shape_classes())
    for (unsigned seed = 0; seed < 12; ++seed) {
      const Scene scene = RandomScene(seed, kind)();
      const Theme theme = std::array{Theme::light, Theme::dark, Theme::print, Theme::colorblind}[seed % 4];
      std::ostringstream svg, tikz;
      write_svg(svg, scene, {.theme = theme});
      write_tikz(tikz, scene, {.theme = theme});
      static const std::regex number_pair("(-?[0-9.]+),(-?[0-9.]+)"), place("\\((-?[0-9.]+),(-?[0-9.]+)\\)");
      const auto drawn = points_of(svg.str(), std::regex(" d=\"([^\"]*)\""), number_pair);
      const auto set = points_of(tikz.str(), std::regex("\\n  \\\\(?:draw|fill|filldraw)\\[[^\\]]*\\]([^;]*);"), place);
      ASSERT_EQ(drawn.size(), set.size()) << kind << ' ' << seed << '\n' << tikz.str();
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        ASSERT_NEAR(drawn[i].x * centimetres, set[i].x, 0.003) << kind << ' ' << seed;
        ASSERT_NEAR(-drawn[i].y * centimetres, set[i].y, 0.003) << kind << ' ' << seed;
      }
      points += drawn.size();
      std::set<std::string> known;
      for (const std::string& name : all(tikz.str(), std::regex("definecolor\\{(sfg[a-z0-9]+)\\}"))) known.insert(name);
      for (const std::string& name : all(tikz.str(), std::regex("(sfg [a-z-]+)/\\.style"))) known.insert(name);
      const std::string picture = tikz.str().substr(tikz.str().find("]\n  \\path"));
      for (const std::string& name : all(picture, std::regex("(?:=|, |\\[)(sfg[a-z0-9]+|sfg [a-z-]+)(?=[,\\]])")))
        EXPECT_TRUE(known.contains(name)) << name << " in " << kind;
      EXPECT_EQ(svg.str().find("nan"), std::string::npos);
      EXPECT_EQ(svg.str().find("<rect class=\"paper\" width=\"500\"") == std::string::npos, theme == Theme::print);
      for (const auto& [name, colour] : colours_of(scene, theme)) EXPECT_NE(svg.str().find(colour), std::string::npos) << name;
    }
  EXPECT_GT(points, 3000U);
}

}  // namespace
}  // namespace sfg
