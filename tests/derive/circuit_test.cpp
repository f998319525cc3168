#include "sfg/derive/circuit.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <complex>
#include <fstream>
#include <random>
#include <sstream>

#include "expect.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

GiNaC::ex response(const SignalFlowGraph& graph, const std::string& from, const std::string& to) {
  return transfer_function(graph, {graph.find(from).value(), graph.find(to).value(), Question::Mode::source, {}})
      .value.expression();
}

/// The transfer function of a netlist equals the text, in the symbols of the netlist.
void expect_transfer(const std::string& netlist, const std::string& from, const std::string& to, const char* expected) {
  const EquationSystem system = circuit_equations(read_spice(netlist, "test.cir"));
  const SignalFlowGraph graph = from_equations(system).graph;
  const GiNaC::ex value = response(graph, from, to);
  SymbolTable symbols = graph.symbols;
  EXPECT_EXPRESSION(value, parse(expected, symbols)) << print(value) << "\nexpected " << expected;
}

TEST(Circuit, VoltageDividerAndLowPass) {
  expect_transfer("low-pass\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1u\n.end\n", "V1", "v(out)", "1/(1 + s*R1*C1)");
}

TEST(Circuit, CurrentSourceFlowsFromFirstNodeThroughItself) {
  expect_transfer("source\nI1 0 a 1m\nR1 a 0 1k\n", "I1", "v(a)", "R1");
  expect_transfer("source\nI1 a 0 1m\nR1 a 0 1k\n", "I1", "v(a)", "-R1");
}

TEST(Circuit, SeriesResonance) {
  expect_transfer("resonance\nV1 in 0 AC 1\nL1 in a 1m\nC1 a b 1u\nR1 b 0 50\n", "V1", "v(b)",
                  "s*C1*R1/(1 + s*C1*R1 + s^2*L1*C1)");
}

// Sallen and Key 1955, unity gain: 1/(1 + s C2 (R1 + R2) + s^2 R1 R2 C1 C2)
TEST(Circuit, SallenKeyWithIdealAmplifier) {
  expect_transfer("Sallen-Key\nV1 in 0 AC 1\nR1 in a 10k\nR2 a b 10k\nC1 a out 2n\nC2 b 0 1n\nO1 b out out\n", "V1", "v(out)",
                  "1/(1 + s*C2*(R1 + R2) + s^2*R1*R2*C1*C2)");
}

TEST(Circuit, InvertingAmplifierAndIntegrator) {
  expect_transfer("amplifier\nV1 in 0 AC 1\nR1 in m 1k\nR2 m out 10k\nO1 0 m out\n", "V1", "v(out)", "-R2/R1");
  expect_transfer("integrator\nV1 in 0 AC 1\nR1 in m 1k\nC1 m out 1u\nO1 0 m out\n", "V1", "v(out)", "-1/(s*R1*C1)");
}

TEST(Circuit, ControlledSources) {
  expect_transfer("E\nV1 a 0 AC 1\nE1 b 0 a 0 7\n", "V1", "v(b)", "E1");
  expect_transfer("G\nV1 a 0 AC 1\nG1 b 0 a 0 7\nR1 b 0 1\n", "V1", "v(b)", "-G1*R1");
  expect_transfer("F\nV1 a 0 AC 1\nR1 a c 1\nVm c 0 0\nF1 0 b Vm 7\nR2 b 0 1\n", "V1", "v(b)", "F1*R2/R1");
  expect_transfer("H\nV1 a 0 AC 1\nR1 a c 1\nVm c 0 0\nH1 b 0 Vm 7\n", "V1", "v(b)", "H1/R1");
}

TEST(Circuit, ControlNamesInAnyCase) {
  expect_transfer("F\nV1 a 0 AC 1\nR1 a c 1\nVm c 0 DC 0\nf1 0 b vM 7\nR2 b 0 1\n", "V1", "v(b)", "f1*R2/R1");
}

// Loosely coupled coils: v2 = s M i1 with i1 = v1/(s L1 + R1), open secondary
TEST(Circuit, MutualInductance) {
  expect_transfer("coils\nV1 in 0 AC 1\nR1 in a 1\nL1 a 0 1m\nL2 b 0 4m\nK1 L1 L2 0.5\nR2 b 0 1meg\n", "V1", "v(b)",
                  "s*M_K1*R2/((R1 + s*L1)*(R2 + s*L2) - s^2*M_K1^2)");
  const Circuit circuit = read_spice("coils\nV1 a 0 AC 1\nL1 a 0 1m\nL2 b 0 4m\nK1 L1 L2 0.5\nR2 b 0 1\n", "t.cir");
  const GiNaC::exmap values = circuit.symbols.values();
  EXPECT_EXPRESSION(values.at(circuit.symbols.at("M_K1").expr), GiNaC::numeric(1, 1000));
}

TEST(Circuit, NegativeImpedanceOfTheGyrator) {
  // two transconductances turn a capacitor into an inductor: v/i = s C1/(G1 G2)
  expect_transfer("gyrator\nI1 0 a AC 1\nG1 0 b a 0 1m\nG2 a 0 b 0 1m\nC1 b 0 1u\n", "I1", "v(a)", "s*C1/(G1*G2)");
}

TEST(Circuit, CurrentsAndDifferencesAreSignalsWhenAskedFor) {
  const std::string netlist =
      "bridge\nV1 a 0 AC 1\nR1 a b 1\nR2 b 0 2\nR3 a c 3\nR4 c 0 4\n.print ac v(b,c) i(R2) i(V1) vdb(b)\n";
  expect_transfer(netlist, "V1", "v(b,c)", "R2/(R1 + R2) - R4/(R3 + R4)");
  expect_transfer(netlist, "V1", "i(R2)", "1/(R1 + R2)");
  expect_transfer(netlist, "V1", "i(V1)", "-1/(R1 + R2) - 1/(R3 + R4)");
  const EquationSystem system = circuit_equations(read_spice(netlist, "t.cir"));
  EXPECT_EQ(system.outputs, (std::vector<std::string>{"v(b,c)", "i(R2)", "i(V1)", "v(b)"}));
}

TEST(Circuit, SubcircuitsHaveTheirOwnNames) {
  expect_transfer(
      "sections\n.subckt section in out params: r=1k\nRs in out {r}\nC out 0 {Cx}\n.ends\nV1 a 0 AC 1\nX1 a b section\nX2 b c "
      "section r={Rb}\n",
      "V1", "v(c)", "1/((1 + s*Cx*r_X1)*(1 + s*Cx*Rb) + s*Cx*r_X1)");
}

TEST(Circuit, OnlySourcesWithAnAcValueAreDefaultInputs) {
  const auto inputs = [](const char* text) { return circuit_equations(read_spice(text, "t.cir")).inputs; };
  EXPECT_EQ(inputs("t\nV1 a 0 AC 1\nVcc b 0 15\nR1 a b 1\nR2 a 0 1\n"), std::vector<std::string>{"V1"});
  EXPECT_EQ(inputs("t\nV1 a 0\nI2 0 a 1m\nVm a b 0\nR2 b 0 1\n"), (std::vector<std::string>{"V1", "I2"}));
}

TEST(Circuit, FloatingNodesAndMissingGroundAreSaid) {
  const auto message = [](const char* text) -> std::string {
    try {
      circuit_equations(read_spice(text, "t.cir"));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message("t\nV1 a b 1\nR1 a b 1\n").find("no ground"), std::string::npos);
  EXPECT_NE(message("t\nV1 a 0 1\nR1 a 0 1\nE1 c 0 a x 3\n").find("voltage of node 'x'"), std::string::npos);
  EXPECT_NE(message("t\nV1 a 0 1\nF1 a 0 R1 3\nR1 a 0 1\n").find("no voltage source"), std::string::npos);
}

/// Elements at random, and the same circuit solved in doubles by a nodal matrix written here.
struct RandomCircuit {
  std::ostringstream netlist;
  std::size_t nodes = 5;
  std::vector<std::vector<Complex>> Y;
  Complex s{0.3, 1.1};

  explicit RandomCircuit(std::uint32_t seed) : Y(6, std::vector<Complex>(6, 0)) {
    std::mt19937 random(seed);
    auto below = [&](std::size_t n) { return random() % n; };
    netlist << "random\nI1 0 1 AC 1\n";
    for (std::size_t i = 1; i <= nodes; ++i)
      admittance('r', "g" + std::to_string(i), i, i == 1 ? 0 : i - 1, 1.0 + static_cast<double>(below(9)));
    for (std::size_t i = 0; i < 6; ++i) {
      const char kind = "rcg"[below(3)];
      const std::size_t a = below(nodes + 1);
      std::size_t b = below(nodes + 1);
      if (a == b) b = (a + 1) % (nodes + 1);
      const double value = 1.0 + static_cast<double>(below(9));
      if (kind != 'g') {
        admittance(kind, std::to_string(i), a, b, value);
        continue;
      }
      const std::size_t c = below(nodes + 1), d = below(nodes + 1);
      netlist << "G" << i << " " << a << " " << b << " " << c << " " << d << " " << value << "\n";
      Y[a][c] += value, Y[a][d] -= value, Y[b][c] -= value, Y[b][d] += value;
    }
  }

  void admittance(char kind, const std::string& name, std::size_t a, std::size_t b, double value) {
    netlist << kind << name << " " << a << " " << b << " " << value << "\n";
    const Complex y = kind == 'r' ? 1.0 / value : s * value;
    Y[a][a] += y, Y[b][b] += y, Y[a][b] -= y, Y[b][a] -= y;
  }

  /// v of the last node for 1 A into node 1, by Gauss' elimination with pivoting.
  Complex voltage() {
    const std::size_t n = nodes;
    std::vector<std::vector<Complex>> M(n, std::vector<Complex>(n + 1, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) M[i][j] = Y[i + 1][j + 1];
    M[0][n] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t p = k;
      for (std::size_t i = k; i < n; ++i)
        if (std::abs(M[i][k]) > std::abs(M[p][k])) p = i;
      std::swap(M[k], M[p]);
      for (std::size_t i = 0; i < n; ++i) {
        if (i == k) continue;
        const Complex f = M[i][k] / M[k][k];
        for (std::size_t j = k; j <= n; ++j) M[i][j] -= f * M[k][j];
      }
    }
    return M[n - 1][n] / M[n - 1][n - 1];
  }
};

/// The value of a fraction in s with numbers for all else, in exact complex arithmetic up to the quotient.
Complex at(const GiNaC::ex& transfer, const SignalFlowGraph& graph, Complex s) {
  const GiNaC::ex variable = graph.symbols.at("s").expr;
  const auto [numerator, denominator] = fraction(transfer.subs(graph.symbols.values()), variable);
  auto exact = [](double x) { return GiNaC::numeric(static_cast<long>(std::llround(x * 1e6)), 1000000L); };
  const GiNaC::numeric point = exact(s.real()) + exact(s.imag()) * GiNaC::ex_to<GiNaC::numeric>(GiNaC::I);
  auto value = [&](const GiNaC::ex& polynomial) {
    GiNaC::numeric sum = 0;
    const auto coefficients = polynomial_coefficients(polynomial, variable).value();
    for (const GiNaC::ex& c : coefficients) sum = sum * point + GiNaC::ex_to<GiNaC::numeric>(c);
    return sum;
  };
  const GiNaC::numeric quotient = value(numerator) / value(denominator);
  return {quotient.real().to_double(), quotient.imag().to_double()};
}

TEST(Circuit, RandomCircuitsAgreeWithANodalSolution) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    RandomCircuit random(seed);
    const SignalFlowGraph graph = from_equations(circuit_equations(read_spice(random.netlist.str(), "random.cir"))).graph;
    const Complex expected = random.voltage();
    const Complex given = at(response(graph, "I1", "v(5)"), graph, random.s);
    EXPECT_LT(std::abs(given - expected), 1e-9 * std::max(1.0, std::abs(expected))) << "seed " << seed << "\n"
                                                                                    << random.netlist.str();
  }
}

/// The 741 at a frequency: 205,000 at DC, a slope of −20 dB per decade from 5 Hz, unity near 1 MHz (its data sheet; the model
/// solved by an independent nodal program gives 204,134.79 and, at 1 kHz, 911.91 at −89.753°).
TEST(Circuit, OperationalAmplifier741) {
  std::ifstream in(std::string(SFG_SOURCE_DIR) + "/examples/ua741.cir");
  std::ostringstream text;
  text << in.rdbuf();
  Circuit circuit = read_spice(text.str(), "ua741.cir");
  EXPECT_EQ(circuit.outputs.front().name, "v(out)");
  const EquationSystem system = circuit_equations(circuit);
  const SignalFlowGraph symbolic = from_equations(system).graph;
  EXPECT_TRUE(symbolic.symbols.find("gm_XQ17"));
  const SignalFlowGraph graph = symbolic.substituted(symbolic.symbols.values());
  const GiNaC::ex gain = response(graph, "V1", "v(out)");
  constexpr double tolerance = 1e-6;
  EXPECT_NEAR(at(gain, graph, 0).real(), 204134.7945, 204134.7945 * tolerance);
  const Complex middle = at(gain, graph, Complex(0, 2 * M_PI * 1000));
  EXPECT_NEAR(std::abs(middle), 911.9078307, 911.9 * tolerance);
  EXPECT_NEAR(std::arg(middle) * 180 / M_PI, -89.7532857, 1e-4);
  EXPECT_NEAR(std::abs(at(gain, graph, Complex(0, 2 * M_PI * 1e6))), 0.907451228, tolerance);
}

}  // namespace
}  // namespace sfg
