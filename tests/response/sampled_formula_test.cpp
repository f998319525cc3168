// Sampled systems against the response to a held input by the matrix exponential, which knows nothing of z, and Tustin's rule
// against its substitution. Random cases have a fixed seed.
#include "sfg/response/sampled_formula.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <map>
#include <random>
#include <unsupported/Eigen/MatrixFunctions>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

using exact::Rational;
using GiNaC::ex;
using Random = std::mt19937_64;
using Complex = std::complex<double>;

int between(Random& random, int low, int high) { return std::uniform_int_distribution(low, high)(random); }

struct Plant {
  SignalFlowGraph graph;
  TransferFunction transfer;

  explicit Plant(const std::string& gain) : Plant(graph_of(gain)) {}
  explicit Plant(SignalFlowGraph made)
      : graph(std::move(made)),
        transfer(transfer_function(graph, {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}})) {}

  static SignalFlowGraph graph_of(const std::string& gain) {
    SignalFlowGraph graph;
    graph.symbols.symbol("s");
    graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
    return graph;
  }
  /// With numbers for its parameters.
  ExactTransfer at(const std::map<std::string, Rational>& values) const {
    SignalFlowGraph numbered = graph;
    for (const auto& [name, value] : values)
      if (Symbol* symbol = numbered.symbols.find(name)) symbol->value = numeric_value(value);
    return exact_transfer(transfer, numbered);
  }
};

/// Samples k h of the answer to an input that is held from each of them to the next, part by part of the numerator.
std::vector<double> held_response(const ExactTransfer& T, double h, const std::vector<double>& input) {
  const std::vector<double> d = T.denominator.polynomial().doubles();
  const Eigen::Index n = Eigen::Index(d.size()) - 1;
  std::vector<double> y(input.size(), 0.0);
  for (const auto& part : T.numerator.parts) {
    std::vector<double> b = part.polynomial.doubles();
    b.insert(b.begin(), d.size() - b.size(), 0.0);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + 1, n + 1);  // the last state is the input
    for (Eigen::Index i = 0; i + 1 < n; ++i) A(i, i + 1) = 1;
    for (Eigen::Index j = 0; j < n; ++j) A(n - 1, j) = -d[std::size_t(n - j)] / d[0];
    if (n > 0) A(n - 1, n) = 1;
    const double direct = b[0] / d[0], delay = part.delay.to_double();
    Eigen::RowVectorXd c = Eigen::RowVectorXd::Zero(n + 1);
    for (Eigen::Index j = 0; j < n; ++j) c[j] = (b[std::size_t(n - j)] - direct * d[std::size_t(n - j)]) / d[0];
    c[n] = direct;
    for (std::size_t k = 0; k < input.size(); ++k) {
      const double until = double(k) * h - delay;
      if (until < -1e-12) continue;
      Eigen::VectorXd x = Eigen::VectorXd::Zero(n + 1);
      std::size_t sample = 0;
      double from = 0;
      while (true) {
        x[n] = input[sample];
        const double to = double(sample + 1) * h;
        if (to > until + 1e-12) break;
        x = (A * h).exp() * x;
        from = to;
        ++sample;
      }
      x = Eigen::MatrixXd((A * std::max(0.0, until - from)).exp()) * x;
      x[n] = input[sample];
      y[k] += c * x;
    }
  }
  return y;
}

std::vector<double> some_input(Random& random) {
  std::vector<double> u;
  for (int k = 0; k < 9; ++k) u.push_back(between(random, -10, 10) / 4.0);
  return u;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& want, double allowed = 1e-9) {
  double size = 1;
  for (const double y : want) size = std::max(size, std::abs(y));
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(found[k], want[k], allowed * size) << "sample " << k;
}

double number(const ex& value) { return GiNaC::ex_to<GiNaC::numeric>(value.evalf()).real().to_double(); }

/// By the difference equation, with numbers put in.
std::vector<double> recurrence(const SampledFormula& formula, const GiNaC::exmap& values, const std::vector<double>& input) {
  const DifferenceEquation& equation = formula.difference;
  std::vector<double> a, b, y;
  for (const ex& c : equation.of_input) b.push_back(number(c.subs(values)));
  for (const ex& c : equation.of_output) a.push_back(number(c.subs(values)));
  for (std::size_t k = 0; k < input.size(); ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < b.size() && i <= k; ++i) sum += b[i] * input[k - i];
    for (std::size_t i = 0; i < a.size() && i + 1 <= k; ++i) sum += a[i] * y[k - 1 - i];
    y.push_back(sum);
  }
  return y;
}

std::string fraction(Random& random, int low = 1) {
  return std::to_string(between(random, low, 12)) + "/" + std::to_string(between(random, 1, 5));
}

// --- numbers ---

TEST(DeadTime, OfAnyLengthIsThatOfTheMatrixExponential) {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const int order = between(random, 0, 4);
    std::string below = "1", above = fraction(random);
    for (int k = 0; k < order; ++k)
      below += between(random, 0, 2) == 0 ? "*(s^2 + s*" + fraction(random, 0) + " + " + fraction(random) + ")"
                                          : "*(s + " + fraction(random, 0) + ")";
    for (int k = between(random, 0, order); k > 0; --k) above += "*(s + " + fraction(random, -3) + ")";
    std::string gain = "(" + above + ")/(" + below + ")*exp(-" + fraction(random, 0) + "*s/3)";
    if (between(random, 0, 3) == 0) gain += " + " + fraction(random) + "/(" + below + ")*exp(-" + fraction(random, 0) + "*s/7)";
    SCOPED_TRACE(gain);
    const ExactTransfer T = Plant(gain).at({});
    const Rational h = Rational(between(random, 1, 9)) / between(random, 4, 20);
    SCOPED_TRACE("h = " + h.text());
    const std::vector<double> u = some_input(random);
    expect_near(discrete_response(discretized(T, h, Discretization::zero_order_hold), u), held_response(T, h.to_double(), u));
  }
}

TEST(DeadTime, WhereThereIsNoneNothingIsSeenLater) {
  const ExactTransfer T = Plant("exp(-s/5)/(s + 1)").at({});
  const ExactTransfer z = discretized(T, Rational(1) / 10, Discretization::zero_order_hold);
  EXPECT_EQ(z.numerator.polynomial().degree(), 0);
  EXPECT_EQ(z.denominator.polynomial().degree(), 3);
}

TEST(Tustin, OfAnyDegreeIsItsSubstitution) {
  Random random(2);
  for (int i = 0; i < 40; ++i) {
    std::string above = fraction(random), below = fraction(random);
    for (int k = between(random, 0, 4); k > 0; --k) above += "*(s + " + fraction(random, -3) + ")";
    for (int k = between(random, 0, 3); k > 0; --k) below += "*(s + " + fraction(random, 0) + ")";
    const std::string gain = "(" + above + ")/(" + below + ")";
    SCOPED_TRACE(gain);
    const ExactTransfer T = Plant(gain).at({});
    const Rational h = Rational(between(random, 1, 9)) / 20;
    const ExactTransfer found = discretized(T, h, Discretization::tustin);
    for (int k = 0; k < 3; ++k) {
      const Rational z = Rational(between(random, -40, 40)) / 13 + 7, s = 2 / h * (z - 1) / (z + 1);
      EXPECT_EQ(found.numerator.polynomial().at(z) * T.denominator.polynomial().at(s),
                found.denominator.polynomial().at(z) * T.numerator.polynomial().at(s));
    }
  }
}

// --- symbols ---

TEST(TustinWithSymbols, IsItsSubstitutionAtRandomPoints) {
  Random random(3);
  for (const char* gain : {"Kp*(1 + 1/(Ti*s) + Td*s)", "Kp*(1 + 1/(Ti*s) + Td*s/(1 + Td*s/N))", "Kp + Ki/s + Kd*s",
                           "K*(1 + a*s)/(1 + b*s)*exp(-2*T*s)", "K*w^2/(s^2 + 2*d*w*s + w^2)", "K/(s^3 + a*s^2 + b*s + c)",
                           "2 + 3*s", "K*exp(-T*s) + Kd*s/(1 + s)"}) {
    SCOPED_TRACE(gain);
    Plant plant(gain);
    const ex T = plant.graph.symbols.symbol("T"), s = plant.graph.symbols.symbol("s");
    const SampledFormula formula = sampled_formula(plant.transfer, plant.graph, T, Discretization::tustin);
    for (int k = 0; k < 4; ++k) {
      GiNaC::exmap values;
      for (const Symbol& symbol : plant.graph.symbols.all())
        if (symbol.name != "s") values[symbol.expr] = GiNaC::numeric(between(random, 1, 40), between(random, 7, 19));
      const GiNaC::numeric z(between(random, 11, 60), 10);
      const ex at = 2 / T * (z - 1) / (z + 1);
      const auto value = [&](const std::vector<ex>& p) {
        ex sum = 0;
        for (const ex& c : p) sum = sum * z + c.subs(values);
        return sum;
      };
      // e^(−T s) is z^(−1), whatever Tustin's rule makes of s
      ex want = parse(gain, plant.graph.symbols)
                    .subs(GiNaC::exmap{{GiNaC::exp(-2 * T * s), GiNaC::pow(z, -2)}, {GiNaC::exp(-T * s), 1 / ex(z)}});
      want = want.subs(s == at).subs(values);
      EXPECT_TRUE((value(formula.numerator) / value(formula.denominator) - want).normal().is_zero());
    }
  }
}

TEST(HoldWithSymbols, IsTheMatrixExponentialAtRandomValues) {
  Random random(4);
  for (const char* gain : {"K/(s + a)",
                           "K/(1 + a*s)",
                           "K*(1 + b*s)/(1 + a*s)",
                           "K/(s*(s + a))",
                           "K/(s*(s + 1))",
                           "K/((s + a)*(s + b))",
                           "(K*s + c)/(s + a)^2",
                           "K/(s*(s + a)^3)",
                           "K/s^3",
                           "K + c*s/(s + a)",
                           "K",
                           "w^2/(s^2 + w^2)",
                           "K*w^2/(s^2 + 2*s*w/3 + w^2)",
                           "(s + K)/((s + a)^2 + w^2)",
                           "K/(s^2 + a*s + b^2 + a^2)^2",
                           "(K*s^2 + c)/((s + 1)*(s^2 + s + 1))",
                           "K/((s + 2)^2*(a*s + 1))",
                           "K/(s^3 + 3*s^2 + 4*s + 5)",
                           "K*exp(-s/4)/(s + a)",
                           "exp(-s*T/3)*K/((s + a)*(s + b))",
                           "K*exp(-2*T*s)/(s + a) + c*exp(-T*s)/(s + b)",
                           "K*exp(-s/7)/(s^2 + s + 1)",
                           "K/(s^2 + 3*s + 1)/(s + a)",
                           "K*exp(-T*s/2)/((s + a)^2 + w^2)"}) {
    SCOPED_TRACE(gain);
    Plant plant(gain);
    const bool named = std::string(gain).find('T') != std::string::npos;
    const Rational fixed = Rational(3) / 10;
    const ex h = named ? plant.graph.symbols.symbol("T") : ex(numeric_value(fixed));
    const SampledFormula formula = sampled_formula(plant.transfer, plant.graph, h, Discretization::zero_order_hold);
    for (int k = 0; k < 4; ++k) {
      GiNaC::exmap values;
      std::map<std::string, Rational> stated;
      for (const Symbol& symbol : plant.graph.symbols.all()) {
        if (symbol.name == "s") continue;
        stated[symbol.name] = Rational(between(random, 10, 40)) / between(random, 13, 23);
        values[symbol.expr] = numeric_value(stated[symbol.name]);
      }
      const std::vector<double> u = some_input(random);
      const double period = named ? stated["T"].to_double() : fixed.to_double();
      expect_near(recurrence(formula, values, u), held_response(plant.at(stated), period, u), 1e-7);
    }
  }
}

TEST(HoldWithSymbols, SaysWhereItsPolesAreToldApart) {
  const Plant plant("K/((s + a)*(s + b))");
  const SampledFormula formula =
      sampled_formula(plant.transfer, plant.graph, GiNaC::numeric(1, 10), Discretization::zero_order_hold);
  std::vector<std::string> nonzero;
  for (const ex& e : formula.nonzero) nonzero.push_back(print(e));
  EXPECT_EQ(nonzero, (std::vector<std::string>{"a - b", "a", "b"}));
  const Plant pair("1/(s^2 + a*s + b)");
  EXPECT_EQ(sampled_formula(pair.transfer, pair.graph, GiNaC::numeric(1, 10), Discretization::zero_order_hold).positive.size(),
            1u);
}

TEST(HoldWithSymbols, RefusesWhatHasNoClosedForm) {
  for (const auto& [gain, method, what] : {std::tuple{"1/(s^3 + a*s + 1)", Discretization::zero_order_hold, "no closed form"},
                                           {"1/(s + a)", Discretization::matched, "need numbers"},
                                           {"a*s", Discretization::zero_order_hold, "improper"},
                                           {"exp(-a*s)/(s + 1)", Discretization::zero_order_hold, "how many sample times"},
                                           {"a/(s + a*exp(-s))", Discretization::zero_order_hold, "rational loop"},
                                           {"a*exp(-s/100)", Discretization::tustin, "no multiple"},
                                           {"a*exp(-100000*s)", Discretization::zero_order_hold, "1000000 sample times"}}) {
    SCOPED_TRACE(gain);
    const Plant plant(gain);
    try {
      sampled_formula(plant.transfer, plant.graph, GiNaC::numeric(1, 10), method);
      ADD_FAILURE();
    } catch (const NoAnswer& refusal) {
      EXPECT_NE(std::string(refusal.what()).find(what), std::string::npos) << refusal.what();
    }
  }
}

TEST(SampledGraph, KeepsTheParametersWithTheirValues) {
  Plant plant("Kp*(1 + 1/(Ti*s))");
  plant.graph.symbols.find("Kp")->value = 4;
  const ex T = plant.graph.symbols.symbol("T");
  plant.graph.symbols.find("T")->value = GiNaC::numeric(1, 50);
  const std::vector<SampledFormula> formulas{sampled_formula(plant.transfer, plant.graph, T, Discretization::tustin)};
  const SignalFlowGraph graph = sampled_graph(formulas, plant.graph.symbols, T);
  EXPECT_EQ(graph.op.sample_time(), Rational(1) / 50);
  EXPECT_EQ(print(*graph.symbols.at("Kp").value), "4");
  EXPECT_TRUE(graph.symbols.find("Ti") && !graph.symbols.at("Ti").value);
}

}  // namespace
}  // namespace sfg
