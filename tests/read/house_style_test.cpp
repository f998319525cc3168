#include "sfg/read/house_style.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <regex>

#include "sfg/draw/picture.hpp"
#include "sfg/error.hpp"

namespace sfg {
namespace {

constexpr const char* whole = R"([colours]
ink = "#102030"
feedback = "#405060"
curves = ["#0a0b0c"]
[fonts]
words = "Some Family"
latex = "sffamily"
[lines]
branch = 2.5
curve = 3
frame = 0.5
[arrow]
length = 9
width = 6
[node]
radius = 3
fill = "ink"
)";

SignalFlowGraph loop() {
  SignalFlowGraph graph;
  const NodeId u = graph.node("u"), y = graph.node("y");
  graph.add_branch(u, y, 5);
  graph.add_branch(y, u, -1);
  return graph;
}

TEST(HouseStyle, IsReadWhole) {
  const HouseStyle style = read_house_style(whole, "house.toml");
  EXPECT_EQ(style.colours.at("ink"), "#102030");
  EXPECT_EQ(style.curves, std::vector<std::string>{"#0a0b0c"});
  EXPECT_EQ(style.words, "Some Family");
  EXPECT_EQ(style.branch, 2.5);
  EXPECT_EQ(style.arrow_width, 6);
  EXPECT_EQ(style.node_fill, "ink");
}

TEST(HouseStyle, WhatIsWrongIsSaidWithItsPlace) {
  for (const char* wrong : {"[colours]\nink = \"blue\"", "[colours]\ninks = \"#000000\"", "[lines]\nbranch = 100",
                            "[lines]\nbranch = \"2\"", "[fonts]\nwords = \"a';}b\"", "[fonts]\nlatex = \"\\\\input\"",
                            "[node]\nfill = \"none\"", "[else]\n", "[arrow]\nlength = 0"}) {
    try {
      read_house_style(wrong, "house.toml");
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("house.toml:"), std::string::npos) << error.what();
    }
  }
}

// Every entry changes the picture in both formats, so that none is idle.
TEST(HouseStyle, EveryEntryOfGraphsIsSeenInSvgAndTikz) {
  const auto drawn = [](const HouseStyle& style, PictureFormat format) {
    return picture(loop(), format, {.style = std::make_shared<const HouseStyle>(style)});
  };
  for (const PictureFormat format : {PictureFormat::svg, PictureFormat::tex}) {
    const std::string plain = drawn({}, format);
    EXPECT_NE(drawn({.colours = {{"ink", "#102030"}}}, format), plain);
    EXPECT_NE(drawn({.colours = {{"feedback", "#102030"}}}, format), plain);
    EXPECT_NE(drawn({.branch = 3}, format), plain);
    EXPECT_NE(drawn({.arrow_length = 7}, format), plain);
    EXPECT_NE(drawn({.arrow_width = 5}, format), plain);
    EXPECT_NE(drawn({.node_radius = 3}, format), plain);
    EXPECT_NE(drawn({.node_fill = "ink"}, format), plain);
  }
  EXPECT_NE(drawn({.latex = "sffamily"}, PictureFormat::tex).find("\\sffamily"), std::string::npos);
  EXPECT_EQ(drawn({}, PictureFormat::svg).find("prefers-color-scheme"), std::string::npos);
}

}  // namespace
}  // namespace sfg
