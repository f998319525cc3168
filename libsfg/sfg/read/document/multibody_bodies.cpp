#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/read/document/multibody_reading.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// A mass that is a number is above 0.
ex mass_of(MultibodyReading& reading, const Value& item, const std::string& what, const char* if_zero) {
  const Value* stated = reading.find(item, "mass");
  if (!stated) return 0;
  const ex mass = reading.quantity(*stated, "the mass of " + what);
  if (!mass.info(GiNaC::info_flags::negative) && !(mass.is_zero() && !reading.problems.any_errors())) return mass;
  reading.error(*stated, "the mass of " + what + " is " + (mass.is_zero() ? "0" : "negative"),
                mass.is_zero() ? if_zero : "a mass is above 0");
  return mass;
}

void refuse_negative(MultibodyReading& reading, const Value& item, const char* key, const ex& value, const std::string& what) {
  if (value.info(GiNaC::info_flags::negative))
    reading.error(*reading.find(item, key), std::string("the ") + key + " of " + what + " is negative", "turn its sign");
}

}  // namespace

void read_bodies(MultibodyReading& reading) {
  for (const Value* item : reading.items("bodies", "a body", {"name", "mass", "com", "inertia"})) {
    Multibody::Body body;
    body.where = reading.where(*item);
    const auto name = reading.name(*item, "a body", reading.body_names);
    if (!name) continue;
    const std::string what = "body " + in_quotes(*name);
    if (*name == "frame") {
      reading.error(*reading.find(*item, "name"), "\"frame\" is the inertial frame and no body", "give the body another name");
      continue;
    }
    body.name = *name;
    body.mass = mass_of(reading, *item, what, "leave the mass out of a link that has none");
    body.com = reading.vector_of(*item, "com", "the centre of mass of " + what);
    if (const Value* inertia = reading.find(*item, "inertia")) body.inertia = reading.inertia(*inertia, "the inertia of " + what);
    reading.model.bodies.push_back(std::move(body));
  }
}

void read_particles(MultibodyReading& reading) {
  for (const Value* item : reading.items("particles", "a particle", {"name", "mass", "coordinates"})) {
    Multibody::Particle particle;
    particle.where = reading.where(*item);
    const auto name = reading.name(*item, "a particle", reading.body_names);
    if (!name) continue;
    const std::string what = "particle " + in_quotes(*name);
    particle.name = *name;
    if (!reading.find(*item, "mass")) reading.error(*item, what + " is without a mass", R"(write mass = "m1")");
    particle.mass = mass_of(reading, *item, what, "a particle has a mass above 0");
    const Value* coordinates = reading.find(*item, "coordinates");
    if (!coordinates) {
      reading.error(*item, what + " is without coordinates", R"(write coordinates = ["x1", "y1"], and in space a third)");
      continue;
    }
    for (const Passage& coordinate : reading.reader.strings(*coordinates, "coordinates")) {
      reading.declare_coordinate(coordinate.text, place(reading.reader.source(), coordinate), "a coordinate of " + what);
      particle.coordinates.push_back(coordinate.text);
    }
    const std::size_t count = particle.coordinates.size();
    if (count != 2 && (count != 3 || reading.model.planar))
      reading.error(*coordinates,
                    what + " has " + counted(count, "coordinate") + (reading.model.planar ? ", not 2" : ", not 2 or 3"),
                    R"(write coordinates = ["x1", "y1"], and in space a third)");
    reading.model.particles.push_back(std::move(particle));
  }
}

namespace {

/// One entry of [multibody] elastic.
class ElasticReading {
 public:
  ElasticReading(MultibodyReading& reading, const Value& item) : reading_(reading), item_(item) {}

  void read() {
    const Value* body = reading_.find(item_, "body");
    if (!body)
      return reading_.error(item_, "an elastic body without its body", R"(write body = "arm": a name of the list bodies)");
    const auto number = reading_.body(*body, "the elastic body");
    if (!number) return;
    if (*number == Multibody::frame) return reading_.error(*body, "the frame is not elastic", "name a body");
    const auto same = [&](const Multibody::Elastic& other) { return other.body == *number; };
    if (std::ranges::any_of(reading_.model.elastic, same))
      return reading_.error(*body, "body " + in_quotes(reading_.model.name_of(*number)) + " is elastic twice",
                            "state all its shapes together");
    elastic_.body = *number;
    elastic_.where = reading_.where(item_);
    what_ = "elastic body " + in_quotes(reading_.model.name_of(*number));
    const Value *points = reading_.find(item_, "points"), *beam = reading_.find(item_, "beam");
    if ((points != nullptr) == (beam != nullptr))
      return reading_.error(
          item_, what_ + (points ? " has points and a beam" : " has neither points nor a beam"),
          R"(write points = [["x", "y", "z"], …] with masses and modes, or beam = { length = "L", EI = "EI", rhoA = "rhoA", shapes = ["(x/L)^2"] })");
    if (beam)
      read_beam(*beam);
    else
      read_points(*points);
    reading_.model.elastic.push_back(std::move(elastic_));
  }

 private:
  void coordinates(const Value& table, std::size_t modes) {
    if (const Value* stated = reading_.find(table, "coordinates")) {
      for (const Passage& name : reading_.reader.strings(*stated, "coordinates"))
        coordinate(name.text, place(reading_.reader.source(), name));
      if (elastic_.coordinates.size() != modes)
        reading_.error(*stated,
                       what_ + " has " + counted(modes, "shape") + " and " + counted(elastic_.coordinates.size(), "coordinate"),
                       "name one coordinate for each shape");
      return;
    }
    for (std::size_t j = 1; j <= modes; ++j)
      coordinate("e" + std::to_string(j) + "b" + std::to_string(elastic_.body), reading_.where(table));
  }

  void coordinate(const std::string& name, const SourceSpan& where) {
    reading_.declare_coordinate(name, where, "a coordinate of " + what_);
    elastic_.coordinates.push_back(name);
  }

  void read_points(const Value& points) {
    if (!reading_.reader.is_array(points, "points")) return;
    for (const Value& at : points.items) {
      elastic_.points.emplace_back();
      elastic_.points.back().at = reading_.vector(at, "a point of " + what_);
    }
    masses();
    const Value* modes = reading_.find(item_, "modes");
    if (!modes)
      return reading_.error(item_, what_ + " is without modes",
                            R"(write modes = [{ shape = [["0", "1", "0"], …] }, …]: a row for each point)");
    if (!reading_.reader.is_array(*modes, "modes")) return;
    for (const Value& mode : modes->items) read_mode(mode);
    coordinates(item_, modes->items.size());
    if (!reading_.find(item_, "stiffness"))
      reading_.problems.warn(elastic_.where, what_ + " is without a stiffness: nothing brings its deformation back",
                             R"(write stiffness = [["k"]], or stiffness = ["k1", "k2"] for the diagonal)");
    elastic_.stiffness = matrix("stiffness", modes->items.size());
    elastic_.damping = matrix("damping", modes->items.size());
  }

  void masses() {
    const Value* masses = reading_.find(item_, "masses");
    if (!masses)
      return reading_.error(item_, what_ + " is without the masses of its points",
                            R"(write masses = ["m1", …], one for each point)");
    if (!reading_.reader.is_array(*masses, "masses")) return;
    if (masses->items.size() != elastic_.points.size())
      return reading_.error(
          *masses,
          what_ + " has " + counted(elastic_.points.size(), "point") + " and " + std::to_string(masses->items.size()) + " masses",
          "state one for each point");
    for (std::size_t k = 0; k < masses->items.size(); ++k) {
      elastic_.points[k].mass = reading_.quantity(masses->items[k], "a mass of " + what_);
      if (elastic_.points[k].mass.info(GiNaC::info_flags::negative))
        reading_.error(masses->items[k], "a mass of " + what_ + " is negative",
                       "a mass is above 0, or 0 where a point only holds a joint");
    }
  }

  void read_mode(const Value& mode) {
    if (!reading_.reader.is_table(mode, "a mode")) return;
    reading_.reader.check_keys(mode, "a mode", {"shape", "rotation"});
    if (!reading_.find(mode, "shape") && !reading_.find(mode, "rotation"))
      return reading_.error(mode, "a mode of " + what_ + " without a shape",
                            R"(write shape = [["0", "1", "0"], …]: a row for each point)");
    for (Multibody::Elastic::Point& point : elastic_.points) point.modes.emplace_back();
    rows(mode, "shape", &Multibody::Elastic::Mode::shape);
    rows(mode, "rotation", &Multibody::Elastic::Mode::rotation);
  }

  void rows(const Value& mode, const char* key, Multibody::Vector Multibody::Elastic::Mode::*part) {
    const Value* stated = reading_.find(mode, key);
    if (!stated || !reading_.reader.is_array(*stated, key)) return;
    if (stated->items.size() != elastic_.points.size())
      return reading_.error(*stated,
                            std::string("the ") + key + " of a mode has " + counted(stated->items.size(), "row") + " for " +
                                counted(elastic_.points.size(), "point"),
                            "write a row for each point");
    const bool turns = std::string_view(key) == "rotation";
    for (std::size_t k = 0; k < stated->items.size(); ++k)
      elastic_.points[k].modes.back().*part = turns ? reading_.moment(stated->items[k], "a row of a rotation")
                                                    : reading_.vector(stated->items[k], "a row of a shape");
  }

  /// Rows, or the diagonal alone.
  std::vector<std::vector<ex>> matrix(const char* key, std::size_t size) {
    std::vector<std::vector<ex>> result(size, std::vector<ex>(size, 0));
    const Value* stated = reading_.find(item_, key);
    if (!stated || !reading_.reader.is_array(*stated, key)) return result;
    const std::string what = std::string("the ") + key + " of " + what_;
    const auto fits = [&](const Value& list) {
      if (list.items.size() == size) return true;
      reading_.error(list, what + " has " + counted(list.items.size(), "entry") + " for " + counted(size, "mode"),
                     "write a square matrix by rows, or its diagonal");
      return false;
    };
    if (!fits(*stated)) return result;
    for (std::size_t i = 0; i < size; ++i) {
      const Value& row = stated->items[i];
      if (row.kind != Value::Kind::array)
        result[i][i] = reading_.quantity(row, "an entry of " + what);
      else if (fits(row))
        for (std::size_t j = 0; j < size; ++j) result[i][j] = reading_.quantity(row.items[j], "an entry of " + what);
    }
    if (!reading_.problems.any_errors() && settle_symmetry(result))
      reading_.error(*stated, what + " is not symmetric", "write the same entry on both sides of the diagonal");
    return result;
  }

  void read_beam(const Value& table) {
    if (!reading_.reader.is_table(table, "beam")) return;
    reading_.reader.check_keys(table, "a beam",
                               {"length", "EI", "rhoA", "shapes", "directions", "coordinates", "tip_mass", "damping"});
    for (const char* key : {"masses", "modes", "stiffness", "damping", "coordinates"})
      if (const Value* extra = reading_.find(item_, key))
        reading_.error(*extra, std::string(key) + " beside a beam",
                       std::string_view(key) == "coordinates" || std::string_view(key) == "damping" ? "state it in the beam"
                                                                                                    : "it follows from the beam");
    Multibody::Elastic::Beam beam;
    const std::string what = "the beam " + in_quotes(reading_.model.name_of(elastic_.body));
    for (const char* key : {"length", "EI", "rhoA"})
      if (!reading_.find(table, key))
        reading_.error(table, what + " is without " + key, std::string("write ") + key + " = \"" + key + "\"");
    beam.length = reading_.quantity(table, "length", what);
    beam.EI = reading_.quantity(table, "EI", what);
    beam.rhoA = reading_.quantity(table, "rhoA", what);
    beam.tip_mass = reading_.quantity(table, "tip_mass", what);
    beam.damping = reading_.quantity(table, "damping", what);
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, ex>>{{"length", beam.length},
                                                                                      {"EI", beam.EI},
                                                                                      {"rhoA", beam.rhoA},
                                                                                      {"tip_mass", beam.tip_mass},
                                                                                      {"damping", beam.damping}})
      refuse_negative(reading_, table, key, value, what);
    shapes(table, beam, what);
    directions(table, beam, what);
    coordinates(table, beam.shapes.size());
    elastic_.beam = std::move(beam);
  }

  /// In shapes x is the place along the beam, whatever the name is elsewhere.
  void shapes(const Value& table, Multibody::Elastic::Beam& beam, const std::string& what) {
    SymbolTable names;
    for (const Symbol& symbol : reading_.model.symbols.all())
      if (symbol.name != "x") names.add(symbol);
    beam.x = names.symbol("x");
    const Value* stated = reading_.find(table, "shapes");
    if (!stated)
      return reading_.error(table, what + " is without shapes", R"(write shapes = ["(x/L)^2", "(x/L)^3"]: deflections along x)");
    if (!reading_.reader.is_array(*stated, "shapes")) return;
    for (const Value& item : stated->items) {
      ex shape = reading_.reader.expression(item, names, "a shape of " + what);
      if (!shape.is_polynomial(beam.x))
        reading_.error(item, "a shape of " + what + " is no polynomial in x", "write powers of x: what is integrated exactly");
      else if (!shape.has(beam.x) && !reading_.problems.any_errors())
        reading_.error(item, "a shape of " + what + " has no x in it", R"(write "(x/L)^2", say: x runs along the beam)");
      beam.shapes.push_back(std::move(shape));
    }
    if (stated->items.empty()) reading_.error(*stated, "the list of shapes is empty", R"(write shapes = ["(x/L)^2", "(x/L)^3"])");
    for (const Symbol& symbol : names.all())
      if (symbol.name != "x" && !reading_.model.symbols.find(symbol.name)) reading_.model.symbols.add(symbol);
  }

  void directions(const Value& table, Multibody::Elastic::Beam& beam, const std::string& what) {
    beam.directions.assign(beam.shapes.size(), 1);
    const Value* stated = reading_.find(table, "directions");
    if (!stated) return;
    const auto names = reading_.reader.strings(*stated, "directions");
    if (names.size() != beam.shapes.size())
      return reading_.error(*stated,
                            what + " has " + counted(beam.shapes.size(), "shape") + " and " + counted(names.size(), "direction"),
                            "state one for each shape");
    const std::vector<std::string> sides{"y", "z"};
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto side = std::ranges::find(sides, names[j].text) - sides.begin();
      if (side >= (reading_.model.planar ? 1 : 2))
        reading_.problems.error(place(reading_.reader.source(), names[j]),
                                "a beam does not bend along " + in_quotes(names[j].text),
                                reading_.model.planar ? "in the plane it bends along \"y\"" : "it bends along \"y\" or \"z\"");
      beam.directions[j] = static_cast<int>(side) + 1;
    }
  }

  MultibodyReading& reading_;
  const Value& item_;
  Multibody::Elastic elastic_;
  std::string what_;
};

}  // namespace

void read_elastic(MultibodyReading& reading) {
  for (const Value* item : reading.items("elastic", "an elastic body",
                                         {"body", "points", "masses", "modes", "stiffness", "damping", "coordinates", "beam"}))
    ElasticReading(reading, *item).read();
}

}  // namespace sfg
