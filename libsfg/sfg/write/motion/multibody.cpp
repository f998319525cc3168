#include "sfg/write/motion/motion.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
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

std::vector<std::string> coordinates(const EquationsOfMotion& motion) {
  std::vector<std::string> names;
  for (const auto& coordinate : motion.coordinates) names.push_back(coordinate.name);
  return names;
}

std::vector<std::string> speeds(const EquationsOfMotion& motion) {
  std::vector<std::string> names;
  for (const auto& speed : motion.speeds) names.push_back(speed.name);
  return names;
}

/// With the rates and accelerations of those that move constraints.
std::vector<std::string> inputs(const EquationsOfMotion& motion) {
  std::vector<std::string> names;
  for (const auto& input : motion.inputs)
    for (const ex& symbol : input.derivatives) names.push_back(print(symbol));
  return names;
}

/// Of inputs that move constraints: u, u', u''; and what their rates J v lack: ∂φ/∂t with that of the inputs.
void add_prescribed(Json& result, const EquationsOfMotion& motion) {
  for (const auto& input : motion.inputs)
    if (input.derivatives.size() > 1) result["input_derivatives"][input.name] = json::texts(input.derivatives);
  if (std::ranges::all_of(motion.constraints, [](const auto& each) { return each.rate.is_zero(); })) return;
  for (const auto& constraint : motion.constraints) result["constraint_rates"].push_back(print(constraint.rate));
}

std::vector<std::vector<ex>> rows_of_constraints(const EquationsOfMotion& motion) {
  std::vector<std::vector<ex>> rows;
  for (const auto& constraint : motion.constraints) rows.push_back(constraint.row);
  return rows;
}

std::string rounded_count(double operations) {
  const ex rounded = GiNaC::numeric(operations);
  return operations < 1e15 ? std::to_string(static_cast<long long>(operations))
                           : print(ex(GiNaC::ex_to<GiNaC::numeric>(rounded)));
}

Table overview(const MultibodyEquations& equations) {
  const EquationsOfMotion& motion = equations.motion;
  std::vector<std::vector<Prose>> rows{{words("coordinates"), listed(coordinates(motion))},
                                       {words("speeds"), listed(speeds(motion))}};
  if (!motion.inputs.empty()) rows.push_back({words("inputs"), listed(inputs(motion))});
  rows.push_back({words("substitutions"), words(std::to_string(motion.definitions.size()))});
  rows.push_back(
      {words("operations"), words(std::to_string(equations.operations.substituted) + " of M and F with substitutions, " +
                                  rounded_count(equations.operations.direct) + " with everything put in")});
  return summary(std::move(rows));
}

void add_constraint_table(Page& page, const EquationsOfMotion& motion) {
  if (motion.constraints.empty()) return;
  page.add(Heading{words("Constraints, J v' = gamma")});
  Table table{{{words("constraint")}, {words("value, which is 0")}, {words("multiplier")}, {words("gamma")}}, {}, 1};
  for (const auto& constraint : motion.constraints)
    table.rows.push_back(
        {words(constraint.name), {math(constraint.stated())}, {math(constraint.multiplier)}, {math(constraint.gamma)}});
  page.add(std::move(table));
  add_matrix(page, "J", rows_of_constraints(motion));
}

/// The rates of coordinates that no speed is by itself: of quaternions.
void add_rates(Page& page, const EquationsOfMotion& motion) {
  Equations list{{}, {}, 1, true};
  for (const auto& coordinate : motion.coordinates)
    if (!GiNaC::is_exactly_a<GiNaC::symbol>(coordinate.rate))
      list.rows.push_back({math(GiNaC::symbol("D" + coordinate.name)), {math(coordinate.rate)}});
  if (list.rows.empty()) return;
  page.add(Heading{words("Rates of coordinates")});
  page.add(std::move(list));
}

/// A value at rest; of one that was searched no more digits than one reads.
Math at_rest(const ex& value) {
  constexpr std::size_t longest = 16;
  if (!GiNaC::is_exactly_a<GiNaC::numeric>(value) || print(value).size() <= longest) return math(value);
  const double number = GiNaC::ex_to<GiNaC::numeric>(value).to_double();
  const Math digits = Math::number(fmt::format("{:.9g}", std::abs(number)));
  return number < 0 ? Math::negative(digits) : digits;
}

void add_small(Page& page, const MultibodyLinearization& small) {
  page.add(Heading{words("Small motions, M y'' + C y' + K y = B u")});
  std::vector<std::vector<Prose>> rows{{words("displacements"), listed(small.coordinates)}};
  if (!small.rate_rows.empty()) rows.push_back({words("rows that constrain rates"), listed(small.rate_rows)});
  for (const auto& [name, value] : small.point)
    if (!value.is_zero()) rows.push_back({{"at ", Math::name(name)}, {at_rest(value)}});
  page.add(summary(std::move(rows)));
  add_matrix(page, "M", small.M);
  add_matrix(page, "C", small.C);
  add_matrix(page, "K", small.K);
  if (!small.inputs.empty()) add_matrix(page, "B", small.B);
  add_notes(page, small.notes);
}

Json linear(const MultibodyLinearization& small) {
  Json result{{"coordinates", small.coordinates},
              {"inputs", small.inputs},
              {"M", json::texts(small.M)},
              {"C", json::texts(small.C)},
              {"K", json::texts(small.K)},
              {"B", json::texts(small.B)},
              {"displacements", small.displacements},
              {"R", json::texts(small.R)}};
  if (!small.rate_rows.empty()) result["rate_rows"] = small.rate_rows;
  result["point"] = Json::object();
  for (const auto& [name, value] : small.point) result["point"][name] = print(value);
  result["multipliers"] = Json::object();
  for (const auto& [name, value] : small.multipliers) result["multipliers"][name] = print(value);
  result["exact"] = small.exact;
  result["residual"] = small.residual;
  return result;
}

}  // namespace

Page page(const MultibodyAnswer& answer) {
  const MultibodyEquations& equations = answer.equations;
  const EquationsOfMotion& motion = equations.motion;
  Page page{motion.title, {}};
  page.add(overview(equations));
  page.add(Heading{
      words(motion.constraints.empty() ? "Equations of motion, M v' = F" : "Equations of motion, M v' = F + J^T lambda")});
  add_matrix(page, "M", motion.M);
  std::vector<std::vector<ex>> column;
  for (const ex& force : motion.F) column.push_back({force});
  add_matrix(page, "F", column);
  add_constraint_table(page, motion);
  add_rates(page, motion);
  add_definitions(page, motion, "Substitutions, in the order of evaluation");
  if (answer.small) add_small(page, *answer.small);
  if (answer.at) page.add(sfg::page(*answer.at));
  add_notes(page, equations.notes);
  return page;
}

void write_json(std::ostream& out, const MultibodyAnswer& answer) {
  const MultibodyEquations& equations = answer.equations;
  const EquationsOfMotion& motion = equations.motion;
  Json result{{"schema", "sfg/derive/1"}, {"title", motion.title}, {"variable", motion.op.symbol()}, {"form", "multibody"}};
  result["coordinates"] = coordinates(motion);
  result["speeds"] = speeds(motion);
  result["rates"] = Json::array();
  for (const auto& coordinate : motion.coordinates) result["rates"].push_back(print(coordinate.rate));
  result["parameters"] = occurring_parameters(motion);
  result["inputs"] = Json::array();
  for (const auto& input : motion.inputs) result["inputs"].push_back(input.name);
  result["M"] = json::texts(motion.M);
  result["F"] = json::texts(motion.F);
  result["constraints"] = Json::array();
  for (const auto& constraint : motion.constraints) result["constraints"].push_back(print(constraint.stated()));
  result["constraint_names"] = Json::array();
  for (const auto& constraint : motion.constraints) result["constraint_names"].push_back(constraint.name);
  result["jacobian"] = json::texts(rows_of_constraints(motion));
  result["gamma"] = Json::array();
  for (const auto& constraint : motion.constraints) result["gamma"].push_back(print(constraint.gamma));
  add_prescribed(result, motion);
  result["substitutions"] = Json::array();
  for (const auto& definition : motion.definitions)
    result["substitutions"].push_back({print(definition.symbol), print(definition.value)});
  result["operations"] = {{"direct", equations.operations.direct}, {"substituted", equations.operations.substituted}};
  if (answer.small) result["linear"] = linear(*answer.small);
  if (answer.at) result["at"] = json::motion_state(*answer.at);
  std::vector<Diagnostic> notes = equations.notes;
  if (answer.small) notes.insert(notes.end(), answer.small->notes.begin(), answer.small->notes.end());
  if (answer.at) notes.insert(notes.end(), answer.at->notes.begin(), answer.at->notes.end());
  result["warnings"] = json::texts(notes, true);
  result["notes"] = json::texts(notes, false);
  out << result.dump(2) << '\n';
}

}  // namespace sfg
