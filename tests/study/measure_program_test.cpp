// Measures in double precision with their derivatives, against the certified passes and against exact derivatives.
#include "sfg/study/measures/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "sfg/control/open_loop.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/study/measures/exact_measure.hpp"
#include "sfg/transfer/pade_graph.hpp"

namespace sfg {
namespace {

using Json = nlohmann::json;

SignalFlowGraph graph_of(const Json& model) {
  if (model.contains("toml"))
    return from_equations(derive(std::get<Model>(read_toml(model["toml"].get<std::string>(), "model")))).graph;
  SignalFlowGraph graph;
  if (model.contains("variable")) graph.op = Operator(model["variable"].get<std::string>());
  if (model.contains("sample_time"))
    graph.op = graph.op.sampled(exact_value(parse_number(model["sample_time"].get<std::string>())));
  graph.op.declare(graph.symbols);
  const auto node = [&](const std::string& name) { return graph.find(name) ? *graph.find(name) : graph.node(name); };
  for (const Json& branch : model["branches"]) {
    const NodeId from = node(branch[0]), to = node(branch[1]);
    graph.add_branch(from, to, parse(branch[2].get<std::string>(), graph.symbols));
  }
  for (const auto& [name, value] : model["parameters"].items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (Symbol* symbol = graph.symbols.find(name)) symbol->value = parse_number(text);
  }
  return graph;
}

std::vector<std::string> parameters_of(const SignalFlowGraph& graph) {
  std::vector<std::string> names;
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.kind == SymbolKind::parameter && symbol.value) names.push_back(symbol.name);
  return names;
}

TEST(MeasureProgram, PublishedMeasuresAndDerivatives) {
  const Json cases = Json::parse(std::ifstream(SFG_TEST_DATA "/measures.json"));
  for (const Json& item : cases) {
    SCOPED_TRACE(item["id"].get<std::string>());
    MeasuredSystem system{graph_of(item["model"]), {}, {}};
    system.question = question(system.graph, item["input"].get<std::string>(), item["output"].get<std::string>());
    if (item.contains("break")) {
      const std::string text = item["break"];
      const std::size_t comma = text.find(',');
      OpenLoop loop =
          open_loop(system.graph, *system.graph.find(text.substr(0, comma)), *system.graph.find(text.substr(comma + 1)));
      system.loop = {std::move(loop.graph), loop.question};
    }
    std::vector<Measure> measures;
    for (const Json& m : item["measures"]) measures.push_back(measure_of(m["measure"], system.graph.symbols));
    const std::vector<std::string> names = parameters_of(system.graph);
    const MeasureProgram program(system, measures, names);
    const LocalMeasures found = program.at(program.nominal());
    std::vector<double> values(measures.size());
    program.evaluate(1, program.nominal(), values);
    for (std::size_t i = 0; i < measures.size(); ++i) {
      SCOPED_TRACE(measures[i].text);
      const double want = item["measures"][i]["value"];
      EXPECT_NEAR(found.value[i], want, 1e-9 * std::abs(want) + 1e-11);
      EXPECT_NEAR(values[i], want, 1e-9 * std::abs(want) + 1e-11);
      for (std::size_t k = 0; k < names.size(); ++k) {
        if (!item["measures"][i]["derivatives"].contains(names[k])) continue;
        const double slope = item["measures"][i]["derivatives"][names[k]];
        const double natural = std::max(std::abs(want), 1e-6) / std::abs(program.nominal()[k]);
        EXPECT_NEAR(found.derivative[i * names.size() + k], slope, 1e-8 * std::abs(slope) + 1e-9 * natural) << names[k];
      }
    }
  }
}

/// A chain of first- and second-order parts in a loop, with four parameters.
SignalFlowGraph random_graph(std::mt19937& random, bool discrete, bool delayed) {
  SignalFlowGraph graph;
  if (discrete) graph.op = Operator("z").sampled(exact::Rational(1) / 10);
  graph.op.declare(graph.symbols);
  const NodeId r = graph.node("r"), e = graph.node("e"), x = graph.node("x"), y = graph.node("y");
  const auto branch = [&](NodeId from, NodeId to, const std::string& gain) {
    graph.add_branch(from, to, parse(gain, graph.symbols));
  };
  const auto pick = [&](std::initializer_list<const char*> list) {
    return std::string(*(list.begin() + std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)));
  };
  if (discrete) {
    branch(e, x, pick({"a/(z - b/4)", "a*(z + 1/2)/(z^2 - b/2*z + c/8)"}));
    branch(x, y, pick({"1/(z - c/8)", "(z + d)/(z^2 + d/4)", "1/z"}));
    branch(y, e, pick({"-d/8", "-1/10"}));
  } else {
    branch(e, x, pick({"a/(s + b)", "a/(s^2 + b*s + 4*c)", "a*(s + d)/(s^2 + b/8*s + 20)", "a*(s - 9*d)/((s + b)*(s + 7*c))"}));
    branch(x, y, pick({"1/(s + c)", "(s + 2)/(s^2 + d/4*s + 3*c)", "1/(1 + s/(9*d))", delayed ? "1/(s + 3)" : "3*d"}));
    branch(y, e, pick({"-d", "-1/5", "-c/4"}));
  }
  branch(r, e, delayed ? "exp(-d/3*s)" : "1");
  for (const char* name : {"a", "b", "c", "d"}) {
    if (!graph.symbols.find(name)) graph.symbols.symbol(name);
    graph.symbols.find(name)->value = GiNaC::numeric(std::uniform_int_distribution<int>(6, 20)(random), 10);
  }
  return graph;
}

std::vector<Measure> all_measures(const SymbolTable& symbols, bool discrete) {
  std::vector<Measure> measures;
  for (const char* text :
       {"dc",        "gain@0.7",    "db@5",         "phase@0.1",      "phase@4",      "phase@25", "peak",    "peak-frequency",
        "bandwidth", "gain-margin", "phase-margin", "modulus-margin", "delay-margin", "abscissa", "damping", "frequency:1",
        "damping:2", "frequency:2", "step@1.1",     "peak/dc + a^2",  "disk-margin",  "dc-error", "Kp",      "Kv",
        "type"})
    measures.push_back(measure_of(text, symbols));
  if (!discrete)
    for (const char* text : {"rise", "settling", "overshoot", "final"}) measures.push_back(measure_of(text, symbols));
  return measures;
}

struct Case {
  MeasuredSystem system;
  std::vector<std::string> names;
  std::vector<Measure> measures;
  MeasureProgram program;
};

/// Every fourth in z, every fourth with dead time.
Case random_case(std::mt19937& random, int round) {
  const bool discrete = round % 4 == 3, delayed = round % 4 == 2;
  MeasuredSystem system{random_graph(random, discrete, delayed), {}, {}};
  system.question = question(system.graph, "r", "y");
  const std::vector<std::string> names{"a", "b", "c", "d"};
  const std::vector<Measure> measures = all_measures(system.graph.symbols, discrete);
  return {system, names, measures, MeasureProgram(system, measures, names)};
}

ExactTransfer transfer_at(SignalFlowGraph graph, const Question& question, std::span<const std::string> names,
                          std::span<const double> point) {
  for (std::size_t k = 0; k < names.size(); ++k)
    graph.symbols.find(names[k])->value = numeric_value(exact::Rational::of(point[k]));
  return exact_transfers(graph, std::span(&question, 1)).front();
}

TEST(MeasureProgram, EveryPointIsThatOfTheCertifiedPasses) {
  std::mt19937 random(5);
  std::size_t compared = 0;
  for (int round = 0; round < 24; ++round) {
    SCOPED_TRACE(round);
    const auto& [system, names, measures, program] = random_case(random, round);
    constexpr std::size_t points = 3;
    std::vector<double> columns(names.size() * points), values(measures.size() * points);
    for (std::size_t k = 0; k < names.size(); ++k)
      for (std::size_t p = 0; p < points; ++p)
        columns[k * points + p] = program.nominal()[k] * std::uniform_real_distribution(0.7, 1.3)(random);
    program.evaluate(points, columns, values);
    for (std::size_t p = 0; p < points; ++p) {
      std::vector<double> point;
      for (std::size_t k = 0; k < names.size(); ++k) point.push_back(columns[k * points + p]);
      const ExactTransfer T = transfer_at(system.graph, system.question, names, point);
      for (std::size_t m = 0; m < measures.size(); ++m) {
        if (!measures[m].base() || measures[m].base()->mode > 0) continue;  // modes are followed, not counted anew
        SCOPED_TRACE(measures[m].text);
        std::optional<double> want;
        try {
          want = exact_measure(T, T, *measures[m].base());
        } catch (const NoAnswer&) {
          continue;
        }
        const double found = values[m * points + p];
        ++compared;
        ASSERT_EQ(std::isnan(found), !want) << found << " " << want.value_or(0);
        if (want) {
          EXPECT_NEAR(found, *want, 1e-8 * std::abs(*want) + 1e-9);
        }
      }
    }
  }
  EXPECT_GT(compared, 1000U);
}

/// Derivatives against differences of values, which are another computation: no slope is made for them.
TEST(MeasureProgram, GradientsAreThoseOfTheValues) {
  std::mt19937 random(8);
  std::size_t compared = 0;
  for (int round = 0; round < 24; ++round) {
    SCOPED_TRACE(round);
    const auto& [system, names, measures, program] = random_case(random, round);
    std::vector<double> point(program.nominal().begin(), program.nominal().end());
    for (double& x : point) x *= std::uniform_real_distribution(0.9, 1.1)(random);
    const LocalMeasures local = program.at(point);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto value = [&, &measures = measures, &program = program](double step) {
        std::vector<double> moved = point, values(measures.size());
        moved[k] += step;
        program.evaluate(1, moved, values);
        return values;
      };
      const double h = 1e-4 * point[k];
      const auto up = value(h), down = value(-h), up2 = value(2 * h), down2 = value(-2 * h);
      for (std::size_t m = 0; m < measures.size(); ++m) {
        const double difference = (8 * (up[m] - down[m]) - (up2[m] - down2[m])) / (12 * h);
        const double slope = local.derivative[m * names.size() + k];
        if (std::isnan(difference) || std::isnan(local.value[m])) continue;
        if (std::abs(up[m] - down[m]) > 0.05 * std::abs(local.value[m]) + 0.1) continue;  // a jump lies between
        SCOPED_TRACE(measures[m].text + " by " + names[k]);
        ++compared;
        EXPECT_NEAR(slope, difference, 1e-5 * std::abs(difference) + 1e-6 * (1 + std::abs(local.value[m])));
      }
    }
  }
  EXPECT_GT(compared, 1000U);
}

/// A simulated response has the figures of the linear one that it is.
TEST(MeasureProgram, SimulatedResponsesHaveTheirFigures) {
  SignalFlowGraph graph;
  graph.op.declare(graph.symbols);
  const NodeId u = graph.node("u"), y = graph.node("y");
  graph.add_branch(u, y, parse("4*k/(s^2 + s + 4)", graph.symbols));
  graph.symbols.find("k")->value = 2;
  MeasuredSystem system{graph, question(graph, "u", "y"), {}};
  std::vector<Measure> measures;
  for (const char* text : {"final", "rise", "settling", "overshoot", "step@0.75", "overshoot/k"})
    measures.push_back(measure_of(text, graph.symbols));
  const MeasureProgram linear(system, measures, {"k"});
  system.simulated =
      SimulatedStep{[&](std::span<const std::string> names, std::span<const double> values, std::span<const double> times) {
                      return step_response(transfer_at(graph, system.question, names, values), times);
                    },
                    30};
  const MeasureProgram simulated(system, measures, {"k"});
  const double k = 3;
  std::vector<double> want(measures.size()), found(measures.size());
  linear.evaluate(1, std::span(&k, 1), want);
  simulated.evaluate(1, std::span(&k, 1), found);
  for (std::size_t m = 0; m < measures.size(); ++m) EXPECT_NEAR(found[m], want[m], 2e-3 * want[m]) << measures[m].text;
  EXPECT_THROW(MeasureProgram(system, {measure_of("peak", {})}, {"k"}), NoAnswer);
}

/// Dead time inside a loop: by the method of steps, and by Padé approximants as polynomials with the dead time still a symbol.
TEST(MeasureProgram, DeadTimeInsideALoop) {
  SignalFlowGraph graph;
  graph.op.declare(graph.symbols);
  const NodeId r = graph.node("r"), e = graph.node("e"), y = graph.node("y");
  graph.add_branch(r, e, 1);
  graph.add_branch(e, y, parse("K*exp(-h*s)/(s*(2*s + 1))", graph.symbols));
  graph.add_branch(y, e, -1);
  graph.symbols.find("K")->value = GiNaC::numeric(1, 2);
  graph.symbols.find("h")->value = GiNaC::numeric(2, 5);
  const auto system = [&](const SignalFlowGraph& of) { return MeasuredSystem{of, question(of, "r", "y"), {}}; };
  std::vector<Measure> measures;
  for (const char* text : {"overshoot", "rise", "settling", "final", "step@3", "gain@1"})
    measures.push_back(measure_of(text, graph.symbols));
  const MeasureProgram exactly(system(graph), measures, {"K", "h"}), nearly(system(pade(graph, 6)), measures, {"K", "h"});
  const std::vector<double> point{0.45, 0.5};
  std::vector<double> want(measures.size()), found(measures.size());
  exactly.evaluate(1, point, want);
  nearly.evaluate(1, point, found);
  for (std::size_t m = 0; m < measures.size(); ++m) EXPECT_NEAR(found[m], want[m], 2e-3 * std::abs(want[m])) << measures[m].text;
  const MeasureProgram poles(system(graph), {measure_of("abscissa", {})}, {"K"});
  EXPECT_THROW(poles.evaluate(1, poles.nominal(), found), NoAnswer);
  EXPECT_TRUE(std::isfinite(nearly.at(point).derivative[1]));
}

}  // namespace
}  // namespace sfg
