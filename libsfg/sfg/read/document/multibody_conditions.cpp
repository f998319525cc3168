#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/rational.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/read/document/multibody_reading.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using EventKind = Multibody::Event::Kind;

/// Constraints of coordinates, a transformation of them, events, and where to begin.
class ConditionReading {
 public:
  explicit ConditionReading(MultibodyReading& reading) : reading_(reading), model_(reading.model) {}

  void read() {
    transformation();
    constraints();
    rate_constraints();
    names_ = model_.coordinate_names();
    std::set<std::string> events;
    for (const Value* item : reading_.items("events", "an event",
                                            {"name", "type", "when", "coordinate", "above", "below", "restitution", "releases"}))
      event(*item, events);
    assembly();
    independent();
    normalization();
  }

 private:
  /// A name of the transformation that nothing states is a generalised coordinate.
  void transformation() {
    const Value *table = reading_.find(reading_.table, "generalized"),
                *list = reading_.find(reading_.table, "generalized_coordinates");
    if (list && !table)
      reading_.error(*list, "generalised coordinates without a transformation", R"(write generalized = { x1 = "q1", … })");
    if (!table || !reading_.reader.is_table(*table, "generalized")) return;
    const std::size_t since = model_.symbols.all().size();
    for (const Value::Entry& entry : table->entries)
      model_.generalized.push_back({entry.key, reading_.quantity(entry.value, "the transformation of " + in_quotes(entry.key)),
                                    reading_.reader.document().where(entry)});
    check_transformed(*table);
    std::vector<std::string> names;
    if (list)
      for (const Passage& name : reading_.reader.strings(*list, "generalized_coordinates")) names.push_back(name.text);
    else
      names = in_natural_order(reading_.new_names(since));
    if (names.empty() && !reading_.problems.any_errors())
      reading_.error(*table, "the transformation has no generalised coordinates: every name in it is stated elsewhere",
                     R"(name them: generalized_coordinates = ["q1", …])");
    for (const std::string& name : names) {
      const Symbol* symbol = model_.symbols.find(name);
      reading_.declare_coordinate(name, symbol && symbol->where.line > 0 ? symbol->where : reading_.where(list ? *list : *table),
                                  "a generalised coordinate");
    }
    model_.generalized_coordinates = std::move(names);
  }

  void check_transformed(const Value& table) {
    std::vector<std::string> coordinates;
    for (const auto& particle : model_.particles)
      coordinates.insert(coordinates.end(), particle.coordinates.begin(), particle.coordinates.end());
    for (const Value::Entry& entry : table.entries)
      if (std::ranges::find(coordinates, entry.key) == coordinates.end())
        reading_.reader.error(entry, "name " + in_quotes(entry.key) + " in generalized is no coordinate of a particle",
                              suggestion(entry.key, coordinates));
    for (const std::string& name : coordinates)
      if (std::ranges::find(model_.generalized, name, &Multibody::Transformation::coordinate) == model_.generalized.end())
        reading_.error(table, "the transformation is without the coordinate " + in_quotes(name),
                       "write " + name + " = \"…\" in terms of generalised coordinates");
    for (const auto& [coordinate, value, where] : model_.generalized)
      for (const std::string& name : coordinates)
        if (value.has(reading_.symbol(name)))
          reading_.problems.error(
              where, "the transformation of " + in_quotes(coordinate) + " has the coordinate " + in_quotes(name) + " in it",
              "write it in terms of generalised coordinates, parameters and t alone");
  }

  /// "q2" before "q10" where the names differ by a number alone; else as they appear.
  static std::vector<std::string> in_natural_order(std::vector<std::string> names) {
    const auto stem = [](const std::string& name) { return name.substr(0, name.find_last_not_of("0123456789") + 1); };
    const auto number = [&](const std::string& name) { return name.substr(stem(name).size()); };
    if (!std::ranges::all_of(names, [&](const auto& name) { return stem(name) == stem(names.front()); })) return names;
    std::ranges::stable_sort(names, {}, [&](const std::string& name) { return std::pair(number(name).size(), number(name)); });
    return names;
  }

  void constraints() {
    const auto stated = listed("constraints", "f", R"(write { name = "rod", value = "x^2 + y^2 - l^2" }: what is 0)",
                               [&](const Multibody::Constraint& constraint, std::size_t) { check_constraint(constraint); });
    model_.constraints.insert(model_.constraints.begin(), stated.begin(), stated.end());
  }

  void rate_constraints() {
    for (const auto& constraint : model_.constraints) constraint_names_.insert(constraint.name);
    model_.rate_constraints =
        listed("rate_constraints", "rate", R"(write { name = "rolling", value = "Dx - r*Dphi" }: what is 0)",
               [&](const Multibody::Constraint& constraint, std::size_t since) { check_rates(constraint, since); });
  }

  /// Expressions that are 0, with names or numbered; each goes to `check` with how many symbols there were before it.
  std::vector<Multibody::Constraint> listed(const char* key, const std::string& letter, const char* how, const auto& check) {
    std::vector<Multibody::Constraint> stated;
    const Value* list = reading_.find(reading_.table, key);
    if (!list || !reading_.reader.is_array(*list, key)) return stated;
    for (const Value& item : list->items) {
      const std::string number = letter + std::to_string(stated.size() + 1);
      Multibody::Constraint constraint{number, 0, reading_.where(item)};
      const Value* value = &item;
      if (item.kind == Value::Kind::table) {
        reading_.reader.check_keys(item, "a constraint", {"name", "value"});
        constraint.name = reading_.name(item, "a constraint", constraint_names_, number).value_or(number);
        value = reading_.find(item, "value");
        if (!value) {
          reading_.error(item, "constraint " + in_quotes(constraint.name) + " is without its expression", how);
          continue;
        }
      } else {
        constraint_names_.insert(number);
      }
      const std::size_t since = model_.symbols.all().size();
      constraint.value = equation(*value);
      check(constraint, since);
      stated.push_back(std::move(constraint));
    }
    return stated;
  }

  /// f, or "f = g".
  ex equation(const Value& value) {
    if (value.kind == Value::Kind::string) {
      const Passage text = reading_.reader.document().text(value);
      const std::size_t equals = text.text.find('=');
      if (equals != std::string::npos && text.text.find('=', equals + 1) == std::string::npos) {
        ex difference = 0;
        reading_.problems.attempt([&] {
          difference = parse(text.part(0, equals), reading_.reader.source(), model_.symbols) -
                       parse(text.part(equals + 1, std::string::npos), reading_.reader.source(), model_.symbols);
        });
        return difference;
      }
    }
    return reading_.quantity(value, "a constraint");
  }

  void check_constraint(const Multibody::Constraint& constraint) {
    if (reading_.problems.any_errors()) return;
    bool moves = false;
    for (const Symbol& symbol : model_.symbols.all()) {
      if (symbol.kind != SymbolKind::coordinate || !constraint.value.has(symbol.expr)) continue;
      const auto names = model_.coordinate_names();
      bool coordinate = std::ranges::find(names, symbol.name) != names.end();
      for (const auto& particle : model_.particles)
        coordinate = coordinate || std::ranges::find(particle.coordinates, symbol.name) != particle.coordinates.end();
      moves = true;
      if (!coordinate)
        reading_.problems.error(constraint.where,
                                "constraint " + in_quotes(constraint.name) + " has the rate " + in_quotes(symbol.name) + " in it",
                                "constraints are of coordinates and t (holonomic)");
    }
    if (!moves)
      reading_.problems.error(constraint.where, "constraint " + in_quotes(constraint.name) + " has no coordinate in it",
                              "write an expression of coordinates that is 0");
  }

  /// A constraint on rates is linear in them.
  void check_rates(const Multibody::Constraint& constraint, std::size_t since) {
    const std::string what = "constraint " + in_quotes(constraint.name);
    const std::vector<std::string> rates = rate_names();
    for (const std::string& name : reading_.new_names(since))
      if (name.starts_with('D') && name.size() > 1)
        reading_.problems.error(
            constraint.where,
            what + " has " + in_quotes(name) + " in it, which is no rate: " + in_quotes(name.substr(1)) + " is no coordinate",
            suggestion(name, rates));
    if (reading_.problems.any_errors()) return;
    std::vector<ex> moving;
    for (const std::string& name : rates)
      if (constraint.value.has(reading_.symbol(name))) moving.push_back(reading_.symbol(name));
    if (moving.empty())
      return reading_.problems.error(
          constraint.where, what + " has no rate in it",
          "a rate is D and the name of a coordinate; what holds between coordinates alone stands in constraints");
    for (const ex& rate : moving) {
      const ex slope = constraint.value.diff(GiNaC::ex_to<GiNaC::symbol>(rate));
      const auto bent = std::ranges::find_if(
          moving, [&](const ex& other) { return !vanishes(slope.diff(GiNaC::ex_to<GiNaC::symbol>(other))); });
      if (bent == moving.end()) continue;
      return reading_.problems.error(
          constraint.where, what + " is not linear in the rate " + in_quotes(GiNaC::ex_to<GiNaC::symbol>(rate).get_name()),
          "constraints on rates are a sum of rates, each with a factor of coordinates and t, and of a term without them");
    }
  }

  /// Of coordinates, and speeds with names of their own.
  std::vector<std::string> rate_names() const {
    std::vector<std::string> names;
    for (const std::string& name : model_.coordinate_names()) names.push_back(rate_name(name));
    for (const auto& particle : model_.particles)
      for (const std::string& name : particle.coordinates) names.push_back(rate_name(name));
    for (const auto& joint : model_.joints) names.insert(names.end(), joint.speeds.begin(), joint.speeds.end());
    for (const auto& wheel : model_.flywheels) names.push_back(wheel.speed);
    std::erase_if(names, [&](const std::string& name) { return model_.symbols.find(name) == nullptr; });
    return names;
  }

  void event(const Value& item, std::set<std::string>& names) {
    Multibody::Event event;
    event.where = reading_.where(item);
    const auto name = reading_.name(item, "an event", names, "event " + std::to_string(names.size() + 1));
    const Value *type = reading_.find(item, "type"), *restitution = reading_.find(item, "restitution"),
                *releases = reading_.find(item, "releases");
    if (!name) return;
    event.name = *name;
    const std::string what = "event " + in_quotes(*name);
    const auto text = type ? reading_.reader.string(*type, "the type of " + what) : std::nullopt;
    if (!text || (text->text != "stop" && text->text != "release" && text->text != "end")) {
      if (!type || text)
        reading_.error(type ? *type : item,
                       what + (type ? " has the unknown type " + in_quotes(text->text) : " is without a type"),
                       R"(write type = "stop", "release" or "end")");
      return;
    }
    event.kind = text->text == "stop" ? EventKind::stop : text->text == "release" ? EventKind::release : EventKind::end;
    when(item, event, what);
    if (restitution && event.kind != EventKind::stop)
      reading_.error(*restitution, what + " is no stop and has no restitution", "leave it out");
    event.restitution = reading_.quantity(item, "restitution", what);
    if (restitution &&
        (event.restitution.info(GiNaC::info_flags::negative) || (event.restitution - 1).info(GiNaC::info_flags::positive)))
      reading_.error(*restitution, "the restitution of " + what + " is not between 0 and 1",
                     "0: no rebound; 1: none of the speed is lost");
    if (releases && event.kind != EventKind::release)
      reading_.error(*releases, what + " is no release", R"(write type = "release")");
    if (releases) released(*releases, event, what);
    if (!releases && event.kind == EventKind::release)
      reading_.error(item, what + " releases nothing", R"(write releases = ["B"]: cut joints, constraints or springs)");
    model_.events.push_back(std::move(event));
  }

  /// `when`, or a coordinate above or below a value.
  void when(const Value& item, Multibody::Event& event, const std::string& what) {
    const Value *when = reading_.find(item, "when"), *coordinate = reading_.find(item, "coordinate"),
                *above = reading_.find(item, "above"), *below = reading_.find(item, "below");
    if (coordinate) {
      const auto text = reading_.reader.string(*coordinate, "the coordinate of " + what);
      if (!text) return;
      const auto found = std::ranges::find(names_, text->text);
      if (found == names_.end())
        return reading_.error(*coordinate, what + " is about " + in_quotes(text->text) + ", which is no coordinate",
                              suggestion(text->text, names_));
      event.coordinate = static_cast<std::size_t>(found - names_.begin());
    }
    const int stated = (when ? 1 : 0) + (above ? 1 : 0) + (below ? 1 : 0);
    if (stated != 1 || (!when && !coordinate))
      return reading_.error(
          item, what + (stated > 1 ? " is stated in several ways" : " is without its condition"),
          R"(write when = "…": what becomes positive then, or coordinate = "s1" with above = "…" or below = "…")");
    if (when) event.when = reading_.quantity(*when, what);
    if (above) event.when = reading_.symbol(names_[*event.coordinate]) - reading_.quantity(*above, what);
    if (below) event.when = reading_.quantity(*below, what) - reading_.symbol(names_[*event.coordinate]);
  }

  void released(const Value& list, Multibody::Event& event, const std::string& what) {
    std::vector<std::string> known;
    for (const auto& joint : model_.joints)
      if (joint.cut) known.push_back(joint.name);
    for (const auto& constraint : model_.constraints) known.push_back(constraint.name);
    for (const auto& constraint : model_.rate_constraints) known.push_back(constraint.name);
    for (const auto& spring : model_.springs) known.push_back(spring.name);
    for (const Passage& name : reading_.reader.strings(list, "releases")) {
      if (std::ranges::find(known, name.text) == known.end()) {
        const bool joint = std::ranges::find(model_.joints, name.text, &Multibody::Joint::name) != model_.joints.end();
        reading_.problems.error(
            place(reading_.reader.source(), name),
            what + " releases " + in_quotes(name.text) +
                (joint ? ", a joint that has coordinates" : ", which is no cut joint, constraint or spring"),
            joint ? "write cut = true in it, and let the body move by a free joint" : suggestion(name.text, known));
      }
      event.releases.push_back(name.text);
    }
  }

  void assembly() {
    const Value* table = reading_.find(reading_.table, "assembly");
    if (!table || !reading_.reader.is_table(*table, "assembly")) return;
    for (const Value::Entry& entry : table->entries) {
      model_.assembly[entry.key] = reading_.quantity(entry.value, "the start value of " + in_quotes(entry.key));
      if (std::ranges::find(names_, entry.key) == names_.end())
        reading_.reader.error(entry, "name " + in_quotes(entry.key) + " in assembly is no coordinate",
                              suggestion(entry.key, names_));
    }
  }

  void independent() {
    const Value* list = reading_.find(reading_.table, "independent");
    if (!list) return;
    for (const Passage& name : reading_.reader.strings(*list, "independent")) {
      const SourceSpan where = place(reading_.reader.source(), name);
      if (std::ranges::find(names_, name.text) == names_.end())
        reading_.problems.error(where, "name " + in_quotes(name.text) + " in independent is no coordinate",
                                suggestion(name.text, names_));
      else if (std::ranges::find(model_.independent, name.text) != model_.independent.end())
        reading_.problems.error(where, "coordinate " + in_quotes(name.text) + " is listed twice", "list each once");
      model_.independent.push_back(name.text);
    }
  }

  void normalization() {
    const Value* stated = reading_.find(reading_.table, "normalize");
    const auto text = stated ? reading_.reader.string(*stated, "normalize") : std::nullopt;
    if (!text) return;
    using Normalization = Multibody::Normalization;
    for (const auto& [name, kind] :
         {std::pair("tree", Normalization::tree), std::pair("mass", Normalization::mass), std::pair("off", Normalization::off)})
      if (text->text == name) model_.normalization = kind;
    if (!model_.normalization)
      reading_.error(*stated, "normalize = " + in_quotes(text->text) + " is not known", R"(write "tree", "mass" or "off")");
  }

  MultibodyReading& reading_;
  Multibody& model_;
  std::vector<std::string> names_;  ///< of coordinates
  std::set<std::string> constraint_names_;
};

}  // namespace

namespace {

/// A value at the point of equilibrium.
void read_point(MultibodyReading& reading, const Value::Entry& entry, Multibody::Equilibrium& point) {
  Multibody& model = reading.model;
  if (!point.values.emplace(entry.key, reading.quantity(entry.value, "the value of " + in_quotes(entry.key))).second)
    return reading.reader.error(entry, "name " + in_quotes(entry.key) + " has two values in the equilibrium", "state one");
  const Symbol* symbol = model.symbols.find(entry.key);
  if (symbol && (symbol->kind == SymbolKind::coordinate || symbol->kind == SymbolKind::input)) return;
  std::vector<std::string> names = model.coordinate_names();
  names.insert(names.end(), model.input_names.begin(), model.input_names.end());
  if (symbol == nullptr && entry.key.starts_with('D'))
    for (std::string& name : names) name.insert(0, 1, 'D');
  reading.reader.error(entry, "name " + in_quotes(entry.key) + " in the equilibrium is no coordinate, rate, speed or input",
                       suggestion(entry.key, names));
}

}  // namespace

void read_conditions(MultibodyReading& reading) { ConditionReading(reading).read(); }

void read_equilibrium(MultibodyReading& reading, const Value& value) {
  Multibody& model = reading.model;
  if (model.equilibrium)
    return reading.error(value, "the equilibrium is stated twice", "state it in [multibody] or in [equilibrium]");
  Multibody::Equilibrium point;
  point.where = reading.where(value);
  if (value.kind == Value::Kind::string) {
    const Passage word = reading.reader.document().text(value);
    if (word.text != "find")
      return reading.error(value, "equilibrium = " + in_quotes(word.text) + " is not known",
                           "write \"find\", or a table of values { s1 = 0 }");
    point.find = true;
  } else if (reading.reader.is_table(value, "the equilibrium")) {
    for (const Value::Entry& entry : value.entries) {
      if (entry.key == "find" && entry.value.kind == Value::Kind::boolean) {
        point.find = entry.value.truth;
      } else if (entry.key == "steady" && reading.reader.is_table(entry.value, "steady")) {
        for (const Value::Entry& rate : entry.value.entries) {
          point.steady[rate.key] = reading.where(rate.value);
          read_point(reading, rate, point);
          if (std::ranges::count(model.coordinate_names(), rate.key) != 0)
            reading.reader.error(rate, "name " + in_quotes(rate.key) + " in steady is a coordinate",
                                 "write its rate " + rate_name(rate.key));
        }
      } else if (entry.key != "steady") {
        read_point(reading, entry, point);
      }
    }
  }
  model.equilibrium = std::move(point);
}

}  // namespace sfg
