#include "sfg/write/motion/motion.hpp"

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/motion/motion_parts.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::numbers;

namespace {

constexpr int digits = 9;

Json by_name(const std::vector<std::pair<std::string, double>>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = number(value);
  return object;
}

std::vector<Prose> row_of(const std::string& name, const std::vector<double>& values) {
  std::vector<Prose> row{words(name)};
  for (const double value : values) row.push_back({number_math(value, digits)});
  return row;
}

Table table(std::vector<std::string> heads) {
  Table made{{{words(heads.front()), false, 0}}, {}, 1};
  for (std::size_t i = 1; i < heads.size(); ++i) made.columns.push_back({words(heads[i]), true, 14});
  return made;
}

}  // namespace

Page page(const MotionState& at) {
  Page page;
  page.add(Heading{words("At the state")});
  Table motion = table({"", "acceleration", "F"});
  for (std::size_t i = 0; i < at.accelerations.size(); ++i)
    motion.rows.push_back(row_of(at.accelerations[i].first, {at.accelerations[i].second, at.F[i]}));
  page.add(std::move(motion));
  std::vector<std::string> heads{"M"};
  for (const auto& [name, value] : at.accelerations) heads.push_back(name);
  Table inertia = table(heads);
  for (std::size_t i = 0; i < at.M.size(); ++i) inertia.rows.push_back(row_of(heads[i + 1], at.M[i]));
  page.add(std::move(inertia));
  if (!at.reactions.empty()) {
    Table reactions = table({"on the second body of", "fx", "fy", "fz", "mx", "my", "mz"});
    for (const auto& [joint, wrench] : at.reactions) reactions.rows.push_back(row_of(joint, {wrench.begin(), wrench.end()}));
    page.add(std::move(reactions));
  }
  if (!at.multipliers.empty()) {
    Table loops = table({"constraint", "multiplier", "residual", "of its rate"});
    for (std::size_t i = 0; i < at.multipliers.size(); ++i)
      loops.rows.push_back(
          row_of(at.multipliers[i].first, {at.multipliers[i].second, at.constraint_residual[i], at.velocity_residual[i]}));
    page.add(std::move(loops));
  }
  page.add(
      Paragraph{{"energies: kinetic ", number_math(at.kinetic, digits), ", potential ", number_math(at.potential, digits)}, 1});
  return page;
}

Json json::motion_state(const MotionState& at) {
  Json j{{"M", Json::array()},
         {"F", numbers(at.F)},
         {"accelerations", by_name(at.accelerations)},
         {"multipliers", by_name(at.multipliers)},
         {"reactions", Json::object()},
         {"constraint_residual", numbers(at.constraint_residual)},
         {"velocity_residual", numbers(at.velocity_residual)},
         {"rank", at.rank},
         {"kinetic", number(at.kinetic)},
         {"potential", number(at.potential)}};
  for (const auto& row : at.M) j["M"].push_back(numbers(row));
  for (const auto& [joint, wrench] : at.reactions) j["reactions"][joint] = numbers({wrench.begin(), wrench.end()});
  return j;
}

}  // namespace sfg
