// The TikZ text read back: its coordinates are those of the drawing, whatever the names of the nodes are.
#include "sfg/draw/tikz.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "sfg/draw/graph/graph_scene.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/expr/latex_text.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

constexpr double centimetres_of_pixel = 10.0 / 17 * 2.54 / 72.27;

std::string tikz(const Drawing& drawing, const TikzOptions& options = {}) {
  std::ostringstream out;
  write_tikz(out, drawing, options);
  return out.str();
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

/// What TeX reads as a group is closed, and mathematics too; comments are none of it.
void expect_balanced(const std::string& text) {
  std::istringstream lines(text);
  int braces = 0, dollars = 0;
  for (std::string line; std::getline(lines, line);)
    for (std::size_t i = 0; i < line.size() && line[i] != '%'; ++i) {
      if (line[i] == '\\') {
        ++i;
        continue;
      }
      braces += line[i] == '{' ? 1 : line[i] == '}' ? -1 : 0;
      dollars += line[i] == '$' ? 1 : 0;
      ASSERT_GE(braces, 0) << line;
    }
  EXPECT_EQ(braces, 0);
  EXPECT_EQ(dollars % 2, 0);
}

/// Reads the coordinates of a \draw as TikZ does.
class Reader {
 public:
  explicit Reader(const std::string& text) {
    const std::regex place(R"(\\coordinate \((n\d+)\) at \(([-\d.]+),([-\d.]+)\))");
    for (std::sregex_iterator i(text.begin(), text.end(), place), end; i != end; ++i)
      nodes_[(*i)[1]] = {std::stod((*i)[2]), std::stod((*i)[3])};
  }

  /// The Bézier points of one course.
  std::vector<Point> course(const std::string& draw) const {
    static const std::regex token(
        R"((\.\. controls \+\(([-\d.]+),([-\d.]+)\) and \+\(([-\d.]+),([-\d.]+)\) \.\.)|( --)|(\(\$\((n\d+)\)(!([\d.]+)!\((n\d+)\))?\+\(([-\d.]+),([-\d.]+)\)\$\))|(\((n\d+)\)))");
    std::vector<Point> points;
    Point first{}, second{};
    bool line = false;
    for (std::sregex_iterator i(draw.begin(), draw.end(), token), end; i != end; ++i) {
      const std::smatch& m = *i;
      const auto value = [&](int k) { return std::stod(m[k]); };
      if (m[1].matched) {
        first = {value(2), value(3)};
        second = {value(4), value(5)};
        line = false;
      } else if (m[6].matched) {
        line = true;
      } else {
        Point p = nodes_.at(m[7].matched ? m[8] : m[15]);
        if (m[9].matched) {
          const Point other = nodes_.at(m[11]);
          p = {p.x + value(10) * (other.x - p.x), p.y + value(10) * (other.y - p.y)};
        }
        if (m[7].matched) p = {p.x + value(12), p.y + value(13)};
        if (!points.empty()) {
          const Point a = points.back();
          points.push_back(line ? a : Point{a.x + first.x, a.y + first.y});
          points.push_back(line ? p : Point{p.x + second.x, p.y + second.y});
        }
        points.push_back(p);
      }
    }
    return points;
  }

 private:
  std::map<std::string, Point> nodes_;
};

void expect_drawing(const Drawing& drawing, const std::string& text) {
  const Reader reader(text);
  EXPECT_EQ(count(text, "\\coordinate"), drawing.nodes.size());
  EXPECT_EQ(count(text, "\\node[sfg node"), drawing.nodes.size());
  EXPECT_EQ(count(text, "  \\draw[sfg branch"), drawing.branches.size());
  std::size_t at = 0;
  for (const DrawnBranch& branch : drawing.branches) {
    at = text.find("  \\draw[sfg branch", at) + 1;
    const std::string draw = text.substr(at, text.find(";  %", at) - at);
    EXPECT_EQ(count(draw, "{sfg head}"), 1U) << draw;
    // what a label holds is no course
    const std::vector<Point> read = reader.course(std::regex_replace(draw, std::regex(R"(node\[[^\n]*\{\$.*\$\})"), ""));
    ASSERT_EQ(read.size(), branch.curve.size()) << draw;
    for (std::size_t i = 0; i < read.size(); i += 3) {
      EXPECT_NEAR(read[i].x, branch.curve[i].x * centimetres_of_pixel, 0.02) << draw;
      EXPECT_NEAR(read[i].y, -branch.curve[i].y * centimetres_of_pixel, 0.02) << draw;
    }
  }
}

SignalFlowGraph graph_of_names(const std::vector<std::string>& names) {
  SignalFlowGraph graph;
  graph.title = names.back();
  for (std::size_t i = 0; i < names.size(); ++i) graph.node(names[i]);
  for (std::uint32_t i = 0; i + 1 < names.size(); ++i) graph.add_branch(NodeId{i}, NodeId{i + 1}, 2);
  graph.add_branch(NodeId{2}, NodeId{1}, -1);
  graph.add_branch(NodeId{2}, NodeId{2}, -3);
  return graph;
}

TEST(Tikz, CoordinatesAreThoseOfTheDrawing) {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(SFG_SOURCE_DIR) + "/graphs")) {
    if (entry.path().extension() != ".dot") continue;
    const Input input = read_file(entry.path().string());
    const auto& graph = std::get<SignalFlowGraph>(input.content);
    if (!suits_layout(graph) || graph.nodes().size() > 15) continue;
    SCOPED_TRACE(entry.path().string());
    const Drawing drawing = layout(graph);
    const std::string text = tikz(drawing);
    expect_drawing(drawing, text);
    expect_balanced(text);
    ++seen;
  }
  EXPECT_GT(seen, 40U);
}

const std::vector<std::string> hostile{"</script>",
                                       "\"&'<>",
                                       "$\\input{x}$",
                                       "%_ \u05E9\u05DC",
                                       "a,b:c",
                                       "\\end{document}",
                                       "{{}",
                                       "~^#|",
                                       "__proto__",
                                       "x\ny",
                                       "\u0126\u00E9\u0141",
                                       "φ_1 → ∞",
                                       "-->",
                                       "\\",
                                       "\U0001F600"};

TEST(Tikz, NamesAreText) {
  const Drawing drawing = layout(graph_of_names(hostile));
  for (const bool fragment : {false, true}) {
    const std::string text = tikz(drawing, {.fragment = fragment});
    expect_drawing(drawing, text);
    expect_balanced(text);
    EXPECT_EQ(count(text, "\\input{"), 0U);
    EXPECT_EQ(count(text, "\\end{document}"), fragment ? 0U : 1U);
    EXPECT_NE(text.find("[U+05E9][U+05DC]"), std::string::npos);
  }
  std::ostringstream scene;
  write_tikz(scene, graph_scene(drawing));
  expect_balanced(scene.str());
}

TEST(Tikz, LaTeXTextKeepsWhatTypesetsItself) {
  EXPECT_EQ(latex_text("a_1 50% {x} \\y"), "a\\_1 50\\% \\{x\\} \\textbackslash{}y");
  EXPECT_EQ(latex_text("é φ Ħ ש"), "é $\\varphi$ [U+0126] [U+05E9]");
  EXPECT_EQ(latex_text("x\ny"), "x y");
}

TEST(Tikz, ALargePictureIsRefused) {
  Drawing drawing;
  drawing.width = 1e6;
  EXPECT_THROW(tikz(drawing), LimitReached);
}

TEST(Tikz, CompilesWherePdflatexIs) {
  if (std::system("command -v pdflatex > /dev/null 2>&1") != 0) GTEST_SKIP() << "no pdflatex here";
  const auto folder = std::filesystem::temp_directory_path() / "sfg_tikz_test";
  std::filesystem::create_directories(folder);
  const Drawing drawing = layout(graph_of_names(hostile));
  const auto put = [&](const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; };
  const auto compiles = [&](const std::string& name) {
    return std::system(("cd '" + folder.string() + "' && pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error " +
                        name + " > log 2>&1")
                           .c_str()) == 0;
  };
  put("whole.tex", tikz(drawing, {.theme = Theme::dark, .highlight = {.nodes = {NodeId{1}}, .branches = {BranchId{1}}}}));
  EXPECT_TRUE(compiles("whole.tex"));
  put("part.tex", tikz(drawing, {.fragment = true}));
  put("around.tex",
      "\\documentclass{article}\\usepackage{amsmath,tikz}\\usetikzlibrary{arrows.meta,calc}\\begin{document}\\input{part}\\end{"
      "document}");
  EXPECT_TRUE(compiles("around.tex"));
  std::ostringstream scene;
  write_tikz(scene, graph_scene(drawing));
  put("scene.tex", scene.str());
  EXPECT_TRUE(compiles("scene.tex"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sfg
