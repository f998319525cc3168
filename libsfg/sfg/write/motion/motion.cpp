#include "sfg/write/motion/motion.hpp"

#include <ginac/ginac.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/motion/motion_parts.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Json = nlohmann::ordered_json;
using Matrix = EquationsOfMotion::Matrix;

Matrix column(const std::vector<ex>& entries) {
  Matrix result;
  for (const ex& entry : entries) result.push_back({entry});
  return result;
}

std::vector<ex> positions(const EquationsOfMotion& motion) {
  std::vector<ex> result;
  for (const auto& coordinate : motion.coordinates) result.push_back(coordinate.q);
  return result;
}

std::vector<ex> rates(const EquationsOfMotion& motion) {
  std::vector<ex> result;
  for (const auto& coordinate : motion.coordinates) result.push_back(coordinate.rate);
  return result;
}

/// Inputs with their derivatives as far as they occur: "z, Dz".
std::vector<ex> known_functions(const EquationsOfMotion& motion) {
  std::vector<ex> result;
  for (const auto& input : motion.inputs) result.insert(result.end(), input.derivatives.begin(), input.derivatives.end());
  return result;
}

std::vector<std::string> symbol_names_of(const std::vector<ex>& symbols) {
  std::vector<std::string> result;
  for (const ex& symbol : symbols) result.push_back(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name());
  return result;
}

Table unknowns(const EquationsOfMotion& motion) {
  std::vector<std::vector<Prose>> rows{{words("coordinates"), listed(symbol_names_of(positions(motion)))},
                                       {words("rates"), listed(symbol_names_of(rates(motion)))}};
  if (!motion.inputs.empty()) rows.push_back({words("inputs"), listed(symbol_names_of(known_functions(motion)))});
  return summary(std::move(rows));
}

void add_constraints(Page& page, const EquationsOfMotion& motion) {
  if (motion.constraints.empty()) return;
  page.add(Heading{words("Constraints")});
  Equations list{{}, {}, 1, true};
  for (const auto& constraint : motion.constraints) list.rows.push_back({math(constraint.stated()), {Math::number("0")}});
  page.add(std::move(list));
  add_matrix(page, "J", motion.jacobian());
}

}  // namespace

Page page(const EquationsOfMotion& motion) {
  Page page{motion.title, {}};
  page.add(unknowns(motion));
  page.add(Heading{
      words(motion.constraints.empty() ? "Equations of motion, M q'' = f" : "Equations of motion, M q'' = f + J^T lambda")});
  add_matrix(page, "M", motion.M);
  add_matrix(page, "f", column(motion.F));
  add_constraints(page, motion);
  add_definitions(page, motion, "With");
  add_notes(page, motion.notes);
  return page;
}

void write_json(std::ostream& out, const EquationsOfMotion& motion) {
  Json result{{"schema", "sfg/derive/1"}, {"title", motion.title}, {"variable", motion.op.symbol()}, {"form", "motion"}};
  result["coordinates"] = symbol_names_of(positions(motion));
  result["rates"] = symbol_names_of(rates(motion));
  result["inputs"] = Json::array();
  for (const auto& input : motion.inputs) result["inputs"].push_back(input.name);
  result["input_derivatives"] = Json::object();
  for (const auto& input : motion.inputs) result["input_derivatives"][input.name] = symbol_names_of(input.derivatives);
  result["parameters"] = occurring_parameters(motion);
  result["M"] = json::texts(motion.M);
  result["F"] = Json::array();
  for (const ex& force : motion.F) result["F"].push_back(print(force));
  result["constraints"] = Json::array();
  for (const auto& constraint : motion.constraints) result["constraints"].push_back(print(constraint.stated()));
  result["jacobian"] = json::texts(motion.jacobian());
  result["substitutions"] = Json::array();
  for (const auto& definition : motion.definitions)
    result["substitutions"].push_back({print(definition.symbol), print(definition.value)});
  result["warnings"] = json::texts(motion.notes, true);
  result["notes"] = json::texts(motion.notes, false);
  out << result.dump(2) << '\n';
}

}  // namespace sfg
