#include "sfg/control/poles.hpp"

#include <gtest/gtest.h>

#include "sfg/read/dot.hpp"
#include "sfg/response/singular_values.hpp"

namespace {

using namespace sfg;
using exact::RationalPolynomial;

std::optional<TransmissionZeros> zeros_of(const std::string& edges) {
  const SignalFlowGraph graph = read_dot("digraph { input=\"u1,u2\"; output=\"y1,y2\"; " + edges + " }", "test.dot");
  const std::vector<Question> asked = questions(graph);
  const std::vector<ExactTransfer> transfers = exact_transfers(graph, asked);
  return transmission_zeros(graph, asked, transfers);
}

TEST(TransmissionZeros, AreNoneOfAnEntry) {
  const auto found = zeros_of(
      R"dot(u1 -> y1 [gain="1/(s+1)"]; u2 -> y1 [gain="2/(s+3)"]; u1 -> y2 [gain="1/(s+1)"]; u2 -> y2 [gain="1/(s+1)"];)dot");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->zeros.size(), 1u);
  EXPECT_EQ(found->zeros[0].value, 1.0);
  EXPECT_EQ(found->degree, 3u);
  EXPECT_FALSE(found->singular());
}

/// (√2)² is 2: what is irrational in one entry and whole in another is the same zero.
TEST(TransmissionZeros, AreSharedByIrrationalNumbers) {
  const auto found = zeros_of(
      R"dot(u1 -> y1 [gain="(s^2-2)/(s+1)"]; u2 -> y1 [gain="(s-sqrt(2))/(s+3)"]; u2 -> y2 [gain="(s-sqrt(2))/(s+1)"];)dot");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->smith_mcmillan.size(), 2u);
  EXPECT_EQ(found->smith_mcmillan[0].first.degree(), 1);
  EXPECT_EQ(found->smith_mcmillan[1].first.degree(), 3);
}

TEST(TransmissionZeros, AreWithoutDeadTimesOfWholeInputsAndOutputs) {
  const std::string plain =
      R"dot(u1 -> a [gain="1/(s+1)"]; u2 -> b [gain="(s-1)/(s+2)"]; a -> y1; b -> y2; b -> y1 [gain="1/(s+4)"];)dot";
  std::string delayed = plain;
  delayed.replace(delayed.find("a -> y1;"), 8, "a -> c; c -> y1 [gain=\"exp(-s/3)\"];");
  delayed.replace(delayed.find("b -> y1 [gain=\"1/(s+4)\"];"), 25, "b -> c [gain=\"1/(s+4)\"];");
  const auto without = zeros_of(plain), with = zeros_of(delayed);
  ASSERT_TRUE(without && with);
  EXPECT_TRUE(with->dead_time);
  EXPECT_EQ(with->smith_mcmillan, without->smith_mcmillan);
  const auto unlike =
      zeros_of(R"dot(u1 -> y1 [gain="exp(-s)/(s+1)"]; u1 -> y2; u2 -> y1 [gain="1/(s+3)"]; u2 -> y2 [gain="2"];)dot");
  ASSERT_TRUE(unlike);
  EXPECT_FALSE(unlike->open.empty());
  EXPECT_FALSE(unlike->singular());
}

TEST(TransmissionZeros, OfASingularMatrixAreThoseOfItsRank) {
  const auto found = zeros_of(R"dot(u1 -> a; u2 -> a [gain="s+5"]; a -> y1 [gain="(s+3)/(s+1)"]; a -> y2 [gain="(s+3)^2"];)dot");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->singular());
  ASSERT_EQ(found->zeros.size(), 1u);
  EXPECT_EQ(found->zeros[0].value, -3.0);
}

TEST(SingularValues, OfAnOrthogonalMatrixAreOne) {
  std::vector<FrequencyResponse> responses;
  const std::complex<double> c(0.6, 0), s(0, 0.8);
  const std::complex<double> entries[2][2] = {{c, s}, {s, c}};
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      responses.push_back(
          {.input = "u" + std::to_string(j), .output = "y" + std::to_string(i), .frequency = {1}, .value = {entries[i][j]}});
  const SingularValues found = singular_values(responses);
  for (const double value : found.values.at(0)) EXPECT_NEAR(value, 1, found.error.at(0));
  EXPECT_LT(found.error.at(0), 1e-14);
}

}  // namespace
