// Gyrators, ideal transformers, Z(s), Y(s) and triodes in netlists, and what follows the temperature: random networks against a
// nodal solution that knows nothing of the reader, and laws against their formulas.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <set>
#include <sstream>

#include "expect.hpp"
#include "sfg/derive/circuit.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/model/temperature.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

namespace {

using namespace sfg;
using Complex = std::complex<double>;

/// Kirchhoff's laws as a matrix of numbers; unknowns are the voltages of nodes 1 … and currents behind them.
class Nodal {
 public:
  Nodal(std::size_t nodes, Complex at) : s(at), rows_(nodes, std::vector<Complex>(nodes + 1)) {}
  Complex s;
  void conduct(int a, int b, Complex y) { control(a, b, a, b, y); }
  /// i(a → b) = g v(c, d)
  void control(int a, int b, int c, int d, Complex g) {
    for (const auto& [row, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)})
      if (row > 0) add(row - 1, c, sign * g), add(row - 1, d, -sign * g);
  }
  /// v(a, b) = n v(c, d), i(c) = −n i(a)
  void transform(int a, int b, int c, int d, Complex n) {
    const std::size_t current = grow();
    for (const auto& [node, factor] : {std::pair(a, Complex(1)), {b, -1.0}, {c, -n}, {d, n}})
      if (node > 0)
        rows_[static_cast<std::size_t>(node) - 1][current] += factor, rows_.back()[static_cast<std::size_t>(node) - 1] += factor;
  }
  void inject(int node, Complex amperes) { rows_[static_cast<std::size_t>(node) - 1].back() += amperes; }

  std::vector<Complex> solution() {
    const std::size_t n = rows_.size();
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t best = k;
      for (std::size_t i = k; i < n; ++i)
        if (std::abs(rows_[i][k]) > std::abs(rows_[best][k])) best = i;
      std::swap(rows_[k], rows_[best]);
      for (std::size_t i = 0; i < n; ++i) {
        if (i == k) continue;
        const Complex factor = rows_[i][k] / rows_[k][k];
        for (std::size_t j = k; j <= n; ++j) rows_[i][j] -= factor * rows_[k][j];
      }
    }
    std::vector<Complex> x;
    for (std::size_t k = 0; k < n; ++k) x.push_back(rows_[k][n] / rows_[k][k]);
    return x;
  }

 private:
  void add(int row, int node, Complex value) {
    if (node > 0) rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(node) - 1] += value;
  }
  std::size_t grow() {
    const std::size_t place = rows_.size();
    for (auto& row : rows_) row.insert(row.end() - 1, Complex(0));
    rows_.emplace_back(place + 2);
    return place;
  }
  std::vector<std::vector<Complex>> rows_;
};

struct RandomNetwork {
  std::string text;
  Nodal nodal;
};

/// One element of a kind that the netlists have beside those of SPICE, in both.
void add_element(RandomNetwork& network, std::mt19937& random, int nodes, int k) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  int n[4];
  for (int& node : n) node = below(static_cast<unsigned>(nodes) + 1);
  if (n[0] == n[1] || n[2] == n[3]) return;
  const Complex s = network.nodal.s;
  const double v = 1 + below(9), w = 1 + below(9);
  const std::string number = std::to_string(k), two = " " + std::to_string(n[0]) + " " + std::to_string(n[1]),
                    four = two + " " + std::to_string(n[2]) + " " + std::to_string(n[3]), a = std::to_string(static_cast<int>(v)),
                    b = std::to_string(static_cast<int>(w));
  switch (below(4)) {
    case 0:
      network.text += "Z" + number + two + " {" + a + " + s*" + b + "}\n";
      return network.nodal.conduct(n[0], n[1], 1.0 / (v + s * w));
    case 1:
      network.text += "Y" + number + two + " {s*" + a + "/(1 + " + b + "*s)}\n";
      return network.nodal.conduct(n[0], n[1], s * v / (1.0 + w * s));
    case 2:
      network.text += "X" + number + four + " gyrator G=" + a + "\n";
      network.nodal.control(n[0], n[1], n[2], n[3], v);
      return network.nodal.control(n[2], n[3], n[0], n[1], -v);
    default:
      if (std::set<int>{n[0], n[1], n[2], n[3]}.size() < 3) return;  // a transformer of itself
      network.text += "X" + number + four + " TRANSFORMER N=" + a + "\n";
      network.nodal.transform(n[0], n[1], n[2], n[3], v);
  }
}

TEST(NetlistElements, RandomNetworksAreThoseOfANodalSolution) {
  std::mt19937 random(20);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int nodes = 4 + below(3);
    const Complex s(0.3 + 0.1 * below(9), 0.5 + 0.2 * below(9));
    RandomNetwork network{"random\nI1 0 1 AC 1\n", Nodal(static_cast<std::size_t>(nodes), s)};
    network.nodal.inject(1, 1);
    for (int node = 1; node <= nodes; ++node) {  // no node floats
      network.text += "Rg" + std::to_string(node) + " " + std::to_string(node) + " 0 " + std::to_string(node + 1) + "\n";
      network.nodal.conduct(node, 0, 1.0 / (node + 1));
    }
    for (int k = 0; k < 6; ++k) add_element(network, random, nodes, k);
    const std::vector<Complex> expected = network.nodal.solution();
    if (!std::ranges::all_of(expected, [](Complex x) { return std::abs(x) < 1e6; })) continue;  // loops of transformers
    const SignalFlowGraph graph = from_equations(circuit_equations(read_spice(network.text, "t.cir"))).graph;
    for (int node = 1; node <= nodes; ++node, ++compared) {
      const auto output = graph.find("v(" + std::to_string(node) + ")");
      ASSERT_TRUE(output) << network.text;
      const Question question{graph.at("I1"), *output, Question::Mode::source, {}};
      const Complex found = value_at(exact_transfers(graph, std::span(&question, 1)).front(), s);
      const Complex right = expected[static_cast<std::size_t>(node) - 1];
      EXPECT_LT(std::abs(found - right), 1e-9 * (1 + std::abs(right))) << network.text << "node " << node;
    }
  }
  EXPECT_GT(compared, 150);
}

GiNaC::ex impedance(const Circuit& circuit, const Port& port) {
  const SignalFlowGraph graph = from_equations(port_equations(circuit, port, PortParameters::z)).graph;
  return transfer_functions(graph, questions(graph)).front().value.expression();
}

TEST(NetlistElements, AGyratorMakesAnInductorOfACapacitor) {
  const Circuit circuit = read_spice("t\nX1 a 0 b 0 Gyrator G=gm\nC1 b 0 C\n", "t.cir");
  SymbolTable symbols = circuit.symbols;
  EXPECT_EXPRESSION(impedance(circuit, {"a"}), parse("s*C/gm^2", symbols));
  const Circuit ratio = read_spice("t\nX1 a 0 b 0 transformer N=n\nZ1 b 0 {R + s*L}\n", "t.cir");
  symbols = ratio.symbols;
  EXPECT_EXPRESSION(impedance(ratio, {"a"}), parse("n^2*(R + s*L)", symbols));
}

std::string message(const std::string& text) {
  try {
    read_spice("title\n" + text, "t.cir");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(NetlistElements, WhatIsMissingIsNamed) {
  EXPECT_NE(message("X1 a 0 b 0 gyrator\n").find("t.cir:2:12: error: 'gyrator' needs a value of G"), std::string::npos)
      << message("X1 a 0 b 0 gyrator\n");
  EXPECT_NE(message("X1 a 0 b 0 transformer N=2 M=3\n").find("has no parameter 'M'"), std::string::npos);
  EXPECT_NE(message("X1 p g k triode MU=100\n").find("needs a value of EX, KG1, KP, KVB"), std::string::npos);
  EXPECT_NE(message("X1 p g k T1\n.model T1 TRIODE(MU=100 VCT=1)\n").find("unknown parameter 'VCT'"), std::string::npos);
  EXPECT_NE(message("Z1 a 0 0\nR1 a 0 1\n").find("an impedance of 0"), std::string::npos);
  EXPECT_FALSE(read_spice("t\nZ1 a 0 {1 + s} noise=\"1e-18\"\nR1 a 0 1\n", "t.cir").elements[0].noise.is_zero());
  // What the netlist defines itself counts.
  EXPECT_EQ(read_spice("t\n.subckt gyrator a b\nR1 a b 5\n.ends\nX1 a 0 gyrator\n", "t.cir").elements[0].name, "R1_X1");
}

double value(const Circuit& circuit, const GiNaC::ex& e) {
  return double_value(e.subs(circuit.symbols.values(), GiNaC::subs_options::no_pattern)).value();
}

Circuit at(const Circuit& circuit, double celsius) {
  SymbolTable symbols = circuit.symbols;
  const std::string setting = std::string(temperature_parameter) + "=" + std::to_string(celsius);
  return substituted(circuit, settings(std::span(&setting, 1), symbols));
}

TEST(NetlistElements, CoefficientsFollowTheTemperature) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 40; ++trial) {
    const auto any = [&](double scale) { return scale * (static_cast<double>(random() % 2001) - 1000) / 1000; };
    const double nominal = 25 + any(10), first = any(5e-3), second = any(5e-6), celsius = any(100), own = any(60),
                 beside = any(20);
    std::ostringstream text;
    text << std::fixed;
    text.precision(9);
    text << "t\n.options tnom=" << nominal << " abstol=1p\n.temp " << celsius << "\nR1 a 0 1k TC1=" << first << " TC2=" << second
         << "\nC1 a 0 1u tc=" << first << "," << second << "\nL1 a 0 1m TCM\n.model TCM L(TC1=" << first
         << ")\nR2 a 0 2k TC1=" << first << " temp=" << own << "\nR3 a 0 {2*Rx} TC=" << first << " dtemp=" << beside
         << "\nR4 a 0 {temper + 500}\n"
         << ".param Rx=50\n";
    const Circuit stated = read_spice(text.str(), "t.cir");
    const double other = any(100);
    for (const auto& [circuit, there] :
         {std::pair(stated, celsius), std::pair(at(stated, other), std::stod(std::to_string(other)))}) {
      const double above = there - nominal, factor = 1 + first * above + second * above * above;
      const double expected[] = {1e3 * factor,
                                 1e-6 * factor,
                                 1e-3 * (1 + first * above),
                                 2e3 * (1 + first * (own - nominal)),
                                 100 * (1 + first * (above + beside)),
                                 there + 500};
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(value(circuit, circuit.elements[i].value) / expected[i], 1, 1e-6) << text.str() << i;
      EXPECT_NEAR(noise_temperature_of(circuit.symbols, 0), there + 273.15, 1e-5);
    }
  }
}

PrincipalForm form_of(const Circuit& circuit) { return principal_form(from_equations(circuit_equations(circuit), {}).graph); }

double law(const PrincipalForm& form, const std::map<std::string, double>& signals) {
  const CompiledLaws laws(form, form.linear.parameter_values());
  std::vector<double> arguments, f(laws.laws());
  for (const auto& argument : form.arguments) arguments.push_back(signals.at(argument.signal));
  laws.values({arguments, 0}, f);
  return f[0];
}

TEST(NetlistElements, DiodesFollowTheTemperature) {
  const double k_over_q = 1.380649e-23 / 1.602176634e-19;
  for (const double celsius : {-40.0, 27.0, 125.0}) {
    const Circuit circuit =
        at(read_spice("t\nV1 in 0 AC 1\nR1 in a 1k\nD1 a 0 DM\n.model DM D(IS=2e-14 N=1.5 EG=1.2 XTI=4)\n.print v(a)\n", "t.cir",
                      nullptr, {}, nullptr, {}, nullptr, true),
           celsius);
    const double kelvin = celsius + 273.15, thermal = k_over_q * kelvin, ratio = kelvin / 300.15;
    const double saturation = 2e-14 * std::pow(ratio, 4 / 1.5) * std::exp((ratio - 1) * 1.2 / (1.5 * thermal));
    for (const double u : {-1.0, 0.2, 0.6}) {
      const double expected = saturation * std::expm1(u / (1.5 * thermal));
      EXPECT_NEAR(law(form_of(circuit), {{"v(a)", u}}) / expected, 1, 1e-9) << celsius << ' ' << u;
    }
  }
}

TEST(NetlistElements, ATriodeIsKorens) {
  const std::string rest = "\nVB b 0 DC 250\nRL b p 100k\nVG g 0 DC -1 AC 1\n.print v(p)\n";
  const Circuit circuit =
      read_spice("t\nX1 p g 0 12AX7" + rest + ".model 12AX7 TRIODE(MU=100 EX=1.4 KG1=1060 KP=600 KVB=300)\n", "t.cir");
  const Circuit same = read_spice("t\nX1 p g 0 triode MU=100 EX=1.4 KG1=1060 KP=600 KVB=300" + rest, "t.cir");
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const double vp = static_cast<double>(random() % 400) - 20, vg = -static_cast<double>(random() % 50) / 10;
    const double e1 = vp / 600 * std::log1p(std::exp(600 * (0.01 + vg / std::sqrt(300 + vp * vp))));
    const double expected = vp > 0 ? 2 * std::pow(e1, 1.4) / 1060 : 0;
    for (const Circuit& one : {circuit, same})
      EXPECT_NEAR(law(form_of(one), {{"v(p)", vp}, {"v(g)", vg}}), expected, 1e-12 * (1 + expected)) << vp << ' ' << vg;
  }
}

// gm and rp are the slopes of Koren's law, and the gain is what every book has: −gm RL rp/(rp + RL).
TEST(NetlistElements, ATriodeHasItsSlopesByName) {
  const Circuit circuit = read_spice(
      "t\nVB b 0 DC 250\nRL b p 100k\nVG g 0 AC 1\nX1 p g 0 triode MU=100 EX=1.4 KG1=1060 KP=600 KVB=300\n.print v(p)\n",
      "t.cir");
  const SignalFlowGraph graph = from_equations(circuit_equations(circuit), {}).graph;
  std::mt19937 random(5);
  for (int trial = 0; trial < 10; ++trial) {
    const int vp = 100 + static_cast<int>(random() % 150), vg = -1 - static_cast<int>(random() % 2);
    const auto current = [](double p, double g) {
      const double e1 = p / 600 * std::log1p(std::exp(600 * (0.01 + g / std::sqrt(300 + p * p))));
      return 2 * std::pow(e1, 1.4) / 1060;
    };
    constexpr double h = 1e-4;
    const double gm = (current(vp, vg + h) - current(vp, vg - h)) / (2 * h),
                 gp = (current(vp + h, vg) - current(vp - h, vg)) / (2 * h);
    const SignalFlowGraph linear = linearized(graph, {{"v(p)", exact::Rational(vp)}, {"v(g)", exact::Rational(vg)}});
    const auto number = [&](const char* name) {
      return double_value(linear.symbols.at(name).expr.subs(linear.parameter_values(), GiNaC::subs_options::no_pattern)).value();
    };
    EXPECT_NEAR(number("gm_X1") / gm, 1, 1e-6);
    EXPECT_NEAR(number("rp_X1") * gp, 1, 1e-6);
    const Question question{linear.at("VG"), linear.at("v(p)"), Question::Mode::source, {}};
    SymbolTable symbols = linear.symbols;
    EXPECT_EXPRESSION(transfer_function(linear, question).value.expression(), parse("-gm_X1*rp_X1*RL/(rp_X1 + RL)", symbols));
  }
}

}  // namespace
