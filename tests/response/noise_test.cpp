#include "sfg/response/noise.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "expect.hpp"
#include "sfg/derive/circuit.hpp"
#include "sfg/exact/integral.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {
namespace {

constexpr double k_B = 1.380649e-23, T = 300.15, pi = std::numbers::pi;

NoiseAnalysis noise_of(const std::string& netlist, const std::string& output, const NoiseOptions& options = {},
                       const std::string& input = {}) {
  Circuit circuit = read_spice("noise\n" + netlist, "noise.cir");
  measure(circuit, output);
  const NoisyCircuit loud = noisy(circuit);
  SignalFlowGraph graph = from_equations(circuit_equations(loud.circuit)).graph;
  const NodeId node = output_signal(graph, output);
  return noise(graph, loud.sources, node, input.empty() ? std::nullopt : std::optional(graph.at(input)), options);
}

/// Resistors and capacitors at random between nodes 1…n, and a capacitor of 1 F from each node to ground.
std::string random_network(std::mt19937& random, unsigned n) {
  std::string text;
  for (unsigned i = 1; i <= n; ++i) text += "C" + std::to_string(i) + " " + std::to_string(i) + " 0 1\n";
  for (unsigned i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i), next = std::to_string(i % n + 1);
    text += "R" + number + " " + number + " " + (i == 1 ? "0" : std::to_string(1 + random() % (i - 1))) + " " +
            std::to_string(1 + random() % 9) + "\n";
    if (random() % 2 && next != number)
      text += "L" + number + " " + number + " " + next + " " + std::to_string(1 + random() % 9) + "\n";
  }
  return text;
}

// A passive network in equilibrium: the noise between two of its nodes is 4 k T Re Z (Nyquist 1928), and by equipartition each
// capacitor that is alone between its node and ground holds k T/2, whatever else is there.
TEST(Noise, PassiveNetworksAreInEquilibrium) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 8; ++trial) {
    const std::string netlist = random_network(random, 1 + trial % 4);
    SCOPED_TRACE(netlist);
    const Circuit circuit = read_spice("network\n" + netlist, "network.cir");
    const SignalFlowGraph port = from_equations(port_equations(circuit, Port{"1"}, PortParameters::z)).graph;
    const ExactTransfer Z = exact_transfers(port, questions(port)).front();
    const NoiseAnalysis result = noise_of(netlist, "v(1)", {.frequency = {0.1, 0.7, 3}});
    for (std::size_t i = 0; i < 3; ++i) {
      const double expected = 4 * k_B * T * value_at(Z, {0, result.frequency[i]}).real();
      EXPECT_NEAR(result.output_density[i], expected, 1e-12 * expected);
    }
    ASSERT_TRUE(result.variance);
    ASSERT_TRUE(result.rms);
    EXPECT_NEAR(*result.rms * *result.rms, k_B * T, 1e-12 * k_B * T);  // C = 1 F, by the certified integral
    const std::string closed = print(*result.variance);                // by the linear equations
    EXPECT_TRUE(closed == "k_B*T_K/C1" || closed == "k_B*T_K") << closed;
  }
}

TEST(Noise, CurrentOfAResistorHasItsOwnNoise) {
  // In series with a capacitor no current flows at low frequencies; the whole noise is kT/L at last with an inductor.
  const NoiseAnalysis open = noise_of("V1 in 0 AC 1\nR1 in a 50\nC1 a 0 1u\n", "i(R1)", {.frequency = {1e-3}});
  EXPECT_LT(open.output_density[0], 1e-14 * 4 * k_B * T / 50);
  const NoiseAnalysis inductor = noise_of("V1 in 0 AC 1\nR1 in a 50\nL1 a 0 2m\n", "i(R1)");
  ASSERT_TRUE(inductor.variance);
  EXPECT_EQ(print(*inductor.variance), "k_B*T_K/L1");
}

TEST(Noise, ClosedFormsAndNumbersAgree) {
  const NoiseAnalysis result = noise_of(
      "V1 in 0 AC 1\nR1 in a 1k\nC1 a 0 1n\nE1 b 0 a 0 10\nR2 b out 2k\nC2 out 0 3n\nIn out 0 DC 0 noise=\"4e-24*(1 + "
      "w^2/1e12)\"\n",
      "v(out)", {.frequency = {1e4, 1e5, 1e6}}, "V1");
  const Circuit circuit =
      read_spice("noise\nV1 in 0 AC 1\nR1 in a 1k\nC1 a 0 1n\nE1 b 0 a 0 10\nR2 b out 2k\nC2 out 0 3n\n", "noise.cir");
  const auto at = [&](const GiNaC::ex& density, double frequency) {
    GiNaC::exmap values;
    for (auto node = density.preorder_begin(); node != density.preorder_end(); ++node) {
      if (!GiNaC::is_exactly_a<GiNaC::symbol>(*node)) continue;
      const std::string name = GiNaC::ex_to<GiNaC::symbol>(*node).get_name();
      values[*node] = name == "w"     ? GiNaC::ex(frequency)
                      : name == "k_B" ? GiNaC::ex(k_B)
                      : name == "T_K" ? GiNaC::ex(T)
                                      : circuit.symbols.values().at(circuit.symbols.at(name).expr);
    }
    return double_value(density.subs(values).evalf()).value();
  };
  for (std::size_t i = 0; i < result.frequency.size(); ++i) {
    double referred = 0;
    for (const NoiseContribution& contribution : result.contributions) {
      ASSERT_TRUE(contribution.density && contribution.input_density);
      const double closed = at(*contribution.density, result.frequency[i]);
      EXPECT_NEAR(contribution.values[i], closed, 1e-9 * closed) << contribution.element;
      referred += at(*contribution.input_density, result.frequency[i]);
    }
    ASSERT_TRUE(result.input_density_expression);
    EXPECT_NEAR(referred, result.input_density[i], 1e-9 * referred);
    EXPECT_NEAR(at(*result.input_density_expression, result.frequency[i]), result.input_density[i], 1e-9 * referred);
  }
  const double gain = std::norm(10.0 / ((1.0 + std::complex(0.0, 1e5) * 1e-6) * (1.0 + std::complex(0.0, 1e5) * 6e-6)));
  EXPECT_NEAR(result.input_density[1] * gain, result.output_density[1], 1e-12 * result.output_density[1]);
}

TEST(Noise, WhatDivergesHasNoVariance) {
  const NoiseAnalysis flicker = noise_of("V1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1n\nIn out 0 DC 0 noise=\"1e-20/w\"\n", "v(out)");
  EXPECT_FALSE(flicker.variance);
  EXPECT_FALSE(flicker.rms);
  EXPECT_FALSE(flicker.notes.empty());
  const NoiseAnalysis white = noise_of("V1 in 0 AC 1\nR1 in out 1k\nR2 out 0 1k\n", "v(out)");
  EXPECT_FALSE(white.variance);
  EXPECT_FALSE(white.rms);
  const NoiseAnalysis unstable = noise_of("I1 0 a AC 1\nR1 a 0 1k\nC1 a 0 1n\nG1 0 a a 0 2m\n", "v(a)");
  EXPECT_FALSE(unstable.variance);
  EXPECT_FALSE(unstable.rms);
}

TEST(Noise, ReaderAndRefusals) {
  EXPECT_THROW(noisy(read_spice("negative\nR1 a 0 -5\n", "n.cir")), Error);
  EXPECT_THROW(noisy(read_spice("name\nR1 a 0 {w}\n.param w=3\n", "n.cir")), Error);
  EXPECT_THROW(noise_of("V1 in 0 AC 1 noise=\"exp(w)\"\nR1 in 0 1k\nR2 in out 1k\nR3 out 0 1\n", "v(out)", {.frequency = {1}}),
               Error);
  const Circuit circuit = read_spice("source\nV1 a 0 DC 0 noise=4f\nR1 a 0 1\n", "n.cir");
  EXPECT_EXPRESSION(circuit.elements.front().noise, GiNaC::numeric(4) / GiNaC::pow(10, 15));
}

/// Resistors (some of them noiseless), capacitors and lossless lines at random; what the output gets at one frequency, by the
/// admittances of all of them.
struct LineNetwork {
  std::string netlist;
  double density = 0;
};

LineNetwork random_lines(std::mt19937& random, double w) {
  using Complex = std::complex<double>;
  const unsigned n = 2 + random() % 3;
  Eigen::MatrixXcd Y = Eigen::MatrixXcd::Zero(n, n);
  const auto add = [&](unsigned a, unsigned b, Complex own, Complex mutual) {
    for (const auto& [row, column, value] :
         {std::tuple(a, a, own), std::tuple(b, b, own), std::tuple(a, b, mutual), std::tuple(b, a, mutual)})
      if (row != 0 && column != 0) Y(row - 1, column - 1) += value;
  };
  LineNetwork network;
  std::vector<std::tuple<unsigned, unsigned, double>> noises;
  for (unsigned i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i), node = " " + number + " ";
    const unsigned to = random() % i, ohms = 10 + random() % 200, picofarads = 1 + random() % 9;
    const bool quiet = random() % 4 == 0;
    network.netlist += "R" + number + node + std::to_string(to) + " " + std::to_string(ohms) + (quiet ? " noisy=0\n" : "\n");
    network.netlist += "C" + number + node + "0 " + std::to_string(picofarads) + "p\n";
    add(i, to, 1.0 / ohms, -1.0 / ohms);
    add(i, 0, Complex(0, w * picofarads * 1e-12), 0);
    if (!quiet) noises.emplace_back(i, to, 4 * k_B * T / ohms);
    if (i == 1) continue;
    const unsigned z0 = 30 + random() % 100, tenths = 3 + random() % 20, from = 1 + random() % (i - 1);
    network.netlist += "T" + number + " " + std::to_string(from) + " 0" + node + "0 Z0=" + std::to_string(z0) +
                       " TD=" + std::to_string(tenths) + "e-10\n";
    const double turn = w * tenths * 1e-10;
    add(from, i, Complex(0, -1 / (z0 * std::tan(turn))), Complex(0, 1 / (z0 * std::sin(turn))));
  }
  const Eigen::MatrixXcd Z = Y.inverse();
  for (const auto& [a, b, S] : noises) network.density += S * std::norm(Z(0, a - 1) - (b == 0 ? Complex(0) : Z(0, b - 1)));
  return network;
}

TEST(Noise, WithLinesItIsThatOfTheAdmittances) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const double w = 2 * pi * (5e7 + 1e8 * (random() % 9));
    const LineNetwork network = random_lines(random, w);
    SCOPED_TRACE(network.netlist);
    const NoiseAnalysis result = noise_of("I1 0 1 AC 1\n" + network.netlist, "v(1)", {.frequency = {w}}, "I1");
    EXPECT_NEAR(result.output_density[0], network.density, 1e-9 * network.density);
    EXPECT_FALSE(result.variance);
    EXPECT_FALSE(result.rms);
    for (const NoiseContribution& contribution : result.contributions) EXPECT_FALSE(contribution.density);
    EXPECT_FALSE(result.notes.empty());
  }
}

/// Values of ngspice 39 for the same devices (onoise_spectrum at 1 kHz, V/√Hz).
TEST(Noise, OfTransistorsIsThatOfTheirCurrents) {
  const NoiseAnalysis mos = noise_of(
      "VDD vdd 0 3\nVin in 0 AC 1\nM1 out in 0 0 N L=1u W=20u ID=9.695550e-05 VDS=1.545667 VBS=0\nRD vdd out 15k\n"
      ".model N NMOS(LEVEL=1 VTO=0.6 KP=100u LAMBDA=0.05 KF=1e-25 AF=1.2 TOX=10n)\n",
      "v(out)", {.frequency = {2000 * pi}});
  ASSERT_EQ(mos.contributions.size(), 2u);  // the channel and RD, not rds
  EXPECT_NEAR(std::sqrt(mos.output_density[0]), 3.555801e-05, 1e-5 * 3.555801e-05);
  const NoiseAnalysis white = noise_of(
      "VDD vdd 0 3\nVin in 0 AC 1\nM1 out in 0 0 N L=1u W=20u ID=9.695550e-05 VDS=1.545667 VBS=0\nRD vdd out 15k\n"
      ".model N NMOS(LEVEL=1 VTO=0.6 KP=100u LAMBDA=0.05)\n",
      "v(out)", {.frequency = {2000 * pi}});
  EXPECT_NEAR(std::sqrt(white.output_density[0]), std::hypot(3.755425e-08, 1.477129e-08), 1e-5 * 4e-08);
}

TEST(Integral, KnownOnes) {
  using exact::Rational;
  using exact::RationalPolynomial;
  const RationalPolynomial one{1}, lorentz{1, 0, 1};
  EXPECT_NEAR(exact::integral({one, lorentz}, 0, std::nullopt).value(), pi / 2, 1e-14);
  EXPECT_NEAR(exact::integral({one, {1, 0}}, 1, Rational(2)).value(), std::numbers::ln2, 1e-15);
  EXPECT_NEAR(exact::integral({one, {1, 0}}, 1, Rational(1'000'000'000)).value(), 9 * std::numbers::ln10, 1e-12);
  EXPECT_FALSE(exact::integral({one, {1, 0}}, 0, Rational(1)));
  EXPECT_FALSE(exact::integral({one, {1, 0}}, 1, std::nullopt));
  EXPECT_FALSE(exact::integral({one, {1, -1}}, 0, Rational(3)));
  EXPECT_EQ(exact::integral({RationalPolynomial(), lorentz}, 0, std::nullopt).value(), 0);
  // A resonance of quality 1e6: ∫ dx/((1 − x²)² + x²/Q²) = π Q/2 over 0…∞.
  const Rational damping = Rational(1) / Rational(1'000'000'000'000);
  EXPECT_NEAR(exact::integral({one, {1, 0, damping - 2, 0, 1}}, 0, std::nullopt).value() / (pi * 1e6 / 2), 1, 1e-12);
}

}  // namespace
}  // namespace sfg
