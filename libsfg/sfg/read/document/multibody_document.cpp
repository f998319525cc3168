#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/model/small_rotation.hpp"
#include "sfg/read/document/multibody_reading.hpp"

namespace sfg {

namespace {

const std::vector<std::string> multibody_keys{
    "gravity",         "planar",      "bodies",  "joints",        "structure",
    "forces",          "springs",     "elastic", "flywheels",     "particles",
    "constraints",     "generalized", "control", "gravity_field", "magnetic",
    "sensors",         "orbit",       "events",  "assembly",      "normalize",
    "independent",     "equilibrium", "input",   "output",        "generalized_coordinates",
    "rate_constraints"};

/// What analyses can give beside coordinates: places of bodies, what joints transmit, energies.
void append_measured(const Multibody& model, std::vector<std::string>& names) {
  const auto append = [&](std::initializer_list<const char*> components, const std::string& of) {
    for (const char* component : components) names.push_back(std::string(component) + "(" + of + ")");
  };
  for (const auto& body : model.bodies) {
    append({"x", "y", "z"}, body.name);
    if (model.planar) append({"phi"}, body.name);
  }
  for (const auto& joint : model.joints) append({"fx", "fy", "fz", "mx", "my", "mz"}, joint.name);
  names.insert(names.end(), {"T", "V", "E"});
}

void read_ends(MultibodyReading& reading, const SharedParts& shared) {
  Multibody& model = reading.model;
  const Value *input = shared.input, *output = shared.output;
  if (const Value* own = reading.find(reading.table, "input")) input = own;
  if (const Value* own = reading.find(reading.table, "output")) output = own;
  model.inputs = read_ends(reading.reader, input, "input", model.input_names);
  std::vector<std::string> known = model.coordinate_names();
  for (const Multibody::Joint& joint : model.joints) known.insert(known.end(), joint.speeds.begin(), joint.speeds.end());
  const std::vector<std::string> small = small_rotations(model);
  known.insert(known.end(), small.begin(), small.end());
  for (const Multibody::Flywheel& wheel : model.flywheels) known.push_back(wheel.speed);
  known.insert(known.end(), reading.signals.begin(), reading.signals.end());
  known.insert(known.end(), model.input_names.begin(), model.input_names.end());
  append_measured(model, known);
  model.outputs = read_ends(reading.reader, output, "output", known, &model.symbols);
}

/// A name that the file states nowhere is a parameter without a value or, in a force, an input; one that is nearly that of a
/// stated parameter is likely a slip.
void doubt_unstated_names(MultibodyReading& reading) {
  const SymbolTable& symbols = reading.model.symbols;
  std::vector<std::string> stated, moving;
  for (const Symbol& symbol : symbols.all()) {
    if (symbol.value) stated.push_back(symbol.name);
    if (symbol.kind == SymbolKind::coordinate || symbol.kind == SymbolKind::signal) moving.push_back(symbol.name);
  }
  for (const Symbol& symbol : symbols.all()) {
    const bool parameter = symbol.kind == SymbolKind::parameter && !symbol.value, input = symbol.kind == SymbolKind::input;
    if ((!parameter && !input) || reading.is_stated(symbol.name)) continue;
    const std::string taken = parameter ? "a parameter without a value" : "an input";
    const Symbol* tail = symbol.name.starts_with('D') ? symbols.find(std::string_view(symbol.name).substr(1)) : nullptr;
    if (tail && tail->kind != SymbolKind::coordinate) {
      reading.problems.warn(symbol.where,
                            "name " + in_quotes(symbol.name) + " is no rate, since " + in_quotes(tail->name) +
                                " is no coordinate, and is taken as " + taken,
                            "a rate is D and the name of a coordinate");
      continue;
    }
    const std::size_t shortest = input ? 5 : 3;  // short names are near each other by nature, and inputs are stated nowhere
    if (symbol.name.size() < shortest) continue;
    std::vector<std::string> known = stated;
    if (parameter) known.insert(known.end(), moving.begin(), moving.end());
    const std::string near = nearest(symbol.name, known);
    if (!near.empty() && !differ_in_digits_only(near, symbol.name))
      reading.problems.warn(symbol.where, "name " + in_quotes(symbol.name) + " is stated nowhere and taken as " + taken,
                            "did you mean '" + near + "'?");
  }
}

/// t is the time where nothing states it as something else; rates with names of their own stand for the speeds.
void settle_symbols(MultibodyReading& reading) {
  Multibody& model = reading.model;
  if (Symbol* t = model.symbols.find("t"); t && !reading.is_stated("t") && !reading.is_declared("t")) t->kind = SymbolKind::time;
  if (reading.rates().empty()) return;
  model.visit_expressions(
      [&](GiNaC::ex& value, const SourceSpan&) { value = value.subs(reading.rates(), GiNaC::subs_options::no_pattern); });
}

void check_emptiness(MultibodyReading& reading) {
  if (!reading.model.bodies.empty() || !reading.model.particles.empty() || reading.problems.any_errors()) return;
  reading.error(
      reading.table, "the table [multibody] is without bodies and particles",
      R"(write bodies = [{ name = "b1", mass = "m1" }, …] and joints = [{ name = "O", type = "revolute", bodies = ["frame", "b1"] }, …])");
}

}  // namespace

Multibody multibody_of(const DocumentReader& reader, const Value& table, const SharedParts& shared) {
  MultibodyReading reading(reader, table, shared);
  reader.check_keys(table, "[multibody]", multibody_keys);
  if (const Value* planar = reading.find(table, "planar")) {
    if (planar->kind == Value::Kind::boolean)
      reading.model.planar = planar->truth;
    else
      reading.error(*planar, std::string("planar must be true or false, not ") + kind_name(*planar), "write planar = true");
  }
  reading.model.gravity = reading.vector_of(table, "gravity", "gravity");
  for (const auto read : {read_bodies, read_joints, read_elastic, read_flywheels, read_particles, read_springs, read_surroundings,
                          read_conditions, read_loads}) {
    read(reading);
    if (reader.problems().full()) reader.problems().finish(nullptr);
  }
  check_emptiness(reading);
  for (const Value* equilibrium : {reading.find(table, "equilibrium"), shared.equilibrium})
    if (equilibrium) read_equilibrium(reading, *equilibrium);
  settle_symbols(reading);
  if (!reader.problems().any_errors()) read_ends(reading, shared);
  doubt_unstated_names(reading);
  return std::move(reading.model);
}

}  // namespace sfg
