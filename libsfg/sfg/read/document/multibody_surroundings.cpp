#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/model/lagrangian.hpp"
#include "sfg/read/document/multibody_reading.hpp"

namespace sfg {

namespace {

using SensorKind = Multibody::Sensor::Kind;

constexpr std::pair<const char*, SensorKind> sensor_kinds[] = {{"attitude", SensorKind::attitude},
                                                               {"local_vertical", SensorKind::local_vertical},
                                                               {"rate", SensorKind::rate},
                                                               {"orbital_rate", SensorKind::orbital_rate}};

/// The body of a key: the only one where it is absent and there is one alone.
std::optional<std::size_t> body_of(MultibodyReading& reading, const Value& item, const char* key, const std::string& what) {
  if (const Value* stated = reading.find(item, key)) {
    const auto number = reading.body(*stated, "the body of " + what);
    if (number != Multibody::frame) return number;
    reading.error(*stated, what + " is on the frame", "name a body");
    return {};
  }
  if (reading.model.bodies.size() == 1) return 1;
  reading.error(item, what + " is without its body", std::string("write ") + key + " = \"b1\"");
  return {};
}

void sensor(MultibodyReading& reading, const Value& item, std::set<std::string>& names) {
  const auto name = reading.name(item, "a sensor", names);
  const Value *type = reading.find(item, "type"), *reference = reading.find(item, "reference");
  if (!name) return;
  const std::string what = "sensor " + in_quotes(*name);
  Multibody::Sensor sensor{.name = *name, .where = reading.where(item)};
  std::vector<std::string> types;
  for (const auto& [known, kind] : sensor_kinds) types.emplace_back(known);
  const auto text = type ? reading.reader.string(*type, "the type of " + what) : std::nullopt;
  const auto found = std::ranges::find(types, text ? text->text : "");
  if (found == types.end()) {
    if (!type || text)
      reading.error(
          type ? *type : item, type ? "unknown type " + in_quotes(text->text) + " of a sensor" : what + " is without a type",
          text ? suggestion(text->text, types) : R"(write type = "attitude", "local_vertical", "rate" or "orbital_rate")");
    return;
  }
  sensor.kind = sensor_kinds[found - types.begin()].second;
  if (reading.model.planar)
    return reading.error(item, what + " measures in space, and the model is planar",
                         "use coordinates and rates in the laws of control");
  const auto body = body_of(reading, item, "body", what);
  if (!body) return;
  sensor.body = *body;
  if (reference && sensor.kind != SensorKind::attitude)
    reading.error(*reference, what + " has a reference of its own: the orbit or the frame", "leave it out");
  else if (reference)
    sensor.reference = reading.orientation(*reference, "the reference of " + what);
  const bool rate = sensor.kind == SensorKind::rate || sensor.kind == SensorKind::orbital_rate;
  for (int k = rate ? 1 : 0; k <= 3; ++k) {
    reading.declare(*name + std::to_string(k), SymbolKind::signal, sensor.where, "a signal of " + what);
    reading.signals.insert(*name + std::to_string(k));
  }
  reading.model.sensors.push_back(std::move(sensor));
}

/// A table of one key of [multibody].
const Value* table_of(MultibodyReading& reading, const char* key, const std::vector<std::string>& keys) {
  const Value* stated = reading.find(reading.table, key);
  if (!stated || !reading.reader.is_table(*stated, key)) return nullptr;
  reading.reader.check_keys(*stated, key, keys);
  return stated;
}

GiNaC::ex required(MultibodyReading& reading, const Value& item, const char* key, const std::string& what) {
  if (!reading.find(item, key))
    reading.error(item, what + " is without " + key, std::string("write ") + key + " = \"" + key + "\"");
  return reading.quantity(item, key, what);
}

void magnet(MultibodyReading& reading, const Value& item) {
  reading.reader.check_keys(item, "magnetic", {"body", "dipole", "field", "in", "source"});
  Multibody::Magnet magnet;
  magnet.where = reading.where(item);
  const std::string what = "the magnetic moment";
  const auto body = body_of(reading, item, "body", what);
  if (!body) return;
  magnet.body = *body;
  const Value *dipole = reading.find(item, "dipole"), *field = reading.find(item, "field"),
              *source = reading.find(item, "source"), *in = reading.find(item, "in");
  if (reading.model.planar) return reading.error(item, what + " turns in space, and the model is planar", "write planar = false");
  if (!dipole)
    return reading.error(item, what + " is without a dipole", R"(write dipole = ["dx", "dy", "dz"], in the axes of the body)");
  if ((field != nullptr) == (source != nullptr))
    return reading.error(
        item, what + (field ? " has a field and a source" : " is without a field"),
        R"(write field = ["Bx", "By", "Bz"], or source = ["mx", "my", "mz"]: the dipole at the centre of the orbit)");
  if (source && !reading.model.orbit)
    return reading.error(*source, "a dipole at the centre, and the model has no orbit",
                         "write orbit = { mu = \"mu\", radius = \"r0\" }, or the field itself");
  magnet.dipole = reading.vector(*dipole, "the dipole");
  if (field) magnet.field = reading.vector(*field, "the field");
  if (source) magnet.source = reading.vector(*source, "the dipole at the centre");
  if (in && source)
    reading.error(*in, "the axes of a field that is not stated",
                  "leave them out: the dipole at the centre is in the axes of the frame");
  if (in) {
    const bool own = in->kind == Value::Kind::string && reading.reader.document().text(*in).text == "body";
    magnet.axes = own ? *body : reading.body(*in, "the axes of the field").value_or(Multibody::frame);
  }
  reading.model.magnets.push_back(std::move(magnet));
}

/// The case with the locked wheel, as one rigid body.
void wheel_case(MultibodyReading& reading, const Value& item, Multibody::Flywheel& wheel, const std::string& what) {
  const Value* stated = reading.find(item, "case");
  if (!stated || !reading.reader.is_table(*stated, "case")) return;
  reading.reader.check_keys(*stated, "a case", {"mass", "inertia"});
  wheel.case_mass = reading.quantity(*stated, "mass", "the case of " + what);
  if (wheel.case_mass.info(GiNaC::info_flags::negative))
    reading.error(*reading.find(*stated, "mass"), "the mass of the case of " + what + " is negative", "a mass is above 0");
  if (const Value* inertia = reading.find(*stated, "inertia"))
    wheel.case_inertia = reading.inertia(*inertia, "the inertia of the case of " + what);
}

}  // namespace

/// Torques come later, with the other loads.
void read_flywheels(MultibodyReading& reading) {
  std::set<std::string> names;
  for (const Value* item :
       reading.items("flywheels", "a flywheel",
                     {"name", "on", "at", "orient", "axis", "inertia", "torque", "friction", "speed", "angle", "case"})) {
    const auto name = reading.name(*item, "a flywheel", names);
    if (!name) continue;
    const std::string what = "flywheel " + in_quotes(*name);
    Multibody::Flywheel wheel;
    wheel.name = *name;
    wheel.where = reading.where(*item);
    const auto body = body_of(reading, *item, "on", what);
    if (!body) continue;
    wheel.on.body = *body;
    wheel.on.where = wheel.where;
    wheel.on.at = reading.vector_of(*item, "at", "the point of " + what);
    if (const Value* orient = reading.find(*item, "orient"))
      wheel.on.orientation = reading.orientation(*orient, "the orientation of " + what);
    if (const Value* axis = reading.find(*item, "axis")) wheel.axis = reading.axis(*axis, "the axis of " + what);
    if (reading.model.planar && !(wheel.axis[0].is_zero() && wheel.axis[1].is_zero()))
      reading.error(*reading.find(*item, "axis"), what + " turns about an axis in the plane, and the model is planar",
                    R"(write axis = "z", or planar = false)");
    wheel.inertia = required(reading, *item, "inertia", what);
    if (wheel.inertia.info(GiNaC::info_flags::negative) || (wheel.inertia.is_zero() && !reading.problems.any_errors()))
      reading.error(*reading.find(*item, "inertia"), "the inertia of " + what + " is not above 0",
                    "state the moment of inertia of the wheel about its axis");
    wheel.friction = reading.quantity(*item, "friction", what);
    wheel_case(reading, *item, wheel, what);
    const Value *angle = reading.find(*item, "angle"), *speed = reading.find(*item, "speed");
    if (const auto text = angle ? reading.reader.string(*angle, "the angle of " + what) : std::nullopt) wheel.name = text->text;
    reading.declare_coordinate(wheel.name, wheel.where, "the angle of " + what);
    wheel.speed = rate_name(wheel.name);
    if (const auto text = speed ? reading.reader.string(*speed, "the speed of " + what) : std::nullopt;
        text && text->text != wheel.speed) {
      wheel.speed = text->text;
      if (reading.declare(wheel.speed, SymbolKind::coordinate, reading.where(*speed), "the speed of " + what))
        reading.state_rate(wheel.name, reading.symbol(wheel.speed));
    }
    reading.model.flywheels.push_back(std::move(wheel));
  }
}

void read_surroundings(MultibodyReading& reading) {
  std::set<std::string> names;
  for (const Value* item : reading.items("sensors", "a sensor", {"name", "type", "body", "reference"}))
    sensor(reading, *item, names);
  if (const Value* orbit = table_of(reading, "orbit", {"mu", "radius", "inclination"})) {
    reading.model.orbit = Multibody::Orbit{.mu = required(reading, *orbit, "mu", "the orbit"),
                                           .radius = required(reading, *orbit, "radius", "the orbit"),
                                           .inclination = reading.quantity(*orbit, "inclination", "the orbit"),
                                           .where = reading.where(*orbit)};
    if (reading.model.planar) reading.error(*orbit, "an orbit in space, and the model is planar", "write planar = false");
  }
  for (const Multibody::Sensor& sensor : reading.model.sensors)
    if (!reading.model.orbit && (sensor.kind == SensorKind::local_vertical || sensor.kind == SensorKind::orbital_rate))
      reading.problems.error(sensor.where, "sensor " + in_quotes(sensor.name) + " refers to an orbit, and the model has none",
                             R"(write orbit = { mu = "mu", radius = "r0", inclination = "i" })");
  if (const Value* field = table_of(reading, "gravity_field", {"mu", "centre"}))
    reading.model.gravity_field =
        Multibody::CentralGravity{.mu = required(reading, *field, "mu", "the gravity field"),
                                  .centre = reading.vector_of(*field, "centre", "the centre of the gravity field"),
                                  .where = reading.where(*field)};
  if (const Value* magnetic = reading.find(reading.table, "magnetic")) {
    if (magnetic->kind == Value::Kind::array) {
      for (const Value& item : magnetic->items)
        if (reading.reader.is_table(item, "an entry of magnetic")) magnet(reading, item);
    } else if (reading.reader.is_table(*magnetic, "magnetic")) {
      magnet(reading, *magnetic);
    }
  }
}

}  // namespace sfg
