#include "sfg/derive/multibody/multibody_equations.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <random>

#include "sfg/derive/multibody/composite.hpp"
#include "sfg/derive/multibody/loads.hpp"
#include "sfg/derive/multibody/loops.hpp"
#include "sfg/derive/multibody/parallel_axes.hpp"
#include "sfg/derive/multibody/particles.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/model/prescribed.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using namespace spatial;

/// Whether a constraint holds whatever the symbols are: at three points of random numbers.
bool holds_everywhere(const ex& value) {
  GiNaC::exset symbols;
  for (auto part = value.preorder_begin(); part != value.preorder_end(); ++part)
    if (GiNaC::is_exactly_a<GiNaC::symbol>(*part)) symbols.insert(*part);
  std::mt19937 random(1);
  for (int trial = 0; trial < 3; ++trial) {
    GiNaC::exmap point;
    for (const ex& symbol : symbols) point[symbol] = ex(static_cast<int>(random() % 1000) + 300) / 1000;
    const ex number = value.subs(point, GiNaC::subs_options::no_pattern).evalf();
    if (!GiNaC::is_exactly_a<GiNaC::numeric>(number) || std::abs(GiNaC::ex_to<GiNaC::numeric>(number).to_double()) > 1e-10)
      return false;
  }
  return true;
}

/// Of an expression as it is kept, which is counted faster than as it is written.
std::size_t operations_in(const ex& e) {
  if (GiNaC::is_exactly_a<GiNaC::symbol>(e) || GiNaC::is_exactly_a<GiNaC::numeric>(e)) return 0;
  std::size_t count = GiNaC::is_exactly_a<GiNaC::add>(e) || GiNaC::is_exactly_a<GiNaC::mul>(e) ? e.nops() - 1 : 1;
  for (std::size_t i = 0; i < e.nops(); ++i) {
    if (e.op(i).is_equal(-1)) --count;  // a sign
    count += operations_in(e.op(i));
  }
  return count;
}

std::string symbol_text(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
  return name;
}

/// Everything of a model, in the order of evaluation.
class Derivation {
 public:
  Derivation(const Multibody& model, const SubstitutionOptions& options, const Budget& budget)
      : model_(model),
        options_(options),
        budget_(budget),
        symbols_(model.symbols),
        forest_(joint_forest(model)),
        unknowns_(unknowns(model, forest_, symbols_)),
        names_(options.reuse, prefix(symbols_)),
        motion_(model, forest_, unknowns_, names_),
        composite_(model, forest_, unknowns_, motion_, names_),
        loads_(model, forest_, unknowns_, motion_, composite_, names_, symbols_),
        particles_(model, unknowns_, names_, symbols_) {}

  MultibodyEquations operator()() {
    const std::size_t n = unknowns_.speeds.size();
    result_.motion.title = model_.title;
    result_.motion.op = model_.op;
    result_.motion.coordinates = unknowns_.coordinates;
    result_.motion.speeds = unknowns_.speeds;
    result_.motion.M.assign(n, std::vector<ex>(n, 0));
    result_.motion.F.assign(n, 0);
    result_.quaternions = unknowns_.quaternions;
    for (const auto& speed : unknowns_.speeds) result_.accelerations.push_back(GiNaC::symbol("D" + speed.name));
    budget_.check("the equations of motion");
    loads_.apply();
    composite_.gather();
    budget_.check("the equations of motion");
    state_forest();
    loads_.along_joints(result_.motion.F);
    particles_.equations(result_.motion.M, result_.motion.F);
    budget_.check("the constraints");
    name_prescribed();
    close_loops();
    state_constraints();
    state_rate_constraints();
    budget_.check("the reactions");
    account();
    react();
    finish();
    return std::move(result_);
  }

 private:
  /// No name of the model begins like a substitution.
  static std::string prefix(const SymbolTable& symbols) {
    std::string result = "sub";
    const auto taken = [&] {
      return std::ranges::any_of(symbols.all(), [&](const Symbol& symbol) {
        return symbol.name.starts_with(result) && symbol.name.size() > result.size() &&
               std::isdigit(static_cast<unsigned char>(symbol.name[result.size()])) != 0;
      });
    };
    while (taken()) result += '_';
    return result;
  }

  ex multiplier(const std::string& constraint) const { return GiNaC::symbol("lambda_" + symbol_text(constraint)); }

  /// M and F of the bodies in the words that take fewer operations.
  void state_forest() {
    EquationsOfMotion& motion = result_.motion;
    EquationsOfMotion::Matrix M = motion.M;
    std::vector<ex> F = motion.F;
    composite_.masses(motion.M);
    composite_.forces(motion.F);
    if (!options_.reuse || !ParallelAxes::apply_to(model_, forest_)) return;
    ParallelAxes axes(model_, forest_, unknowns_, names_);
    axes.masses(M);
    axes.forces(F);
    composite_.loads(F);
    if (operations_of(M, F) >= operations_of(motion.M, motion.F)) return;
    motion.M = std::move(M);
    motion.F = std::move(F);
  }

  static std::vector<ex> outputs_of(const EquationsOfMotion::Matrix& M, const std::vector<ex>& F) {
    std::vector<ex> outputs;
    for (std::size_t i = 0; i < M.size(); ++i)
      outputs.insert(outputs.end(), M[i].begin() + static_cast<std::ptrdiff_t>(i), M[i].end());
    outputs.insert(outputs.end(), F.begin(), F.end());
    return outputs;
  }
  std::size_t operations_of(const EquationsOfMotion::Matrix& M, const std::vector<ex>& F) const {
    const std::vector<ex> outputs = outputs_of(M, F);
    std::size_t count = 0;
    for (const auto& definition : needed(names_.definitions(), outputs)) count += operations_in(definition.value);
    for (const ex& output : outputs) count += operations_in(output);
    return count;
  }

  void close_loops() {
    rows_ = loop_rows(model_, forest_, unknowns_, motion_, composite_, names_);
    for (const LoopRow& row : rows_) {
      EquationsOfMotion::Constraint constraint{row.name, row.value, multiplier(row.name), model_.joints[row.joint].where};
      constraint.row = row.J;
      constraint.gamma = row.gamma;
      result_.motion.constraints.push_back(std::move(constraint));
    }
  }

  /// The symbols of u, u̇ and ü of the inputs that constraints contain, as far as they are wanted.
  ex derivative_of_input(const std::string& input, std::size_t order) {
    return moving_symbol(symbols_, std::string(order, 'D') + input, SymbolKind::input, {});
  }
  void name_prescribed() {
    for (const std::string& input : model_.input_names) {
      const Symbol* symbol = symbols_.find(input);
      if (!symbol || !is_constrained(model_, symbol->expr)) continue;
      prescribed_.push_back(input);
      for (const std::size_t order : {1, 2})
        if (const Symbol* taken = symbols_.find(std::string(order, 'D') + input); taken && taken->kind != SymbolKind::input)
          throw Error(taken->where, "the name '" + taken->name + "' is that of a rate of the input '" + input + "' as well",
                      "rename one of the two");
    }
  }

  /// The time, and d/dt with the speeds held.
  ex time() { return moving_symbol(symbols_, "t", SymbolKind::time, {}); }
  ex rate_by_time(const ex& quantity) {
    ex rate = derivative(quantity, time());
    for (const std::string& input : prescribed_)
      for (const std::size_t order : {0, 1})
        if (const ex u = derivative_of_input(input, order); quantity.has(u))
          rate += derivative(quantity, u) * derivative_of_input(input, order + 1);
    return rate;
  }
  ex rate_of(const ex& quantity) {
    ex rate = rate_by_time(quantity);
    for (const auto& coordinate : unknowns_.coordinates)
      if (quantity.has(coordinate.q)) rate += derivative(quantity, coordinate.q) * coordinate.rate;
    return rate;
  }

  /// f(q, t) = 0: ḟ = J v + ∂f/∂t, and γ is what is left of −f̈.
  void state_constraints() {
    for (const Multibody::Constraint& stated : model_.constraints) {
      const ex value = particles_.in_coordinates(stated.value);
      if (!model_.generalized.empty() && holds_everywhere(value)) continue;
      EquationsOfMotion::Constraint constraint{stated.name, names_(value), multiplier(stated.name), stated.where};
      const ex rate = rate_of(value);
      for (const auto& speed : unknowns_.speeds) constraint.row.push_back(names_(derivative(rate, speed.symbol)));
      constraint.rate = names_(rate_by_time(value));
      constraint.gamma = names_(-rate_of(rate));
      result_.motion.constraints.push_back(std::move(constraint));
    }
  }

  /// g = A v + a(q, t) = 0: γ is what is left of −ġ.
  void state_rate_constraints() {
    GiNaC::exmap at_rest;
    for (const auto& speed : unknowns_.speeds) at_rest[speed.symbol] = 0;
    for (const Multibody::Constraint& stated : model_.rate_constraints) {
      const ex value = particles_.in_coordinates(stated.value);
      if (!model_.generalized.empty() && holds_everywhere(value)) continue;
      EquationsOfMotion::Constraint constraint{stated.name, 0, multiplier(stated.name), stated.where};
      for (const auto& speed : unknowns_.speeds) constraint.row.push_back(names_(derivative(value, speed.symbol)));
      constraint.rate = names_(value.subs(at_rest, GiNaC::subs_options::no_pattern));
      constraint.gamma = names_(-rate_of(value));
      constraint.of_rates = value;
      result_.motion.constraints.push_back(std::move(constraint));
    }
  }

  void account() {
    result_.kinetic = composite_.kinetic_energy();
    result_.potential = names_(composite_.potential_energy() + loads_.potential_energy());
    result_.momentum = composite_.momentum();
    result_.angular_momentum = composite_.angular_momentum();
    for (std::size_t body = 1; body <= model_.bodies.size(); ++body) {
      const BodyMotion& at = motion_.body(body);
      result_.frames.push_back(
          {model_.bodies[body - 1].name, at.position, at.velocity, at.angular_velocity, at.orientation.axes});
    }
    particles_.account(result_);
  }

  void react() {
    const auto total = composite_.reactions(result_.accelerations, [&](std::size_t body) { return at_cuts(body); });
    std::vector<MultibodyEquations::Reaction> of_joint(model_.joints.size());
    for (const JointForest::Edge& edge : forest_.tree) {
      const Multibody::Joint& joint = model_.joints[edge.joint];
      const PlaceMotion second = motion_.at(joint.places[1]);
      const Vector arm = names_(edge.reversed ? difference(second.arm, motion_.body(edge.child).arm) : second.arm);
      const Wrench& wrench = total[edge.child];
      const ex sign = edge.reversed ? -1 : 1;
      const Vector force = names_(scaled(sign, wrench.force));
      const Vector moment = names_(scaled(sign, difference(wrench.moment, cross(arm, wrench.force))));
      of_joint[edge.joint] = {joint.name, {force[0], force[1], force[2], moment[0], moment[1], moment[2]}, second.position};
    }
    for (const std::size_t cut : forest_.cuts) {
      Vector force = zero(), moment = zero();
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r].joint != cut) continue;
        force = sum(force, scaled(result_.motion.constraints[r].multiplier, rows_[r].force));
        moment = sum(moment, scaled(result_.motion.constraints[r].multiplier, rows_[r].moment));
      }
      force = names_(force);
      moment = names_(moment);
      of_joint[cut] = {model_.joints[cut].name,
                       {force[0], force[1], force[2], moment[0], moment[1], moment[2]},
                       motion_.at(model_.joints[cut].places[1]).position};
    }
    result_.reactions = std::move(of_joint);
    particles_.reactions(result_);
  }

  /// What the joints that close loops do to a body, at its origin.
  Wrench at_cuts(std::size_t body) {
    Wrench result;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const LoopRow& row = rows_[r];
      const Multibody::Joint& joint = model_.joints[row.joint];
      const ex& lambda = result_.motion.constraints[r].multiplier;
      for (const int side : {0, 1}) {
        if (joint.places[side].body != body) continue;
        const Vector& own = side == 1 ? row.moment : row.moment_on_first;
        const ex factor = side == 1 ? lambda : -lambda;
        result.force = sum(result.force, scaled(factor, row.force));
        result.moment = sum(result.moment, scaled(factor, sum(own, cross(motion_.at(joint.places[side]).arm, row.force))));
      }
    }
    return {names_(result.force), names_(result.moment)};
  }

  void finish() {
    EquationsOfMotion& motion = result_.motion;
    for (const std::string& input : model_.input_names)
      if (!model_.control.contains(input))
        motion.inputs.push_back(
            {input, SourceKind::force, {moving_symbol(symbols_, input, SymbolKind::input, {})}, model_.where});
    for (auto& input : motion.inputs)
      if (std::ranges::find(prescribed_, input.name) != prescribed_.end())
        for (const std::size_t order : {1, 2}) input.derivatives.push_back(derivative_of_input(input.name, order));
    if (!model_.elastic.empty())
      result_.notes.push_back(
          {model_.elastic.front().where,
           "deformations are linear: no foreshortening and no geometric stiffening, which matter where a body "
           "turns about as fast as it vibrates",
           "", Severity::note});
    motion.symbols = symbols_;
    motion.stated_inputs = model_.inputs;
    motion.stated_outputs = model_.outputs;
    result_.definitions = names_.definitions();
    const std::vector<ex> outputs = outputs_of(motion.M, motion.F);
    const auto of_outputs = needed(result_.definitions, outputs);
    result_.operations = {operations_put_in(of_outputs, outputs), operations(of_outputs, outputs)};
    std::vector<ex> wanted = outputs;
    for (const auto& coordinate : motion.coordinates) wanted.push_back(coordinate.rate);
    for (const auto& constraint : motion.constraints) {
      wanted.insert(wanted.end(), {constraint.stated(), constraint.rate, constraint.gamma});
      wanted.insert(wanted.end(), constraint.row.begin(), constraint.row.end());
    }
    motion.definitions = options_.prune ? needed(result_.definitions, wanted) : result_.definitions;
  }

  const Multibody& model_;
  const SubstitutionOptions& options_;
  const Budget& budget_;
  SymbolTable symbols_;
  JointForest forest_;
  Unknowns unknowns_;
  Substitutions names_;
  TreeMotion motion_;
  Composite composite_;
  Loads loads_;
  Particles particles_;
  std::vector<std::string> prescribed_;  ///< inputs in constraints
  std::vector<LoopRow> rows_;
  MultibodyEquations result_;
};

}  // namespace

MultibodyEquations multibody_equations(const Multibody& model, const SubstitutionOptions& options, const Budget& budget) {
  return Derivation(model, options, budget)();
}

}  // namespace sfg
