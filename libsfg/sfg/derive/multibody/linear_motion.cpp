#include "sfg/derive/multibody/linear_motion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "sfg/derive/linearize.hpp"
#include "sfg/derive/multibody/constraint_elimination.hpp"
#include "sfg/derive/multibody/first_order.hpp"
#include "sfg/derive/multibody/motion_point.hpp"
#include "sfg/derive/multibody/point_arithmetic.hpp"
#include "sfg/derive/multibody/prescribed_motion.hpp"
#include "sfg/derive/multibody/rate_rows.hpp"
#include "sfg/derive/multibody/rest_search.hpp"
#include "sfg/derive/multibody/small_motion.hpp"
#include "sfg/derive/multibody/stationary_motion.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using MotionMatrix = EquationsOfMotion::Matrix;
constexpr long digits_of_motion = 60;

class Linearization {
 public:
  Linearization(const Multibody& model, const MultibodyEquations& equations, const Budget& budget)
      : small_(model, equations),
        motion_(small_.motion),
        budget_(budget),
        point_(motion_point(small_, budget)),
        parameters_(motion_.symbols.values()),
        simplified_(point_.exact) {}

  MultibodyLinearization operator()() {
    result_.equations.op = motion_.op;
    add_symbols();
    p_ = result_.equations.op.declare(result_.equations.symbols);
    describe_point();
    expand_laws();
    eliminate();
    expand();
    check_balance();
    reduce();
    check_stationary();
    write_equations();
    return std::move(result_);
  }

 private:
  std::size_t n() const { return small_.size(); }
  std::size_t rate(std::size_t speed) const { return n() + speed; }
  std::size_t input(std::size_t number) const { return 2 * n() + number; }
  std::size_t law(std::size_t number) const { return input(motion_.inputs.size()) + number; }

  const SourceSpan& where() const { return small_.model.equilibrium ? small_.model.equilibrium->where : small_.model.where; }
  ex value_of(const ex& symbol) const { return point_.values.at(symbol); }

  /// What moves, with its directions; with `laws` an input that has one is a direction of its own.
  FirstOrderExpansion::Known known(bool laws) {
    FirstOrderExpansion::Known result;
    for (const auto& [symbol, value] : point_.values) result[symbol].value = simplified_(value);
    FirstOrderExpansion of_coordinates({}, result, simplified_);
    for (std::size_t j = 0; j < motion_.coordinates.size(); ++j)
      for (std::size_t k = 0; k < n(); ++k)
        if (const ex slope = of_coordinates.value(small_.N[j][k], "the rates"); !slope.is_zero())
          result[motion_.coordinates[j].q].slopes[k] = slope;
    for (std::size_t k = 0; k < n(); ++k) result[motion_.speeds[k].symbol].slopes[rate(k)] = 1;
    for (std::size_t u = 0; u < motion_.inputs.size(); ++u) result[motion_.inputs[u].derivatives.at(0)].slopes[input(u)] = 1;
    for (std::size_t l = 0; laws && l < laws_.size(); ++l) result[small_.laws[l].symbol] = {laws_[l].value, {{law(l), 1}}};
    return result;
  }

  void expand_laws() {
    FirstOrderExpansion expansion(small_.definitions, known(false), simplified_);
    for (const auto& law : small_.laws)
      laws_.push_back(expansion(law.law, "the control law of " + quoted(law.name), small_.model.where));
  }

  void describe_point() {
    result_.title = motion_.title;
    result_.exact = point_.exact;
    result_.found = point_.found;
    result_.steady = point_.is_steady;
    result_.notes = motion_.notes;
    result_.notes.insert(result_.notes.end(), point_.notes.begin(), point_.notes.end());
    for (const auto& coordinate : motion_.coordinates) result_.point[coordinate.name] = value_of(coordinate.q);
    for (const auto& speed : motion_.speeds)
      if (const ex value = value_of(speed.symbol); !value.is_zero()) result_.point[speed.name] = value;
    for (const auto& input : motion_.inputs)
      if (const auto value = point_.values.find(input.derivatives.at(0));
          value != point_.values.end() && !value->second.is_zero())
        result_.point[input.name] = value->second;
    result_.displacements = small_.displacement_names;
  }

  /// With 60 digits for a point that is known in decimals, exact for another.
  FirstOrderExpansion statics() {
    if (point_.exact) return {small_.definitions, known(true), simplified_};
    FirstOrderExpansion::Known numbers;
    for (const auto& [symbol, value] : parameters_) numbers[symbol].value = value.evalf();
    for (const auto& [symbol, value] : point_.values) numbers[symbol].value = value.subs(parameters_, plain).evalf();
    return {small_.definitions, std::move(numbers), [](const ex& value) { return value.evalf(); }};
  }

  /// Displacements that close the loops, and the multipliers there: λ = −J_d⁻ᵀ F_d.
  void eliminate() {
    const Precision precision(digits_of_motion);
    FirstOrderExpansion expansion = statics();
    MotionMatrix J;
    for (std::size_t c = 0; c < small_.J.size(); ++c) {
      const auto& constraint = motion_.constraints[c];
      J.emplace_back();
      for (const ex& entry : small_.J[c])
        J.back().push_back(
            entry.is_zero() ? ex(0) : expansion.value(entry, "the constraint " + quoted(constraint.name), constraint.where));
    }
    std::vector<std::vector<double>> numbers;
    const GiNaC::exmap at = pivot_numbers(J, parameters_);
    for (const auto& row : J) {
      numbers.emplace_back();
      for (const ex& entry : row) numbers.back().push_back(double_value(entry.subs(at, plain)).value_or(0));
    }
    const std::function<ex(const ex&)> normal =
        point_.exact ? std::function<ex(const ex&)>([](const ex& e) { return normal_form(e); }) : [](const ex& e) { return e; };
    const std::size_t loops = motion_.holonomic();
    const ConstraintElimination all =
        eliminated(J, n(), numbers, loops < J.size() ? std::vector<std::size_t>() : wanted_independent(), normal, budget_);
    multipliers_.assign(J.size(), 0);
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
      const std::size_t dependent = all.dependent[i];
      const ex force = expansion.value(motion_.F[dependent], "the force along " + quoted(small_.displacement_names[dependent]));
      for (std::size_t k = 0; k < all.rows.size(); ++k) multipliers_[all.rows[k]] -= all.inverse[i][k] * force;
    }
    rows_ = all.rows;
    if (auto lost = lost_rank(motion_.constraints, rows_)) result_.notes.push_back(*std::move(lost));
    MotionMatrix A(J.begin() + static_cast<std::ptrdiff_t>(loops), J.end());
    J.resize(loops);
    J_ = J;
    numbers.resize(loops);
    elimination_ = A.empty() ? all : eliminated(J, n(), numbers, wanted_independent(), normal, budget_);
    if (!point_.exact)
      for (auto& row : elimination_.R)
        for (ex& entry : row) entry = rounded(entry);
    constrain_rates(A, normal, at);
    for (std::size_t c = 0; c < multipliers_.size(); ++c) {
      multipliers_[c] = point_.exact ? normal_form(multipliers_[c]) : rounded(multipliers_[c]);
      result_.multipliers[motion_.constraints[c].name] = multipliers_[c];
    }
  }

  /// Of A (ξ̇ + W ξ) + G ξ = 0 which rates stay free, and along what forces act.
  void constrain_rates(const MotionMatrix& A, const std::function<ex(const ex&)>& normal, const GiNaC::exmap& at) {
    rates_.allowed = elimination_.R;
    rates_.free.resize(elimination_.independent.size());
    std::iota(rates_.free.begin(), rates_.free.end(), std::size_t{0});
    if (A.empty()) return;
    FirstOrderExpansion expansion(small_.definitions, known(true), simplified_);
    std::vector<FirstOrder> stated;
    std::string names;
    for (std::size_t c = motion_.holonomic(); c < motion_.constraints.size(); ++c) {
      const auto& constraint = motion_.constraints[c];
      stated.push_back(expansion(constraint.of_rates, "the constraint " + quoted(constraint.name), constraint.where));
      names += (names.empty() ? "" : ", ") + quoted(constraint.name);
    }
    const MotionMatrix turned =
        simplified_.sum(slopes(stated, 0, n()), simplified_.product(slopes(stated, n(), n()), small_.turning(point_.values)));
    const RateElimination elimination{[&](const ex& entry) { return double_value(entry.subs(at, plain)).value_or(0); }, normal,
                                      [&](const ex& entry) { return point_.exact ? entry : rounded(entry); }, simplified_};
    auto found = elimination(A, turned, elimination_.R, budget_);
    if (!found)
      throw Error(motion_.constraints[motion_.holonomic()].where,
                  "the constraints on rates (" + names + ") depend on each other, or on the loops, where the model is linearised",
                  "remove what follows from the others, or linearise at another point");
    rates_ = std::move(*found);
  }
  /// The displacement of a free rate.
  std::size_t displacement_of(std::size_t free) const { return elimination_.independent[rates_.free[free]]; }

  static ex rounded(const ex& value) {
    const auto number = real_number(value);
    return number ? decimal_of(*number) : value;
  }

  std::vector<std::size_t> wanted_independent() const {
    std::vector<std::size_t> wanted;
    for (const std::string& name : small_.model.independent)
      for (std::size_t k = 0; k < n(); ++k)
        if (small_.displacement_names[k] == name) wanted.push_back(k);
    return wanted;
  }

  /// M, and the slopes of F + Jᵀ λ_e with λ_e held.
  void expand() {
    FirstOrderExpansion expansion(small_.definitions, known(true), simplified_);
    M_ = zeros(n(), n());
    forces_.resize(n());
    for (std::size_t i = 0; i < n(); ++i) {
      budget_.check("the equations of small motions");
      const std::string what = "the equation of " + quoted(small_.displacement_names[i]);
      for (std::size_t k = 0; k <= i; ++k)
        M_[i][k] = M_[k][i] = motion_.M[i][k].is_zero() ? ex(0) : expansion.value(motion_.M[i][k], what, motion_.speeds[i].where);
      forces_[i] = expansion(motion_.F[i], what, motion_.speeds[i].where);
      for (std::size_t c = 0; c < small_.J.size(); ++c) {
        if (multipliers_[c].is_zero() || small_.J[c][i].is_zero()) continue;
        const FirstOrder row = expansion(small_.J[c][i], what, motion_.constraints[c].where);
        forces_[i].value += multipliers_[c] * row.value;
        for (const auto& [direction, slope] : row.slopes) forces_[i].slopes[direction] += multipliers_[c] * slope;
      }
    }
    for (const auto& constraint : motion_.constraints)
      constraints_.push_back(expansion(constraint.stated(), "the constraint " + quoted(constraint.name), constraint.where));
  }

  void reduce() {
    const MotionMatrix W = small_.turning(point_.values), &R = elimination_.R, Rt = transposed(rates_.allowed);
    const MotionMatrix G_x = slopes(forces_, 0, n()), G_v = slopes(forces_, n(), n());
    const MotionMatrix G_u = slopes(forces_, input(0), motion_.inputs.size() + laws_.size());
    C_ = simplified_.sum(simplified_.product(M_, W), G_v, -1);
    K_ = simplified_.sum(zeros(n(), n()), simplified_.sum(G_x, simplified_.product(G_v, W)), -1);
    follow_inputs();
    M_r_ = simplified_.product(simplified_.product(Rt, M_), R);
    C_r_ = simplified_.product(simplified_.product(Rt, C_), R);
    K_r_ = simplified_.product(simplified_.product(Rt, K_), R);
    B_r_ = simplified_.product(Rt, G_u);
    prescribed_.drive(B_r_, Rt, {&K_, &C_, &M_}, p_, simplified_);
    M_r_ = rates_.in_order(std::move(M_r_), zeros(rates_.dependent.size(), elimination_.independent.size()));
    C_r_ = rates_.in_order(std::move(C_r_), rates_.C);
    K_r_ = rates_.in_order(std::move(K_r_), rates_.K);
    B_r_ = rates_.in_order(std::move(B_r_), zeros(rates_.dependent.size(), motion_.inputs.size() + laws_.size()));
    law_by_position_ =
        simplified_.product(simplified_.sum(slopes(laws_, 0, n()), simplified_.product(slopes(laws_, n(), n()), W)), R);
    law_by_rate_ = simplified_.product(slopes(laws_, n(), n()), R);
    if (point_.rounded && drop_rounding(M_r_, {&C_r_, &K_r_}, B_r_, {&law_by_position_, &law_by_rate_}, parameters_) > 0)
      result_.notes.push_back(
          {where(), "couplings below 1e-14 of their coordinates' others are taken as 0: the point is known in decimals", "",
           Severity::note});
    close_laws();
    for (const std::size_t k : elimination_.independent) result_.coordinates.push_back(small_.displacement_names[k]);
    for (const std::size_t j : rates_.dependent) result_.rate_rows.push_back(result_.coordinates[j]);
    result_.R = R;
    if (!point_.is_steady && laws_.empty() && rates_.dependent.empty()) result_.stability = stability(result_.K, parameters_);
    speeds_ = simplified_.product(W, R);
  }

  void follow_inputs() {
    const std::size_t inputs = motion_.inputs.size();
    const MotionMatrix moved = slopes(constraints_, input(0), inputs);
    prescribed_ = {elimination_, moved, n(), inputs,
                   [&](const ex& entry) { return point_.exact ? simplified_(entry) : rounded(simplified_(entry)); }};
    const bool moves = !rates_.dependent.empty() || point_.is_steady || small_.depends_on_time();
    for (std::size_t u = 0; moves && u < inputs; ++u)
      for (std::size_t c = 0; c < moved.size(); ++c)
        if (!moved[c][u].is_zero())
          refuse_input(c, u, ": motions that are prescribed are not linearised beside constraints on rates or about a motion",
                       "move the place by a stiff spring");
    if (const auto wrong =
            prescribed_.contradiction(elimination_, moved, J_, [&](const ex& left) { return number(simplified_(left)); }))
      refuse_input(wrong->first, wrong->second, " and contradicts the others when that moves",
                   "remove the constraint, or let it move along");
  }
  [[noreturn]] void refuse_input(std::size_t constraint, std::size_t input, const std::string& why, std::string hint) const {
    throw Error(motion_.constraints[constraint].where,
                "the constraint " + quoted(motion_.constraints[constraint].name) + " contains the input " +
                    quoted(motion_.inputs[input].name) + why,
                std::move(hint));
  }

  /// M, C, K, B with the laws put in.
  void close_laws() {
    result_.M = M_r_;
    result_.C = C_r_;
    result_.K = K_r_;
    const std::size_t rows = M_r_.size();
    result_.B.assign(rows, {});
    for (std::size_t u = 0; u < motion_.inputs.size(); ++u) {
      result_.inputs.push_back(motion_.inputs[u].name);
      for (std::size_t i = 0; i < rows; ++i) {
        ex entry = B_r_[i][u];
        for (std::size_t l = 0; l < laws_.size(); ++l) entry += gain(i, l) * law_by_input(l, u);
        result_.B[i].push_back(simplified_(entry));
      }
    }
    for (std::size_t l = 0; l < laws_.size(); ++l)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < rows; ++k) {
          result_.C[i][k] = simplified_(result_.C[i][k] - gain(i, l) * law_by_rate_[l][k]);
          result_.K[i][k] = simplified_(result_.K[i][k] - gain(i, l) * law_by_position_[l][k]);
        }
  }
  /// What a law reads of an input, by itself and by what moves along with it.
  ex law_by_input(std::size_t l, std::size_t u) const {
    ex result = laws_[l].slope(input(u));
    for (std::size_t k = 0; k < n(); ++k)
      if (!prescribed_.S[k][u].is_zero()) result += (laws_[l].slope(k) + laws_[l].slope(rate(k)) * p_) * prescribed_.S[k][u];
    return simplified_(result);
  }
  /// The force along an independent displacement for one unit of an input that has a law.
  const ex& gain(std::size_t row, std::size_t law) const { return B_r_[row][motion_.inputs.size() + law]; }

  /// The forces along the independent displacements must vanish, but for the drives of a steady motion.
  void check_balance() {
    constexpr double rounding = 1e-9;    // of values computed elsewhere and written with all digits
    constexpr double few_digits = 1e-3;  // of values written with a few digits
    for (std::size_t k = 0; k < rates_.free.size(); ++k) {
      if (point_.steady[displacement_of(k)]) continue;
      ex left = 0;
      double scale = 0;
      for (std::size_t i = 0; i < n(); ++i) {
        const ex& factor = rates_.allowed[i][k];
        if (factor.is_zero()) continue;
        left += factor * forces_[i].value;
        for (std::size_t j = 0; j < n(); ++j) scale = std::max(scale, std::abs(number(factor * forces_[i].slope(j)).value_or(0)));
      }
      left = simplified_(left);
      if (left.is_zero()) continue;
      const std::string& name = small_.displacement_names[displacement_of(k)];
      const auto size = number(left);
      if (size && std::abs(*size) <= rounding * std::max(scale, rounding)) continue;
      if (!small_.model.equilibrium)
        throw Error(small_.model.where,
                    "the model is not in equilibrium where all coordinates are 0: the force " +
                        (size ? print(*size) : print(left)) + " is left along " + quoted(name),
                    "add the table [equilibrium] with the values of the point, or with find = true");
      if (size) result_.residual = std::max(result_.residual, std::abs(*size));
      warn_of_rest(name, left, size, size && std::abs(*size) <= few_digits * scale);
    }
  }

  std::optional<double> number(const ex& value) const {
    const auto result = real_number(value.subs(parameters_, plain));
    return result ? std::optional(result->to_double()) : std::nullopt;
  }

  void warn_of_rest(const std::string& name, const ex& left, const std::optional<double>& size, bool rough) {
    if (!size)
      return result_.notes.push_back(
          {where(), "along " + quoted(name) + " the stated point is an equilibrium only where " + print(left) + " = 0", "",
           Severity::warning});
    result_.notes.push_back({where(),
                             std::string("the stated point is ") + (rough ? "only nearly" : "not") +
                                 " an equilibrium: a force of " + print(*size) + " is left along " + quoted(name),
                             "[equilibrium] find = true finds it", rough ? Severity::note : Severity::warning});
  }

  /// A steady motion, and one that the time occurs in, must have the same small motions later on.
  void check_stationary() {
    if (!point_.is_steady && !small_.depends_on_time()) return;
    const StationaryMotion later(small_, point_.values, multipliers_, rows_);
    if (const auto change = later.change(budget_))
      throw Error(where(), *change,
                  point_.is_steady
                      ? "state rates of coordinates that nothing depends on, or of an attitude about an axis of inertia"
                      : "make a force that depends on time an input, and let prescribed motions be at rest");
  }

  void write_equations() {
    EquationSystem& system = result_.equations;
    system.title = motion_.title;
    system.inputs = motion_.stated_inputs;
    system.outputs = motion_.stated_outputs;
    const std::size_t rows = M_r_.size();
    for (std::size_t k = 0; k < rows; ++k)
      system.unknowns.push_back({result_.coordinates[k], motion_.speeds[elimination_.independent[k]].where});
    for (const auto& law : small_.laws) system.unknowns.push_back({law.name, small_.model.where});
    for (const auto& input : motion_.inputs) system.sources.push_back({input.name, input.kind, input.where});
    for (std::size_t i = 0; i < rows; ++i) {
      EquationSystem::Equation row{result_.coordinates[i], {}, {}, system.unknowns[i].where};
      for (std::size_t k = 0; k < rows; ++k) put(row.left, k, M_r_[i][k] * GiNaC::power(p_, 2) + C_r_[i][k] * p_ + K_r_[i][k]);
      for (std::size_t l = 0; l < laws_.size(); ++l) put(row.left, rows + l, -gain(i, l));
      for (std::size_t u = 0; u < motion_.inputs.size(); ++u) put(row.right, u, B_r_[i][u]);
      system.equations.push_back(std::move(row));
    }
    for (std::size_t l = 0; l < laws_.size(); ++l) {
      EquationSystem::Equation row{small_.laws[l].name, {{rows + l, 1}}, {}, small_.model.where};
      for (std::size_t k = 0; k < rows; ++k) put(row.left, k, -law_by_rate_[l][k] * p_ - law_by_position_[l][k]);
      for (std::size_t u = 0; u < motion_.inputs.size(); ++u) put(row.right, u, law_by_input(l, u));
      row.sum = true;
      system.equations.push_back(std::move(row));
    }
    define_signals(p_);
  }

  static void put(std::map<std::size_t, ex>& side, std::size_t column, const ex& entry) {
    if (!entry.is_zero()) side[column] = entry;
  }

  /// Parameters and the operator, where it is known by then: what occurs in coefficients.
  void add_symbols() {
    GiNaC::exset moving;
    for (const auto& [symbol, value] : point_.values) moving.insert(symbol);
    for (const auto& definition : small_.definitions) moving.insert(definition.symbol);
    for (const ex& acceleration : small_.equations.accelerations) moving.insert(acceleration);
    for (const auto& constraint : motion_.constraints) moving.insert(constraint.multiplier);
    for (const Symbol& symbol : motion_.symbols.all())
      if ((symbol.kind == SymbolKind::parameter || symbol.kind == SymbolKind::laplace) && !moving.contains(symbol.expr))
        result_.equations.symbols.add(symbol);
  }

  /// What is no unknown but moves: dependent displacements, parts of quaternions, speeds that are no rates of coordinates.
  void define_signals(const ex& p) {
    std::set<std::string> taken;
    for (const auto& unknown : result_.equations.unknowns) taken.insert(unknown.name);
    for (std::size_t k = 0; k < n(); ++k) {
      define(small_.displacement_names[k], elimination_.R[k], prescribed_.S[k], taken);
      const auto j = small_.coordinate_of[k];
      if (j && motion_.speeds[k].name == rate_name(motion_.coordinates[*j].name)) continue;
      std::vector<ex> rates;
      for (std::size_t i = 0; i < elimination_.independent.size(); ++i) rates.push_back(elimination_.R[k][i] * p + speeds_[k][i]);
      std::vector<ex> of_inputs = prescribed_.S[k];
      for (ex& entry : of_inputs) entry *= p;
      define(motion_.speeds[k].name, rates, of_inputs, taken);
    }
    const FirstOrderExpansion::Known at_point = known(true);
    for (const auto& coordinate : motion_.coordinates) {
      MotionMatrix row = zeros(1, n());
      for (const auto& [direction, slope] : at_point.at(coordinate.q).slopes)
        if (direction < n()) row[0][direction] = slope;
      define(coordinate.name, simplified_.product(row, elimination_.R)[0], simplified_.product(row, prescribed_.S)[0], taken);
    }
    define_sensors(p, taken);
  }

  /// What sensors read, with the inputs that they see.
  void define_sensors(const ex& p, std::set<std::string>& taken) {
    FirstOrderExpansion expansion(small_.definitions, known(true), simplified_);
    for (const auto& sensor : small_.model.sensors)
      for (const char* digit : {"0", "1", "2", "3"}) {
        const Symbol* reading = motion_.symbols.find(sensor.name + digit);
        if (reading == nullptr) continue;
        const std::vector<FirstOrder> row{expansion(reading->expr, "the sensor " + quoted(sensor.name), sensor.where)};
        const MotionMatrix rates = simplified_.product(slopes(row, n(), n()), elimination_.R);
        const MotionMatrix positions = simplified_.sum(simplified_.product(slopes(row, 0, n()), elimination_.R),
                                                       simplified_.product(slopes(row, n(), n()), speeds_));
        std::vector<ex> factors;
        for (std::size_t i = 0; i < rates[0].size(); ++i) factors.push_back(rates[0][i] * p + positions[0][i]);
        define(reading->name, factors,
               simplified_.sum(simplified_.product(slopes(row, 0, n()), prescribed_.S),
                               simplified_.product(slopes(row, n(), n()), prescribed_.S), p)[0],
               taken);
      }
  }

  void define(const std::string& name, const std::vector<ex>& factors, const std::vector<ex>& of_inputs,
              std::set<std::string>& taken) {
    if (!taken.insert(name).second) return;
    EquationSystem::Definition definition{name, {}};
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (!factors[i].is_zero()) definition.terms.emplace_back(result_.coordinates[i], factors[i]);
    for (std::size_t u = 0; u < of_inputs.size(); ++u)
      if (!of_inputs[u].is_zero()) definition.terms.emplace_back(motion_.inputs[u].name, of_inputs[u]);
    result_.equations.definitions.push_back(std::move(definition));
  }

  const SmallMotion small_;
  const EquationsOfMotion& motion_;
  const Budget& budget_;
  MotionPoint point_;
  GiNaC::exmap parameters_;
  PointArithmetic simplified_;
  std::vector<FirstOrder> laws_, forces_, constraints_;
  ConstraintElimination elimination_;  // of loops
  MotionMatrix J_;                     // of loops, at the point
  PrescribedMotion prescribed_;
  ex p_;  // d/dt
  RateRows rates_;
  std::vector<std::size_t> rows_;  // constraints that are independent
  std::vector<ex> multipliers_;
  MotionMatrix M_, C_, K_;                                                       // by displacement
  MotionMatrix M_r_, C_r_, K_r_, B_r_, law_by_position_, law_by_rate_, speeds_;  // by independent one
  MultibodyLinearization result_;
};

}  // namespace

MultibodyLinearization linearized(const Multibody& model, const MultibodyEquations& equations, const Budget& budget) {
  return Linearization(model, equations, budget)();
}

}  // namespace sfg
