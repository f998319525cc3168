#pragma once
// Models of the data files and of strings, for the tests of the derivation.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/lagrangian.hpp"

namespace sfg::test {

inline std::string text_of(const std::string& name) {
  std::ifstream in(std::string(SFG_TEST_DATA) + "/lagrange/" + name);
  EXPECT_TRUE(in) << name;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline nlohmann::ordered_json data(const std::string& name) { return nlohmann::ordered_json::parse(text_of(name)); }

/// A Lagrangian from strings, as a reader fills it.
struct LagrangianText {
  std::vector<std::string> coordinates = {}, redundant = {}, excitations = {};
  std::map<std::string, std::string> forces = {};
  std::vector<std::pair<std::string, std::string>> auxiliaries = {};
  std::vector<std::string> T = {}, Pi = {}, Phi = {};
  std::map<std::string, std::string> parameters = {};
  std::map<std::string, std::string> static_forces = {};
  std::vector<std::string> order = {};  ///< of K; empty: coordinates, redundant, excitations
};

inline SourceSpan place(std::uint32_t line) { return {std::make_shared<const std::string>("model.toml"), line, 1, 1}; }

inline Lagrangian lagrangian(const LagrangianText& text) {
  Lagrangian model;
  model.where = place(1);
  std::uint32_t line = 1;
  const auto add_variables = [&](const std::vector<std::string>& names, Lagrangian::Role role) {
    for (const std::string& name : names) {
      Lagrangian::Variable variable;
      variable.name = name;
      variable.role = role;
      variable.where = place(++line);
      if (const auto force = text.forces.find(name); force != text.forces.end()) variable.force = force->second;
      model.variables.push_back(variable);
    }
  };
  add_variables(text.coordinates, Lagrangian::Role::principal);
  add_variables(text.redundant, Lagrangian::Role::redundant);
  add_variables(text.excitations, Lagrangian::Role::excitation);
  const auto rank = [&](const Lagrangian::Variable& v) { return std::find(text.order.begin(), text.order.end(), v.name); };
  std::stable_sort(model.variables.begin(), model.variables.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  for (const auto& [name, value] : text.parameters) {
    Symbol symbol;
    symbol.name = name;
    symbol.value = parse(value, model.symbols);
    model.symbols.add(symbol);
  }
  for (const auto& [name, value] : text.auxiliaries) {
    Lagrangian::Auxiliary auxiliary;
    auxiliary.name = name;
    auxiliary.value = parse(value, model.symbols);
    auxiliary.where = place(++line);
    model.auxiliaries.push_back(auxiliary);
  }
  const auto energy = [&](const std::vector<std::string>& summands) {
    std::vector<Lagrangian::Energy> result;
    for (const std::string& summand : summands) result.push_back({parse(summand, model.symbols), place(++line)});
    return result;
  };
  model.T = energy(text.T);
  model.Pi = energy(text.Pi);
  model.Phi = energy(text.Phi);
  for (const auto& [name, value] : text.static_forces) model.static_forces[name] = parse(value, model.symbols);
  return model;
}

/// The "input" of a data file.
inline Lagrangian lagrangian(const nlohmann::ordered_json& input) {
  LagrangianText text;
  input.at("coordinates").get_to(text.coordinates);
  if (input.contains("redundant")) input["redundant"].get_to(text.redundant);
  if (input.contains("excitations")) input["excitations"].get_to(text.excitations);
  if (input.contains("forces")) input["forces"].get_to(text.forces);
  if (input.contains("k_order")) input["k_order"].get_to(text.order);
  if (input.contains("static_forces")) input["static_forces"].get_to(text.static_forces);
  if (input.contains("auxiliary"))
    for (const auto& [name, value] : input["auxiliary"].items()) text.auxiliaries.emplace_back(name, value);
  text.T = {input.at("T")};
  text.Pi = {input.at("Pi")};
  text.Phi = {input.at("Phi")};
  for (const auto& [name, value] : input.at("parameters").items())
    text.parameters[name] = value.is_object() ? value["exact"].get<std::string>() : value.get<std::string>();
  return lagrangian(text);
}

inline ::testing::AssertionResult equal(const GiNaC::ex& a, const GiNaC::ex& b) {
  if (vanishes(a - b)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << print(a) << " is not " << print(b);
}

/// The same with the second as text over the symbols of a table.
inline ::testing::AssertionResult equal(const GiNaC::ex& a, const std::string& b, const SymbolTable& symbols) {
  return equal(a, parse_known(b, symbols));
}

/// The message of the sfg::Error that a call throws; "" when it throws none.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace sfg::test
