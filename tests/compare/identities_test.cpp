// True identities, made by rewriting a term at random, are never said to differ; terms that differ in plain numbers are never
// said to be the same.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "graphs/families.hpp"
#include "sfg/compare/comparison.hpp"
#include "sfg/expr/compile.hpp"

namespace sfg {
namespace {

using test::graph_of;
using Pair = std::pair<std::string, std::string>;

/// Two texts of one function of a, b and K.
class Rewriting {
 public:
  explicit Rewriting(std::uint64_t seed) : random_(seed) {}

  Pair pair(int depth) {
    if (depth == 0) return atom();
    switch (draw(4)) {
      case 0: return joined(pair(depth - 1), " + ", pair(depth - 1));
      case 1: return joined(pair(depth - 1), " * ", pair(depth - 1));
      case 2: return scaled(pair(depth - 1));
      default: return atom();
    }
  }

 private:
  std::size_t draw(std::size_t n) { return random_() % n; }
  std::string argument() {
    static const char* const all[] = {"a", "b", "2*a", "a - b", "a/2", "a*b", "3*b + a", "K*a", "b/3"};
    return std::string("(") + all[draw(std::size(all))] + ")";
  }
  static Pair joined(const Pair& x, const std::string& sign, const Pair& y) {
    return {"(" + x.first + sign + y.first + ")", "(" + y.second + sign + x.second + ")"};
  }
  Pair scaled(const Pair& x) {
    const std::string u = argument();
    return {x.first, x.second + "*(sin" + u + "^2 + cos" + u + "^2)"};
  }
  Pair atom() {
    const std::string u = argument(), v = argument(), sum = "(" + u + " + " + v + ")", less = "(" + u + " - " + v + ")";
    const Pair all[] = {
        {"sin" + sum, "sin" + u + "*cos" + v + " + cos" + u + "*sin" + v},
        {"cos" + u + "*cos" + v, "(cos" + sum + " + cos" + less + ")/2"},
        {"sin" + u + "*sin" + v, "(cos" + less + " - cos" + sum + ")/2"},
        {"tan" + u, "sin(2*" + u + ")/(1 + cos(2*" + u + "))"},
        {"exp" + sum, "exp" + u + "*exp" + v},
        {"exp" + u, "exp(" + u + "/2)^2"},
        {"sinh" + u, "(exp" + u + " - exp(-" + u + "))/2"},
        {"cosh" + u + "^2", "1 + sinh" + u + "^2"},
        {"tanh" + u, "1 - 2/(exp(2*" + u + ") + 1)"},
        {"K^" + u, "exp(log(K)*" + u + ")"},
        {"abs" + u + "^2", u + "^2"},
        {"sqrt(" + u + "^2)", "abs" + u},
        {"sqrt(9*K)", "3*sqrt(K)"},
        {"sqrt(1 - cos" + u + "^2)", "abs(sin" + u + ")"},
        {"max(" + u + ", " + v + ") + min(" + u + ", " + v + ")", u + " + " + v},
        {"sin" + u + "^4", "(3 - 4*cos(2*" + u + ") + cos(4*" + u + "))/8"},
        {"sqrt(2)*cos(" + u + " - pi/4)", "cos" + u + " + sin" + u},
        {u + "*K", "K*" + u},
    };
    const Pair& chosen = all[draw(std::size(all))];
    return {"(" + chosen.first + ")", "(" + chosen.second + ")"};
  }

  std::mt19937_64 random_;
};

Sameness compared(const std::string& a, const std::string& b) {
  const auto model = [](const std::string& gain) {
    SignalFlowGraph graph = graph_of({{"R", "e", "1"}, {"e", "C", gain}, {"C", "e", "-1/(s + 3)"}, {"C", "y", "1"}});
    std::vector<Question> asked = questions(graph);
    return ComparedModel{"model", std::move(graph), std::move(asked), {}};
  };
  return compare(model(a), model(b), {.explain = false}).same;
}

/// The greatest difference of two texts relative to their size, in double precision at points where both are real.
double distance(const std::string& a, const std::string& b) {
  SymbolTable symbols;
  const std::vector<GiNaC::ex> both{parse(a, symbols), parse(b, symbols)};
  const std::vector<GiNaC::ex> letters{symbols.symbol("a"), symbols.symbol("b"), symbols.symbol("K")};
  const numeric::Tape tape = compile(both, letters);
  double greatest = 0;
  for (const std::vector<double>& point : {std::vector{0.7, 1.9, 1.3}, {-0.4, 0.8, 0.6}, {1.1, -0.3, 2.2}, {-1.2, -0.9, 0.4}}) {
    const std::vector<double> values = tape.values<double>(point);
    if (!std::isfinite(values[0]) || !std::isfinite(values[1])) continue;
    greatest = std::max(greatest, std::abs(values[0] - values[1]) / (1 + std::abs(values[0])));
  }
  return greatest;
}

TEST(Identities, WhatIsTheSameByRewritingIsNeverSaidToDiffer) {
  constexpr int pairs = 150;
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= pairs; ++seed) {
    const Pair pair = Rewriting(seed).pair(2);
    ASSERT_LT(distance(pair.first, pair.second), 1e-9) << pair.first << "\n" << pair.second;
    const Sameness found = compared(pair.first, pair.second);
    EXPECT_NE(found, Sameness::different) << pair.first << "\n" << pair.second;
    proved += found == Sameness::same ? 1 : 0;
  }
  EXPECT_GT(proved, pairs * 9 / 10);
}

TEST(Identities, WhatDiffersInNumbersIsNeverSaidToBeTheSame) {
  int asked = 0, told = 0;
  for (std::uint64_t seed = 1; asked < 120; ++seed) {
    Pair pair = Rewriting(seed).pair(2);
    std::string& wrong = pair.second;
    static const Pair changes[] = {{"sin", "cos"}, {"a", "b"}, {"2", "3"}, {" + ", " - "}, {"exp", "cosh"}, {"abs", ""}};
    const Pair& change = changes[seed % std::size(changes)];
    const std::size_t at = wrong.find(change.first);
    if (at == std::string::npos) continue;
    wrong.replace(at, change.first.size(), change.second);
    try {
      if (distance(pair.first, pair.second) < 1e-6) continue;
    } catch (const Error&) {  // "b" in the middle of a word
      continue;
    }
    ++asked;
    const Sameness found = compared(pair.first, pair.second);
    EXPECT_NE(found, Sameness::same) << pair.first << "\n" << pair.second;
    told += found == Sameness::different ? 1 : 0;
  }
  EXPECT_GT(told, asked * 9 / 10);
}

TEST(Identities, RootsAreTakenOfEitherSignUnlessPositiveIsStated) {
  const auto same = [](const char* a, const char* b, bool positive) {
    const auto model = [](const char* gain) {
      SignalFlowGraph graph = graph_of({{"R", "C", gain}});
      std::vector<Question> asked = questions(graph);
      return ComparedModel{"model", std::move(graph), std::move(asked), {}};
    };
    return compare(model(a), model(b), {.positive = positive}).same;
  };
  for (const auto& [a, b] : {Pair{"sqrt(K^2)", "K"},
                             {"sqrt(a)*sqrt(b)", "sqrt(a*b)"},
                             {"sqrt(a/b)", "sqrt(a)/sqrt(b)"},
                             {"sqrt(K)*abs(K)", "K*sqrt(K)"},
                             {"sqrt(a^2*b)", "a*sqrt(b)"}}) {
    EXPECT_EQ(same(a.c_str(), b.c_str(), false), Sameness::different) << a;
    EXPECT_EQ(same(a.c_str(), b.c_str(), true), Sameness::same) << a;
  }
  EXPECT_EQ(same("sqrt(s^2)", "s", true), Sameness::different);  // the operator is complex
  EXPECT_EQ(same("sqrt(2) + sqrt(3)", "sqrt(5 + 2*sqrt(6))", false), Sameness::same);
  EXPECT_EQ(same("cos(1)^2 + sin(1)^2", "1", false), Sameness::same);
  EXPECT_EQ(same("sqrt(2) + sqrt(3)", "sqrt(10)", false), Sameness::different);
  EXPECT_EQ(same("sign(a)*abs(a)", "a", false), Sameness::open);  // nothing known, and no number that tells them apart
}

}  // namespace
}  // namespace sfg
