#include "sfg/response/measured_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sfg/read/dot.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

SignalFlowGraph lag(const char* rest = "") {
  return read_dot(
      std::string(
          "digraph { input=\"u\"; output=\"y\"; variable=\"s\"; parameters=\"K=3, T=0.5\"; u -> y [gain=\"K/(T*s+1)\"]; ") +
          rest + " }",
      "lag.dot");
}

Complex response_of_lag(double w) { return 3.0 / Complex(1, 0.5 * w); }

double uniform(std::mt19937& random, double low, double high) { return std::uniform_real_distribution(low, high)(random); }

// Against the formula of the lag, and sums written out; frequencies in any order and twice, cells empty.
TEST(MeasuredResponse, RandomRecordsStandBesideTheFormula) {
  const SignalFlowGraph graph = lag();
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    Measurement record{.file = "d.csv", .axis = MeasuredAxis::frequency};
    const bool parts = seed % 2;
    MeasuredColumn first{.input = "u", .output = "y", .part = parts ? MeasuredPart::real : MeasuredPart::magnitude_db};
    MeasuredColumn second{.input = "u", .output = "y", .part = parts ? MeasuredPart::imaginary : MeasuredPart::phase_deg};
    double sum = 0, sum_deg = 0;
    std::vector<Complex> values;
    for (int k = 0; k < 12; ++k) {
      record.at.push_back(k == 7 ? record.at[2] : std::exp(uniform(random, -3, 3)));
      const Complex model = response_of_lag(record.at.back()),
                    z = model + Complex(uniform(random, -1, 1), uniform(random, -1, 1));
      const double degrees = std::arg(z) * 180 / std::numbers::pi + 360 * static_cast<int>(random() % 3);
      const bool empty = random() % 4 == 0;
      first.samples.push_back(parts ? z.real() : 20 * std::log10(std::abs(z)));
      second.samples.push_back(parts ? z.imag() : degrees);
      if (empty) second.samples.back().reset();
      if (empty) continue;
      values.push_back(z);
      sum += std::norm(z - model);
      sum_deg += std::pow(std::arg(z / model) * 180 / std::numbers::pi, 2);
    }
    record.columns = {first, second};
    const std::vector<Measurement> records{record};
    const auto model = frequency_responses(graph, questions(graph), {.frequency = measured_frequencies(records)});
    const auto found = beside(records, model);
    ASSERT_EQ(found.size(), 1u);
    for (std::size_t k = 0; k < record.at.size(); ++k)
      EXPECT_NEAR(std::abs(found[0].model[k] - response_of_lag(record.at[k])), 0, 1e-12);
    const Misfit misfit = sfg::misfit(found[0].value, found[0].model),
                 degrees = sfg::misfit(found[0].near_deg, found[0].model_deg);
    const double n = static_cast<double>(values.size());
    ASSERT_EQ(misfit.samples, values.size());
    EXPECT_NEAR(*misfit.rms, std::sqrt(sum / n), 1e-10);
    EXPECT_NEAR(*degrees.rms, std::sqrt(sum_deg / n), 1e-7);
    Complex mean = 0;
    for (const Complex z : values) mean += z / n;
    double spread = 0;
    for (const Complex z : values) spread += std::norm(z - mean);
    EXPECT_NEAR(*misfit.fit, 100 * (1 - std::sqrt(sum / spread)), 1e-8);
  }
}

TEST(MeasuredResponse, SignalsAreComparedAtTheTimesOfTheirSamples) {
  const SignalFlowGraph graph = lag();
  const auto transfers = exact_transfers(graph, questions(graph));
  const Measurement record{
      .file = "d.csv", .at = {-0.5, 0.1, 0.1, 0.7}, .columns = {{.output = "y", .samples = {0.25, 1, std::nullopt, 2}}}};
  const std::vector<Measurement> records{record};
  const auto model = responses(transfers, Excitation::step, measured_times(records, graph.op));
  const auto found = beside(records, model, graph.op, 0.0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].model[0], 0);
  for (const std::size_t k : {1, 2, 3}) EXPECT_NEAR(found[0].model[k], 3 * (1 - std::exp(-record.at[k] / 0.5)), 1e-14);
  EXPECT_TRUE(std::isnan(found[0].value[2]));
  const Misfit misfit = sfg::misfit(found[0].value, found[0].model);
  EXPECT_EQ(misfit.samples, 3u);
  EXPECT_NEAR(*misfit.rms, std::sqrt((0.25 * 0.25 + std::pow(1 - found[0].model[1], 2) + std::pow(2 - found[0].model[3], 2)) / 3),
              1e-14);
  EXPECT_TRUE(std::isnan(beside(records, model, graph.op)[0].model[0]));  // what was before is not known
}

TEST(MeasuredResponse, OfADiscreteModelTheLastSampleHolds) {
  SignalFlowGraph graph =
      read_dot(R"dot(digraph { input="u"; output="y"; variable="z"; u -> y [gain="1/(2*z-1)"]; })dot", "z.dot");
  graph.op = graph.op.sampled(exact::Rational(1) / 10);
  const Measurement record{
      .file = "d.csv", .at = {0.05, 0.1, 0.30000000000000004, 0.39}, .columns = {{.output = "y", .samples = {0, 0, 0, 0}}}};
  const std::vector<Measurement> records{record};
  const auto model = responses(exact_transfers(graph, questions(graph)), Excitation::step, measured_times(records, graph.op));
  const auto found = beside(records, model, graph.op, 0.0);
  for (const auto& [k, sample] : {std::pair{0, 0}, {1, 1}, {2, 3}, {3, 3}})
    EXPECT_NEAR(found[0].model[static_cast<std::size_t>(k)], 1 - std::pow(0.5, sample), 1e-15) << k;
}

TEST(MeasuredResponse, ValuesThatDoNotDifferHaveNoFit) {
  const std::vector<double> same{0.1, 0.1, 0.1}, model{0, 0.1, 0.2};
  EXPECT_FALSE(misfit(same, model).fit);
  EXPECT_TRUE(misfit(same, model).rms);
  EXPECT_FALSE(misfit(std::vector<double>{NAN}, std::vector<double>{1}).rms);
}

TEST(Measurement, AnInputIsStraightBetweenItsSamplesFromZeroOn) {
  Measurement record{
      .file = "d.csv", .at = {-1, -0.5, 0.5, 1, 1, 2}, .inputs = {{.output = "u", .samples = {7, 1, 3, std::nullopt, 5, 6}}}};
  const SampledSignal signal = sampled(record, record.inputs[0]);
  EXPECT_EQ(signal.time, (std::vector<double>{0, 0.5, 1, 2}));
  EXPECT_EQ(signal.value, (std::vector<double>{2, 3, 5, 6}));
  record.at = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(sampled(record, record.inputs[0]).value.front(), 7);
  record.at = {-6, -5, -4, -3, -2, -1};
  EXPECT_EQ(sampled(record, record.inputs[0]).value, (std::vector<double>{6}));
}

}  // namespace
}  // namespace sfg
