#include "sfg/model/equations.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "derive/lagrange_case.hpp"
#include "model/system_case.hpp"

namespace sfg {
namespace {

using test::data;
using test::pivot_system;
using test::system_of;

std::string refusal(const EquationSystem& system) {
  try {
    assignment(system);
    return "";
  } catch (const NoAnswer& error) {
    return error.what();
  }
}

TEST(Assignment, PivotCases) {
  for (const auto& expected : data("pivot_cases.json")["cases"]) {
    const EquationSystem system = pivot_system(expected);
    const Assignment chosen = assignment(system);
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const std::size_t column : chosen.unknown_of) names.push_back(system.unknowns[column].name);
    const auto& valid = expected["valid_assignments"];
    EXPECT_NE(std::find(valid.begin(), valid.end(), names), valid.end()) << expected["name"] << ' ' << names;
    EXPECT_EQ(chosen.natural, names == expected["unknowns"]) << expected["name"];
    EXPECT_EQ(chosen.notes.empty(), chosen.natural) << expected["name"];
  }
}

TEST(Assignment, NaturalOneIsKeptThoughABranchIsImproper) {
  const EquationSystem system = system_of({{"x", "y"}, {{{"x", "p"}, {"y", "p^2"}}, {{"x", "p^2"}, {"y", "k"}}}});
  const Assignment chosen = assignment(system);
  EXPECT_TRUE(chosen.natural);
  ASSERT_EQ(chosen.notes.size(), 2u);
  EXPECT_NE(chosen.notes[0].message.find("from 'y' to 'x' is improper"), std::string::npos) << chosen.notes[0].message;
  EXPECT_EQ(chosen.notes[0].severity, Severity::note);
}

TEST(Assignment, AnEntryThatVanishesIsNoPivot) {
  const EquationSystem system = system_of({{"x", "y"}, {{{"x", "(a+b)^2-a^2-2*a*b-b^2"}, {"y", "1"}}, {{"x", "1"}, {"y", "p"}}}});
  const Assignment chosen = assignment(system);
  EXPECT_EQ(chosen.unknown_of, (std::vector<std::size_t>{1, 0}));
}

/// 1 − F1 with F1 = 1: whoever divides by it has no numbers left.
TEST(Assignment, PivotsDoNotVanishWithTheStatedValues) {
  const std::vector<std::string> entries{"1 - g", "g", "h - 2*g", "p + 1", "g*p - p", "", "h"};
  std::mt19937 random(31);
  int solvable = 0;
  for (int trial = 0; trial < 300; ++trial) {
    test::SystemText text{{}, {}, {}, {{"g", "1"}, {"h", "2*g"}}};
    const unsigned n = 2 + static_cast<unsigned>(random() % 3);
    for (unsigned i = 0; i < n; ++i) text.unknowns.push_back("x" + std::to_string(i));
    for (unsigned i = 0; i < n; ++i) {
      text.equations.emplace_back();
      for (const std::string& name : text.unknowns)
        if (const std::string& entry = entries[random() % entries.size()]; !entry.empty()) text.equations[i][name] = entry;
    }
    const EquationSystem system = system_of(text);
    GiNaC::exmap values = system.symbols.values();
    values[system.symbols.at("p").expr] = GiNaC::numeric(3, 7);
    GiNaC::matrix m(n, n);
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j < n; ++j) m(i, j) = system.D(i, j).subs(values);
    if (m.determinant().is_zero()) continue;
    const Assignment chosen = assignment(system);
    for (unsigned i = 0; i < n; ++i) EXPECT_FALSE(m(i, static_cast<unsigned>(chosen.unknown_of[i])).is_zero());
    ++solvable;
  }
  EXPECT_GT(solvable, 50);
}

TEST(Assignment, DependentEquationsAreNamed) {
  // b, c and d share y and z: one of them is too many.
  const EquationSystem system = system_of(
      {{"w", "x", "y", "z"}, {{{"w", "p"}, {"x", "1"}, {"z", "1"}}, {{"y", "p"}}, {{"y", "1"}, {"z", "p"}}, {{"z", "k"}}}});
  const std::string message = refusal(system);
  for (const char* name : {"'eq2'", "'eq3'", "'eq4'", "'y'", "'z'"}) EXPECT_NE(message.find(name), std::string::npos) << message;
  for (const char* name : {"'eq1'", "'w'", "'x'"}) EXPECT_EQ(message.find(name), std::string::npos) << message;
}

TEST(Assignment, AnEmptyEquationIsNamed) {
  const std::string message = refusal(system_of({{"x", "y"}, {{{"x", "p"}, {"y", "1"}}, {}}}));
  EXPECT_NE(message.find("'eq2' contains no unknown"), std::string::npos) << message;
}

TEST(Assignment, DependenceBehindAMatchingIsSaid) {
  // eq3 = p eq1 + a eq2, and eq4 apart.
  const EquationSystem system = system_of({{"x", "y", "z", "w"},
                                           {{{"x", "1"}, {"y", "p"}},
                                            {{"y", "1"}, {"z", "k"}},
                                            {{"x", "p"}, {"y", "p^2+a"}, {"z", "a*k"}},
                                            {{"w", "p"}, {"x", "1"}}}});
  const Assignment chosen = assignment(system);
  ASSERT_FALSE(chosen.notes.empty());
  EXPECT_EQ(chosen.notes.back().severity, Severity::warning);
  EXPECT_NE(chosen.notes.back().message.find("'eq1', 'eq2' and 'eq3' are dependent"), std::string::npos)
      << chosen.notes.back().message;
}

/// The rule again, by trying every permutation.
std::array<long, 3> best_by_trial(const std::vector<std::vector<long>>& degree) {
  const std::size_t n = degree.size();
  std::vector<std::size_t> columns(n);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::array<long, 3> best{1'000'000, 0, 0};
  do {
    std::array<long, 3> cost{};
    bool perfect = true;
    for (std::size_t i = 0; i < n; ++i) {
      const long d = degree[i][columns[i]];
      perfect = perfect && d >= 0;
      const long deficit = *std::max_element(degree[i].begin(), degree[i].end()) - d;
      cost[0] += deficit > 0;
      cost[1] += deficit;
      cost[2] += columns[i] != i;
    }
    if (perfect) best = std::min(best, cost);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return best;
}

TEST(Assignment, RandomPatternsAgainstAllPermutations) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 2 + random() % 5;
    std::vector<std::vector<long>> degree(n, std::vector<long>(n, -1));
    test::SystemText text;
    for (std::size_t i = 0; i < n; ++i) text.unknowns.push_back("x" + std::to_string(i));
    for (std::size_t i = 0; i < n; ++i) {
      text.equations.emplace_back();
      for (std::size_t j = 0; j < n; ++j) {
        if (random() % 2 == 0 || (i == j && i < 2)) continue;  // never the natural one
        degree[i][j] = static_cast<long>(random() % 3);
        text.equations[i]["x" + std::to_string(j)] = "a*p^" + std::to_string(degree[i][j]);
      }
    }
    const EquationSystem system = system_of(text);
    const auto best = best_by_trial(degree);
    if (best[0] == 1'000'000) {
      EXPECT_NE(refusal(system), "");
      continue;
    }
    const Assignment chosen = assignment(system);
    std::array<long, 3> cost{};
    std::vector<bool> used(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = chosen.unknown_of[i];
      ASSERT_GE(degree[i][j], 0);
      ASSERT_FALSE(used[j]);
      used[j] = true;
      const long deficit = *std::max_element(degree[i].begin(), degree[i].end()) - degree[i][j];
      cost[0] += deficit > 0;
      cost[1] += deficit;
      cost[2] += j != i;
    }
    EXPECT_EQ(cost, best) << "round " << round;
  }
}

TEST(Assignment, LongChainOfConstraintsIsFast) {
  // x1 = x2, x2 = x3, …: multiplier rows of a chain of 300 masses.
  test::SystemText text;
  constexpr int masses = 300;
  for (int i = 0; i < masses; ++i) {
    text.unknowns.push_back("x" + std::to_string(i));
    text.equations.push_back({{"x" + std::to_string(i), "p^2+1"}});
  }
  for (int i = 0; i + 1 < masses; ++i) {
    const std::string multiplier = "l" + std::to_string(i), a = "x" + std::to_string(i), b = "x" + std::to_string(i + 1);
    text.unknowns.push_back(multiplier);
    text.equations[static_cast<std::size_t>(i)][multiplier] = "1";
    text.equations[static_cast<std::size_t>(i + 1)][multiplier] = "-1";
    text.equations.push_back({{a, "1"}, {b, "-1"}});
  }
  const EquationSystem system = system_of(text);
  const Assignment chosen = assignment(system);
  EXPECT_FALSE(chosen.natural);
  for (std::size_t i = 0; i < chosen.unknown_of.size(); ++i) EXPECT_TRUE(system.equations[i].left.contains(chosen.unknown_of[i]));
}

}  // namespace
}  // namespace sfg
