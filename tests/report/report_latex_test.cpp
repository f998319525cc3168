// Reports as LaTeX: what TeX reads is judged by its groups and, where it is installed, by TeX itself.
#include "sfg/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "sfg/draw/tikz.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print_math.hpp"
#include "sfg/plot/figure_scene.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

constexpr const char* hostile = R"dot(digraph "\\end{document} \\input{/etc/passwd} </title> שלום 😀 $x_1^2$ #1 % & ~ ^^5c ąđ«" {
  "in|put" [input=true];
  "in|put" -> "\\end{document}" [gain="var"];
  "\\end{document}" -> "שלום" [gain="__proto__/(s+1)"];
"שלום"->"</script>"[gain = "1/(s+a)"];
"</script>"->"\\end{document}"[gain = "-constructor"];
"</script>"->"x\"'`$y$ %#~^&"[gain = "1"];
"שלום"->"שלום"[gain = "-b"];
"שלום"->"[*"[gain = "2"];
"x\"'`$y$ %#~^&"[output = true];
"[*"[output = true];
})dot";

ReportSubject subject_of(const std::string& text) {
  const Subject subject(read(text, InputFormat::dot, "model.dot"));
  return {subject, "model.dot", text, questions(subject.graph())};
}

Report titled(std::vector<ReportSection> sections) { return {.title = "t", .sections = std::move(sections), .moving = {}}; }

std::string latex(const Report& made) {
  std::ostringstream out;
  write_latex_document(out, made);
  return out.str();
}

/// Bode's diagram with a hundred thousand points, a gap, infinite values and a caption that TeX would read.
Figure hostile_figure() {
  Figure figure;
  figure.title = "100 % of " + Caption::name("x_1") + " & #~^\\end{tikzpicture}";
  Panel& panel = figure.panels.emplace_back();
  panel.x = {.label = "ω, rad/s", .scale = Axis::Scale::logarithmic};
  panel.y = {.label = "magnitude, dB", .scale = Axis::Scale::decibels};
  Series& series = panel.series.emplace_back();
  series.label = Caption::name("שלום");
  series.pattern = 9;  // dashed, with marks
  for (int i = 0; i < 100'000; ++i) {
    const double x = std::pow(10, -2 + 4e-5 * i);
    series.x.push_back(x);
    series.y.push_back(i == 50'000 ? std::nan("") : i == 70'000 ? -HUGE_VAL : 40 * std::sin(x) - 20 * std::log10(x));
  }
  panel.series.push_back({.label = "marks", .x = {1, 10}, .y = {0, 5}, .style = Series::Style::crosses});
  panel.series.push_back({.x = {1, 10, 10}, .y = {0, 5, -5}, .style = Series::Style::area});
  panel.notes.push_back({.x = 1, .y = 0, .text = "−180° & more"});
  return figure;
}

std::string tikz(const Figure& figure, const TikzOptions& options = {.font_size = 8}) {
  std::ostringstream out;
  write_tikz(out, figure_scene(figure), options);
  return out.str();
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

/// Whether every group is closed, comments apart.
void expect_balanced(const std::string& text) {
  std::istringstream lines(text);
  int braces = 0;
  for (std::string line; std::getline(lines, line);)
    for (std::size_t i = 0; i < line.size() && line[i] != '%'; ++i) {
      if (line[i] == '\\') {
        ++i;
        continue;
      }
      braces += line[i] == '{' ? 1 : line[i] == '}' ? -1 : 0;
      ASSERT_GE(braces, 0) << line;
    }
  EXPECT_EQ(braces, 0);
}

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  /// What TeX says of a document; nothing where it refuses it.
  std::optional<std::string> log_of(const std::string& document) const {
    std::ofstream(path_ / "x.tex") << document;
    const std::string command =
        "cd '" + path_.string() +
        "' && max_print_line=1000 pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error x.tex "
        "> said 2>&1";
    const bool good = std::system(command.c_str()) == 0 && std::system(command.c_str()) == 0;
    std::ifstream in(path_ / "x.log");
    std::string log{std::istreambuf_iterator<char>(in), {}};
    if (!good) ADD_FAILURE() << log.substr(std::min(log.size(), log.find("\n!")), 600);
    return good ? std::optional(log) : std::nullopt;
  }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / ("sfg_report_latex_" + std::to_string(::getpid()));
};

bool has_latex() { return std::system("command -v pdflatex > /dev/null 2>&1") == 0; }

double widest_overfull(const std::string& log) {
  static const std::regex overfull(R"(Overfull \\hbox \(([\d.]+)pt too wide)");
  double widest = 0;
  for (std::sregex_iterator i(log.begin(), log.end(), overfull), end; i != end; ++i)
    widest = std::max(widest, std::stod((*i)[1]));
  return widest;
}

TEST(ReportLatex, HasItsSectionsAndNothingOfTheModelIsMarkup) {
  const std::string source = latex(report(subject_of(hostile)));
  expect_balanced(source);
  EXPECT_EQ(count(source, "\\end{document}"), 1U);
  EXPECT_EQ(count(source, "\\input"), 0U);
  EXPECT_EQ(count(source, "^^"), 0U);
  EXPECT_EQ(source.find("ש"), std::string::npos);
  EXPECT_NE(source.find("[U+05E9]"), std::string::npos);
  EXPECT_NE(source.find("\\section{Mason's rule}"), std::string::npos);
  EXPECT_EQ(count(source, "\\begin{tikzpicture}"), 4U);  // the graph and the stages of its reduction
  EXPECT_LT(source.find("\\tableofcontents"), source.find("\\section{"));
}

TEST(ReportLatex, LoopsAreListedOnceForAllPairs) {
  const std::string source = latex(report(subject_of(hostile), {.sections = {"mason"}}));
  EXPECT_EQ(count(source, "Loops: 2"), 1U) << source;
  EXPECT_EQ(count(source, "Forward paths from"), 2U);
}

TEST(ReportLatex, AFigureHasTheCurvesOfItsSvg) {
  Figure figure;
  figure.panels.emplace_back().series.push_back({.x = {0, 1, 2, 3}, .y = {0, 1, -1, 0}});
  std::ostringstream svg;
  write_svg(svg, figure);
  const std::string picture = svg.str(), drawn = tikz(figure);
  const std::size_t at = picture.find("class=\"line\" d=\"M") + 17;
  std::istringstream path(std::regex_replace(picture.substr(at, picture.find('"', at) - at), std::regex("[L,]"), " "));
  const std::regex step(R"(\(([-\d.]+),([-\d.]+)\))");
  const std::size_t begin = drawn.find("[sfg line] ");
  const std::string course = drawn.substr(begin, drawn.find(';', begin) - begin);
  std::size_t points = 0;
  for (std::sregex_iterator i(course.begin(), course.end(), step), end; i != end; ++i, ++points) {
    double x = 0, y = 0;
    ASSERT_TRUE(path >> x >> y);
    EXPECT_NEAR(std::stod((*i)[1]), x * 8 / 13 * 2.54 / 72.27, 1e-3);
    EXPECT_NEAR(std::stod((*i)[2]), -y * 8 / 13 * 2.54 / 72.27, 1e-3);
  }
  EXPECT_EQ(points, 4U) << course;
}

TEST(ReportLatex, LongCurvesAreThinnedAndSplitAndCaptionsAreData) {
  const std::string drawn = tikz(hostile_figure());
  expect_balanced(drawn);
  EXPECT_LT(drawn.size(), 600'000U);
  EXPECT_EQ(count(drawn, "\\end{tikzpicture}"), 1U);
  EXPECT_EQ(drawn.find("nan"), std::string::npos);
  EXPECT_EQ(drawn.find("inf"), std::string::npos);
  EXPECT_NE(drawn.find("$x_{1}$"), std::string::npos);
}

TEST(ReportLatex, WhatIsTooLargeForTexIsSaidAndTheReportGoesOn) {
  Figure tall = hostile_figure();
  tall.panels.front().height = 100'000;
  EXPECT_THROW(tikz(tall), LimitReached);
  const Report made = titled({{"frequency", "Frequency response", {{{}, tall}}}, {"time", "Step response", {}}});
  const std::string source = latex(made);
  EXPECT_NE(source.find("not drawn: the picture would be larger than 5 m"), std::string::npos) << source;
  EXPECT_NE(source.find("\\section{Step response}"), std::string::npos);
}

TEST(ReportLatex, CompilesWithoutOverfullLinesWherePdflatexIs) {
  if (!has_latex()) GTEST_SKIP() << "no pdflatex here";
  const Folder folder;
  Report made = report(subject_of(hostile));
  made.sections.push_back({"frequency", "Frequency response", {{"y/u", hostile_figure()}, {"z/u", hostile_figure()}}});
  const auto log = folder.log_of(latex(made));
  ASSERT_TRUE(log.has_value());
  EXPECT_LT(widest_overfull(*log), 40) << "names of characters by their numbers, which nothing breaks";
  EXPECT_TRUE(folder.log_of(tikz(hostile_figure(), {.theme = Theme::dark, .font_size = 8})).has_value());
}

/// A fraction of sums with n terms over n terms, and a matrix of twelve columns.
Page wide_page(int n) {
  SymbolTable symbols;
  std::string above = "a", below = "b";
  for (int i = 0; i < n; ++i) above += " + cos(a)*x" + std::to_string(i), below += " + sin(a)*y" + std::to_string(i);
  Page page;
  page.add(Equations{{{Math::name("T"), {math(parse("(" + above + ")/(" + below + ")", symbols))}}}});
  std::vector<Math> entries(144, Math::name("x"));
  page.add(Equations{{{Math::name("M"), {Math::matrix(std::move(entries), 12)}}}});
  return page;
}

TEST(ReportLatex, HighFractionsLongSumsAndWideMatricesCompile) {
  if (!has_latex()) GTEST_SKIP() << "no pdflatex here";
  const Folder folder;
  for (const int n : {30, 500, 3000}) {
    const std::string source = latex(titled({{"transfer", "Transfer functions", {{{}, wide_page(n)}}}}));
    EXPECT_EQ(source.find("\\mathcal{N}") != std::string::npos, n > 30);
    EXPECT_EQ(source.find("too long for paper") != std::string::npos, n > 500);
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) EXPECT_LT(line.size(), 20'000U);
    EXPECT_TRUE(folder.log_of(source).has_value()) << n;
  }
}

TEST(ReportPdf, HasATitleAndBookmarksAndTheSameBytes) {
  if (!has_latex()) GTEST_SKIP() << "no pdflatex here";
  const Report made =
      report(subject_of("digraph \"Loop & gain\" { u -> x [gain=\"K/(s+1)\"]; x -> y [gain=1]; y -> x [gain=-1]; }"));
  const std::string pdf = pdf_document(made);
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_NE(pdf.find("/Title"), std::string::npos);
  EXPECT_EQ(pdf.find("/CreationDate"), std::string::npos);
  EXPECT_EQ(pdf, pdf_document(made));
}

TEST(ReportPdf, WithoutPdflatexSaysWhatToInstall) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  try {
    pdf_document(titled({}));
    ADD_FAILURE() << "made without TeX";
  } catch (const NoAnswer& error) {
    EXPECT_NE(error.remedy().text().find("texlive"), std::string::npos);
  }
  ::setenv("PATH", path.c_str(), 1);
}

TEST(ReportPdf, WhatTexRefusesIsSaidByItsFirstComplaint) {
  if (!has_latex()) GTEST_SKIP() << "no pdflatex here";
  Page page;
  Scene scene{.width = 9, .height = 9, .groups = {{.style = ""}}, .kind = "plot"};
  scene.groups[0].shapes.push_back({SceneShape::Kind::polyline, "line", {{0, 0}, {HUGE_VAL, 0}}});
  page.add(Picture{scene});
  try {
    pdf_document(titled({{"model", "Model", {{{}, page}}}}));
    ADD_FAILURE() << "compiled";
  } catch (const NoAnswer& error) {
    EXPECT_NE(std::string(error.what()).find("Unknown function"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sfg
