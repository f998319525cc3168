// Discrete stability, stability regions, interval families and open loops, against classical criteria and brute force.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "sfg/control/interval_family.hpp"
#include "sfg/control/margins.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/transfer/characteristic.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

SignalFlowGraph graph_of(const std::vector<std::array<const char*, 3>>& branches, const std::string& variable = "s") {
  SignalFlowGraph graph;
  graph.op = variable;
  graph.symbols.symbol(variable);
  for (const auto& [from, to, gain] : branches) graph.add_branch(graph.node(from), graph.node(to), parse(gain, graph.symbols));
  return graph;
}

ExactTransfer transfer(const SignalFlowGraph& graph, const char* from, const char* to) {
  const Question question{*graph.find(from), *graph.find(to), Question::Mode::source, {}};
  return exact_transfers(graph, std::span(&question, 1)).front();
}

ExactTransfer in_z(const char* gain) { return transfer(graph_of({{"u", "y", gain}}, "z"), "u", "y"); }
ExactTransfer in_s(const char* gain) { return transfer(graph_of({{"u", "y", gain}}), "u", "y"); }

std::vector<GiNaC::ex> coefficients(const char* polynomial, SymbolTable& symbols, const char* variable) {
  const GiNaC::ex x = symbols.symbol(variable);
  return *polynomial_coefficients(parse(polynomial, symbols), x);
}

TEST(UnitCircle, CountsAgreeWithTheRoots) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<exact::Rational> p{1};
    const int degree = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < degree; ++i) p.push_back(exact::Rational(static_cast<int>(random() % 13) - 6) / (1 + random() % 5));
    const exact::RationalPolynomial polynomial(p);
    const CircleCounts counts = circle_counts(polynomial);
    std::size_t outside = 0, on = 0, inside = 0;
    for (const exact::Root& root : exact::roots(polynomial.coefficients())) {
      const double size = std::abs(root.value);
      (std::abs(size - 1) < 1e-9 ? on : size > 1 ? outside : inside) += root.multiplicity;
    }
    EXPECT_EQ(counts.outside, outside);
    EXPECT_EQ(counts.on, on);
    EXPECT_EQ(counts.inside, inside);
  }
}

bool positive(const GiNaC::ex& e, const GiNaC::exmap& values) { return *double_value(e.subs(values)) > 0; }

/// What a sentence such as "(K > 0 and 2 - K > 0) or (-K > 0)" says with numbers.
bool holds(std::string sentence, SymbolTable& symbols, const GiNaC::exmap& values) {
  if (sentence == "always" || sentence == "never") return sentence == "always";
  if (const std::size_t place = sentence.find(") or ("); place != std::string::npos)
    return holds(sentence.substr(1, place - 1), symbols, values) ||
           holds(sentence.substr(place + 6, sentence.size() - place - 7), symbols, values);
  sentence += " and ";
  bool all = true;
  for (std::size_t start = 0, end = 0; (end = sentence.find(" > 0 and ", start)) != std::string::npos; start = end + 9)
    all = all && positive(parse(sentence.substr(start, end - start), symbols), values);
  return all;
}

std::string random_coefficient(std::mt19937& random) {
  static const std::vector<std::string> any{"K",     "2*K + 1", "3",  "K^2 + 1", "5 - K", "-K", "(K - 1)*(K - 2)",
                                            "K + 2", "10",      "-4", "1/2",     "K + 3", "6",  "7 - 2*K"};
  return "(" + any[random() % any.size()] + ")";
}

TEST(Routh, ConditionsSentenceAndRangesAgreeWithTheRoots) {
  std::mt19937 random(21);
  int stable = 0;
  for (int trial = 0; trial < 120; ++trial) {
    SymbolTable symbols;
    const std::string x = trial % 3 == 0 ? "z" : "s";
    std::string text;
    for (std::size_t n = 1 + random() % 4, i = 0; i <= n; ++i)
      text += (i == 0 ? "" : " + ") + random_coefficient(random) + "*" + x + "^" + std::to_string(n - i);
    const std::vector<GiNaC::ex> polynomial = coefficients(text.c_str(), symbols, x.c_str());
    const RouthArray array = x == "z" ? routh_discrete(polynomial) : routh(polynomial);
    const GiNaC::ex& K = symbols.symbol("K");
    std::vector<exact::RationalPolynomial> in = coefficients_in(parse(text, symbols), symbols.at(x).expr, K);
    if (x == "z") in = bilinear_image(in);
    const std::vector<OpenRange> ranges = in.front().is_zero() ? std::vector<OpenRange>{} : stable_ranges(in);
    for (int sample = 0; sample < 12; ++sample) {
      const std::string k = std::to_string(static_cast<int>(random() % 12001) - 6000) + "/1013";
      const GiNaC::exmap values{{K, parse_number(k)}};
      std::vector<exact::Rational> numbers;
      for (const GiNaC::ex& c : polynomial) numbers.push_back(*rational_value(c.subs(values)));
      const exact::RationalPolynomial there(numbers);
      const auto counts = there.root_counts();
      const CircleCounts circle = circle_counts(there);
      const bool is_stable = x == "z" ? circle.outside + circle.on == 0 : counts.right + counts.axis == 0;
      const bool met = std::all_of(array.conditions.begin(), array.conditions.end(),
                                   [&](const GiNaC::ex& condition) { return positive(condition, values); });
      const double value = parse_number(k).to_double();
      const bool inside = std::any_of(ranges.begin(), ranges.end(), [&](const OpenRange& range) {
        return (!range.low || range.low->value < value) && (!range.high || value < range.high->value);
      });
      EXPECT_EQ(met, is_stable) << text << " at " << k;
      EXPECT_EQ(holds(array.stable_if, symbols, values), is_stable) << text << " at " << k << ": " << array.stable_if;
      EXPECT_EQ(inside, is_stable) << text << " at " << k;
      stable += is_stable ? 1 : 0;
    }
  }
  EXPECT_GT(stable, 100);
}

TEST(Routh, AConditionThatNeverHoldsIsListed) {
  SymbolTable symbols;
  const RouthArray array = routh(coefficients("s^4 + s^3 + 3*s^2 + 10*s + 1/2 + K", symbols, "s"));
  EXPECT_EQ(array.stable_if, "never");
  ASSERT_FALSE(array.conditions.empty());
  EXPECT_TRUE(array.conditions.front().is_equal(-7));
}

TEST(Routh, ElementsOutsideOfLoopsCount) {
  EXPECT_EQ(routh(characteristic_polynomial(graph_of({{"u", "y", "1/(s - 1)"}})), "s").stable_if, "never");
  const auto prefilter =
      characteristic_polynomial(graph_of({{"r", "f", "1/(s - 5)"}, {"f", "e", "1"}, {"e", "y", "K/(s + 1)"}, {"y", "e", "-1"}}));
  const RouthArray array = routh(prefilter, "s");
  EXPECT_EQ(array.stable_if, "never");
  ASSERT_EQ(array.notes.size(), 1u);
  EXPECT_NE(array.notes[0].find("'r' -> 'f'"), std::string::npos);
  // a pole that a zero of the loop cancels stays a mode
  const auto hidden = characteristic_polynomial(
      graph_of({{"r", "e", "1"}, {"e", "x", "1/(s - 1)"}, {"x", "y", "(s - 1)/(s + 1)"}, {"y", "e", "-1"}}));
  EXPECT_EQ(routh(hidden, "s").stable_if, "never");
  EXPECT_NE(routh(hidden, "s").notes.at(0).find("cancels"), std::string::npos);
}

TEST(Routh, TheWholeGraphHasThePolesOfItsElements) {
  std::mt19937 random(22);
  const auto lag = [&](int& unstable) {
    const int pole = static_cast<int>(random() % 9) - 2;  // at −pole; 0 is on the axis
    unstable += pole <= 0 ? 1 : 0;
    return std::to_string(1 + random() % 4) + "/(s + " + std::to_string(pole) + ")";
  };
  for (int trial = 0; trial < 60; ++trial) {
    int unstable = 0;
    const std::string before = lag(unstable), after = lag(unstable), beside = lag(unstable);
    const auto found = characteristic_polynomial(graph_of({{"r", "e", before.c_str()},
                                                           {"e", "x", "2/(s + 1)"},
                                                           {"x", "e", "-3"},  // loop: a pole at −7
                                                           {"x", "y", after.c_str()},
                                                           {"r", "y", beside.c_str()}}));
    const RouthArray array = routh(found, "s");
    EXPECT_EQ(array.stable_if, unstable == 0 ? "always" : "never") << before << " " << after << " " << beside;
    ASSERT_TRUE(array.counts);
    EXPECT_EQ(array.counts->right + array.counts->axis == 0, unstable == 0);
  }
}

TEST(IntervalFamily, AFactorThatNoParameterMovesIsJudgedApart) {
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s"), a = symbols.symbol("a");
  const std::vector<ParameterInterval> intervals{{a, "a", 1, 2}};
  const IntervalFamily stable = interval_family(parse("(s + 5)^2*(s^2 + a*s + 1)", symbols), s, intervals);
  EXPECT_TRUE(stable.all_stable);
  EXPECT_TRUE(stable.independent);
  const IntervalFamily never = interval_family(parse("(s - 5)*(s^2 + a*s + 1)", symbols), s, intervals);
  EXPECT_FALSE(never.all_stable);
  EXPECT_FALSE(never.fixed_stable);
}

TEST(RootLocus, ZeroHasNoSign) {
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s"), K = symbols.symbol("K");
  const auto in = coefficients_in(parse("s^3 + 3*s^2 + 2*s - K", symbols), s, K);
  for (const RootLocus::Point& point : root_locus(in, -10, 10).axis_crossings)
    EXPECT_FALSE(std::signbit(point.parameter) && point.parameter == 0);
}

TEST(RouthDiscrete, JuryConditionsOfTheSecondOrder) {
  SymbolTable symbols;
  const RouthArray array = routh_discrete(coefficients("z^2 + a*z + b", symbols, "z"));  // |b| < 1, |a| < 1 + b
  ASSERT_EQ(array.conditions.size(), 3u);
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const double a = static_cast<int>(random() % 500) / 100.0 - 2.5, b = static_cast<int>(random() % 300) / 100.0 - 1.5;
    bool met = true;
    for (const GiNaC::ex& condition : array.conditions)
      met = met && *double_value(condition.subs(GiNaC::exmap{{symbols.at("a").expr, parse_number(std::to_string(a))},
                                                             {symbols.at("b").expr, parse_number(std::to_string(b))}})) > 0;
    EXPECT_EQ(met, std::abs(b) < 1 && std::abs(a) < 1 + b) << a << " " << b;
  }
}

TEST(RouthDiscrete, ARootAtMinusOneIsOnTheCircle) {
  SymbolTable symbols;
  const RouthArray array = routh_discrete(coefficients("(z+1)*(z+1)*(z-1/2)*(z-3)", symbols, "z"));
  ASSERT_TRUE(array.counts);
  EXPECT_EQ(array.counts->right, 1u);
  EXPECT_EQ(array.counts->axis, 2u);
  EXPECT_EQ(array.counts->left, 1u);
  EXPECT_EQ(array.stable_if, "never");
}

TEST(Poles, OfZAreReadThroughTheLogarithm) {
  // poles e^(p h) of p = −1 ± 3j, h = 1/10
  const ExactTransfer T = discretized(in_s("10/(s^2 + 2*s + 10)"), exact::Rational(1) / 10, Discretization::zero_order_hold);
  const PolesZeros found = poles_zeros(T);
  ASSERT_EQ(found.modes.size(), 2u);
  EXPECT_NEAR(found.modes[0].frequency, std::sqrt(10.0), 1e-12);
  EXPECT_NEAR(found.modes[0].damping, 1 / std::sqrt(10.0), 1e-12);
  EXPECT_NEAR(*found.modes[0].time_constant, 1, 1e-12);
  EXPECT_TRUE(found.stable);
  EXPECT_EQ(*found.dc_gain, 1);
  EXPECT_FALSE(poles_zeros(in_z("1/(z^2 - 6/5*z + 1)")).stable);  // on the circle, not at a round place
}

TEST(Margins, OfALoopInZ) {
  const double h = 0.2;
  const auto sampled = [&](const char* gain) {
    ExactTransfer L = in_z(gain);
    L.op = L.op.sampled(exact::Rational(1) / 5);
    return L;
  };
  const Margins m = margins(sampled("2/(5*(z - 1/2))"));  // L = 0.4/(z − 0.5): real and negative at z = −1 only
  ASSERT_EQ(m.phase_crossovers.size(), 1u);
  EXPECT_NEAR(m.phase_crossovers[0].frequency, M_PI / h, 1e-12);
  EXPECT_NEAR(*m.gain_margin_db, 20 * std::log10(1.5 / 0.4), 1e-12);
  EXPECT_NEAR(*m.modulus_margin, 1 - 0.4 / 1.5, 1e-12);
  // crossings lie where the response on the circle says
  const ExactTransfer L = sampled("(z + 1/2)*3/10/((z - 1)*(z - 3/10))");
  const Margins n = margins(L);
  ASSERT_FALSE(n.gain_crossovers.empty());
  ASSERT_FALSE(n.phase_crossovers.empty());
  for (const auto& c : n.gain_crossovers) {
    const std::complex<double> value = value_at(L, std::polar(1.0, c.frequency * h));
    EXPECT_NEAR(std::abs(value), 1, 1e-12);
    EXPECT_NEAR(180 + std::arg(value) * 180 / M_PI, c.phase_margin_deg, 1e-9);
  }
  for (const auto& c : n.phase_crossovers) {
    const std::complex<double> value = value_at(L, std::polar(1.0, c.frequency * h));
    EXPECT_NEAR(std::arg(value) * 180 / M_PI, value.imag() < 0 ? -180 : 180, 1e-9);
    EXPECT_NEAR(-20 * std::log10(std::abs(value)), c.gain_margin_db, 1e-9);
  }
}

TEST(Margins, ModulusMarginWithDeadTime) {
  const ExactTransfer L = in_s("exp(-s)/(s + 1)");
  const Margins m = margins(L);
  double least = 2;
  for (double w = 0.01; w < 20; w += 1e-4)
    least = std::min(least, std::abs(1.0 + std::exp(std::complex<double>(0, -w)) / std::complex<double>(1, w)));
  ASSERT_TRUE(m.modulus_margin);
  EXPECT_NEAR(*m.modulus_margin, least, 1e-8);
}

TEST(Margins, ModulusMarginOfALoopThatIsNotStrictlyProper) {
  EXPECT_NEAR(*margins(in_s("-(s+4)/(2*s+9)")).modulus_margin, 0.5, 1e-12);  // the distance at infinite frequency is the least
}

TEST(OpenLoop, OnePlusLIsTheRatioOfTheDeterminants) {
  const std::vector<std::array<const char*, 3>> branches{{"r", "e", "1"},        {"e", "a", "3/(s+1)"}, {"a", "b", "2/s"},
                                                         {"a", "b", "1/(s+5)"},  {"b", "e", "-1"},      {"a", "a", "-1/4"},
                                                         {"b", "a", "-1/(s+2)"}, {"b", "y", "1"}};
  const SignalFlowGraph graph = graph_of(branches);
  const std::complex<double> s(0.3, 1.1);
  const auto determinant = [&](bool without, const char* from, const char* to) {  // of I − Aᵀ, by elimination
    const std::size_t n = graph.nodes().size();
    std::vector<std::vector<std::complex<double>>> m(n, std::vector<std::complex<double>>(n));
    for (std::size_t i = 0; i < n; ++i) m[i][i] = 1;
    for (const Branch& branch : graph.branches()) {
      if (without && graph[branch.from].name == from && graph[branch.to].name == to) continue;
      const auto [num, den] = fraction(branch.gain());
      const auto at = [&](const GiNaC::ex& p) {
        std::complex<double> sum = 0;
        const auto list = polynomial_coefficients(p, graph.symbols.at("s").expr);
        for (const GiNaC::ex& c : *list) sum = sum * s + *double_value(c);
        return sum;
      };
      m[branch.to.index][branch.from.index] -= at(num) / at(den);
    }
    std::complex<double> result = 1;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k; i < n; ++i)
        if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
      if (pivot != k) std::swap(m[pivot], m[k]), result = -result;
      result *= m[k][k];
      for (std::size_t i = k + 1; i < n; ++i) {
        const auto factor = m[i][k] / m[k][k];
        for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      }
    }
    return result;
  };
  for (const auto& [from, to] : {std::pair{"b", "e"}, {"a", "b"}, {"a", "a"}, {"b", "a"}, {"e", "a"}}) {
    const OpenLoop loop = open_loop(graph, *graph.find(from), *graph.find(to));
    const ExactTransfer L = exact_transfers(loop.graph, std::span(&loop.question, 1)).front();
    const auto wanted = determinant(false, from, to) / determinant(true, from, to);
    EXPECT_NEAR(std::abs(1.0 + value_at(L, s) - wanted), 0, 1e-12) << from << to;
  }
  const OpenLoop none = open_loop(graph, *graph.find("b"), *graph.find("y"));
  EXPECT_TRUE(exact_transfers(none.graph, std::span(&none.question, 1)).front().numerator.parts.empty());
  EXPECT_THROW(open_loop(graph, *graph.find("r"), *graph.find("y")), Error);
}

StabilityRegion region(const char* polynomial, const char* variable, StabilityRegion::Range a, StabilityRegion::Range b,
                       std::size_t columns) {
  SymbolTable symbols;
  const GiNaC::ex x = symbols.symbol(variable), first = symbols.symbol("a"), second = symbols.symbol("b");
  return stability_region({parse(polynomial, symbols), x, first, second, a, b, Operator(variable).boundary(), columns});
}

TEST(StabilityRegion, HyperbolaOfTheThirdOrder) {
  const StabilityRegion found = region("s^3 + a*s^2 + b*s + 1", "s", {0, 4}, {0, 4}, 81);  // a b > 1
  for (const auto& column : found.columns) {
    if (column.first <= 0.25) {
      EXPECT_TRUE(column.stable.empty()) << column.first;
      continue;
    }
    ASSERT_EQ(column.stable.size(), 1u) << column.first;
    EXPECT_NEAR(column.stable[0].first, 1 / column.first, 1e-14);
    EXPECT_EQ(column.stable[0].second, 4);
  }
  for (const auto& point : found.boundary) {
    EXPECT_EQ(point.crossing, StabilityRegion::Crossing::pair);
    EXPECT_NEAR(point.frequency, std::sqrt(point.second), 1e-9);  // s² = −b on the boundary
  }
}

TEST(StabilityRegion, TriangleOfTheSecondOrderInZ) {
  const StabilityRegion found = region("z^2 + a*z + b", "z", {-3, 3}, {-2, 2}, 61);
  for (const auto& column : found.columns) {
    const double low = std::abs(column.first) - 1;
    if (low >= 1) {
      EXPECT_TRUE(column.stable.empty());
      continue;
    }
    ASSERT_EQ(column.stable.size(), 1u) << column.first;
    EXPECT_NEAR(column.stable[0].first, low, 1e-14);
    EXPECT_NEAR(column.stable[0].second, 1, 1e-14);
  }
  std::set<StabilityRegion::Crossing> kinds;
  for (const auto& point : found.boundary) kinds.insert(point.crossing);
  EXPECT_EQ(kinds.size(), 3u);
}

TEST(StabilityRegion, EveryPointIsJudgedAsItsRootsSay) {
  const char* polynomial = "s^4 + (a+1)*s^3 + (2*b^2+a)*s^2 + (3-a*b)*s + b";
  const StabilityRegion found = region(polynomial, "s", {-2, 3}, {-2, 2}, 41);
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s");
  const auto list = *polynomial_coefficients(parse(polynomial, symbols), s);
  std::mt19937 random(11);
  for (const auto& column : found.columns)
    for (int trial = 0; trial < 5; ++trial) {
      const double b = -2 + 4.0 * static_cast<double>(random() % 1000) / 1000 + 1e-4;
      std::vector<exact::Rational> numbers;
      for (const GiNaC::ex& c : list)
        numbers.push_back(
            *rational_value(c.subs(GiNaC::exmap{{symbols.at("a").expr, numeric_value(decimal_rational(column.first))},
                                                {symbols.at("b").expr, numeric_value(decimal_rational(b))}})));
      double rightmost = -1e9;
      for (const exact::Root& root : exact::roots(numbers)) rightmost = std::max(rightmost, root.value.real());
      if (std::abs(rightmost) < 1e-9) continue;
      const bool inside = std::any_of(column.stable.begin(), column.stable.end(),
                                      [b](const auto& range) { return range.first < b && b < range.second; });
      EXPECT_EQ(inside, rightmost < 0 && !numbers.front().is_zero()) << column.first << " " << b;
    }
}

TEST(IntervalFamily, VerdictHoldsForEveryPolynomialOfTheFamily) {
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s");
  const GiNaC::ex p = parse("s^3 + a*s^2 + b*s + c", symbols);
  const auto family = [&](int a0, int a1, int b0, int b1, int c0, int c1) {
    return interval_family(
        p, s,
        std::vector<ParameterInterval>{
            {symbols.at("a").expr, "a", a0, a1}, {symbols.at("b").expr, "b", b0, b1}, {symbols.at("c").expr, "c", c0, c1}});
  };
  const IntervalFamily good = family(2, 3, 4, 5, 1, 7);  // a b > c in the worst corner: 8 > 7
  EXPECT_TRUE(good.independent);
  EXPECT_TRUE(good.all_stable);
  EXPECT_FALSE(family(2, 3, 4, 5, 1, 9).all_stable);  // 8 < 9
}

TEST(IntervalFamily, DependentCoefficientsAreSaid) {
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s");
  const GiNaC::ex p = parse("s^3 + a*s^2 + a*s + 1 + a*b", symbols);
  const std::vector<ParameterInterval> intervals{{symbols.at("a").expr, "a", 2, 3}, {symbols.at("b").expr, "b", 0, 1}};
  const IntervalFamily family = interval_family(p, s, intervals);
  EXPECT_FALSE(family.independent);
  EXPECT_EQ(family.shared, std::vector<std::string>{"a"});
  EXPECT_EQ(family.low, (std::vector<exact::Rational>{1, 2, 2, 1}));
  EXPECT_EQ(family.high, (std::vector<exact::Rational>{1, 3, 3, 4}));
  EXPECT_THROW(interval_family(parse("a*s + 1", symbols), s, std::vector<ParameterInterval>{{symbols.at("a").expr, "a", -1, 1}}),
               NoAnswer);
}

TEST(IntervalFamily, TolerancesAreRelativeOrAbsolute) {
  Symbol symbol;
  symbol.value = parse_number("-20");
  symbol.tolerance = Tolerance{exact::Rational(1) / 20, true};
  EXPECT_EQ(tolerance_interval(symbol), (std::pair<exact::Rational, exact::Rational>(-21, -19)));
  symbol.tolerance = Tolerance{exact::Rational(1) / 2};
  EXPECT_EQ(tolerance_interval(symbol),
            (std::pair<exact::Rational, exact::Rational>(exact::Rational(-41) / 2, exact::Rational(-39) / 2)));
  symbol.tolerance.reset();
  EXPECT_FALSE(tolerance_interval(symbol));
}

TEST(RootLocus, CrossingsOfTheUnitCircle) {
  SymbolTable symbols;
  const GiNaC::ex z = symbols.symbol("z"), K = symbols.symbol("K");
  const auto in_K = coefficients_in(parse("(z-1)*(z-1/2) + K*(z+1/4)", symbols), z, K);
  const RootLocus locus = root_locus(in_K, 0, 10, exact::Boundary::unit_circle);
  // a pair leaves where the product of the roots, 1/2 + K/4, is 1: K = 2
  bool found = false;
  for (const auto& point : locus.axis_crossings) {
    EXPECT_NEAR(std::abs(point.root), 1, 1e-9);
    found = found || std::abs(point.parameter - 2) < 1e-12;
  }
  EXPECT_TRUE(found);
}

TEST(Discretize, HeldAndMatchedGainsAreExactAndTheGraphSaysItsSampleTime) {
  for (const char* gain : {"3/(s+1)", "(s+2)/(s^2+s+7)", "5/((s+1)*(s+2)*(s+3))"})
    for (const Discretization method : {Discretization::zero_order_hold, Discretization::matched, Discretization::tustin}) {
      const ExactTransfer T = in_s(gain), Z = discretized(T, exact::Rational(1) / 20, method);
      const exact::RationalPolynomial n = Z.numerator.polynomial(), d = Z.denominator.polynomial(), a = T.numerator.polynomial(),
                                      b = T.denominator.polynomial();
      const exact::Rational zero, one = 1;
      EXPECT_EQ(n.at(one) / d.at(one), a.at(zero) / b.at(zero)) << gain;
      EXPECT_EQ(Z.op.sample_time(), exact::Rational(1) / 20);
    }
}

TEST(Discretize, PolesThatClusterNearOneComeBack) {
  // (s+1)(s+2)…(s+6) sampled every millisecond: with doubles for coefficients the poles would be lost
  const ExactTransfer T = in_s("720/((s+1)*(s+2)*(s+3)*(s+4)*(s+5)*(s+6))");
  for (const Discretization method : {Discretization::zero_order_hold, Discretization::matched}) {
    const PolesZeros found = poles_zeros(discretized(T, exact::Rational(1) / 1000, method));
    ASSERT_EQ(found.modes.size(), 6u);
    for (const Mode& mode : found.modes) EXPECT_NEAR(mode.frequency, std::round(mode.frequency), 1e-9);
    EXPECT_EQ(*found.dc_gain, 1);
  }
  // and a second of it by the difference equation is that of the continuous time
  const double second = 1;
  EXPECT_NEAR(
      discrete_response(discretized(T, exact::Rational(1) / 1000, Discretization::zero_order_hold), 1001, Excitation::step)[1000],
      step_response(T, std::span(&second, 1)).value[0], 1e-12);
  // a multiple pole, and one at 0: held samples are those of the continuous response
  const ExactTransfer D = in_s("(s+3)/(s*(s+1)^3)");
  const std::vector<double> y =
      discrete_response(discretized(D, exact::Rational(1) / 4, Discretization::zero_order_hold), 20, Excitation::step);
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double t = 0.25 * static_cast<double>(k);
    EXPECT_NEAR(y[k], step_response(D, std::span(&t, 1)).value[0], 1e-12);
  }
}

TEST(Discretize, SequencesHaveExactEnds) {
  const std::vector<double> times{0, 1, 2};
  const TimeResponse y = sequence_response(in_z("(2*z + 1)/(z - 1/4)"), times, 0.5, Excitation::step);
  EXPECT_EQ(y.initial, 1);
  EXPECT_EQ(y.final, 2);
  EXPECT_NEAR(y.value[1], 1.75, 1e-15);
  EXPECT_FALSE(sequence_response(in_z("1/(z-1)"), times, 1, Excitation::step).final);
}

}  // namespace
}  // namespace sfg
