#include "sfg/multibody/aggregate_description.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/multibody/constraint_check.hpp"
#include "sfg/multibody/motion_state.hpp"

namespace sfg {

namespace {

std::string counted_parts(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// "rigid body with 2 wheels", "elastic body with 3 modes".
std::string kind_of(const Multibody& model, std::size_t part, const Part& what) {
  if (what.size().speeds == 0) return "inertial frame";
  if (part >= model.bodies.size()) return "flywheel";
  const std::size_t inside = what.size().speeds - 6;
  if (std::ranges::any_of(model.elastic, [&](const auto& elastic) { return elastic.body == part + 1; }))
    return "elastic body with " + counted_parts(inside, "mode");
  return inside == 0 ? "rigid body" : "rigid body with " + counted_parts(inside, "wheel");
}

double distance(const Aggregate::Motion& one, const Aggregate::Motion& other) {
  double scale = 0, most = 0;
  const auto compare = [&](double a, double b) {
    scale = std::max(scale, std::abs(b));
    most = std::max(most, std::abs(a - b));
  };
  for (std::size_t k = 0; k < one.accelerations.size(); ++k) compare(one.accelerations[k], other.accelerations[k]);
  for (std::size_t k = 0; k < one.wrenches.size(); ++k)
    for (std::size_t i = 0; i < 6; ++i) compare(one.wrenches[k][i], other.wrenches[k][i]);
  return scale > 0 ? most / scale : 0;
}

/// Letters of the places that are connected, in the order of the connections.
IvankovLetters connected_letters(const Aggregate& aggregate, std::size_t part, IvankovLetters all) {
  IvankovLetters result{std::move(all.A), std::move(all.Q0), {}, {}, {}};
  for (const auto& connection : aggregate.connections())
    for (const auto& end : {connection.first, connection.second})
      if (end.part == part) {
        result.B.push_back(all.B[end.place]);
        result.C.push_back(all.C[end.place]);
        result.D.push_back(all.D[end.place]);
      }
  return result;
}

bool has_time(Multibody model) {
  bool found = false;
  const Symbol* time = model.symbols.find("t");
  if (time && time->kind == SymbolKind::time)
    model.visit_expressions([&](const GiNaC::ex& value, const SourceSpan&) { found = found || value.has(time->expr); });
  return found;
}

AggregateDescription::At at(const Multibody& stated, const AggregateModel& model, std::map<std::string, double> values,
                            std::vector<Diagnostic>& notes) {
  AggregateModel::Inputs inputs;
  for (const std::string& name : stated.input_names)
    if (const auto value = values.find(name); value != values.end() && !stated.control.contains(name)) {
      inputs[name] = [u = value->second](double) { return u; };
      values.erase(value);
    }
  double t = 0;
  if (const auto time = values.find("t"); time != values.end()) {
    if (!has_time(stated)) notes.push_back(idle_in_state("t"));
    t = time->second;
    values.erase(time);
  }
  const Aggregate& aggregate = model.aggregate();
  const std::vector<double> state = model.state(values);
  AggregateLoads loads;
  loads.inputs.assign(aggregate.size().inputs, 0.0);
  model.law(inputs)(t, state, loads);
  const Aggregate::Motion motion = aggregate.motion(t, state, loads);
  AggregateDescription::At result{{}, {}, motion.wrenches, distance(aggregate.motion_of_whole_system(t, state, loads), motion)};
  for (std::size_t part = 0; part < aggregate.part_count(); ++part) {
    const Part::Size size = aggregate.part(part).size();
    std::array<double, 3> gravity = loads.gravity;
    if (!loads.gravity_of.empty())
      for (std::size_t k = 0; k < 3; ++k) gravity[k] += loads.gravity_of[part][k];
    const auto first = motion.accelerations.begin() + std::ptrdiff_t(aggregate.speed_offset(part));
    result.accelerations.emplace_back(first, first + std::ptrdiff_t(size.speeds));
    result.letters.push_back(
        size.speeds == 0
            ? IvankovLetters{}
            : connected_letters(aggregate, part,
                                letters(aggregate.part(part), t, aggregate.state_of(part, state),
                                        std::span(loads.inputs).subspan(aggregate.input_offset(part), size.inputs), gravity)));
  }
  return result;
}

}  // namespace

AggregateDescription aggregate_description(const Multibody& stated, const std::optional<std::map<std::string, double>>& state) {
  require_possible(stated);
  const AggregateModel model(stated);
  const Aggregate& aggregate = model.aggregate();
  AggregateDescription result{stated.title, {}, {}, aggregate.size().speeds, aggregate.unknowns() - aggregate.size().speeds, {}};
  for (std::size_t part = 0; part < aggregate.part_count(); ++part) {
    const Part::Size size = aggregate.part(part).size();
    result.parts.push_back({aggregate.name(part), kind_of(stated, part, aggregate.part(part)), size.speeds, size.inputs, {}, {}});
  }
  for (const auto& connection : aggregate.connections()) {
    result.parts[connection.second.part].plus.push_back(connection.name);
    result.parts[connection.first.part].minus.push_back(connection.name);
    result.connections.push_back({connection.name, aggregate.name(connection.first.part), aggregate.name(connection.second.part),
                                  connection.free, std::size_t(std::ranges::count(connection.free, false))});
  }
  if (state) result.at = at(stated, model, *state, result.notes);
  if (const auto& last = result.parts.back(); last.accelerations == 0 && last.plus.empty() && last.minus.empty()) {
    result.parts.pop_back();  // the frame, where it only says where free bodies are
    if (result.at) result.at->letters.pop_back(), result.at->accelerations.pop_back();
  }
  return result;
}

}  // namespace sfg
