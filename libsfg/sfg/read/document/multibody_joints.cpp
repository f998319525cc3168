#include <ginac/ginac.h>

#include <algorithm>
#include <numeric>

#include "sfg/model/structure_matrix.hpp"
#include "sfg/read/document/multibody_reading.hpp"

namespace sfg {

namespace {

using Kind = Multibody::JointKind;
using Joint = Multibody::Joint;

const std::vector<std::string> keys{"name",   "type",       "bodies",      "at",     "axis", "second_axis",
                                    "orient", "coordinate", "coordinates", "speeds", "cut",  "motion"};

/// The list `joints` and the matrix `structure`: which close loops, and what the coordinates of the others are called.
class JointReading {
 public:
  explicit JointReading(MultibodyReading& reading) : reading_(reading), model_(reading.model) {}

  void read() {
    std::set<std::string> names;
    for (const Value* item : reading_.items("joints", "a joint", keys)) joint(*item, names);
    if (const Value* matrix = reading_.find(reading_.table, "structure")) structure_matrix(*matrix, names);
    for (std::size_t i = 0; i < model_.joints.size(); ++i)
      if (!kinds_[i])
        reading_.error(*items_[i], "joint " + in_quotes(model_.joints[i].name) + " is without a type",
                       R"(write type = "revolute", or state the structure matrix)");
    if (reading_.problems.any_errors()) return;
    for (std::size_t i = 0; i < model_.joints.size(); ++i) settle(i);
    if (reading_.problems.any_errors()) return;
    find_loops();
    for (std::size_t i = 0; i < model_.joints.size(); ++i) name_coordinates(i);
    for (std::size_t i = 0; i < model_.joints.size(); ++i) motion(i);
  }

 private:
  void joint(const Value& item, std::set<std::string>& names) {
    const auto name = reading_.name(item, "a joint", names, "J" + std::to_string(model_.joints.size() + 1));
    if (!name) return;
    Joint joint;
    joint.name = *name;
    joint.where = reading_.where(item);
    const std::string what = "joint " + in_quotes(*name);
    const auto places = reading_.places(item, "bodies", what);
    if (places) joint.places = *places;
    if (const Value* cut = reading_.find(item, "cut")) {
      if (cut->kind == Value::Kind::boolean)
        joint.cut = cut->truth;
      else
        reading_.error(*cut, std::string("cut must be true or false, not ") + kind_name(*cut), "write cut = true");
    }
    kinds_.push_back(kind(item));
    items_.push_back(&item);
    model_.joints.push_back(std::move(joint));
  }

  std::optional<Kind> kind(const Value& item) {
    const Value* type = reading_.find(item, "type");
    const auto text = type ? reading_.reader.string(*type, "the type of a joint") : std::nullopt;
    if (!text) return {};
    if (const auto kind = joint_kind_named(text->text)) return kind;
    std::vector<std::string> types;
    for (long code = 1; joint_kind(code); ++code)
      if (*joint_kind(code) != Kind::revolute_between_bodies) types.emplace_back(to_string(*joint_kind(code)));
    const std::string near = nearest(text->text, types);
    std::string list;
    for (const std::string& one : types) list += (list.empty() ? "types are " : ", ") + one;
    reading_.error(*type, "unknown type " + in_quotes(text->text) + " of a joint",
                   near.empty() ? list : "did you mean '" + near + "'?");
    return Kind::weld;
  }

  // The structure matrix: rows and columns are the frame, then the bodies in their order.

  void structure_matrix(const Value& value, std::set<std::string>& names) {
    const auto matrix = entries(value);
    if (!matrix) return;
    const Structure found = structure(*matrix);
    for (const Structure::Mistake& mistake : found.mistakes) {
      const Value& row = mistake.row == 0 ? value : value.items[mistake.row - 1];
      reading_.error(mistake.column == 0 || mistake.row == 0 ? row : row.items[mistake.column - 1], mistake.message,
                     mistake.hint);
    }
    if (!found.mistakes.empty()) return;
    if (found.bases.front() != 1)
      return reading_.error(value, "column 1 of the structure matrix, that of the frame, is not empty",
                            "the first row and column are the frame's, then come the bodies in the order of the list");
    std::vector<bool> stated(model_.joints.size(), false);
    for (const Structure::Joint& joint : found.tree_joints) place_joint(joint, false, names, stated, value);
    for (const Structure::Joint& joint : found.cut_joints) place_joint(joint, true, names, stated, value);
    for (std::size_t i = 0; i < stated.size(); ++i)
      if (!stated[i] && kinds_[i] != Kind::free)
        reading_.error(*items_[i], "joint " + in_quotes(model_.joints[i].name) + " is not in the structure matrix",
                       "write its code in the row of one body and the column of the other");
    for (std::size_t k = 1; k < found.bases.size(); ++k) free_base(found.bases[k] - 1, names, value);
  }

  std::optional<std::vector<std::vector<long>>> entries(const Value& value) {
    if (!reading_.reader.is_array(value, "structure")) return {};
    if (value.items.size() != model_.bodies.size() + 1) {
      reading_.error(value,
                     "the structure matrix has " + counted(value.items.size(), "row") + " for the frame and " +
                         counted(model_.bodies.size(), "body"),
                     "write a row and a column for the frame and for each body");
      return {};
    }
    std::vector<std::vector<long>> matrix;
    for (const Value& row : value.items) {
      if (!reading_.reader.is_array(row, "a row of structure")) return {};
      matrix.emplace_back();
      for (const Value& entry : row.items) {
        const GiNaC::ex code =
            entry.kind == Value::Kind::number ? reading_.expression(entry, "an entry of structure") : GiNaC::ex(-1);
        if (!code.info(GiNaC::info_flags::nonnegint) || code > 1000) {
          reading_.error(entry, "an entry of the structure matrix is no code of a joint",
                         "write whole numbers: 0 none, 1 revolute, 2 prismatic, …");
          return {};
        }
        matrix.back().push_back(GiNaC::ex_to<GiNaC::numeric>(code).to_long());
      }
    }
    return matrix;
  }

  /// The statement of this joint gets its kind from the matrix; where there is none, one between the origins is made.
  void place_joint(const Structure::Joint& edge, bool cut, std::set<std::string>& names, std::vector<bool>& stated,
                   const Value& value) {
    const Kind kind = *joint_kind(edge.code);
    const std::array<std::size_t, 2> bodies{edge.first - 1, edge.second - 1};
    std::size_t number = model_.joints.size();
    for (std::size_t i = 0; i < stated.size(); ++i) {
      const auto& places = model_.joints[i].places;
      const bool same = (places[0].body == bodies[0] && places[1].body == bodies[1]) ||
                        (places[0].body == bodies[1] && places[1].body == bodies[0]);
      if (!same) continue;
      if (number < model_.joints.size())
        reading_.error(*items_[i],
                       "joint " + in_quotes(model_.joints[i].name) + " is the second one between " +
                           in_quotes(model_.name_of(bodies[0])) + " and " + in_quotes(model_.name_of(bodies[1])),
                       "an entry of the structure matrix is one joint; leave the matrix out to state several");
      number = i;
      stated[i] = true;
    }
    if (number == model_.joints.size()) {
      create(bodies, kind, cut, names, value);
      return;
    }
    const auto plain = [](Kind any) { return any == Kind::revolute_between_bodies ? Kind::revolute : any; };
    if (kinds_[number] && plain(*kinds_[number]) != plain(kind))
      reading_.error(*items_[number],
                     "joint " + in_quotes(model_.joints[number].name) + " is " + to_string(*kinds_[number]) + ", and its code " +
                         std::to_string(edge.code) + " in the structure matrix is that of a " + to_string(kind) + " joint",
                     "write the type or the code alone, or the same");
    kinds_[number] = kind;
    model_.joints[number].cut = model_.joints[number].cut || cut;
  }

  void create(const std::array<std::size_t, 2>& bodies, Kind kind, bool cut, std::set<std::string>& names, const Value& value) {
    Joint joint;
    joint.name = "J" + std::to_string(bodies[0] + 1) + "_" + std::to_string(bodies[1] + 1);
    joint.where = reading_.where(value);
    joint.cut = cut;
    for (std::size_t side = 0; side < 2; ++side) joint.places[side].body = bodies[side];
    if (!names.insert(joint.name).second)
      reading_.error(value,
                     "the structure matrix has a joint between " + in_quotes(model_.name_of(bodies[0])) + " and " +
                         in_quotes(model_.name_of(bodies[1])) + ", whose name " + in_quotes(joint.name) + " is taken",
                     "state it in the list of joints, with a name");
    kinds_.push_back(kind);
    items_.push_back(&value);
    model_.joints.push_back(std::move(joint));
  }

  /// The base of a further tree moves freely.
  void free_base(std::size_t body, std::set<std::string>& names, const Value& value) {
    for (std::size_t i = 0; i < model_.joints.size(); ++i)
      if (kinds_[i] == Kind::free && (model_.joints[i].places[0].body == body || model_.joints[i].places[1].body == body)) return;
    create({Multibody::frame, body}, Kind::free, false, names, value);
  }

  // What a kind of joint needs and may have.

  void settle(std::size_t i) {
    Joint& joint = model_.joints[i];
    joint.kind = *kinds_[i] == Kind::revolute_between_bodies ? Kind::revolute : *kinds_[i];
    const std::string what = "joint " + in_quotes(joint.name);
    const bool stated = items_[i]->kind == Value::Kind::table;
    const Value *axis = stated ? reading_.find(*items_[i], "axis") : nullptr,
                *second = stated ? reading_.find(*items_[i], "second_axis") : nullptr;
    if (model_.planar && (joint.kind == Kind::spherical || joint.kind == Kind::universal || joint.kind == Kind::cylindrical))
      return reading_.error(*items_[i], what + " is " + to_string(joint.kind) + ", and the model is planar",
                            "write revolute, prismatic, weld, planar or free, or planar = false");
    if (model_.planar && joint.kind == Kind::free) joint.kind = Kind::planar;
    if (joint.kind == Kind::prismatic) joint.axis = {1, 0, 0};
    if (axis && (joint.kind == Kind::weld || joint.kind == Kind::spherical || joint.kind == Kind::free))
      reading_.error(*axis, what + " is " + to_string(joint.kind) + " and has no axis",
                     "leave the axis out, or state another type");
    if (axis) joint.axis = reading_.axis(*axis, "the axis of " + what);
    if (second && joint.kind != Kind::universal)
      reading_.error(*second, what + " is " + to_string(joint.kind) + " and has no second axis", "a universal joint has two");
    if (second) joint.second_axis = reading_.axis(*second, "the second axis of " + what);
    if (reading_.problems.any_errors()) return;
    if (joint.kind == Kind::universal) check_universal(joint, second ? *second : *items_[i], what);
    if (model_.planar && axis) check_planar(joint, *axis, what);
  }

  void check_universal(const Joint& joint, const Value& value, const std::string& what) {
    GiNaC::ex product = 0;
    for (std::size_t k = 0; k < 3; ++k) product += joint.axis[k] * joint.second_axis[k];
    const GiNaC::ex number = product.evalf();
    constexpr double parallel = 1 - 1e-9;
    if (GiNaC::is_a<GiNaC::numeric>(number) && GiNaC::abs(GiNaC::ex_to<GiNaC::numeric>(number)) > GiNaC::numeric(parallel))
      reading_.error(value, "the axes of " + what + " are parallel", R"(write axis = "z" and second_axis = "y", say)");
  }

  void check_planar(const Joint& joint, const Value& value, const std::string& what) {
    const bool along_z = joint.axis[0].is_zero() && joint.axis[1].is_zero();
    if (joint.kind == Kind::prismatic && !joint.axis[2].is_zero())
      reading_.error(value, what + " slides along an axis that is not in the plane",
                     R"-(write axis = "x", "y" or ["cos(a)", "sin(a)"])-");
    else if (joint.kind != Kind::prismatic && !along_z)
      reading_.error(value, what + " turns about an axis that is not z, and the model is planar",
                     R"(write axis = "z", or planar = false)");
  }

  // Loops

  bool names_coordinates(std::size_t i) const {
    return items_[i]->kind == Value::Kind::table &&
           (reading_.find(*items_[i], "coordinate") || reading_.find(*items_[i], "coordinates"));
  }

  std::size_t root(std::size_t body) {
    while (root_[body] != body) body = root_[body] = root_[root_[body]];
    return body;
  }
  /// Takes the joint into the forest; false where it closes a loop.
  bool connect(std::size_t i) {
    const std::size_t a = root(model_.joints[i].places[0].body), b = root(model_.joints[i].places[1].body);
    if (a != b) root_[b] = a;
    return a != b;
  }

  /// Joints with coordinates are in the tree, then those that a search in breadth from the frame meets first; what closes a loop
  /// is cut.
  void find_loops() {
    root_.resize(model_.bodies.size() + 1);
    std::iota(root_.begin(), root_.end(), 0U);
    std::vector<bool> taken(model_.joints.size(), false);
    for (std::size_t i = 0; i < model_.joints.size(); ++i) {
      if (model_.joints[i].cut || !names_coordinates(i)) continue;
      taken[i] = true;
      if (!connect(i))
        reading_.error(*items_[i],
                       "joint " + in_quotes(model_.joints[i].name) + " closes a loop of joints that all have coordinates",
                       "write cut = true in place of the coordinate of one of them");
    }
    if (reading_.problems.any_errors()) return;
    for (const std::size_t i : in_breadth())
      if (!taken[i]) model_.joints[i].cut = !connect(i);
    for (std::size_t body = 1; body <= model_.bodies.size(); ++body)
      if (root(body) != root(Multibody::frame)) unconnected(body);
  }

  /// Joints that are not cut as they are met from the frame outwards; then what the frame does not reach.
  std::vector<std::size_t> in_breadth() const {
    std::vector<std::size_t> order, bodies{Multibody::frame};
    std::vector<bool> seen(model_.bodies.size() + 1, false), used(model_.joints.size(), false);
    std::vector<std::vector<std::size_t>> of(model_.bodies.size() + 1);
    for (std::size_t i = 0; i < model_.joints.size(); ++i)
      for (const Multibody::Place& place : model_.joints[i].places)
        if (!model_.joints[i].cut) of[place.body].push_back(i);
    seen[Multibody::frame] = true;
    for (std::size_t next = 0; next < bodies.size(); ++next)
      for (const std::size_t i : of[bodies[next]]) {
        const auto& places = model_.joints[i].places;
        const std::size_t other = places[places[0].body == bodies[next] ? 1 : 0].body;
        if (!seen[other]) {
          order.push_back(i);
          used[i] = seen[other] = true;
          bodies.push_back(other);
        }
      }
    for (std::size_t i = 0; i < model_.joints.size(); ++i)
      if (!used[i] && !model_.joints[i].cut) order.push_back(i);
    return order;
  }

  void unconnected(std::size_t body) {
    const std::string& name = model_.bodies[body - 1].name;
    bool by_cut_joints = false;
    for (const Joint& joint : model_.joints)
      by_cut_joints = by_cut_joints || (joint.cut && (joint.places[0].body == body || joint.places[1].body == body));
    reading_.problems.error(
        model_.bodies[body - 1].where,
        "body " + in_quotes(name) + " is not connected with the frame by joints" + (by_cut_joints ? " that are not cut" : ""),
        by_cut_joints ? "cut the loop at one joint only"
                      : R"(state a joint, or let it move freely: { type = "free", bodies = ["frame", ")" + name + R"("] })");
  }

  // Names of coordinates and speeds: as Mráz's where the file has none.

  void name_coordinates(std::size_t i) {
    Joint& joint = model_.joints[i];
    const Value& item = *items_[i];
    const bool stated = item.kind == Value::Kind::table;
    const Value* one = stated ? reading_.find(item, "coordinate") : nullptr;
    const Value* several = stated ? reading_.find(item, "coordinates") : nullptr;
    const Value* speeds = stated ? reading_.find(item, "speeds") : nullptr;
    const std::string what = "joint " + in_quotes(joint.name);
    if (one && several) return reading_.error(*several, what + " has both coordinate and coordinates", "state one of them");
    const Value* names = one ? one : several;
    if (joint.cut) {
      for (const Value* extra : {names, speeds})
        if (extra)
          reading_.error(*extra, what + " closes a loop (cut = true) and has no coordinates",
                         "leave them out: the motion is described by the coordinates of the joints that are not cut");
      return;
    }
    joint.coordinates = listed(names, default_coordinates(joint.kind, i + 1), what, "coordinate", joint.where);
    joint.speeds = listed(speeds, default_speeds(joint.kind, i + 1), what, "speed", joint.where);
    for (std::size_t k = 0; k < joint.speeds.size(); ++k)
      reading_.declare(joint.speeds[k], SymbolKind::coordinate, joint.where, "a speed of " + what);
    if (joint.speeds.empty() || reading_.problems.any_errors()) return;
    const std::size_t offset = joint.kind == Kind::free ? 3 : 0;
    for (std::size_t k = 0; k < offset; ++k) reading_.state_rate(joint.coordinates[k], reading_.symbol(joint.speeds[k]));
    quaternion_rates(joint, offset);
  }

  std::vector<std::string> listed(const Value* stated, const std::vector<std::string>& defaults, const std::string& what,
                                  const char* noun, const SourceSpan& where) {
    const bool coordinates = std::string_view(noun) == "coordinate";
    std::vector<std::string> names;
    if (stated) {
      const auto passages = reading_.reader.strings(*stated, coordinates ? "coordinates" : "speeds");
      for (const Passage& name : passages) {
        names.push_back(name.text);
        if (coordinates) reading_.declare_coordinate(name.text, place(reading_.reader.source(), name), "a coordinate of " + what);
      }
      if (names.size() != defaults.size())
        reading_.error(*stated,
                       what + " has " + counted(defaults.size(), noun) + ", and " + std::to_string(names.size()) +
                           (names.size() == 1 ? " is named" : " are named"),
                       defaults.empty() ? std::string("leave ") + noun + "s out"
                                        : std::string("write ") + noun + "s = [\"" + joined(defaults) + "\"], say");
      return names;
    }
    if (coordinates)
      for (const std::string& name : defaults) reading_.declare_coordinate(name, where, "a coordinate of " + what);
    return defaults;
  }

  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "\", \"") + name;
    return text;
  }

  std::vector<std::string> default_coordinates(Kind kind, std::size_t number) const {
    const std::string n = std::to_string(number);
    if (kind == Kind::spherical) return {"s" + n + "q0", "s" + n + "q1", "s" + n + "q2", "s" + n + "q3"};
    if (kind == Kind::free)
      return {"r" + n + "x", "r" + n + "y", "r" + n + "z", "q" + n + "0", "q" + n + "1", "q" + n + "2", "q" + n + "3"};
    const std::size_t count = coordinate_count(kind, model_.planar);
    if (count == 1) return {"s" + n};
    std::vector<std::string> names;
    for (std::size_t k = 0; k < count; ++k) names.push_back("s" + n + "abc"[k]);
    return names;
  }

  static std::vector<std::string> default_speeds(Kind kind, std::size_t number) {
    const std::string n = std::to_string(number);
    std::vector<std::string> names;
    if (kind == Kind::free) names = {"v" + n + "x", "v" + n + "y", "v" + n + "z"};
    if (kind == Kind::free || kind == Kind::spherical)
      for (const char* axis : {"x", "y", "z"}) names.push_back("w" + n + axis);
    return names;
  }

  /// q̇ = ½ q ∘ (0, ω), ω in the axes of the second place.
  void quaternion_rates(const Joint& joint, std::size_t offset) {
    const auto q = [&](std::size_t k) { return reading_.symbol(joint.coordinates[offset + k]); };
    const auto w = [&](std::size_t k) { return reading_.symbol(joint.speeds[offset + k]); };
    const GiNaC::ex half = GiNaC::numeric(1, 2);
    const std::array<GiNaC::ex, 4> rates{
        half * (-q(1) * w(0) - q(2) * w(1) - q(3) * w(2)), half * (q(0) * w(0) + q(2) * w(2) - q(3) * w(1)),
        half * (q(0) * w(1) + q(3) * w(0) - q(1) * w(2)), half * (q(0) * w(2) + q(1) * w(1) - q(2) * w(0))};
    for (std::size_t k = 0; k < 4; ++k) reading_.state_rate(joint.coordinates[offset + k], rates[k]);
  }

  // Prescribed motion: a constraint coordinate − f(t).

  void motion(std::size_t i) {
    const Value* stated = items_[i]->kind == Value::Kind::table ? reading_.find(*items_[i], "motion") : nullptr;
    if (!stated) return;
    const Joint& joint = model_.joints[i];
    const std::string what = "the motion of joint " + in_quotes(joint.name);
    if (joint.cut) return reading_.error(*stated, what + ", which closes a loop", "prescribe that of a joint with a coordinate");
    if (!joint.speeds.empty())
      return reading_.error(*stated, what + ": an attitude is not prescribed", "state constraints, or use revolute joints");
    std::vector<const Value*> laws;
    if (stated->kind == Value::Kind::array)
      for (const Value& law : stated->items) laws.push_back(&law);
    else
      laws.push_back(stated);
    if (laws.size() != joint.coordinates.size())
      return reading_.error(
          *stated,
          what + " has " + counted(laws.size(), "expression") + " for " + counted(joint.coordinates.size(), "coordinate"),
          "write one for each coordinate");
    for (std::size_t k = 0; k < laws.size(); ++k) {
      const GiNaC::ex law = reading_.quantity(*laws[k], what);
      if (GiNaC::is_a<GiNaC::symbol>(law)) reading_.driven.insert(GiNaC::ex_to<GiNaC::symbol>(law).get_name());
      model_.constraints.push_back({joint.name + (laws.size() == 1 ? ".motion" : ".motion" + std::to_string(k + 1)),
                                    reading_.symbol(joint.coordinates[k]) - law, reading_.where(*laws[k])});
    }
  }

  MultibodyReading& reading_;
  Multibody& model_;
  std::vector<const Value*> items_;         ///< by joint: its statement, or the structure matrix
  std::vector<std::optional<Kind>> kinds_;  ///< by joint
  std::vector<std::size_t> root_;           ///< union-find over bodies
};

}  // namespace

void read_joints(MultibodyReading& reading) { JointReading(reading).read(); }

}  // namespace sfg
