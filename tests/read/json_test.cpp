#include "sfg/read/json.hpp"

#include <gtest/gtest.h>

#include <random>

#include "read/problems.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

std::string errors(const std::string& text) {
  return test::errors_of([&] { read_json(text, "g.json"); });
}

constexpr const char* feedback = R"json({
  "schema": "sfg/graph/1", "title": "feed\"back", "variable": "s", "inputs": ["R"], "outputs": [],
  "nodes": [{"name": "R"}, {"name": "e", "attributes": {"shape": "box", "a": "1"}}],
  "branches": [
    {"from": "R", "to": "e", "gain": 0.1},
    {"from": "e", "to": "\u00e9\ud835\udee5", "gain": "K/(1 + s)", "attributes": {"color": "red"}},
    {"from": "e", "to": "e", "nonlinear": "u^3"},
    {"from": "e", "to": "R"}],
  "parameters": {"K": {"value": "10", "unit": "N"}, "T": 0.5},
  "attributes": {"z": "1", "a": "2"}
})json";

TEST(ReadJson, TheSchema) {
  const SignalFlowGraph graph = read_json(feedback, "g.json");
  EXPECT_EQ(graph.title, "feed\"back");
  ASSERT_EQ(graph.nodes().size(), 3U);
  EXPECT_EQ(graph.nodes()[2].name, "\xC3\xA9\xF0\x9D\x9B\xA5");
  EXPECT_EQ(graph.nodes()[1].attributes, (Attributes{{"shape", "box"}, {"a", "1"}}));
  ASSERT_EQ(graph.branches().size(), 4U);
  EXPECT_EQ(print(graph.branches()[0].gain()), "1/10");
  EXPECT_EQ(print(graph.branches()[3].gain()), "1");
  EXPECT_EQ(graph.branches()[1].attributes, (Attributes{{"color", "red"}}));
  EXPECT_EQ(print(*graph.symbols.at("T").value), "1/2");
  EXPECT_EQ(graph.symbols.at("K").unit, "N");
  EXPECT_EQ(graph.attributes, (Attributes{{"z", "1"}, {"a", "2"}}));
  EXPECT_EQ(graph.inputs, std::vector{NodeId{0}});
}

struct Wrong {
  const char* text;
  const char* errors;
};

class ReadJsonErrors : public testing::TestWithParam<Wrong> {};

TEST_P(ReadJsonErrors, HavePlaceAndReason) { EXPECT_EQ(errors(GetParam().text), GetParam().errors); }

INSTANTIATE_TEST_SUITE_P(
    Files, ReadJsonErrors,
    testing::Values(Wrong{"", "1:1 the file is empty\n"}, Wrong{"[]", "1:1 a graph must be a table, not a list\n"},
                    Wrong{"{}", "1:1 a graph without branches\n"},
                    Wrong{"{\n \"a\": 1,\n \"a\": 2}", "3:2 the key 'a' stands twice in one object\n"},
                    Wrong{"{\"schema\": \"sfg/tf/1\"}", "1:12 schema 'sfg/tf/1' is no graph\n"},
                    Wrong{"{\"schema\": \"sfg/graph/2\"}", "1:12 the version 'sfg/graph/2' of the format is not known\n"},
                    Wrong{"{\"branches\": [], \"brnaches\": []}", "1:18 unknown key 'brnaches' in a graph\n"},
                    Wrong{"{\"branches\": [{\"from\": \"a\", \"to\": \"b\", \"gain\": \"\\u00e9*(s+\"}]}",
                          "1:59 the expression ends too early: a number, a name or '(' is missing\n"},
                    Wrong{"{\"branches\": [{\"from\": \"a\\u0001\", \"to\": 3}, 5], \"inputs\": [\"q\"]}",
                          "1:24 the name of a node has a control character\n1:41 the name of a node must be a string, not a "
                          "number\n1:45 a branch must be a list or a table, not a number\n"
                          "1:61 the input 'q' is not known here\n"}));

TEST(ReadJson, SyntaxErrorsHaveAPlace) {
  EXPECT_EQ(errors("{\"branches\": [nul]}").substr(0, 15), "1:18 not JSON: ");
  EXPECT_EQ(errors("{\n\"branches\": [}").substr(0, 15), "2:14 not JSON: ");
  EXPECT_EQ(errors("{\"branches\": []} x").substr(0, 15), "1:18 not JSON: ");
  EXPECT_EQ(errors("{\"branches\": [").substr(0, 15), "1:15 not JSON: ");
}

TEST(ReadJson, AttributesHaveNames) {
  EXPECT_EQ(errors(R"({"schema": "sfg/graph/1", "branches": [{"from": "a", "to": "b", "gain": "K", "": "x"}]})"),
            "1:78 an attribute of a branch without a name\n");
  EXPECT_EQ(errors(R"({"schema": "sfg/graph/1", "nodes": [{"name": "a", "attributes": {"": "x"}}], "branches": []})"),
            "1:66 attributes: an attribute without a name\n");
}

TEST(ReadJson, BoundsTheNesting) {
  EXPECT_EQ(errors(std::string(100'000, '[')), "1:65 lists and objects are nested more than 64 deep\n");
  std::string objects;
  for (int i = 0; i < 1000; ++i) objects += "{\"a\":";
  EXPECT_EQ(errors(objects), "1:321 lists and objects are nested more than 64 deep\n");
}

TEST(ReadJson, SurvivesRandomDamage) {
  std::mt19937_64 random(7);
  const std::string bytes = "{}[]:,.+-\"\\u\n abk1_\xC3\xA9\x01";
  for (int i = 0; i < 3000; ++i)
    test::expect_survival(test::damaged(feedback, bytes, 20, random), [](const std::string& text) { read_json(text, "g.json"); });
}

// --- drawings of signalflowgrapher

std::string drawn(const std::string& end, const std::string& weight = "s*C", const std::string& name = "y") {
  return R"({"nodes": [{"id": "1", "name": "u", "x": 100, "y": 272, "label_dx": 0, "label_dy": 30},
 {"id": "2", "name": "", "x": 250.5, "y": -30}, {"id": "3", "name": ")" +
         name + R"(", "x": 400, "y": 0}],
 "branches": [{"id": "a", "weight": ")" +
         weight + R"(", "start": "1", "end": "2", "spline1_x": 1.5},
 {"id": "b", "weight": "G**2", "start": "2", "end": ")" +
         end + R"("}], "grid_pos": [0, 0], "version": "2.0"})";
}

TEST(Json, DrawingsKeepTheirPlaces) {
  const SignalFlowGraph graph = read_json(drawn("3"), "g.json");
  ASSERT_EQ(graph.nodes().size(), 3U);
  EXPECT_EQ(graph.nodes()[0].attributes, (Attributes{{"pos", "100,-272"}}));  // upwards
  EXPECT_EQ(graph.nodes()[1].name, "n1");
  EXPECT_EQ(graph.nodes()[1].attributes, (Attributes{{"pos", "250.5,30"}}));
  EXPECT_EQ(graph.nodes()[2].attributes, (Attributes{{"pos", "400,0"}}));
  EXPECT_EQ(print(graph.branches()[0].gain()), "C*s");
  EXPECT_EQ(print(graph.branches()[1].gain()), "G^2");
}

TEST(Json, WhatIsWrongWithADrawingHasItsPlace) {
  for (const auto& [text, said] :
       std::vector<std::pair<std::string, std::string>>{{drawn("4"), "g.json:4:2: error: the end of the branch is '4'"},
                                                        {drawn("3", "s*("), "g.json:3:"},
                                                        {drawn("3", "1", "u"), "g.json:2:"}})
    try {
      read_json(text, "g.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(to_string(error.diagnostics()[0]).find(said), 0U) << to_string(error.diagnostics()[0]);
    }
}

}  // namespace
}  // namespace sfg
