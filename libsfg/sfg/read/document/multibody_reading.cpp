#include "sfg/read/document/multibody_reading.hpp"

#include <algorithm>

#include "sfg/model/lagrangian.hpp"
#include "sfg/read/parameters.hpp"

namespace sfg {

using GiNaC::ex;

MultibodyReading::MultibodyReading(const DocumentReader& of, const Value& from, const SharedParts& shared)
    : reader(of), problems(of.problems()), table(from) {
  model.where = where(table);
  if (shared.title)
    if (const auto title = reader.string(*shared.title, "the title")) model.title = title->text;
  read_symbols(reader, shared, model.op, model.symbols);
  for (const Symbol& symbol : model.symbols.all())
    if (shared.whole || symbol.kind != SymbolKind::parameter || symbol.value) stated_.insert(symbol.name);
  if (shared.parameters && shared.parameters->kind == Value::Kind::table)  // also those without a value
    for (const Value::Entry& entry : shared.parameters->entries) stated_.insert(entry.key);
  if (shared.driven && shared.driven->kind == Value::Kind::table)
    for (const Value::Entry& entry : shared.driven->entries) driven.insert(entry.key);
  for (const Value* stated : {find(table, "input"), shared.input}) {
    if (!stated) continue;
    const auto add = [&](const Value& name) {
      if (name.kind == Value::Kind::string) driven.insert(reader.document().text(name).text);
    };
    add(*stated);
    if (stated->kind == Value::Kind::array)
      for (const Value& item : stated->items) add(item);
  }
}

std::vector<const Value*> MultibodyReading::items(const char* key, const std::string& what,
                                                  const std::vector<std::string>& keys) const {
  std::vector<const Value*> found;
  const Value* list = find(table, key);
  if (!list || !reader.is_array(*list, key)) return found;
  for (const Value& item : list->items) {
    if (!reader.is_table(item, what)) continue;
    reader.check_keys(item, what, keys);
    found.push_back(&item);
  }
  return found;
}

std::optional<std::string> MultibodyReading::name(const Value& item, const std::string& what, std::set<std::string>& taken,
                                                  const std::string& otherwise) const {
  const Value* stated = find(item, "name");
  if (!stated && otherwise.empty()) {
    error(item, what + " without a name", "write name = \"…\"");
    return {};
  }
  const auto text = stated ? reader.string(*stated, "the name of " + what) : std::nullopt;
  if (stated && !text) return {};
  const std::string name = text ? text->text : otherwise;
  const auto wrong = [&](const std::string& message, const char* hint) {
    error(stated ? *stated : item, message, hint);
    return std::nullopt;
  };
  if (name.empty()) return wrong("the name of " + what + " is empty", "write name = \"…\"");
  if (name.find_first_of("(),") != std::string::npos)
    return wrong("the name " + in_quotes(name) + " of " + what + " has a parenthesis or a comma in it",
                 "use letters, digits and _: results are named after it, as in fx(J1)");
  if (!taken.insert(name).second)
    return wrong("the name " + in_quotes(name) + " of " + what + " is taken", "give each a name of its own");
  return name;
}

ex MultibodyReading::expression(const Value& value, const std::string& what) {
  return reader.expression(value, model.symbols, what);
}

ex MultibodyReading::quantity(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::string) return expression(value, what);
  const Passage text = reader.document().text(value);
  ex result = 0;
  if (text.trimmed().text.empty()) {
    error(value, what + " is empty", "write a number, or an expression in double quotes");
    return result;
  }
  doubt_number(text, reader.source(), problems);
  problems.attempt([&] { result = parse_value(text, reader.source(), model.symbols); });
  return result;
}

ex MultibodyReading::quantity(const Value& item, const char* key, const std::string& what) {
  const Value* value = find(item, key);
  return value ? quantity(*value, std::string("the ") + key + " of " + what) : ex(0);
}

MultibodyReading::Vector MultibodyReading::vector(const Value& value, const std::string& what, bool flat) {
  Vector result{0, 0, 0};
  if (!reader.is_array(value, what)) return result;
  if (value.items.size() != 3 && !(model.planar && value.items.size() == 2)) {
    error(value, what + " has " + counted(value.items.size(), "component") + (model.planar ? ", not 2 or 3" : ", not 3"),
          model.planar ? R"(write ["x", "y"])" : R"(write ["x", "y", "z"])");
    return result;
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) result[i] = quantity(value.items[i], what + ": component " + "xyz"[i]);
  if (model.planar && flat && !result[2].is_zero() && !problems.any_errors())
    error(value.items[2], what + " has a component along z, and the model is planar", "write 0, or planar = false");
  return result;
}

MultibodyReading::Vector MultibodyReading::vector_of(const Value& item, const char* key, const std::string& what) {
  const Value* value = find(item, key);
  return value ? vector(*value, what) : Vector{0, 0, 0};
}

MultibodyReading::Vector MultibodyReading::moment(const Value& value, const std::string& what) {
  if (value.kind != Value::Kind::array && model.planar) return {0, 0, quantity(value, what)};
  if (model.planar && value.kind == Value::Kind::array && value.items.size() != 3) {
    error(value, what + " in the plane is about z", R"(write "M" or ["0", "0", "M"])");
    return {0, 0, 0};
  }
  Vector result = vector(value, what, false);
  if (model.planar && !(result[0].is_zero() && result[1].is_zero()) && !problems.any_errors())
    error(value, what + " has components in the plane, and the model is planar", R"(write ["0", "0", "M"], or planar = false)");
  return result;
}

Multibody::Matrix3 MultibodyReading::inertia(const Value& value, const std::string& what) {
  Multibody::Matrix3 result{Vector{0, 0, 0}, Vector{0, 0, 0}, Vector{0, 0, 0}};
  if (value.kind != Value::Kind::array && model.planar) {
    result[2][2] = quantity(value, what);
    return result;
  }
  if (!reader.is_array(value, what)) return result;
  const bool rows = !value.items.empty() && value.items.front().kind == Value::Kind::array;
  if (value.items.size() != 3) {
    error(value, what + " has " + counted(value.items.size(), rows ? "row" : "value") + ", not 3",
          R"(write the principal values ["Ix", "Iy", "Iz"], or three rows)");
    return result;
  }
  for (std::size_t i = 0; i < 3; ++i)
    if (rows) {
      const bool planar = std::exchange(model.planar, false);  // rows have three entries always
      result[i] = vector(value.items[i], what + ": row " + std::to_string(i + 1));
      model.planar = planar;
    } else {
      result[i][i] = quantity(value.items[i], what);
    }
  if (problems.any_errors()) return result;
  if (const auto differs = settle_symmetry(result)) {
    const std::string i = std::to_string(differs->first + 1), j = std::to_string(differs->second + 1);
    error(value, what + " is not symmetric: its entries " + j + "," + i + " and " + i + "," + j + " differ",
          "write products of inertia with their sign, −∫xy dm, on both sides");
  }
  return result;
}

std::optional<std::size_t> MultibodyReading::body(const Value& value, const std::string& what) {
  const auto text = reader.string(value, what);
  if (!text) return {};
  if (text->text == "frame") return Multibody::frame;
  while (numbered_ < model.bodies.size()) {
    const std::string& name = model.bodies[numbered_].name;
    bodies_.emplace(name, ++numbered_);
  }
  if (const auto found = bodies_.find(text->text); found != bodies_.end()) return found->second;
  std::vector<std::string> names{"frame"};
  for (const auto& body : model.bodies) names.push_back(body.name);
  const bool particle = std::ranges::find(model.particles, text->text, &Multibody::Particle::name) != model.particles.end();
  error(value, what + " is " + in_quotes(text->text) + ", " + (particle ? "a particle" : "which is no body of the model"),
        particle ? "name a body here" : suggestion(text->text, names));
  return {};
}

std::optional<std::size_t> MultibodyReading::joint(const Value& value, const std::string& what) {
  const auto text = reader.string(value, what);
  if (!text) return {};
  const auto found = std::ranges::find(model.joints, text->text, &Multibody::Joint::name);
  if (found != model.joints.end()) return static_cast<std::size_t>(found - model.joints.begin());
  std::vector<std::string> names;
  for (const auto& joint : model.joints) names.push_back(joint.name);
  error(value, what + " is " + in_quotes(text->text) + ", which is no joint of the model", suggestion(text->text, names));
  return {};
}

std::optional<std::size_t> MultibodyReading::moving_joint(const Value& value, const std::string& what) {
  const auto number = joint(value, "the joint of " + what);
  if (!number) return {};
  const Multibody::Joint& found = model.joints[*number];
  if (found.coordinates.size() == 1 || problems.any_errors()) return number;
  if (found.cut)
    error(value, "joint " + in_quotes(found.name) + " closes a loop and has no coordinate that " + what + " could act along",
          "cut the loop at another joint, or state what acts between the bodies");
  else
    error(value,
          "joint " + in_quotes(found.name) + " has " + counted(found.coordinates.size(), "coordinate") + ", not one, and " +
              what + " acts along one",
          "state what acts between the bodies, with points or components");
  return {};
}

std::optional<std::array<Multibody::Place, 2>> MultibodyReading::places(const Value& item, const char* key,
                                                                        const std::string& what) {
  const Value *bodies = find(item, key), *at = find(item, "at"), *orient = find(item, "orient");
  if (!bodies) {
    error(item, what + " is without its two bodies", std::string("write ") + key + R"( = ["frame", "b1"])");
    return {};
  }
  if (!reader.is_array(*bodies, key)) return {};
  const auto two = [&](const Value* value, const std::string& of, const char* hint) {
    if (!value || !reader.is_array(*value, of + " of " + what)) return false;
    if (value->items.size() == 2) return true;
    error(*value, of + " of " + what + ": " + counted(value->items.size(), "entry") + " where there are two bodies", hint);
    return false;
  };
  if (!two(bodies, key, R"(write two of them, the frame is "frame")")) return {};
  std::array<Multibody::Place, 2> result;
  const bool points = at && two(at, "at", R"(write at = [["0", "0", "0"], ["0", "0", "0"]]: a point in each body)");
  const bool turned = orient && two(orient, "orient", R"(write orient = [["1", "0", "0", "0"], ["1", "0", "0", "0"]])");
  bool known = true;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto number = body(bodies->items[side], (side == 0 ? "the first body of " : "the second body of ") + what);
    known = known && number;
    result[side].body = number.value_or(0);
    result[side].where = where(bodies->items[side]);
    if (points) result[side].at = vector(at->items[side], "a point of " + what);
    if (turned) result[side].orientation = orientation(orient->items[side], "an orientation of " + what);
  }
  if (!known) return {};
  if (result[0].body == result[1].body) {
    error(*bodies, what + " connects " + in_quotes(model.name_of(result[0].body)) + " with itself", "name two bodies");
    return {};
  }
  return result;
}

bool MultibodyReading::declare(const std::string& name, SymbolKind kind, const SourceSpan& at, const std::string& what) {
  const auto refuse = [&](const std::string& message, const std::string& hint) {
    problems.error(at, message, hint);
    return false;
  };
  if (!is_name(name))
    return refuse("word " + in_quotes(name) + " is no name for " + what,
                  "a name has letters, digits and '_' and does not begin with a digit");
  if (is_number_pi(name, at, problems)) return false;
  if (name == "t") return refuse("name 't' is that of " + what + ", and it is the time", "give " + what + " another name");
  if (const auto other = declared_.find(name); other != declared_.end())
    return refuse("name " + in_quotes(name) + " is that of " + what + " and also of " + other->second,
                  "give one of them another name");
  if (is_stated(name))
    return refuse("name " + in_quotes(name) + " is that of " + what + " and has a meaning already",
                  "give it another name, or rename what " + in_quotes(name) + " is elsewhere");
  declared_.emplace(name, what);
  Symbol symbol;
  symbol.name = name;
  symbol.kind = kind;
  symbol.where = at;
  model.symbols.add(std::move(symbol));
  return true;
}

void MultibodyReading::declare_coordinate(const std::string& name, const SourceSpan& at, const std::string& what) {
  if (declare(name, SymbolKind::coordinate, at, what))
    declare(rate_name(name), SymbolKind::coordinate, at, "the rate of " + in_quotes(name));
}

void MultibodyReading::state_rate(const std::string& coordinate, const ex& rate) { rates_[symbol(rate_name(coordinate))] = rate; }

std::vector<std::string> MultibodyReading::new_names(std::size_t since) const {
  std::vector<std::string> names;
  for (std::size_t i = since; i < model.symbols.all().size(); ++i) {
    const Symbol& symbol = model.symbols.all()[i];
    if (symbol.kind == SymbolKind::parameter && !symbol.value && !is_stated(symbol.name) && !is_declared(symbol.name) &&
        symbol.name != "t")
      names.push_back(symbol.name);
  }
  return names;
}

}  // namespace sfg
