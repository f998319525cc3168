#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/model/lagrangian.hpp"
#include "sfg/model/prescribed.hpp"
#include "sfg/read/document/multibody_reading.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// Springs, forces, motor torques and laws of control.
class LoadReading {
 public:
  explicit LoadReading(MultibodyReading& reading) : reading_(reading), model_(reading.model) {}

  void read_springs() {
    std::set<std::string> names;
    for (const Value* item :
         reading_.items("springs", "a spring", {"name", "between", "at", "joint", "stiffness", "damping", "length", "rest"}))
      spring(*item, names);
  }

  void read_forces() {
    const std::size_t since = model_.symbols.all().size();
    std::set<std::string> names;
    for (const Value* item : reading_.items("forces", "a force", {"name", "body", "joint", "at", "force", "torque", "in"}))
      force(*item, names);
    torques();
    laws();
    const std::vector<std::string> unstated = reading_.new_names(since);
    for (const std::string& name : unstated) {
      if (is_factor(name))
        reading_.problems.remark(
            model_.symbols.at(name).where,
            "name " + in_quotes(name) +
                " multiplies coordinates or rates and is taken as a parameter without a value, not as an input",
            "state it in [parameters]");
      else
        input(name);
    }
    prescribed();
    check_laws();
  }

 private:
  void spring(const Value& item, std::set<std::string>& names) {
    Multibody::Spring spring;
    spring.where = reading_.where(item);
    const auto name = reading_.name(item, "a spring", names, "spring " + std::to_string(names.size() + 1));
    if (!name) return;
    spring.name = *name;
    const std::string what = "spring " + in_quotes(*name);
    const Value *joint = reading_.find(item, "joint"), *between = reading_.find(item, "between"),
                *length = reading_.find(item, "length"), *rest = reading_.find(item, "rest");
    if ((joint != nullptr) == (between != nullptr))
      return reading_.error(item, what + (joint ? " acts in a joint and between bodies" : " is without a place"),
                            R"(write joint = "A", or between = ["frame", "b1"] with points at = [[…], […]])");
    if (joint && length)
      reading_.error(*length, what + " acts in a joint and has no length",
                     "write rest: the value of the coordinate without force");
    if (between && rest)
      reading_.error(*rest, what + " acts between points and has no rest value", "write length: the length without force");
    if (!reading_.find(item, "stiffness") && !reading_.find(item, "damping"))
      reading_.error(item, what + " has neither a stiffness nor a damping", R"(write stiffness = "k", damping = "c")");
    spring.stiffness = reading_.quantity(item, "stiffness", what);
    spring.damping = reading_.quantity(item, "damping", what);
    spring.rest = reading_.quantity(item, joint ? "rest" : "length", what);
    if (spring.rest.info(GiNaC::info_flags::negative) && length)
      reading_.error(*length, "the length of " + what + " is negative", "a length is 0 or above");
    if (joint) {
      if (const Value* at = reading_.find(item, "at"))
        reading_.error(*at, what + " acts in a joint and has no points", "leave them out");
      spring.joint = reading_.moving_joint(*joint, what);
      if (spring.joint) model_.springs.push_back(std::move(spring));
    } else if (names_particle(*between)) {
      between_particles(item, *between, spring, what);
    } else if (const auto places = reading_.places(item, "between", what)) {
      spring.between = *places;
      model_.springs.push_back(std::move(spring));
    }
  }

  Multibody::Particle* particle(const Value& value) {
    if (value.kind != Value::Kind::string) return nullptr;
    const auto found =
        std::ranges::find(model_.particles, reading_.reader.document().text(value).text, &Multibody::Particle::name);
    return found == model_.particles.end() ? nullptr : &*found;
  }
  bool names_particle(const Value& list) {
    return std::ranges::any_of(list.items, [&](const Value& item) { return particle(item) != nullptr; });
  }

  /// Along the line between two particles, or a particle and a point of the frame: forces on the particles.
  void between_particles(const Value& item, const Value& between, const Multibody::Spring& spring, const std::string& what) {
    if (between.items.size() != 2)
      return reading_.error(between, what + ": " + counted(between.items.size(), "end") + ", not two",
                            R"(write between = ["a", "b"])");
    const Value* at = reading_.find(item, "at");
    std::array<Multibody::Particle*, 2> ends{};
    std::array<Multibody::Vector, 2> points{Multibody::Vector{0, 0, 0}, Multibody::Vector{0, 0, 0}}, rates = points;
    for (std::size_t side = 0; side < 2; ++side) {
      ends[side] = particle(between.items[side]);
      if (ends[side])
        for (std::size_t k = 0; k < ends[side]->coordinates.size(); ++k) {
          points[side][k] = reading_.symbol(ends[side]->coordinates[k]);
          rates[side][k] = reading_.symbol(rate_name(ends[side]->coordinates[k]));
        }
      else if (reading_.body(between.items[side], "an end of " + what) != Multibody::frame)
        return reading_.error(between, what + " is between a particle and a body",
                              "state the particle as a body without inertia, with a free joint");
      else if (at && at->kind == Value::Kind::array && at->items.size() == 2)
        points[side] = reading_.vector(at->items[side], "a point of " + what);
    }
    ex square = 0, product = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      square += GiNaC::pow(points[1][k] - points[0][k], 2);
      product += (points[1][k] - points[0][k]) * (rates[1][k] - rates[0][k]);
    }
    const ex length = GiNaC::sqrt(square);
    const ex over_length = (spring.stiffness * (length - spring.rest) + spring.damping * product / length) / length;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t side = 0; side < 2; ++side)
        if (ends[side]) ends[side]->force[k] += (side == 0 ? 1 : -1) * over_length * (points[1][k] - points[0][k]);
  }

  void force(const Value& item, std::set<std::string>& names) {
    Multibody::Force force;
    force.where = reading_.where(item);
    const auto name = reading_.name(item, "a force", names, "force " + std::to_string(names.size() + 1));
    if (!name) return;
    force.name = *name;
    const std::string what = reading_.find(item, "name") ? "force " + in_quotes(*name) : "a force";
    const Value *body = reading_.find(item, "body"), *joint = reading_.find(item, "joint"), *push = reading_.find(item, "force"),
                *turn = reading_.find(item, "torque");
    if ((body != nullptr) == (joint != nullptr))
      return reading_.error(item, what + (body ? " acts on a body and in a joint" : " acts on nothing"),
                            R"(write body = "b1", or joint = "A")");
    if (!push && !turn)
      return reading_.error(item, what + " has neither a force nor a torque",
                            R"(write force = ["Fx", "Fy", "Fz"] or torque = …)");
    if (joint) return in_joint(item, *joint, push, turn, std::move(force), what);
    if (Multibody::Particle* on = particle(*body)) return on_particle(item, *on, push, turn, what);
    const auto number = reading_.body(*body, "the body of " + what);
    if (!number) return;
    if (*number == Multibody::frame)
      return reading_.error(*body, what + " acts on the frame, which does not move", "name a body");
    force.on.body = *number;
    force.on.where = reading_.where(*body);
    force.on.at = reading_.vector_of(item, "at", what + ": its point");
    if (push) force.force = reading_.vector(*push, what);
    if (turn) force.torque = reading_.moment(*turn, "the torque of " + what);
    if (const Value* in = reading_.find(item, "in")) {
      const bool own = in->kind == Value::Kind::string && reading_.reader.document().text(*in).text == "body";
      force.axes = own ? *number : reading_.body(*in, "the body whose axes " + what + " is in").value_or(Multibody::frame);
    }
    model_.forces.push_back(std::move(force));
  }

  void in_joint(const Value& item, const Value& joint, const Value* push, const Value* turn, Multibody::Force force,
                const std::string& what) {
    for (const char* key : {"at", "in"})
      if (const Value* extra = reading_.find(item, key))
        reading_.error(*extra, what + " acts along the coordinate of a joint, and " + std::string(key) + " says nothing",
                       "leave it out");
    force.joint = reading_.moving_joint(joint, what);
    if (!force.joint) return;
    const bool slides = model_.joints[*force.joint].kind == Multibody::JointKind::prismatic;
    const Value& value = push ? *push : *turn;
    if (push && turn)
      return reading_.error(*turn, what + " has a force and a torque in one joint", "its coordinate takes one of them");
    if (slides != (push != nullptr))
      return reading_.error(value,
                            "joint " + in_quotes(model_.joints[*force.joint].name) +
                                (slides ? " slides and takes a force, not a torque" : " turns and takes a torque, not a force"),
                            slides ? R"(write force = "F")" : R"(write torque = "M")");
    force.along = reading_.quantity(value, what);
    model_.forces.push_back(std::move(force));
  }

  void on_particle(const Value& item, Multibody::Particle& on, const Value* push, const Value* turn, const std::string& what) {
    if (turn)
      reading_.error(*turn, what + " is a torque on the particle " + in_quotes(on.name) + ", which does not turn",
                     "write force = [\"Fx\", \"Fy\", \"Fz\"]");
    if (const Value* at = reading_.find(item, "at"))
      reading_.error(*at, what + " acts on a particle, which has no further points", "leave it out");
    if (const Value* in = reading_.find(item, "in");
        in && !(in->kind == Value::Kind::string && reading_.reader.document().text(*in).text == "frame"))
      reading_.error(*in, what + " acts on a particle, which has no axes", R"(write in = "frame", or nothing)");
    if (!push) return;
    const Multibody::Vector components = reading_.vector(*push, what, false);
    if (on.coordinates.size() == 2 && !components[2].is_zero() && !reading_.problems.any_errors())
      reading_.error(*push, what + " has a component along z, and the particle " + in_quotes(on.name) + " moves in the plane",
                     "write 0");
    for (std::size_t k = 0; k < 3; ++k) on.force[k] += components[k];
  }

  void torques() {
    const Value* list = reading_.find(reading_.table, "flywheels");
    if (!list) return;
    for (const Value& item : list->items) {
      const Value* torque = item.kind == Value::Kind::table ? reading_.find(item, "torque") : nullptr;
      if (!torque) continue;
      const SourceSpan where = reading_.where(item);
      const auto wheel = std::ranges::find(model_.flywheels, where, &Multibody::Flywheel::where);
      const ex value = reading_.quantity(*torque, "the torque of a flywheel");
      if (wheel != model_.flywheels.end()) wheel->torque = value;
    }
  }

  /// Laws are read before inputs are settled, so that a name in a law alone is an input as well.
  void laws() {
    const Value* control = reading_.find(reading_.table, "control");
    if (!control || !reading_.reader.is_table(*control, "control")) return;
    for (const Value::Entry& entry : control->entries) {
      model_.control[entry.key] = reading_.quantity(entry.value, "the law of " + in_quotes(entry.key));
      laws_.push_back(&entry);
    }
  }

  void input(const std::string& name) {
    Symbol& symbol = *model_.symbols.find(name);
    symbol.kind = SymbolKind::input;
    model_.input_names.push_back(name);
  }

  /// Names in constraints are parameters, but for those that are given as functions of time: these move the constraint.
  void prescribed() {
    for (const std::string& name : reading_.driven) {
      const Symbol* known = model_.symbols.find(name);
      if (!known || name == "t" || reading_.is_stated(name) || reading_.is_declared(name)) continue;
      if (!prescribe(model_, name) && !(known->kind == SymbolKind::input && is_constrained(model_, known->expr))) continue;
      if (model_.control.contains(name))
        reading_.problems.error(known->where, "a law of " + in_quotes(name) + ", which moves a constraint",
                                "a motion that is prescribed is a function of time; let the law be that of a force");
    }
    for (const Multibody::Constraint& constraint : model_.constraints) doubt_constant(constraint);
  }

  /// A name that nothing states and that shifts a constraint as a whole is likelier a motion than a length.
  void doubt_constant(const Multibody::Constraint& constraint) {
    const auto is_in_it = [&](const Symbol& symbol) {
      return symbol.kind == SymbolKind::coordinate && constraint.value.has(symbol.expr);
    };
    if (std::ranges::none_of(model_.symbols.all(), is_in_it)) return;
    for (const Symbol& symbol : model_.symbols.all()) {
      if (symbol.kind != SymbolKind::parameter || symbol.value || symbol.name == "t" || reading_.is_stated(symbol.name)) continue;
      if (!constraint.value.has(symbol.expr)) continue;
      const ex slope = constraint.value.diff(GiNaC::ex_to<GiNaC::symbol>(symbol.expr));
      if (GiNaC::is_a<GiNaC::numeric>(slope) && !slope.is_zero())
        reading_.problems.remark(symbol.where,
                                 "name " + in_quotes(symbol.name) + " in the constraint " + in_quotes(constraint.name) +
                                     " is taken as a parameter, which does not move",
                                 "a motion that is prescribed is an input: write input = \"" + symbol.name + "\"");
    }
  }

  /// What multiplies coordinates, rates or signals is a gain of a law; in a force too where it is without effect at rest, as a
  /// damping. (A force F*cos(s1) is an input.)
  bool is_factor(const std::string& name) const {
    const ex symbol = model_.symbols.at(name).expr;
    GiNaC::exmap at_rest;
    for (const Symbol& other : model_.symbols.all())
      if (other.kind == SymbolKind::coordinate || other.kind == SymbolKind::signal) at_rest[other.expr] = 0;
    const auto slope = [&](const ex& value) { return value.diff(GiNaC::ex_to<GiNaC::symbol>(symbol)).expand(); };
    bool factor = false, force = false;
    for (const auto& [input, law] : model_.control)
      for (const auto& [moving, zero] : at_rest) factor = factor || slope(law).has(moving);
    for (const ex& value : loads()) {
      const ex of = slope(value);
      if (of.is_zero()) continue;
      bool gain = of.subs(at_rest, GiNaC::subs_options::no_pattern).expand().is_zero();
      for (const auto& [moving, zero] : at_rest) gain = gain && of.is_polynomial(moving);
      (gain ? factor : force) = true;
    }
    return factor && !force;
  }

  std::vector<ex> loads() const {
    std::vector<ex> all;
    for (const auto& force : model_.forces) {
      all.push_back(force.along);
      all.insert(all.end(), force.force.begin(), force.force.end());
      all.insert(all.end(), force.torque.begin(), force.torque.end());
    }
    for (const auto& particle : model_.particles) all.insert(all.end(), particle.force.begin(), particle.force.end());
    for (const auto& wheel : model_.flywheels) all.push_back(wheel.torque);
    return all;
  }

  void check_laws() {
    for (const Value::Entry* entry : laws_) {
      if (std::ranges::find(model_.input_names, entry->key) != model_.input_names.end()) continue;
      const std::string near = suggestion(entry->key, model_.input_names);
      reading_.reader.error(*entry, "a law of " + in_quotes(entry->key) + ", which is no input: no force or torque of that name",
                            near.empty() ? "inputs are the names in forces and torques that nothing states" : near);
    }
  }

  MultibodyReading& reading_;
  Multibody& model_;
  std::vector<const Value::Entry*> laws_;
};

}  // namespace

void read_springs(MultibodyReading& reading) { LoadReading(reading).read_springs(); }
void read_loads(MultibodyReading& reading) { LoadReading(reading).read_forces(); }

}  // namespace sfg
