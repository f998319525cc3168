// Which parameters can be found: known results of the literature, ranks in floating point, and every point of a small field.
#include "sfg/study/identifiable/identifiable.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "sfg/ask/subject.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/input.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg::identifiability {
namespace {

using Verdicts = std::map<std::string, char>;  // 1: one value, n: several, -: a curve

Verdicts verdicts(const Identifiable& found) {
  Verdicts result;
  for (const IdentifiableParameter& p : found.parameters)
    result[p.name] = p.found == Identifiability::unique    ? '1'
                     : p.found == Identifiability::locally ? 'n'
                     : p.found == Identifiability::never   ? '-'
                                                           : '?';
  return result;
}
std::vector<std::string> texts(const Identifiable& found) {
  std::vector<std::string> result;
  for (const RationalFunction& f : found.combinations) result.push_back(f.text());
  return result;
}

SignalFlowGraph graph_of(const std::string& gain, const std::vector<std::string>& parameters) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  for (const std::string& name : parameters) graph.symbols.symbol(name);
  graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
  return graph;
}
Identifiable found_of(const std::string& gain, const std::vector<std::string>& parameters, std::vector<std::string> known = {},
                      std::uint64_t seed = 1) {
  const SignalFlowGraph graph = graph_of(gain, parameters);
  return identifiable(graph, questions(graph), {.known = std::move(known), .seed = seed});
}
Identifiable found_in(const std::string& text, InputFormat format, const std::vector<std::string>& from,
                      const std::vector<std::string>& to, std::vector<std::string> known = {}) {
  const Subject subject(read(text, format, "model"), {.signals = to});
  const SignalFlowGraph& graph = subject.graph();
  std::vector<NodeId> inputs, outputs;
  for (const std::string& name : from) inputs.push_back(graph.at(name));
  for (const std::string& name : to) outputs.push_back(graph.at(name));
  return identifiable(graph, questions(graph, inputs, outputs), {.known = std::move(known)});
}

// ---- known results

std::string compartments(bool second_leaks) {
  return std::string("digraph { input=\"u\"; output=\"y\"; parameters=\"k12=1, k21=2, k01=3, V=4") +
         (second_leaks ? ", k02=1" : "") +
         "\"; u -> x1 [gain=\"1/s\"]; x1 -> x1 [gain=\"-(k21 + k01)/s\"]; x2 -> x1 [gain=\"k12/s\"]; x1 -> x2 [gain=\"k21/s\"]; "
         "x2 -> "
         "x2 [gain=\"-(k12" +
         (second_leaks ? " + k02" : "") + ")/s\"]; x1 -> y [gain=\"1/V\"]; }";
}

TEST(Identifiable, TwoCompartmentsWithOneLeakAreFoundAndWithTwoAreNot) {  // Bellman and Åström 1970
  const Identifiable one = found_in(compartments(false), InputFormat::dot, {"u"}, {"y"});
  EXPECT_EQ(verdicts(one), (Verdicts{{"k12", '1'}, {"k21", '1'}, {"k01", '1'}, {"V", '1'}}));
  const Identifiable two = found_in(compartments(true), InputFormat::dot, {"u"}, {"y"});
  EXPECT_EQ(verdicts(two), (Verdicts{{"k12", '-'}, {"k21", '-'}, {"k01", '-'}, {"k02", '-'}, {"V", '1'}}));
  EXPECT_EQ(texts(two), (std::vector<std::string>{"V", "k12*k21", "k01 + k21", "k02 + k12"}));
  EXPECT_EQ(two.degrees_of_freedom, 1U);
  EXPECT_TRUE(two.generate);
}

std::string ladder(std::size_t sections) {
  std::string text = "ladder\nI1 0 n1 1\n";
  for (std::size_t k = 1; k <= sections; ++k) {
    const std::string n = std::to_string(k), next = k < sections ? "n" + std::to_string(k + 1) : "0";
    text += "C" + n + " n" + n + " 0 1\nR" + n + " n" + n + " " + next + " 1\n";
  }
  return text + ".end\n";
}

TEST(Identifiable, ThermalNetworksOfCauersFormAreFoundAtTheirDrivingPoint) {
  for (const std::size_t sections : {1U, 2U, 4U, 6U}) {
    const Identifiable found = found_in(ladder(sections), InputFormat::spice, {"I1"}, {"v(n1)"});
    ASSERT_EQ(found.parameters.size(), 2 * sections);
    for (const auto& [name, verdict] : verdicts(found)) EXPECT_EQ(verdict, '1') << sections << " sections: " << name;
    EXPECT_TRUE(found.generate);
  }
}

TEST(Identifiable, TwoMassesWithASpringAreFoundWhereTheyAreDrivenOnly) {
  const std::string drive = R"(variable = "s"
[lagrange]
coordinates = ["phi1", "phi2"]
forces = { phi1 = "M1" }
T = "J1*Dphi1^2/2 + J2*Dphi2^2/2"
Pi = "c*(phi1-phi2)^2/2"
Phi = "d*(Dphi1-Dphi2)^2/2"
)";
  const Identifiable here = found_in(drive, InputFormat::toml, {"M1"}, {"phi1"});
  EXPECT_EQ(verdicts(here), (Verdicts{{"J1", '1'}, {"J2", '1'}, {"c", '1'}, {"d", '1'}}));
  const Identifiable there = found_in(drive, InputFormat::toml, {"M1"}, {"phi2"});
  EXPECT_EQ(verdicts(there), (Verdicts{{"J1", '-'}, {"J2", '-'}, {"c", '-'}, {"d", '-'}}));
  EXPECT_EQ(texts(there), (std::vector<std::string>{"c/d", "J1 + J2", "J1*J2/c"}));
  const Identifiable both = found_in(drive, InputFormat::toml, {"M1"}, {"phi1", "phi2"});
  EXPECT_EQ(both.degrees_of_freedom, 0U);
}

TEST(Identifiable, SaysWhatIsSeenThroughPowersRootsSumsAndDeadTimes) {
  EXPECT_EQ(verdicts(found_of("K^2/(s + a)", {"K", "a", "n"})), (Verdicts{{"K", 'n'}, {"a", '1'}, {"n", '-'}}));
  EXPECT_EQ(texts(found_of("c/((s + a)*(s + b))", {"a", "b", "c"})), (std::vector<std::string>{"c", "a*b", "a + b"}));
  EXPECT_EQ(verdicts(found_of("K*exp(-T*s)/(tau*s + 1)", {"K", "T", "tau"})), (Verdicts{{"K", '1'}, {"T", '1'}, {"tau", '1'}}));
  const Identifiable echoes = found_of("K*exp(-T1*s) + K*exp(-T2*s)", {"K", "T1", "T2"});
  EXPECT_EQ(verdicts(echoes), (Verdicts{{"K", '1'}, {"T1", 'n'}, {"T2", 'n'}}));
  EXPECT_EQ(texts(echoes), (std::vector<std::string>{"K", "T1*T2", "T1 + T2"}));
  EXPECT_EQ(verdicts(found_of("A*exp(-T1*s) + B*exp(-T2*s)", {"A", "B", "T1", "T2"})),
            (Verdicts{{"A", 'n'}, {"B", 'n'}, {"T1", 'n'}, {"T2", 'n'}}));
  EXPECT_EQ(verdicts(found_of("exp(-l/c*s)", {"l", "c"})), (Verdicts{{"l", '-'}, {"c", '-'}}));
  EXPECT_EQ(verdicts(found_of("1/(m*s^2 + 2*d*sqrt(k*m)*s + k)", {"m", "k", "d"})),
            (Verdicts{{"m", '1'}, {"k", '1'}, {"d", 'n'}}));
  const Identifiable function = found_of("k/(s + exp(a))", {"a", "k"});
  EXPECT_EQ(verdicts(function), (Verdicts{{"a", 'n'}, {"k", '1'}}));
  EXPECT_EQ(function.notes.size(), 1U);
  EXPECT_THROW(found_of("a/(s + sin(a))", {"a"}), NoAnswer);
  EXPECT_EQ(verdicts(found_of("0", {"a"})), (Verdicts{{"a", '-'}}));
}

/// Two poles that may change places beside a direct way: the coefficients are as many as their rank, so that they say all.
TEST(Identifiable, SaysAllWhereTheCoefficientsAreIndependent) {
  for (const std::string& gain :
       {std::string("a/(s + f) + a*b^2*c*(s + d)/((1 - b*e)*(s + d) - 1)"), std::string("a/(s + f) + b^2*c + d/(e*s + a*b)"),
        std::string("a/(s + f) + a*c + d/(s + b*c*e)"), std::string("a*b/(s + f) + a*c + b*d/(s + c*e)")}) {
    SCOPED_TRACE(gain);
    const Identifiable found = found_of(gain, {"a", "b", "c", "d", "e", "f"});
    EXPECT_EQ(found.combinations.size(), 5U);
    EXPECT_TRUE(found.generate);
  }
}

TEST(Identifiable, TakesFunctionsOfFewSymbols) {
  EXPECT_EQ(texts(found_of("(b^2 + a^2)/(b^2 - c^2 + (c + b^2)*s)", {"a", "b", "c"})),
            (std::vector<std::string>{"(a^2 - c)/(c^2 + c)", "(b^2 + c)/(c^2 + c)"}));
  EXPECT_EQ(texts(found_of("A*exp(-T1*s) + B*exp(-T2*s)", {"A", "B", "T1", "T2"})),
            (std::vector<std::string>{"A*B", "A + B", "T1 + T2", "A*T1 + B*T2"}));
}

TEST(Identifiable, TakesKnownParametersAndDerivedOnes) {
  SignalFlowGraph graph = graph_of("(a + c)/(s + b)", {"a", "c"});
  graph.symbols.find("b")->value = parse("3*a + c^2", graph.symbols);
  const Identifiable open = identifiable(graph, questions(graph));
  EXPECT_EQ(verdicts(open), (Verdicts{{"a", 'n'}, {"c", 'n'}})) << "a quadratic equation";
  const std::vector<std::string> known{"a"}, derived{"b"}, wrong{"q"};
  EXPECT_EQ(verdicts(identifiable(graph, questions(graph), {.known = known})), (Verdicts{{"c", '1'}}));
  SignalFlowGraph gain = graph_of("a*c/(s + 1)", {"a", "c"});
  gain.symbols.symbol("b");
  gain.symbols.find("b")->value = parse("3*a", gain.symbols);
  EXPECT_EQ(verdicts(identifiable(gain, questions(gain))), (Verdicts{{"a", '-'}, {"c", '-'}}));
  EXPECT_EQ(verdicts(identifiable(gain, questions(gain), {.known = derived})), (Verdicts{{"a", '1'}, {"c", '1'}}));
  EXPECT_THROW(identifiable(gain, questions(gain), {.known = wrong}), Error);
}

// ---- every point of a small field: parameters with the same coefficients have the same combinations, and the other way round

constexpr std::uint64_t small_prime = 37;

class SmallField {
 public:
  SmallField(std::vector<std::string> letters, SymbolTable& symbols) {
    for (const std::string& name : letters) symbols_.push_back(symbols.symbol(name));
  }
  /// The function at a point; nothing where its denominator vanishes.
  std::optional<std::uint64_t> at(const RationalFunction& f, const std::vector<std::uint64_t>& point) const {
    std::vector<std::uint64_t> values(f.space().size());
    for (std::size_t i = 0; i < symbols_.size(); ++i)
      if (const auto v = f.space().index(symbols_[i])) values[*v] = point[i];
    const std::uint64_t below = f.denominator().modulo(small_prime, values);
    if (below == 0) return {};
    return ring_.divide(f.numerator().modulo(small_prime, values), below);
  }

 private:
  ring::ModularRing ring_{small_prime};
  std::vector<GiNaC::ex> symbols_;
};

/// How often points with one key have several values.
double broken_share(const std::map<std::vector<std::uint64_t>, std::map<std::vector<std::uint64_t>, std::size_t>>& classes) {
  std::size_t all = 0, broken = 0;
  for (const auto& [key, values] : classes) {
    std::size_t most = 0, sum = 0;
    for (const auto& [value, count] : values) most = std::max(most, count), sum += count;
    all += sum, broken += sum - most;
  }
  return static_cast<double>(broken) / static_cast<double>(std::max<std::size_t>(all, 1));
}

std::string random_coefficient(std::mt19937& random) {
  static const std::array pool{"a",   "b",   "c",   "a*b",   "a*c",   "b*c",       "a^2",
                               "b^2", "a/b", "c/a", "a*b*c", "b*c^2", "a/(b + c)", "1"};
  std::string text = pool[random() % pool.size()];
  if (random() % 2 == 0) text += random() % 3 == 0 ? " - " : " + ", text += pool[random() % pool.size()];
  return text;
}

TEST(Identifiable, AgreesWithEveryPointOfASmallField) {
  std::mt19937 random(5);
  std::size_t several = 0, curves = 0, single = 0;
  for (int model = 0; model < 24; ++model) {
    std::vector<std::string> coefficients;
    for (int k = 0; k < 2 + model % 2; ++k) coefficients.push_back(random_coefficient(random));
    std::string gain = "(" + coefficients[0] + ")/(s^2 + s*(" + coefficients[1] + ") + " +
                       (coefficients.size() > 2 ? coefficients[2] : std::string("7")) + ")";
    SCOPED_TRACE(gain);
    SignalFlowGraph graph = graph_of(gain, {"a", "b", "c"});
    const Identifiable found = identifiable(graph, questions(graph), {.seed = static_cast<std::uint64_t>(model)});
    EXPECT_TRUE(found.generate);
    const SmallField field({"a", "b", "c"}, graph.symbols);
    std::vector<RationalFunction> told;
    for (const std::string& text : coefficients) {
      const GiNaC::ex e = parse(text, graph.symbols);
      told.push_back(PolynomialSpace(std::array{e}).rational(e));
    }
    std::map<std::vector<std::uint64_t>, std::map<std::vector<std::uint64_t>, std::size_t>> combined, back;
    std::array<std::map<std::vector<std::uint64_t>, std::set<std::uint64_t>>, 3> of_parameter;
    for (std::uint64_t a = 1; a < small_prime; ++a)
      for (std::uint64_t b = 1; b < small_prime; ++b)
        for (std::uint64_t c = 1; c < small_prime; ++c) {
          const std::vector<std::uint64_t> point{a, b, c};
          std::vector<std::uint64_t> key, value;
          for (const RationalFunction& f : told)
            if (const auto v = field.at(f, point)) key.push_back(*v);
          for (const RationalFunction& f : found.combinations)
            if (const auto v = field.at(f, point)) value.push_back(*v);
          if (key.size() != told.size() || value.size() != found.combinations.size()) continue;
          ++combined[key][value], ++back[value][key];
          for (std::size_t i = 0; i < 3; ++i) of_parameter[i][key].insert(point[i]);
        }
    EXPECT_LT(broken_share(combined), 0.15) << "combinations have one value but at special points";
    EXPECT_LT(broken_share(back), 0.15) << "combinations generate";
    for (std::size_t i = 0; i < 3; ++i) {
      double mean = 0;
      for (const auto& [key, values] : of_parameter[i]) mean += static_cast<double>(values.size());
      mean /= static_cast<double>(of_parameter[i].size());
      switch (found.parameters[i].found) {
        case Identifiability::unique:
          EXPECT_LT(mean, 1.15) << found.parameters[i].name;
          ++single;
          break;
        case Identifiability::locally:
          EXPECT_GT(mean, 1.15) << found.parameters[i].name;
          EXPECT_LT(mean, 6) << found.parameters[i].name;
          ++several;
          break;
        case Identifiability::never:
          EXPECT_GT(mean, 7) << found.parameters[i].name;
          ++curves;
          break;
        case Identifiability::finite: ADD_FAILURE() << "not decided"; break;
      }
    }
  }
  EXPECT_GT(several, 5U);
  EXPECT_GT(curves, 10U);
  EXPECT_GT(single, 3U);
}

// ---- ranks by singular values of derivatives in floating point

SignalFlowGraph random_graph_with(std::size_t parameters, std::mt19937& random) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parameters; ++k) names.push_back("q" + std::to_string(k)), graph.symbols.symbol(names.back());
  const auto gain = [&] {
    const std::string a = names[random() % parameters], b = names[random() % parameters];
    const std::array forms{a, a + "/s", "1/(s + " + a + ")", a + "*" + b, "-" + a, a + "/(" + b + "*s)", std::string("1")};
    return parse(forms[random() % forms.size()], graph.symbols);
  };
  const std::array nodes{"u", "x1", "x2", "x3", "y"};
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) graph.add_branch(graph.node(nodes[i]), graph.node(nodes[i + 1]), gain());
  for (int extra = 0; extra < 4; ++extra)
    graph.add_branch(graph.node(nodes[random() % 4]), graph.node(nodes[1 + random() % 4]), gain());
  return graph;
}

/// Of ∂T/∂q at random s and q, in 60 decimals by exact numbers.
std::size_t rank_by_singular_values(const SignalFlowGraph& graph, const std::vector<IdentifiableParameter>& parameters,
                                    std::mt19937& random) {
  const GiNaC::ex value = transfer_function(graph, question(graph, "u", "y")).value.expression();
  GiNaC::exmap point;
  for (const IdentifiableParameter& p : parameters)
    point[graph.symbols.at(p.name).expr] = GiNaC::numeric(static_cast<long>(211 + random() % 600)) / 401;
  const auto rows = static_cast<Eigen::Index>(3 * parameters.size());
  Eigen::MatrixXd jacobian(rows, static_cast<Eigen::Index>(parameters.size()));
  for (Eigen::Index r = 0; r < rows; ++r) {
    GiNaC::exmap here = point;
    here[graph.symbols.at("s").expr] = GiNaC::numeric(static_cast<long>(10 * r + 3)) / 71;
    for (Eigen::Index c = 0; c < jacobian.cols(); ++c)
      jacobian(r, c) =
          GiNaC::ex_to<GiNaC::numeric>(
              value.diff(GiNaC::ex_to<GiNaC::symbol>(graph.symbols.at(parameters[static_cast<std::size_t>(c)].name).expr))
                  .subs(here))
              .to_double();
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian);
  std::size_t rank = 0;
  for (Eigen::Index k = 0; k < svd.singularValues().size(); ++k)
    rank += svd.singularValues()[k] > 1e-10 * svd.singularValues()[0];
  return svd.singularValues()[0] == 0 ? 0 : rank;
}

TEST(Identifiable, HasTheRankThatSingularValuesHave) {
  std::mt19937 random(9);
  int models = 0;
  for (int model = 0; model < 30; ++model) {
    const SignalFlowGraph graph = random_graph_with(3, random);
    Identifiable found;
    try {
      found = identifiable(graph, std::array{question(graph, "u", "y")});
    } catch (const NoAnswer&) {
      continue;  // a singular graph
    }
    ++models;
    EXPECT_EQ(found.combinations.size(), rank_by_singular_values(graph, found.parameters, random)) << "model " << model;
    EXPECT_EQ(found.degrees_of_freedom + found.combinations.size(), found.parameters.size());
  }
  EXPECT_GT(models, 15);
}

// ---- other letters and other parameters

/// Parameters that are all found are replaced by functions of new ones: what is found of these is then known.
TEST(Identifiable, FollowsAChangeOfParameters) {
  std::mt19937 random(11);
  const std::vector<std::pair<std::string, char>> forms{{"P", '1'},       {"P^2", 'n'},  {"P*Q", '-'},       {"P/Q", '-'},
                                                        {"(P + Q)", '-'}, {"P^3", 'n'},  {"P/(P + Q)", '-'}, {"(P + 2)", '1'},
                                                        {"(1/P)", '1'},   {"P*Q^2", '-'}};
  for (int model = 0; model < 20; ++model) {
    std::string gain = "B0/(s^3 + B1*s^2 + B2*s + B3*B0)";
    Verdicts expected;
    std::vector<std::string> names;
    for (int k = 0; k < 4; ++k) {
      auto [form, verdict] = forms[random() % forms.size()];
      for (const char letter : {'P', 'Q'}) {
        const std::string name = std::string(1, letter == 'P' ? 'p' : 'q') + std::to_string(k);
        if (form.find(letter) == std::string::npos) continue;
        expected[name] = verdict;
        names.push_back(name);
        for (std::size_t at; (at = form.find(letter)) != std::string::npos;) form.replace(at, 1, name);
      }
      const std::string base = "B" + std::to_string(k);
      for (std::size_t at; (at = gain.find(base)) != std::string::npos;) gain.replace(at, base.size(), "(" + form + ")");
    }
    SCOPED_TRACE(gain);
    std::ranges::shuffle(names, random);
    const Identifiable found = found_of(gain, names, {}, static_cast<std::uint64_t>(model));
    EXPECT_EQ(verdicts(found), expected);
    EXPECT_EQ(found.combinations.size(), 4U);
    EXPECT_TRUE(found.generate);
  }
}

}  // namespace
}  // namespace sfg::identifiability
