#pragma once
// Equation systems of strings, for tests.
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sfg/expr/parse.hpp"
#include "sfg/model/equations.hpp"

namespace sfg::test {

struct SystemText {
  std::vector<std::string> unknowns;
  std::vector<std::map<std::string, std::string>> equations;
  std::map<std::string, std::vector<std::string>> sources = {};
  std::map<std::string, std::string> parameters = {};
};

inline EquationSystem system_of(const SystemText& text) {
  EquationSystem system;
  system.op.declare(system.symbols);
  for (const auto& [name, value] : text.parameters) {
    Symbol symbol;
    symbol.name = name;
    symbol.value = parse(value, system.symbols);
    system.symbols.add(symbol);
  }
  std::map<std::string, std::size_t> column;
  for (const std::string& name : text.unknowns) {
    column[name] = system.unknowns.size();
    system.unknowns.push_back({name, {}});
  }
  for (const auto& [name, entries] : text.sources) system.sources.push_back({name, SourceKind::input, {}});
  for (std::size_t i = 0; i < text.equations.size(); ++i) {
    EquationSystem::Equation equation;
    equation.name = "eq" + std::to_string(i + 1);
    for (const auto& [name, value] : text.equations[i]) equation.left[column.at(name)] = parse(value, system.symbols);
    std::size_t source = 0;
    for (const auto& [name, entries] : text.sources) {
      const GiNaC::ex entry = parse(entries[i], system.symbols);
      if (!entry.is_zero()) equation.right[source] = entry;
      ++source;
    }
    system.equations.push_back(std::move(equation));
  }
  return system;
}

/// A case of pivot_cases.json.
inline EquationSystem pivot_system(const nlohmann::ordered_json& expected) {
  SystemText text;
  expected.at("unknowns").get_to(text.unknowns);
  expected.at("equations").get_to(text.equations);
  expected.at("sources").get_to(text.sources);
  expected.at("parameters").get_to(text.parameters);
  return system_of(text);
}

}  // namespace sfg::test
