// Operating points that are found here beside those of ngspice, whose printed values are in data/operating_points.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sfg/derive/circuit.hpp"
#include "sfg/derive/noise_sources.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/output_signal.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(SFG_TEST_DATA) + "/operating_points/" + file);
  EXPECT_TRUE(in) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Printed {
  struct Quantity {
    std::string device, what;
    double value;
  };
  std::string output;
  std::vector<std::pair<std::string, double>> sources;
  std::vector<Quantity> quantities;
  std::vector<std::pair<double, Complex>> response;  ///< by Hz
  std::vector<std::pair<double, double>> noise;      ///< by Hz, V/√Hz
};

Printed printed(const std::string& file) {
  Printed result;
  std::istringstream in(text_of(file));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string head, name, what;
    double a = 0, b = 0, c = 0;
    words >> head;
    if (head == "output") words >> result.output;
    if (head == "source" && words >> name >> a) result.sources.emplace_back(name, a);
    if (head == "op" && words >> name >> what >> a) result.quantities.push_back({name, what, a});
    if (head == "ac" && words >> a >> b >> c) result.response.emplace_back(a, Complex(b, c));
    if (head == "noise" && words >> a >> b) result.noise.emplace_back(a, b);
  }
  return result;
}

std::optional<double> value_of(const Circuit& circuit, const std::string& device, const std::string& what) {
  const std::string wanted = (what == "gmb" ? "gmbs" : what) + "_" + device;
  for (const Symbol& symbol : circuit.symbols.all())
    if (lower_case(symbol.name) == wanted && symbol.value) return double_value(*symbol.value);
  return std::nullopt;
}

class FoundPoint : public testing::TestWithParam<const char*> {};

TEST_P(FoundPoint, IsThatOfTheSimulator) {
  const std::string name = GetParam();
  const Printed simulated = printed(name + ".txt");
  Circuit circuit = read_spice(text_of(name + ".cir"), name + ".cir");
  std::size_t compared = 0;
  for (const Printed::Quantity& each : simulated.quantities)
    if (const auto found = value_of(circuit, each.device, each.what)) {
      EXPECT_NEAR(*found, each.value, 5e-6 * std::abs(each.value) + (each.what[0] == 'c' ? 1e-22 : 1e-16))
          << each.what << " of " << each.device;
      ++compared;
    }
  EXPECT_GE(compared, 5U);

  measure(circuit, simulated.output);
  const NoisyCircuit loud = noisy(circuit);
  SignalFlowGraph graph = from_equations(circuit_equations(loud.circuit)).graph;
  const NodeId output = output_signal(graph, simulated.output);
  std::vector<Question> asked;
  for (const auto& [source, amplitude] : simulated.sources)
    asked.push_back({graph.at(source), output, Question::Mode::source, {}});
  const auto transfers = exact_transfers(graph, asked);
  for (const auto& [hertz, value] : simulated.response) {
    Complex sum = 0;
    for (std::size_t i = 0; i < transfers.size(); ++i)
      sum += simulated.sources[i].second * value_at(transfers[i], {0, 2 * std::numbers::pi * hertz});
    EXPECT_LT(std::abs(sum / value - 1.0), 5e-5) << "at " << hertz << " Hz: " << sum << " beside " << value;
  }
  if (simulated.noise.empty()) return;  // its closed form takes minutes
  NoiseOptions options;
  for (const auto& [hertz, value] : simulated.noise) options.frequency.push_back(2 * std::numbers::pi * hertz);
  const NoiseAnalysis found = noise(graph, loud.sources, output, {}, options);
  for (std::size_t i = 0; i < simulated.noise.size(); ++i)
    EXPECT_NEAR(std::sqrt(found.output_density[i]) / simulated.noise[i].second, 1, 5e-5)
        << "at " << simulated.noise[i].first << " Hz";
}

INSTANTIATE_TEST_SUITE_P(Netlists, FoundPoint,
                         testing::Values("two_stage", "folded_cascode", "bandgap", "ldo", "tia", "class_ab", "crystal", "mirror",
                                         "pair", "ua741"));

std::string message_of(const std::string& netlist) {
  try {
    read_spice(netlist, "t.cir");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DcPoint, WhatIsNotFoundIsSaid) {
  const std::string models = ".model N NMOS(KP=100u VTO=0.7)\n.model Q NPN(IS=1e-16 BF=100 IKF=1m)\n";  // told where it is used
  EXPECT_NE(message_of("t\n" + models + "V1 d 0 3\nM1 d g 0 0 N\nC1 g 0 1p\n").find("node 'g' has no path for direct current"),
            std::string::npos);
  EXPECT_NE(message_of("t\n" + models + "V1 c 0 3\nQ1 c c 0 Q\n").find("IKF"), std::string::npos);
  EXPECT_NE(message_of("t\nV1 d 0 3\nM1 d d 0 0 M\n").find("no model 'M'"), std::string::npos);
}

}  // namespace
}  // namespace sfg
