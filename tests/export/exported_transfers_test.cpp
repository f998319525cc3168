// Coefficients as programs of the parameters, against exact transfer functions of the same graph with other values put in.
#include "sfg/export/exported_transfers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "export/subjects.hpp"
#include "sfg/error.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {
namespace {

TEST(ExportedTransfers, FollowTheirParameters) {
  for (const char* text : {exported::two_port, exported::loop, exported::sampled}) {
    ExportSubject subject = exported::subject(text);
    const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
    const std::vector<ExportedTransfer> transfers = exported_transfers(subject, parameters);
    ASSERT_EQ(transfers.size(), subject.questions.size());
    std::vector<double> values = values_of(parameters);
    for (double& value : values) value *= 1.25;
    const SignalFlowGraph moved = exported::with_values(subject.graph, values);
    const std::vector<FrequencyResponse> want = frequency_responses(moved, subject.questions, {.frequency = {0.3, 2, 11}});
    for (std::size_t q = 0; q < transfers.size(); ++q)
      for (std::size_t k = 0; k < 3; ++k) {
        const double w = want[q].frequency[k];
        const std::complex<double> s =
            moved.op.discrete() ? std::polar(1.0, w * moved.op.period().to_double()) : std::complex<double>(0, w);
        EXPECT_LT(std::abs(value_of(transfers[q], values, s) - want[q].value[k]), 1e-12 * std::abs(want[q].value[k])) << text;
      }
  }
}

TEST(ExportedTransfers, HighestPowerFirstWithWholeNumbersAsTheyAre) {
  const ExportSubject subject = exported::subject(exported::loop);
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  const ExportedTransfer T = exported_transfers(subject, parameters).front();
  EXPECT_EQ(T.label(), "C/R");
  EXPECT_EQ(T.numerator, 1U);
  EXPECT_EQ(T.denominator, 3U);
  EXPECT_EQ(T.coefficients.values(std::span<const double>(values_of(parameters))), (std::vector<double>{10, 1, 2, 10}));
  EXPECT_FALSE(T.improper());
}

TEST(ExportedTransfers, SayHowTheyWereVerified) {
  ExportSubject subject = exported::subject(exported::two_port);
  subject.frequencies = {0.1, 1, 10};
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  EXPECT_EQ(verification(subject, exported_transfers(subject, parameters), parameters),
            "verified: at 3 frequencies these coefficients give the response of the graph's own equations within 1e-14");
}

TEST(ExportedTransfers, NothingIsComparedOnPolesAndZeros) {
  ExportSubject subject = exported::subject("digraph { u -> x [gain=\"1/(s^2+4)\"]; x -> y [gain=\"(s^2+9)/(s^2+7)\"]; }");
  subject.frequencies = {1, 2, std::sqrt(7.0), 2.9};
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  const std::string said = verification(subject, exported_transfers(subject, parameters), parameters);
  EXPECT_TRUE(said.starts_with("verified: at 2 frequencies ")) << said;
  EXPECT_TRUE(said.ends_with("within 1e-14; not compared at 2, on poles or zeros")) << said;
}

TEST(ExportedTransfers, RefusalsNameTheBranch) {
  const auto refusal = [](const char* text) {
    const ExportSubject subject = exported::subject(text);
    try {
      exported_transfers(subject, valued_parameters(subject.graph));
    } catch (const NoAnswer& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("digraph { r -> x [gain=\"1/(1+sqrt(s))\"]; x -> y; }").find("'r' -> 'x'"), std::string::npos);
  EXPECT_NE(refusal("digraph { r -> x [gain=\"1/(s+1)\"]; x -> c [nonlinear=\"u^3\"]; c -> y; }").find("'x' -> 'c'"),
            std::string::npos);
  EXPECT_NE(refusal("digraph { input=\"r\"; output=\"y\"; r -> e; e -> y [gain=\"exp(-s)/s\"]; y -> e [gain=\"-1\"]; }")
                .find("'e' -> 'y'"),
            std::string::npos);
}

TEST(ExportedTransfers, ADeadTimeOutsideLoopsIsKept) {
  const ExportSubject subject =
      exported::subject("digraph { parameters=\"T=0.5\"; r -> x [gain=\"1/(s+1)\"]; x -> y [gain=\"exp(-s*T)\"]; }");
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  const ExportedTransfer T = exported_transfers(subject, parameters).front();
  ASSERT_TRUE(T.delayed);
  const std::complex<double> s(0, 2), want = std::exp(-0.5 * s) / (s + 1.0);
  EXPECT_LT(std::abs(value_of(T, values_of(parameters), s) - want), 1e-14);
}

TEST(ExportedTransfers, MissingValuesAreNamed) {
  const ExportSubject subject = exported::subject("digraph { r -> y [gain=\"k/(s+q)\"]; }");
  EXPECT_THROW(valued_parameters(subject.graph), Error);
}

}  // namespace
}  // namespace sfg
