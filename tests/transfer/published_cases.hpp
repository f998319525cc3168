#pragma once
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "graphs/families.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg::test {

inline nlohmann::json data(const std::string& name) {
  std::ifstream file(SFG_TEST_DATA "/" + name);
  if (!file) throw std::runtime_error("no test data " + name);
  return nlohmann::json::parse(file);
}

/// Members of the families with their known values.
inline std::vector<nlohmann::json> families() {
  return data("sfg_families.json").at("families").get<std::vector<nlohmann::json>>();
}

/// A question of a published or constructed graph and what is known of the answer.
struct PublishedCase {
  std::string id;
  SignalFlowGraph graph;
  Question question;
  nlohmann::json known;  ///< transfer, expect, n_loops_merged, …
};

inline std::vector<PublishedCase> published_cases() {
  std::vector<PublishedCase> found;
  const nlohmann::json all = data("sfg_cases.json");
  for (const auto& item : all.at("cases")) {
    std::vector<Arrow> arrows;
    for (const auto& branch : item.at("branches")) arrows.push_back({branch.at("from"), branch.at("to"), branch.at("gain")});
    SignalFlowGraph graph = graph_of(arrows);
    for (const auto& name : item.value("isolated_nodes", std::vector<std::string>{})) graph.node(name);
    std::vector<nlohmann::json> asked{item};
    for (const auto& extra : item.value("extra", nlohmann::json::array())) {
      nlohmann::json merged = item;
      merged.update(extra);
      asked.push_back(std::move(merged));
    }
    for (const auto& known : asked) {
      const auto node = [&](const char* key) { return graph.find(known.at(key).get<std::string>()).value(); };
      Question question{node("input"), node("output"), Question::Mode::source, {}};
      if (known.at("mode") == "ratio") {
        question.mode = Question::Mode::ratio;
        question.reference = node("reference");
      } else if (!graph.entering(question.input).empty()) {
        question.mode = Question::Mode::inject;
      }
      found.push_back({item.at("id").get<std::string>() + " " + known.at("input").get<std::string>(), graph, question, known});
    }
  }
  return found;
}

}  // namespace sfg::test
