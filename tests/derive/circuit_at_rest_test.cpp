// What a netlist states of its sources at rest, against Newton's method and finite differences that know nothing of graphs.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "sfg/derive/circuit.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/write/graph.hpp"

namespace sfg {
namespace {

constexpr double q = 1.602176634e-19, k_B = 1.380649e-23, T = 300.15, V_T = k_B * T / q;

/// Nodes 1…n and ground: conductances, diodes, a voltage source of known value at node 1 behind a resistor.
struct DiodeNetwork {
  struct Two {
    unsigned from, to;
    double value;  ///< S, or the saturation current
  };
  unsigned nodes = 0;
  std::vector<Two> conductances, diodes;
  double source_conductance = 0, volts = 0;

  std::string netlist() const {
    std::string text = "network\nV1 in 0 " + std::to_string(volts) + " AC 1\n";
    const auto two = [](const Two& e) { return " " + std::to_string(e.from) + " " + std::to_string(e.to) + " "; };
    const auto number = [](double value) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.17g", value);
      return std::string(digits);
    };
    text += "Rs in 1 " + number(1 / source_conductance) + "\n";
    for (std::size_t i = 0; i < conductances.size(); ++i)
      text += "R" + std::to_string(i) + two(conductances[i]) + number(1 / conductances[i].value) + "\n";
    for (std::size_t i = 0; i < diodes.size(); ++i)
      text += "D" + std::to_string(i) + two(diodes[i]) + "M" + std::to_string(i) + "\n.model M" + std::to_string(i) +
              " D(IS=" + number(diodes[i].value) + ")\n";
    return text;
  }

  /// Newton's method on Kirchhoff's current law, steps limited.
  Eigen::VectorXd voltages(double at_source) const {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(nodes);
    const auto at = [&](unsigned node) { return node == 0 ? 0 : v[node - 1]; };
    for (int step = 0; step < 20000; ++step) {
      Eigen::VectorXd residual = Eigen::VectorXd::Zero(nodes);
      Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(nodes, nodes);
      const auto add = [&](const Two& e, double current, double slope) {
        for (const auto& [row, sign] : {std::pair(e.from, 1.0), std::pair(e.to, -1.0)}) {
          if (row == 0) continue;
          residual[row - 1] += sign * current;
          if (e.from != 0) slopes(row - 1, e.from - 1) += sign * slope;
          if (e.to != 0) slopes(row - 1, e.to - 1) -= sign * slope;
        }
      };
      for (const Two& e : conductances) add(e, e.value * (at(e.from) - at(e.to)), e.value);
      for (const Two& e : diodes) {
        const double u = at(e.from) - at(e.to), growth = std::exp(std::min(u / V_T, 80.0));
        add(e, e.value * (growth - 1), e.value * growth / V_T);
      }
      add({1, 0, 0}, source_conductance * (at(1) - at_source), source_conductance);
      const Eigen::VectorXd change = slopes.fullPivLu().solve(-residual);
      v += change * std::min(1.0, 2 * V_T / std::max(1e-300, change.cwiseAbs().maxCoeff()));
      if (change.cwiseAbs().maxCoeff() < 1e-15) break;
    }
    return v;
  }
};

DiodeNetwork random_network(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto one_of = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  DiodeNetwork network;
  network.nodes = 1 + one_of(3);
  const auto decade = [&](double low, double high) { return low * std::pow(high / low, uniform(random)); };
  for (unsigned node = 1; node <= network.nodes; ++node) network.conductances.push_back({node, one_of(node), decade(1e-4, 1e-2)});
  for (unsigned i = 1 + one_of(2); i > 0; --i) {
    const unsigned from = one_of(network.nodes + 1), to = (from + 1 + one_of(network.nodes)) % (network.nodes + 1);
    network.diodes.push_back({from, to, decade(1e-15, 1e-9)});
  }
  network.source_conductance = decade(1e-4, 1e-2);
  network.volts = std::round(64 * (6 * uniform(random) - 2)) / 64;
  return network;
}

SignalFlowGraph graph_of(const Circuit& circuit) { return from_equations(circuit_equations(circuit)).graph; }

TEST(CircuitAtRest, BiasedDiodesAgreeWithNewtonsMethodAndFiniteDifferences) {
  std::mt19937 random(20);
  for (int trial = 0; trial < 25; ++trial) {
    const DiodeNetwork network = random_network(random);
    SCOPED_TRACE(network.netlist());
    Circuit circuit = read_spice(network.netlist(), "network.cir");
    for (unsigned node = 1; node <= network.nodes; ++node) measure(circuit, "v(" + std::to_string(node) + ")");
    const NoisyCircuit loud = noisy(circuit);
    const SignalFlowGraph graph = graph_of(loud.circuit);
    const OperatingPoints found = operating_points(graph);
    ASSERT_EQ(found.points.size(), 1u);
    const Eigen::VectorXd expected = network.voltages(network.volts);
    for (unsigned node = 1; node <= network.nodes; ++node)
      EXPECT_NEAR(found.points[0].signals.at("v(" + std::to_string(node) + ")"), expected[node - 1], 1e-9);

    SignalFlowGraph linear = linearized(graph, linearization_point(found.points[0]));
    constexpr double step = 1e-5;
    const Eigen::VectorXd slope = (network.voltages(network.volts + step) - network.voltages(network.volts - step)) / (2 * step);
    const NodeId source = linear.at("V1"), node = linear.at("v(1)");
    const Question question{source, node, Question::Mode::source, {}};
    const double gain = value_at(exact_transfers(linear, {&question, 1}).front(), 0).real();
    EXPECT_NEAR(gain, slope[0], 1e-6 * std::abs(slope[0]) + 1e-9);

    // Every current of noise, 4 k T G and 2 q |I|, through the transfer impedance to node 1: by changing the currents a little.
    const std::vector<NoiseSource> sources = at_point(loud, linearization_point(found.points[0]), linear.symbols);
    const NoiseAnalysis noise = sfg::noise(linear, sources, node, source, {.frequency = {1}});
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(network.nodes, network.nodes);
    const auto conduct = [&](unsigned a, unsigned b, double value) {
      for (const auto& [row, column, sign] :
           {std::tuple(a, a, 1), std::tuple(b, b, 1), std::tuple(a, b, -1), std::tuple(b, a, -1)})
        if (row != 0 && column != 0) G(row - 1, column - 1) += sign * value;
    };
    const auto volts = [&](unsigned n) { return n == 0 ? 0 : expected[n - 1]; };
    std::vector<std::tuple<unsigned, unsigned, double>> currents{{1, 0, 4 * k_B * T * network.source_conductance}};
    conduct(1, 0, network.source_conductance);
    for (const auto& e : network.conductances)
      conduct(e.from, e.to, e.value), currents.emplace_back(e.from, e.to, 4 * k_B * T * e.value);
    for (const auto& e : network.diodes) {
      const double growth = std::exp((volts(e.from) - volts(e.to)) / V_T);
      conduct(e.from, e.to, e.value * growth / V_T);
      currents.emplace_back(e.from, e.to, 2 * q * e.value * std::abs(growth - 1));
    }
    const Eigen::MatrixXd Z = G.inverse();
    double density = 0;
    for (const auto& [a, b, S] : currents) density += S * std::pow((a == 0 ? 0 : Z(0, a - 1)) - (b == 0 ? 0 : Z(0, b - 1)), 2);
    EXPECT_NEAR(noise.output_density[0], density, 1e-6 * density);
  }
}

TEST(CircuitAtRest, StatedValuesOfEveryKind) {
  const Circuit circuit = read_spice(
      "sources\n.param vdd=3.3\nV1 1 0 DC 2 AC 1\nV2 2 0 5m\nV3 3 0 PULSE(1 5 0 1n 1n 1u 2u)\nV4 4 0 SIN(0.5 1 1k)\n"
      "V5 5 0 {2*vdd}\nV6 6 0 AC 1\nI7 0 7 DC 0\nV8 8 0 DC 4 SIN(0 1 1k)\nV9 9 0 PWL(0 7 1m 8)\n"
      "R1 1 0 1\nR2 2 0 1\nR3 3 0 1\nR4 4 0 1\nR5 5 0 1\nR6 6 0 1\nR7 7 0 1\nR8 8 0 1\nR9 9 0 1\n",
      "sources.cir");
  const SignalFlowGraph graph = graph_of(circuit);
  const auto rest = rest_inputs(graph);
  const auto is = [&](const char* name, double value, bool lasts) {
    const auto found = rest.find(graph.at(name));
    ASSERT_NE(found, rest.end()) << name;
    EXPECT_EQ(found->second.value.to_double(), value) << name;
    EXPECT_EQ(found->second.lasts, lasts) << name;
  };
  is("V1", 2, true), is("V2", 0.005, true), is("V3", 1, false), is("V4", 0.5, false), is("V5", 6.6, true), is("I7", 0, true);
  is("V8", 4, false), is("V9", 7, false);
  EXPECT_FALSE(rest.contains(graph.at("V6")));

  // What is put in for a parameter reaches the value, in a model and in a graph that was written and read.
  const GiNaC::exmap other{{circuit.symbols.at("vdd").expr, GiNaC::numeric(5)}};
  EXPECT_EQ(rest_inputs(graph_of(substituted(circuit, other))).at(graph.at("V5")).value.to_double(), 10);
  std::ostringstream dot;
  write_dot(dot, graph);
  const SignalFlowGraph read = read_dot(dot.str(), "sources.dot");
  EXPECT_EQ(rest_inputs(read).at(read.at("V5")).value.to_double(), 6.6);
}

TEST(CircuitAtRest, ASourceOfValueZeroIsASource) {
  const SignalFlowGraph alone = graph_of(read_spice("zero\nI1 0 a 0\nR1 a 0 1k\n", "zero.cir"));
  ASSERT_EQ(alone.stated_inputs().size(), 1u);
  EXPECT_EQ(alone[alone.stated_inputs()[0]].name, "I1");
  const SignalFlowGraph beside = graph_of(read_spice("zero\nV0 in 0 0\nI1 0 a 2\nR1 a in 1k\n", "zero.cir"));
  ASSERT_EQ(beside.stated_inputs().size(), 1u);  // an ammeter is an input where it is named
  EXPECT_TRUE(beside.find("V0"));
}

TEST(CircuitAtRest, DeviationsHaveNoConstants) {
  std::vector<Diagnostic> notes;
  const Circuit circuit = read_spice(
      "stage\nVCC vcc 0 5\nV1 b 0 AC 1\nQ1 c b 0 QN IC=1m VBE=0.7 VCE=2.5\nRC vcc c 2.5k\n.model QN NPN(BF=200 VAF=80)\n",
      "stage.cir", &notes);
  EXPECT_TRUE(rest_inputs(graph_of(circuit)).empty());
  EXPECT_TRUE(
      std::ranges::any_of(notes, [](const Diagnostic& note) { return note.message.find("left out") != std::string::npos; }));
}

}  // namespace
}  // namespace sfg
