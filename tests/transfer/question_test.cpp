#include "sfg/transfer/question.hpp"

#include <gtest/gtest.h>

#include "graphs/families.hpp"

namespace sfg {
namespace {

using test::graph_of;

const SignalFlowGraph& feedback() {
  static const SignalFlowGraph graph =
      graph_of({{"r", "e", "1"}, {"e", "c", "G"}, {"c", "e", "-H"}, {"c", "y", "1"}, {"q", "w", "1"}});
  return graph;
}

NodeId node(const char* name) { return feedback().find(name).value(); }

TEST(Question, SourceNeedsNothing) {
  EXPECT_NO_THROW(check_question(feedback(), {node("r"), node("c"), Question::Mode::source, {}}));
}

TEST(Question, GainFromAnInnerNodeIsRefusedWithBothMeanings) {
  try {
    check_question(feedback(), {node("e"), node("c"), Question::Mode::source, {}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'e'"), std::string::npos);
    EXPECT_NE(message.find("ratio of the two signals under a source (r)"), std::string::npos);
    EXPECT_NE(message.find("injected at 'e'"), std::string::npos);
  }
  EXPECT_NO_THROW(check_question(feedback(), {node("e"), node("c"), Question::Mode::inject, {}}));
  EXPECT_NO_THROW(check_question(feedback(), {node("e"), node("c"), Question::Mode::ratio, node("r")}));
}

TEST(Question, ByNamesOfItsNodes) {
  const Question asked = question(feedback(), "e", "c", Question::Mode::ratio, "r");
  EXPECT_EQ(asked.input, node("e"));
  EXPECT_EQ(asked.output, node("c"));
  EXPECT_EQ(asked.reference, node("r"));
  EXPECT_THROW(question(feedback(), "e", "c"), std::invalid_argument);
  try {
    question(feedback(), "r", "yy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().message, "there is no node 'yy'");
    EXPECT_EQ(error.diagnostics().front().hint, "did you mean 'y'?");
  }
}

TEST(Question, RatioNeedsAReference) {
  EXPECT_THROW(check_question(feedback(), {node("e"), node("c"), Question::Mode::ratio, {}}), std::invalid_argument);
}

TEST(Question, ForeignNodesAreCaught) {
  EXPECT_THROW(check_question(feedback(), {NodeId{99}, node("c"), Question::Mode::source, {}}), std::out_of_range);
}

TEST(Question, DefaultsAreSourcesAndSinks) {
  const auto asked = questions(feedback());
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(asked[0].input, node("r"));
  EXPECT_EQ(asked[0].output, node("y"));
  EXPECT_EQ(asked[1].output, node("w"));
  EXPECT_EQ(asked[3].input, node("q"));
}

TEST(Question, RelevantNodesLieBetween) {
  const auto names = [](const std::vector<bool>& nodes) {
    std::string text;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
      if (nodes[i]) text += feedback()[NodeId{i}].name;
    return text;
  };
  EXPECT_EQ(names(relevant_nodes(feedback(), {node("r"), node("c"), Question::Mode::source, {}})), "rec");
  EXPECT_EQ(names(relevant_nodes(feedback(), {node("q"), node("c"), Question::Mode::source, {}})), "");
  EXPECT_EQ(names(relevant_nodes(feedback(), {node("c"), node("y"), Question::Mode::ratio, node("r")})), "recy");
}

}  // namespace
}  // namespace sfg
