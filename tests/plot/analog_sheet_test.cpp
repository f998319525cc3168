#include "sfg/plot/analog_sheet.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "sfg/read/dot.hpp"
#include "sfg/read/input.hpp"

namespace {

using namespace sfg;

AnalogProgram two_masses() {
  const auto graph = std::get<SignalFlowGraph>(read_file(std::string(SFG_TEST_DATA) + "/analog/two_masses.dot").content);
  return analog_program(graph, {}, {.runs = {{"step", {4}}}, .until = 5});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(AnalogSheet, ShowsEveryElementWireAndPotentiometer) {
  if (std::system("command -v dot > /dev/null 2>&1") != 0) GTEST_SKIP() << "no Graphviz here";  // NOLINT(cert-env33-c)
  const AnalogProgram program = two_masses();
  const std::string svg = picture(analog_sheet(program), PictureFormat::svg);
  std::size_t pots = 0, wires = 0;
  for (const AnalogElement& element : program.elements) {
    EXPECT_EQ(count(svg, ">" + element.id + "</text>"), 1u) << element.id;
    for (const auto& input : element.inputs) pots += input.pot != 0 ? 1 : 0;
    wires += element.inputs.size();
  }
  EXPECT_EQ(count(svg, "r=\"15\""), pots);
  EXPECT_GE(count(svg, "<path"), 2 * wires);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// The letters stay: 84 mm with letters of 8 points.
TEST(AnalogSheet, IsBrokenIntoLinesWhereItIsToBeNarrow) {
  if (std::system("command -v dot > /dev/null 2>&1") != 0) GTEST_SKIP() << "no Graphviz here";  // NOLINT(cert-env33-c)
  constexpr double column = 418;
  const AnalogProgram program = two_masses();
  EXPECT_GT(analog_sheet(program).width, 1.5 * column);
  const Scene narrow = analog_sheet(program, {.width = 84, .font_size = 8});
  EXPECT_LE(narrow.width, column / 0.9);
  EXPECT_LE(narrow.height, 3 * column / 0.9);
}

TEST(AnalogSheet, PowersModuliAndScalesAreMathematics) {
  if (std::system("command -v dot > /dev/null 2>&1") != 0) GTEST_SKIP() << "no Graphviz here";  // NOLINT(cert-env33-c)
  AnalogProgram program = two_masses();
  program.elements[0].variable = "y_a^3", program.elements[1].variable = "|y_a|";
  program.time_scale = 1;
  const std::string svg = picture(analog_sheet(program), PictureFormat::svg);
  const std::string words = svg.substr(svg.find("</desc>"));
  EXPECT_EQ(words.find("^3</text>"), std::string::npos);
  EXPECT_EQ(words.find("= 1 <"), std::string::npos);  // τ = t, not τ = 1 t
}

TEST(AnalogSheet, RecordsOfDotStayWholeWhateverTheNamesAre) {
  const SignalFlowGraph odd =
      read_dot(R"dot(digraph { input="a|b"; output="<\"}"; "a|b" -> "<\"}" [gain="1/(s+1)"]; })dot", "test.dot");
  const std::string dot = analog_dot(analog_program(odd, {}, {.runs = {{"step", {1}}}}));
  EXPECT_NE(dot.find("a\\|b"), std::string::npos) << dot;
  EXPECT_NE(dot.find("\\<\\\"\\}"), std::string::npos) << dot;
}

TEST(AnalogSheet, IsRefusedBeyondItsLimit) {
  AnalogProgram large = two_masses();
  large.elements.resize(1001);
  EXPECT_THROW(analog_sheet(large), LimitReached);
}

}  // namespace
