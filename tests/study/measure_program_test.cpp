// Measures in double precision with their derivatives, against the certified passes and against exact derivatives.
#include "sfg/study/measure_program.hpp"

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
#include "sfg/study/exact_measure.hpp"

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

}  // namespace
}  // namespace sfg
