// Derivatives of random graphs against central differences in exact arithmetic: steps so small that what they leave out is far
// below every tolerance, and nothing is rounded.
#include "sfg/study/local/sensitivity.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "sfg/derive/lagrange.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/local/local_study.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/root_sensitivity.hpp"
#include "sfg/study/local/sensitivity_sequence.hpp"
#include "sfg/study/measures/exact_measure.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

void state(SymbolTable& symbols, const std::string& name, const std::string& value) {
  const GiNaC::ex number = parse(value, symbols);
  symbols.symbol(name);
  symbols.find(name)->value = number;
}

/// Five nodes in a row with random gains between any two of them; f follows from a and b.
SignalFlowGraph random_graph(std::mt19937& random) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  const std::array values{"1/2", "3/4", "2", "5/3", "7/5", "1"};
  for (const char* name : {"a", "b", "c", "d"}) state(graph.symbols, name, values[random() % values.size()]);
  state(graph.symbols, "f", "a*b + 1/3");
  const std::array gains{"a", "1/(s + b)", "c/(a*s + 1)", "-d", "f/s", "b*s/(s + c)", "-a*d", "1"};
  const auto any = [&] { return parse(gains[random() % gains.size()], graph.symbols); };
  const std::array nodes{"r", "x1", "x2", "x3", "y"};
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) graph.add_branch(graph.node(nodes[i]), graph.node(nodes[i + 1]), any());
  graph.add_branch(graph.node("y"), graph.node("x1"), parse("-1/4", graph.symbols) * any());
  for (int extra = 0; extra < 3; ++extra)
    graph.add_branch(graph.node(nodes[random() % 4]), graph.node(nodes[1 + random() % 4]), any() / 5);
  return graph;
}

Question ends(const SignalFlowGraph& graph) { return {*graph.find("r"), *graph.find("y"), Question::Mode::source, {}}; }

/// T at a rational point with parameters moved: exact.
GiNaC::ex moved(const SignalFlowGraph& graph, const std::map<std::string, GiNaC::ex>& offsets, const GiNaC::ex& s) {
  SignalFlowGraph there = graph;
  for (const auto& [name, offset] : offsets) *there.symbols.find(name)->value += offset;
  GiNaC::exmap values = there.symbols.values();
  values[graph.symbols.at("s").expr] = s;
  return transfer_function(there.substituted(values), ends(graph)).value.expression().normal();
}

GiNaC::ex at(const RationalFunction& f, const SignalFlowGraph& graph, const GiNaC::ex& s) {
  GiNaC::exmap values = graph.symbols.values();
  values[graph.symbols.at("s").expr] = s;
  return f.expression().subs(values).normal();
}

void expect_near(const GiNaC::ex& a, const GiNaC::ex& b, const std::string& what) {
  const double x = double_value(a).value(), y = double_value(b).value();
  EXPECT_NEAR(x, y, 1e-12 * (1 + std::abs(y))) << what;
}

const GiNaC::ex h = GiNaC::numeric(1, 1000000000), point = GiNaC::numeric(3, 7);

/// Against the quotient rule put into lowest terms as a whole: factors without the parameter, repeated ones and the parameter
/// itself in numerator and denominator.
TEST(Sensitivity, IsTheQuotientRuleInLowestTerms) {
  const std::array factors{"k", "(k + s)", "(k*s^2 + a)", "(a + s)", "(k^2 - a*s)", "(a*k + 2)", "s", "a", "(k - a)", "3"};
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph;
    for (const char* name : {"s", "k", "a"}) graph.symbols.symbol(name);
    GiNaC::ex gain = 1;
    for (int i = 0; i < 5; ++i) {
      const int powers[] = {-3, -2, -1, 1, 2};
      gain *= GiNaC::pow(parse(factors[random() % factors.size()], graph.symbols), powers[random() % 5]);
    }
    if (seed % 3 == 0) gain += parse(factors[random() % factors.size()], graph.symbols);
    graph.add_branch(graph.node("r"), graph.node("y"), gain);
    const TransferFunction T = transfer_function(graph, ends(graph));
    for (const Sensitivity& found : sensitivities(T, graph)) {
      const GiNaC::ex k = graph.symbols.at(found.name).expr;
      const PolynomialSpace& space = T.value.space();
      const auto lowest = [&](const ring::Polynomial& above, const ring::Polynomial& below) {
        return RationalFunction(space, above, below).reduced();
      };
      const ring::Polynomial &N = T.value.numerator(), &D = T.value.denominator();
      const auto index = space.index(k);
      const ring::Polynomial V = index ? N.derivative(*index) * D - N * D.derivative(*index) : ring::Polynomial(space.context());
      EXPECT_EQ(found.derivative.text(), lowest(V, D * D).text()) << seed << ' ' << gain;
      const std::string relative =
          V.is_zero() ? "0" : lowest(ring::Polynomial::variable(space.context(), *index) * V, N * D).text();
      EXPECT_EQ(found.bode.text(), relative) << seed << ' ' << gain;
    }
  }
}

TEST(Sensitivity, IsRelativeToTheParameterThatIsAskedFor) {
  SignalFlowGraph graph;
  for (const auto& [name, value] : {std::pair{"s", ""}, {"m", "3"}, {"J", "m + 2"}}) {
    graph.symbols.symbol(name);
    if (*value != 0) state(graph.symbols, name, value);
  }
  graph.add_branch(graph.node("r"), graph.node("y"), parse("1/(J*s + 1)", graph.symbols));
  const auto found = sensitivities(transfer_function(graph, ends(graph)), graph);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().derivative.text(), "-s/(J^2*s^2 + 2*J*s + 1)");
  EXPECT_EQ(found.front().bode.text(), "-m*s/(J*s + 1)");
}

TEST(SecondSensitivity, IsTheDifferenceQuotientOfRandomGraphs) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    const StudiedGraph by = studied(graph);
    const TransferFunction T = transfer_function(graph, ends(graph));
    const auto second = second_sensitivities(T, by);
    ASSERT_EQ(second.size(), by.parameters.size() * (by.parameters.size() + 1) / 2);
    for (const SecondSensitivity& found : second) {
      const auto difference = [&](const GiNaC::ex& x, const GiNaC::ex& y) {
        if (found.first != found.second) return moved(graph, {{found.first, x}, {found.second, y}}, point);
        return moved(graph, {{found.first, x + y}}, point);
      };
      const GiNaC::ex quotient = (difference(h, h) - difference(h, -h) - difference(-h, h) + difference(-h, -h)) / (4 * h * h);
      expect_near(at(found.value, graph, point), quotient,
                  "seed " + std::to_string(seed) + ": " + found.first + ", " + found.second);
    }
  }
}

TEST(StudyParameter, ABranchGainMovesAllItsParallelBranchesTogether) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph = random_graph(random);
    graph.add_branch(graph.at("x1"), graph.at("x2"), parse("d", graph.symbols));  // beside another one
    const std::array wanted{std::string("x1,x2"), std::string("y,x1"), std::string("x3")};
    const StudiedGraph by = studied(graph, wanted);
    const auto found = sensitivities(transfer_function(by.graph, ends(graph)), by);
    ASSERT_EQ(found.size(), 3u);
    const auto difference = [&](const std::function<GiNaC::ex(const Branch&, const GiNaC::ex&)>& gain) {
      const auto T = [&](const GiNaC::ex& by_h) {
        SignalFlowGraph there;
        there.symbols = graph.symbols;
        for (const Node& node : graph.nodes()) there.add_node(node);
        for (const Branch& branch : graph.branches()) there.add_branch(branch.from, branch.to, gain(branch, by_h));
        return moved(there, {}, point);
      };
      return ((T(h) - T(-h)) / (2 * h)).normal();
    };
    for (std::size_t i = 0; i < 2; ++i) {
      const NodeId from = graph.at(i == 0 ? "x1" : "y"), to = graph.at(i == 0 ? "x2" : "x1");
      bool first = true;
      const auto quotient = difference([&](const Branch& branch, const GiNaC::ex& step) -> GiNaC::ex {
        if (&branch == &graph.branches().front()) first = true;  // one of them
        return branch.from == from && branch.to == to && std::exchange(first, false) ? branch.gain() + step : branch.gain();
      });
      expect_near(at(found[i].derivative, graph, point), quotient, wanted[i]);
    }
    const auto quotient = difference([&](const Branch& branch, const GiNaC::ex& step) -> GiNaC::ex {
      return branch.to == graph.at("x3") ? branch.gain() * (1 + step) : branch.gain();
    });
    expect_near(at(found[2].derivative, graph, point), quotient, "node x3");
    expect_near(at(found[2].bode, graph, point), quotient / moved(graph, {}, point), "node x3, relative");
  }
}

TEST(StudyParameter, WhatIsNotThereIsNamed) {
  std::mt19937 random(1);
  const SignalFlowGraph graph = random_graph(random);
  for (const std::string name : {"q", "y,r", "r"}) EXPECT_THROW(studied(graph, std::span(&name, 1)), Error) << name;
}

TEST(SensitivityValue, IsTheClosedFormAtThatFrequency) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    const std::array wanted{std::string("a"), std::string("y,x1"), std::string("x2"), std::string("d")};
    const StudiedGraph by = studied(graph, wanted);
    const double w = 1.25;
    const auto closed = sensitivities(transfer_function(by.graph, ends(graph)), by);
    const auto values = sensitivity_values(by, ends(graph), std::span(&w, 1));
    ASSERT_EQ(values.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(values[i].parameter, wanted[i]);
      const auto value = [&](const RationalFunction& f) {
        return *complex_value(f.expression().subs(graph.symbols.values()), graph.symbols.at("s").expr, {0, w});
      };
      const Complex slope = value(closed[i].derivative), relative = value(closed[i].bode);
      EXPECT_NEAR(std::abs(values[i].derivative - slope), 0, 1e-11 * (1 + std::abs(slope))) << seed << wanted[i];
      EXPECT_NEAR(std::abs(values[i].relative - relative), 0, 1e-11 * (1 + std::abs(relative))) << seed << wanted[i];
    }
  }
}

std::vector<exact::Root> roots_of(const SignalFlowGraph& graph, const char* name, const exact::Rational& step, bool zeros) {
  SignalFlowGraph there = graph;
  *there.symbols.find(name)->value += numeric_value(step);
  const Question question = ends(graph);
  const ExactTransfer T = exact_transfers(there, std::span(&question, 1)).front();
  return exact::roots((zeros ? T.numerator : T.denominator).polynomial().coefficients(), 60);
}

exact::Root nearest_to(const std::vector<exact::Root>& roots, const exact::Root& to) {
  return *std::ranges::min_element(roots, {}, [&](const exact::Root& r) { return std::abs(r.value - to.value); });
}

TEST(RootSensitivity, IsTheDifferenceQuotientOfRandomGraphs) {
  const exact::Rational step = exact::Rational(1) / exact::Rational(std::int64_t{1000000000000});
  std::size_t compared = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    for (const RootsOf of : {RootsOf::denominator, RootsOf::numerator}) {
      const RootSensitivities found = root_sensitivities(studied(graph), ends(graph), of);
      for (std::size_t k = 0; k < found.parameters.size(); ++k) {
        const bool zeros = of == RootsOf::numerator;
        const auto above = roots_of(graph, found.parameters[k].c_str(), step, zeros),
                   below = roots_of(graph, found.parameters[k].c_str(), -step, zeros);
        if (above.size() != found.roots.size()) continue;  // what cancels here does not cancel beside
        for (const RootSensitivity& root : found.roots) {
          if (root.root.multiplicity > 1) continue;
          const exact::Root up = nearest_to(above, root.root), down = nearest_to(below, root.root);
          const exact::Rational two = step + step;
          const Complex quotient(((up.real - down.real) / two).to_double(), ((up.imaginary - down.imaginary) / two).to_double());
          EXPECT_NEAR(std::abs(root.slope[k] - quotient), 0, 1e-10 * (1 + std::abs(quotient)))
              << "seed " << seed << ": " << found.parameters[k] << " at " << root.root.value;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 200u);
}

TEST(RootSensitivity, AMultipleRootSplitsAsPuiseuxSays) {
  // (s + a)^3·(s + 1) + b − 1 + c·(s + 2) with a = 2, b = 1, c = 0: threefold at −2
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  state(graph.symbols, "a", "2");
  state(graph.symbols, "b", "1");
  state(graph.symbols, "c", "0");
  graph.add_branch(graph.node("r"), graph.node("y"), parse("1/((s + a)^3*(s + 1) + b - 1 + c*(s + 2))", graph.symbols));
  const RootSensitivities found = root_sensitivities(studied(graph), ends(graph), RootsOf::denominator);
  const auto triple = std::ranges::find(found.roots, 3u, [](const RootSensitivity& r) { return r.root.multiplicity; });
  ASSERT_NE(triple, found.roots.end());
  EXPECT_NEAR(std::abs(std::pow(triple->slope[1], 3) - 1.0), 0, 1e-12);  // (s + 2)^3 = δb
  EXPECT_EQ(triple->slope[0], 0.0);                                      // it moves, but does not split
  EXPECT_EQ(triple->slope[2], 0.0);                                      // splits as δc^(1/2)
  EXPECT_FALSE(triple->oscillation);
}

TEST(RootSensitivity, NaturalFrequencyAndDampingOfAPairInSAndZ) {
  // s² + 2 z w s + w²: ω = w, ζ = z by definition
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  state(graph.symbols, "w", "3");
  state(graph.symbols, "z", "1/5");
  graph.add_branch(graph.node("r"), graph.node("y"), parse("1/(s^2 + 2*z*w*s + w^2)", graph.symbols));
  for (const RootSensitivity& pole : root_sensitivities(studied(graph), ends(graph), RootsOf::denominator).roots) {
    ASSERT_TRUE(pole.oscillation);
    EXPECT_NEAR(pole.oscillation->frequency, 3, 1e-14);
    EXPECT_NEAR(pole.oscillation->frequency_slope[0], 1, 1e-14);
    EXPECT_NEAR(pole.oscillation->frequency_slope[1], 0, 1e-14);
    EXPECT_NEAR(pole.oscillation->damping_slope[0], 0, 1e-14);
    EXPECT_NEAR(pole.oscillation->damping_slope[1], 1, 1e-14);
  }
  SignalFlowGraph sampled;  // z = a: p = ln(a)/h
  sampled.op = Operator("z", exact::Rational(1) / exact::Rational(10));
  sampled.symbols.symbol("z");
  state(sampled.symbols, "a", "1/2");
  sampled.add_branch(sampled.node("r"), sampled.node("y"), parse("1/(z - a)", sampled.symbols));
  const auto pole = root_sensitivities(studied(sampled), ends(sampled), RootsOf::denominator).roots.front();
  ASSERT_TRUE(pole.oscillation);
  EXPECT_NEAR(pole.oscillation->frequency, 10 * std::log(2.0), 1e-13);
  EXPECT_NEAR(pole.oscillation->frequency_slope[0], -20, 1e-12);
}

/// d(measure)/d(parameter) from the certified passes alone: central differences at three steps, extrapolated (Richardson).
double extrapolated(const SignalFlowGraph& graph, const std::string& name, const BaseMeasure& base) {
  const double k = double_value(*graph.symbols.at(name).value).value();
  const auto value = [&](double step) {
    SignalFlowGraph there = graph;
    there.symbols.find(name)->value = numeric_value(exact::Rational::of(k + step));
    const Question question = ends(graph);
    const ExactTransfer T = exact_transfers(there, std::span(&question, 1)).front();
    return exact_measure(T, T, base).value_or(NAN);
  };
  const auto central = [&](double step) { return (value(step) - value(-step)) / (2 * step); };
  const double h1 = 4e-3 * k, a = central(h1), b = central(h1 / 2), c = central(h1 / 4);
  const double ab = b + (b - a) / 3, bc = c + (c - b) / 3;
  return std::abs(bc - ab) > 1e-5 * std::abs(bc) + 1e-9 ? NAN : bc + (bc - ab) / 15;  // a step too far
}

TEST(MeasureSensitivity, IsTheExtrapolatedDifferenceOfCertifiedValues) {
  const std::array measures{"dc",          "gain@1",      "db@2",         "phase@3",        "peak",         "peak-frequency",
                            "bandwidth",   "gain-margin", "phase-margin", "modulus-margin", "delay-margin", "rise",
                            "settling",    "overshoot",   "final",        "step@2",         "abscissa",     "damping",
                            "frequency:1", "damping:2",   "disk-margin",  "dc-error",       "Kp",           "Kv"};
  std::map<std::string, std::size_t> compared;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    const StudiedGraph by = studied(graph);
    const Question question = ends(graph);
    const ExactTransfer T = exact_transfers(graph, std::span(&question, 1)).front();
    for (const char* name : measures) {
      const Measure measure = measure_of(name, graph.symbols);
      const auto value = exact_measure(T, T, *measure.base());
      if (!value) {
        EXPECT_THROW(local_study({graph, question, {}}, by.parameters, {measure}), NoAnswer) << name << " of seed " << seed;
        continue;
      }
      const LocalStudy found = local_study({graph, question, {}}, by.parameters, {measure});
      ASSERT_EQ(found.measures.size(), 1u);
      EXPECT_EQ(found.measures[0].value, *value);
      for (std::size_t k = 0; k < found.parameters.size(); ++k) {
        const double difference = extrapolated(graph, found.parameters[k], *measure.base());
        const double got = found.measures[0].derivative[k];
        if (!std::isfinite(difference) || !std::isfinite(got)) continue;
        EXPECT_NEAR(got, difference, 1e-6 * (std::abs(*value) + std::abs(difference)) + 1e-9)
            << name << " by " << found.parameters[k] << " of seed " << seed;
        ++compared[name];
      }
    }
  }
  for (const char* name : measures) EXPECT_GT(compared[name], 3u) << name;
}

TEST(MeasureSensitivity, AnExpressionFollowsTheChainRuleAndAGainItsParameter) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  state(graph.symbols, "K", "3");
  state(graph.symbols, "a", "2");
  graph.add_branch(graph.node("r"), graph.node("e"), parse("1", graph.symbols));
  graph.add_branch(graph.node("e"), graph.node("y"), parse("K", graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("e"), parse("-a/(s + 1)", graph.symbols));
  const Question question = ends(graph);
  const std::array wanted{std::string("K"), std::string("e,y"), std::string("y,e")};
  const StudiedGraph by = studied(graph, wanted, StudyParameter::Role::factor);
  const LocalStudy found = local_study({by.graph, question, {}}, by.parameters,
                                       {measure_of("dc", by.graph.symbols), measure_of("a*dc^2/K", by.graph.symbols)});
  const double dc = 3.0 / 7, slope = 1.0 / 49;  // K/(1 + aK)
  EXPECT_NEAR(found.measures[0].value, dc, 1e-15);
  EXPECT_NEAR(found.measures[0].derivative[0], slope, 1e-14);
  EXPECT_NEAR(found.measures[0].derivative[1], slope, 1e-14);  // that branch is K
  EXPECT_NEAR(found.measures[0].relative[1], 3 * slope / dc, 1e-13);
  EXPECT_TRUE(std::isnan(found.measures[0].derivative[2]));  // no number, but
  EXPECT_NEAR(found.measures[0].relative[2], -6.0 / 7, 1e-13);
  EXPECT_NEAR(found.measures[1].derivative[0], 2 * (2 * dc * slope / 3 - dc * dc / 9), 1e-13);
}

TEST(SensitivitySequence, IsTheClosedForm) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    const std::array wanted{std::string("a"), std::string("c"), std::string("y,x1"), std::string("x2"), std::string("d")};
    const StudiedGraph by = studied(graph, wanted);
    const auto closed = sensitivities(transfer_function(by.graph, ends(graph)), by);
    for (const auto method : {SequenceOptions::Choice::diagram, SequenceOptions::Choice::elimination}) {
      const SensitivitySequence found = sensitivity_sequence(by, ends(graph), {.method = method});
      ASSERT_EQ(found.parameters.size(), closed.size());
      GiNaC::exmap values = graph.symbols.values();
      values[graph.symbols.at("s").expr] = point;
      for (const auto& definition : found.definitions) values[definition.symbol] = definition.value.subs(values).normal();
      for (std::size_t k = 0; k < closed.size(); ++k) {
        EXPECT_TRUE((found.parameters[k].derivative.subs(values) - at(closed[k].derivative, graph, point)).normal().is_zero());
        EXPECT_TRUE((found.parameters[k].bode.subs(values) - at(closed[k].bode, graph, point)).normal().is_zero());
      }
    }
  }
}

/// An RC ladder of n sections.
SignalFlowGraph ladder(int n) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  const auto gain = [&](const std::string& text) { return parse(text, graph.symbols); };
  for (int k = 1; k <= n; ++k) {
    state(graph.symbols, "R" + std::to_string(k), std::to_string(10 + k % 7) + "/10");
    state(graph.symbols, "C" + std::to_string(k), std::to_string(10 + k % 5) + "/20");
    const std::string i = std::to_string(k);
    const NodeId before = graph.node(k == 1 ? "r" : "v" + std::to_string(k - 1)), current = graph.node("i" + i),
                 after = graph.node(k == n ? "y" : "v" + i);
    graph.add_branch(before, current, gain("1/R" + i));
    graph.add_branch(after, current, gain("-1/R" + i));
    graph.add_branch(current, after, gain("1/(s*C" + i + ")"));
    if (k < n) graph.add_branch(graph.node("i" + std::to_string(k + 1)), after, gain("-1/(s*C" + i + ")"));
  }
  return graph;
}

TEST(SensitivitySequence, GrowsAsItsTransmittanceDoes) {
  // An RC ladder of n sections: 2n parameters; the sequence with all derivatives is a fixed multiple of the sequence itself.
  const SignalFlowGraph small = ladder(10), large = ladder(60);
  const auto operations = [](const SignalFlowGraph& graph) {
    const SensitivitySequence all = sensitivity_sequence(studied(graph), ends(graph));
    EXPECT_EQ(all.verification.points, 2u);
    return static_cast<double>(all.operations.total()) / transfer_sequence(graph, ends(graph)).operations.total();
  };
  const double ratio = operations(large);
  EXPECT_LT(ratio, 5);
  EXPECT_NEAR(ratio, operations(small), 1);
}

TEST(ResponseSensitivity, IsTheExtrapolatedDifferenceOfCertifiedResponses) {
  const std::array times{0.0, 0.4, 1.3, 5.0};
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    const Question question = ends(graph);
    const ResponseSensitivity found = step_sensitivity(studied(graph), question, times);
    for (std::size_t k = 0; k < found.parameters.size(); ++k) {
      const double nominal = double_value(*graph.symbols.at(found.parameters[k]).value).value();
      const auto y = [&](double step) {
        SignalFlowGraph there = graph;
        there.symbols.find(found.parameters[k])->value = numeric_value(exact::Rational::of(nominal + step));
        return step_response(exact_transfers(there, std::span(&question, 1)).front(), times).value;
      };
      const double h = 2e-3 * nominal;
      const auto up = y(h), down = y(-h), near_up = y(h / 2), near_down = y(-h / 2);
      for (std::size_t i = 0; i < times.size(); ++i) {
        const double wide = (up[i] - down[i]) / (2 * h), close = (near_up[i] - near_down[i]) / h;
        const double difference = close + (close - wide) / 3;
        EXPECT_NEAR(found.slope[k][i], difference, 1e-6 * (std::abs(difference) + std::abs(found.value[i])) + 1e-9)
            << "seed " << seed << ": " << found.parameters[k] << " at " << times[i];
      }
    }
  }
}

TEST(ResponseSensitivity, OneSweepForManyParametersIsTheExactOne) {
  const SignalFlowGraph graph = ladder(8);
  std::vector<double> times;
  for (int i = 0; i <= 20; ++i) times.push_back(2.5 * i);
  const ResponseSensitivity all = step_sensitivity(studied(graph), ends(graph), times);
  EXPECT_FALSE(all.exact);
  const std::array some{std::string("R1"), std::string("C4"), std::string("R8")};
  const ResponseSensitivity few = step_sensitivity(studied(graph, some), ends(graph), times);
  EXPECT_TRUE(few.exact);
  for (std::size_t k = 0; k < some.size(); ++k) {
    const auto at = std::ranges::find(all.parameters, some[k]) - all.parameters.begin();
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(all.slope[static_cast<std::size_t>(at)][i], few.slope[k][i], 1e-8) << some[k] << " at " << times[i];
  }
}

TEST(ResponseSensitivity, AJumpThatMovesIsSaid) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  state(graph.symbols, "h", "1");
  state(graph.symbols, "K", "2");
  graph.add_branch(graph.node("r"), graph.node("y"), parse("K*exp(-h*s)", graph.symbols));
  const ResponseSensitivity found = step_sensitivity(studied(graph), ends(graph), std::array{0.5, 1.5});
  EXPECT_EQ(found.impulsive, (std::vector<std::string>{"h"}));
  EXPECT_EQ(found.slope[1], (std::vector<double>{0, 1}));
}

/// A pendulum with a spring under a constant moment, linearised where it comes to rest; two coordinates, one following.
Lagrangian pendulum(double moment, double stiffness) {
  const std::string text = R"([lagrange]
coordinates = ["q", "r"]
forces = { q = "u" }
T = "m*l^2*Dq^2/2 + m*Dr^2/2"
Pi = "m*g*l*(1 - cos(q)) - M0*q + k*q^2/2 + b*(r - q)^2/2 + k*r^4/4"
Phi = "c*Dq^2/2 + c*Dr^2/2"
equilibrium = "find"
[parameters]
m = 1
l = "m"
g = 9.81
b = 3
c = 0.5
)" + ("M0 = " + std::to_string(moment) + "\nk = " + std::to_string(stiffness) + "\n");
  Input input = read(text, InputFormat::toml, "pendulum.toml");
  return std::get<Lagrangian>(std::get<Model>(input.content));
}

std::vector<exact::Root> poles_of(const SignalFlowGraph& graph, const Question& question) {
  return exact::roots(exact_transfers(graph, std::span(&question, 1)).front().denominator.polynomial().coefficients(), 40);
}

TEST(RootSensitivity, FollowsAnEquilibriumThatIsFound) {
  Lagrangian model = pendulum(3, 2);
  model.equilibrium->follow = true;
  const LagrangeEquations equations = lagrange_equations(model);
  ASSERT_TRUE(equations.equilibrium->follows);
  const SignalFlowGraph graph = from_equations(equations.equations()).graph;
  const Question asked = question(graph, "u", "r");
  const RootSensitivities found = root_sensitivities(studied(graph), asked, RootsOf::denominator);
  const auto poles_at = [&](double moment, double stiffness) {  // searched anew
    const SignalFlowGraph there = from_equations(lagrange_equations(pendulum(moment, stiffness)).equations()).graph;
    return poles_of(there, question(there, "u", "r"));
  };
  const double h = 1e-3;
  for (const std::string name : {"M0", "k"}) {
    const auto k = static_cast<std::size_t>(std::ranges::find(found.parameters, name) - found.parameters.begin());
    const bool moment = name == "M0";
    const auto up = moment ? poles_at(3 + h, 2) : poles_at(3, 2 + h), down = moment ? poles_at(3 - h, 2) : poles_at(3, 2 - h);
    for (const RootSensitivity& pole : found.roots) {
      const Complex difference = (nearest_to(up, pole.root).value - nearest_to(down, pole.root).value) / (2 * h);
      EXPECT_GT(std::abs(difference), 1e-3);
      EXPECT_NEAR(std::abs(pole.slope[k] - difference), 0, 1e-5 * std::abs(difference)) << name;
    }
  }
}

TEST(MeasureSensitivity, HasNoGapsAtMultiplePolesNorWhereADegreeChanges) {
  SignalFlowGraph graph;  // K/((s + a)²(e·s + 1)) with e = 0
  graph.symbols.symbol("s");
  state(graph.symbols, "K", "2");
  state(graph.symbols, "a", "3/2");
  state(graph.symbols, "e", "0");
  graph.add_branch(graph.node("r"), graph.node("y"), parse("K/((s + a)^2*(e*s + 1))", graph.symbols));
  const Question question = ends(graph);
  const double K = 2, a = 1.5, w = a * std::sqrt(std::sqrt(2.0) - 1);  // |jω + a|² = √2 a²
  const auto at = [&](const std::string& name) {
    return local_study({graph, question, {}}, studied(graph).parameters, {measure_of(name, graph.symbols)})
        .measures[0]
        .derivative;
  };
  const auto expect = [&](const std::string& name, double by_K, double by_a, double by_e) {
    const std::vector<double> slope = at(name);
    EXPECT_NEAR(slope[0], by_K, 1e-9) << name;
    EXPECT_NEAR(slope[1], by_a, 1e-9) << name;
    EXPECT_NEAR(slope[2], by_e, 1e-9) << name;
  };
  expect("peak", 1 / (a * a), -2 * K / (a * a * a), 0);
  expect("final", 1 / (a * a), -2 * K / (a * a * a), 0);
  expect("bandwidth", 0, w / a, 0);          // a pole at infinity changes |T| in the second order
  const double t = 1, E = std::exp(-a * t);  // y = K/a² (1 − (1 + at)E), and e adds −ẏ
  expect("step@1", (1 - (1 + a * t) * E) / (a * a), -2 * K / (a * a * a) * (1 - (1 + a * t) * E) + K / a * t * t * E, -K * t * E);
  expect("step@1/K", ((1 - (1 + a * t) * E) / (a * a)) / K - (1 - (1 + a * t) * E) / (a * a) / K,
         (-2 * K / (a * a * a) * (1 - (1 + a * t) * E) + K / a * t * t * E) / K, -t * E);
  const std::vector<double> rise = at("rise"), settling = at("settling");  // times are as 1/a; a slow e adds to the delay alone
  const auto value = [&](MeasureKind kind) {
    const ExactTransfer T = exact_transfers(graph, std::span(&question, 1)).front();
    return exact_measure(T, T, {kind, 0, 0}).value();
  };
  EXPECT_NEAR(rise[0], 0, 1e-9);
  EXPECT_NEAR(rise[1], -value(MeasureKind::rise) / a, 1e-7);
  EXPECT_NEAR(settling[1], -value(MeasureKind::settling) / a, 1e-7);
  EXPECT_NEAR(settling[2], 1, 1e-7);
}

TEST(SensitivityValue, AllParametersCostAtMostFiveTimesTheValue) {
  for (const int n : {10, 50, 150}) {
    const SignalFlowGraph graph = ladder(n);
    const Question question = ends(graph);
    CompiledOptions all, free;  // the value as a function of the parameters, and with all its derivatives
    for (const StudyParameter& parameter : studied(graph).parameters) all.derivatives.push_back(parameter.name);
    free.parameters = all.derivatives;
    EXPECT_EQ(all.derivatives.size(), 2 * static_cast<std::size_t>(n));
    const std::size_t alone = CompiledResponse(graph, std::span(&question, 1), free).tape().operation_count(),
                      together = CompiledResponse(graph, std::span(&question, 1), all).tape().operation_count();
    EXPECT_LE(together, 5 * alone) << n << " sections";
  }
}

}  // namespace
}  // namespace sfg
