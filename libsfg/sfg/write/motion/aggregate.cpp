#include "sfg/write/motion/motion.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

/// "rotation about z"; "none" of a weld.
std::string freedom_text(const Aggregate::Freedom& free) {
  std::string text;
  for (std::size_t k = 0; k < 6; ++k)
    if (free[k])
      text += (text.empty() ? "" : ", ") + std::string(k < 3 ? "displacement along " : "rotation about ") + "xyz"[k % 3];
  return text.empty() ? "none" : text;
}

Math letter(const char* of, const std::vector<std::string>& indices) {
  std::vector<Math> names;
  for (const std::string& index : indices) names.push_back(Math::word(index));
  return Math::element(Math::bold(of), std::move(names));
}

/// q''[hub] = A[hub] + Q0[hub] - B[hub, C1]*W[C1].
Equation part_equation(const AggregateDescription::Part& part) {
  std::vector<Math> terms{letter("A", {part.name}), letter("Q0", {part.name})};
  for (const std::string& c : part.plus) terms.push_back(Math::product({letter("B", {part.name, c}), letter("W", {c})}));
  for (const std::string& c : part.minus)
    terms.push_back(Math::negative(Math::product({letter("B", {part.name, c}), letter("W", {c})})));
  return {letter("q''", {part.name}), {Math::sum(std::move(terms))}};
}

Math side_of_joint(const AggregateDescription& aggregate, const std::string& part, const std::string& connection) {
  for (const auto& each : aggregate.parts)
    if (each.name == part && each.accelerations == 0) return letter("C", {part, connection});
  return Math::sum({letter("C", {part, connection}), Math::product({letter("D", {part, connection}), letter("q''", {part})})});
}

void add_equations(Page& page, const AggregateDescription& aggregate) {
  page.add(Heading{words("Equations")});
  Equations list{{}, {}, 1};
  for (const auto& part : aggregate.parts)
    if (part.accelerations > 0) list.rows.push_back(part_equation(part));
  for (const auto& connection : aggregate.connections)
    list.rows.push_back({side_of_joint(aggregate, connection.first, connection.name),
                         {side_of_joint(aggregate, connection.second, connection.name)},
                         connection.wrench == 6 ? Prose{} : words("where nothing is free")});
  page.add(std::move(list));
  page.add(
      Paragraph{words("W is the force and moment of the first part of a connection on its second, C + D q'' the acceleration "
                      "and angular acceleration of its place; inertial components."),
                1});
}

void add_state(Page& page, const AggregateDescription& aggregate) {
  const auto& at = *aggregate.at;
  page.add(Heading{words("At this state")});
  Table accelerations{{{words("part")}, {words("q''")}}, {}, 1};
  for (std::size_t k = 0; k < aggregate.parts.size(); ++k) {
    std::vector<Prose> numbers;
    for (const double a : at.accelerations[k]) numbers.push_back({number_math(a)});
    if (!numbers.empty()) accelerations.rows.push_back({words(aggregate.parts[k].name), joined(numbers, ", ")});
  }
  page.add(std::move(accelerations));
  Table wrenches{{{words("connection")}, {words("force")}, {words("moment")}}, {}, 1};
  for (std::size_t k = 0; k < aggregate.connections.size(); ++k) {
    const auto three = [&](std::size_t from) {
      std::vector<Prose> numbers;
      for (std::size_t i = from; i < from + 3; ++i) numbers.push_back({number_math(at.wrenches[k][i])});
      return joined(numbers, ", ");
    };
    wrenches.rows.push_back({words(aggregate.connections[k].name), three(0), three(3)});
  }
  if (!wrenches.rows.empty()) page.add(std::move(wrenches));
  constexpr double rounding = 1e-12;
  page.add(Paragraph{at.whole_system < rounding ? words("LU of all equations at once gives the same")
                                                : Prose{"LU of all equations at once differs from this by ",
                                                        number_math(at.whole_system, 2), " relative"},
                     1, true});
}

/// A matrix of so many columns, by rows.
Json rows_of(const std::vector<double>& entries, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t k = 0; k < entries.size(); k += columns)
    rows.push_back(std::vector<double>(entries.begin() + std::ptrdiff_t(k), entries.begin() + std::ptrdiff_t(k + columns)));
  return rows;
}

Json state_json(const AggregateDescription& aggregate) {
  Json result{{"accelerations", Json::object()}, {"wrenches", Json::object()}, {"letters", Json::object()}};
  const auto& at = *aggregate.at;
  for (std::size_t k = 0; k < aggregate.parts.size(); ++k) {
    const auto& part = aggregate.parts[k];
    if (part.accelerations == 0) continue;
    result["accelerations"][part.name] = at.accelerations[k];
    Json letters{{"A", at.letters[k].A}, {"Q0", at.letters[k].Q0}};
    for (const char* name : {"B", "C", "D"}) letters[name] = Json::object();
    std::size_t place = 0;
    for (const auto& connection : aggregate.connections) {
      if (connection.first != part.name && connection.second != part.name) continue;
      letters["B"][connection.name] = rows_of(at.letters[k].B[place], 6);
      letters["C"][connection.name] = at.letters[k].C[place];
      letters["D"][connection.name] = rows_of(at.letters[k].D[place++], part.accelerations);
    }
    result["letters"][part.name] = std::move(letters);
  }
  for (std::size_t k = 0; k < aggregate.connections.size(); ++k)
    result["wrenches"][aggregate.connections[k].name] = at.wrenches[k];
  result["whole_system"] = at.whole_system;
  return result;
}

}  // namespace

Page page(const AggregateDescription& aggregate) {
  Page page{aggregate.title, {}};
  page.add(summary({{words("parts"), words(std::to_string(aggregate.parts.size()))},
                    {words("connections"), words(std::to_string(aggregate.connections.size()))},
                    {words("unknowns"),
                     words(std::to_string(aggregate.accelerations) + " accelerations + " + std::to_string(aggregate.wrenches) +
                           " components of wrenches = " + std::to_string(aggregate.accelerations + aggregate.wrenches))}}));
  page.add(Heading{words("Parts")});
  Table parts{{{words("name")}, {words("kind")}, {words("accelerations"), true}, {words("inputs"), true}}, {}, 1};
  for (const auto& part : aggregate.parts)
    parts.rows.push_back(
        {words(part.name), words(part.kind), words(std::to_string(part.accelerations)), words(std::to_string(part.inputs))});
  page.add(std::move(parts));
  if (!aggregate.connections.empty()) {
    page.add(Heading{words("Connections")});
    Table table{{{words("name")}, {words("first")}, {words("second")}, {words("free")}}, {}, 1};
    for (const auto& connection : aggregate.connections)
      table.rows.push_back(
          {words(connection.name), words(connection.first), words(connection.second), words(freedom_text(connection.free))});
    page.add(std::move(table));
  }
  add_equations(page, aggregate);
  if (aggregate.at) add_state(page, aggregate);
  return page;
}

void write_json(std::ostream& out, const AggregateDescription& aggregate) {
  Json result{{"schema", "sfg/derive/1"}, {"title", aggregate.title}, {"variable", "p"}, {"form", "aggregate"}};
  result["parts"] = Json::array();
  for (const auto& part : aggregate.parts)
    result["parts"].push_back(
        {{"name", part.name}, {"kind", part.kind}, {"accelerations", part.accelerations}, {"inputs", part.inputs}});
  result["connections"] = Json::array();
  for (const auto& connection : aggregate.connections)
    result["connections"].push_back(
        {{"name", connection.name}, {"first", connection.first}, {"second", connection.second}, {"free", connection.free}});
  result["unknowns"] = {{"accelerations", aggregate.accelerations},
                        {"wrenches", aggregate.wrenches},
                        {"total", aggregate.accelerations + aggregate.wrenches}};
  if (aggregate.at) result["at"] = state_json(aggregate);
  out << result.dump(2) << '\n';
}

}  // namespace sfg
