
#include <random>
#include <set>

#include "derive/lagrange_case.hpp"
#include "derive/small_motions.hpp"
#include "model/motion_case.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using namespace test;

double number(const ex& value) {
  const auto result = real_number(value);
  EXPECT_TRUE(result) << print(value);
  return result ? result->to_double() : 0;
}

ex entry(const EquationsOfMotion& motion, std::size_t i, std::size_t j) { return motion.M.at(i).at(j); }

Lagrangian example(const std::string& name) {
  return std::get<Lagrangian>(std::get<Model>(read_file(std::string(SFG_SOURCE_DIR) + "/examples/" + name).content));
}

TEST(Motion, DerivationsEndWithTheirBudget) {
  const Budget none({.seconds = 0});
  const Lagrangian model = example("cart_pendulum.toml");
  EXPECT_THROW(equations_of_motion(model, none), LimitReached);
  EXPECT_THROW(lagrange_equations(model, none), LimitReached);
  EXPECT_THROW(derive(std::get<Model>(read_file(std::string(SFG_SOURCE_DIR) + "/examples/ua741.cir").content), none),
               LimitReached);
}

TEST(Motion, CartPendulumOfATextbook) {
  const EquationsOfMotion motion = equations_of_motion(example("cart_pendulum.toml"));
  EXPECT_TRUE(equal(entry(motion, 0, 0), "Mc + mb", motion.symbols));
  EXPECT_TRUE(equal(entry(motion, 0, 1), "mb*l*cos(th)", motion.symbols));
  EXPECT_TRUE(equal(entry(motion, 1, 0), "mb*l*cos(th)", motion.symbols));
  EXPECT_TRUE(equal(entry(motion, 1, 1), "mb*l^2", motion.symbols));
  EXPECT_TRUE(equal(motion.F.at(0), "F - k*x - c*Dx + mb*l*sin(th)*Dth^2", motion.symbols));
  EXPECT_TRUE(equal(motion.F.at(1), "mb*g*l*sin(th) - kt*(th - th0) - ct*Dth", motion.symbols));
}

TEST(Motion, StatesOfACartWithAPendulumByAnotherProgram) {
  const auto file = data("cart_pendulum.json");
  LagrangianText text{.coordinates = {"x", "theta"},
                      .forces = {{"x", "F"}, {"theta", "tau"}},
                      .auxiliaries = {{"xp", "x + l*sin(theta)"}, {"yp", "-l*cos(theta)"}},
                      .T = {"mc/2*Dx^2", "mp/2*(Dxp^2 + Dyp^2)", "I0/2*Dtheta^2"},
                      .Pi = {"mp*g*yp"},
                      .Phi = {"b/2*Dx^2", "c/2*Dtheta^2"}};
  for (const auto& [name, value] : file["parameters"].items()) text.parameters[name == "I" ? "I0" : name] = value.dump();
  const EquationsOfMotion motion = equations_of_motion(lagrangian(text));
  const GiNaC::exmap parameters = motion.symbols.values();
  for (const auto& state : file["states"]) {
    GiNaC::exmap at;
    const std::vector<std::string> names{"x", "theta", "Dx", "Dtheta"};
    for (std::size_t i = 0; i < names.size(); ++i)
      at[motion.symbols.at(names[i]).expr] = GiNaC::numeric(state["state"][i].get<double>());
    at[motion.symbols.at("F").expr] = GiNaC::numeric(state["F_tau"][0].get<double>());
    at[motion.symbols.at("tau").expr] = GiNaC::numeric(state["F_tau"][1].get<double>());
    for (std::size_t i = 0; i < 2; ++i) {
      double inertia = 0;
      for (std::size_t j = 0; j < 2; ++j)
        inertia += number(entry(motion, i, j).subs(parameters).subs(at)) * state["qdd"][j].get<double>();
      EXPECT_NEAR(inertia, number(motion.F[i].subs(parameters).subs(at)), 1e-12);
    }
  }
}

TEST(Motion, SquaresOfSineAndCosineAddToOne) {
  const EquationsOfMotion motion =
      equations_of_motion(lagrangian(LagrangianText{.coordinates = {"a"},
                                                    .auxiliaries = {{"X", "l*sin(a)"}, {"Y", "-l*cos(a)"}},
                                                    .T = {"m/2*(DX^2 + DY^2)"},
                                                    .Pi = {"m*g*Y"}}));
  EXPECT_EQ(print(entry(motion, 0, 0)), "l^2*m");
  EXPECT_EQ(print(motion.F[0]), "-g*l*m*sin(a)");
}

TEST(Motion, MassOnAMovingSupportFeelsItsAcceleration) {
  // y is measured from the support: m (ÿ + z̈) = −k y.
  const EquationsOfMotion motion = equations_of_motion(
      lagrangian(LagrangianText{.coordinates = {"y"}, .excitations = {"z"}, .T = {"m/2*(Dy + Dz)^2"}, .Pi = {"k/2*y^2"}}));
  EXPECT_EQ(print(motion.F[0]), "-DDz*m - k*y");
  ASSERT_EQ(motion.inputs.size(), 1u);
  EXPECT_EQ(motion.inputs[0].derivatives.size(), 3u);
}

TEST(Motion, OnlyDerivativesThatOccurAreAskedFor) {
  const EquationsOfMotion motion = equations_of_motion(lagrangian(data("quarter_car.json")["input"]));
  for (const auto& input : motion.inputs)
    EXPECT_EQ(input.derivatives.size(), input.kind == SourceKind::force ? 1u : 2u) << input.name;
}

TEST(Motion, TheNameOfASecondDerivativeIsTaken) {
  EXPECT_EQ(error_of([] {
              equations_of_motion(lagrangian(LagrangianText{.coordinates = {"y"},
                                                            .excitations = {"z"},
                                                            .T = {"m/2*(Dy + Dz)^2"},
                                                            .Pi = {"k/2*y^2"},
                                                            .parameters = {{"DDz", "1"}}}));
            }),
            "error: name 'DDz' is a parameter and the second derivative of 'z' as well; rename the parameter");
}

Lagrangian shaken() {
  LagrangianText text{.coordinates = {"y"}, .T = {"m/2*Dy^2"}, .parameters = {{"m", "2"}, {"k", "3"}, {"e", "1/5"}}};
  Lagrangian model = lagrangian(text);
  Symbol time;
  time.name = "t";
  time.kind = SymbolKind::time;
  model.symbols.add(time);
  model.T.push_back({parse("m*e*t^2*Dy", model.symbols), test::place(7)});
  model.Pi.push_back({parse("k/2*(1 + e*cos(t))*y^2", model.symbols), test::place(8)});
  return model;
}

TEST(Motion, TimeMayOccurButNotInWhatIsLinearised) {
  const EquationsOfMotion motion = equations_of_motion(shaken());
  EXPECT_TRUE(equal(motion.F[0], "-2*m*e*t - k*(1 + e*cos(t))*y", motion.symbols));
  EXPECT_EQ(
      error_of([&] { test::small_motions(motion, OperatingPoint({})); }),
      "model.toml:2:1: error: the equation of 'y' depends on the time 't' explicitly: the equations are not stationary; name the "
      "function of time as an input");
}

/// A small system with every kind of term: coupled and turning inertia, gyroscopic terms, moving supports, cubic laws.
Lagrangian random_model(std::mt19937& random) {
  const std::vector<std::string> q{"q1", "q2", "q3"}, moving{"q1", "q2", "q3", "u", "r"};
  LagrangianText text{.coordinates = q, .redundant = {"r"}, .excitations = {"u"}, .forces = {{"q1", "F1"}, {"q3", "F3"}}};
  const auto any = [&](const std::vector<std::string>& names) { return names[random() % names.size()]; };
  int parameters = 0;
  const auto parameter = [&] {
    const std::string name = "c" + std::to_string(++parameters);
    text.parameters[name] = std::to_string(1 + random() % 9) + "/" + std::to_string(2 + random() % 5);
    return name;
  };
  text.auxiliaries = {{"delta", any(moving) + " - sin(" + any(moving) + ")"}, {"X", "q1 + " + parameter() + "*cos(q2)"}};
  for (const std::string& name : q) text.T.push_back("4*" + parameter() + "*D" + name + "^2");
  text.T.push_back(parameter() + "/2*DX^2");
  const std::vector<std::string> laws{"cos(%a)*D%a*D%b", "%a^2*D%b^2/2", "D%a*%b", "Ddelta^2/2", "D%a*D%b/5"};
  const std::vector<std::string> stores{"(%a - %b)^2/2", "%a^4/4", "cos(%a - %b)", "delta^2*%a/2", "X*%b"};
  const std::vector<std::string> losses{"(D%a - D%b)^2/2", "D%a^4/4", "cos(%a)*D%b^2", "Ddelta^2/2"};
  const auto add = [&](std::vector<std::string>& energy, const std::vector<std::string>& forms) {
    for (int i = 0; i < 4; ++i) {
      std::string term = any(forms);
      for (const char* mark : {"%a", "%b"})
        for (const std::string name = any(moving); term.find(mark) != std::string::npos;) term.replace(term.find(mark), 2, name);
      energy.push_back(parameter() + "*(" + term + ")");
    }
  };
  add(text.T, laws);
  add(text.Pi, stores);
  add(text.Phi, losses);
  text.static_forces["q2"] = parameter();
  Lagrangian model = lagrangian(text);
  model.equilibrium.emplace();
  for (const std::string& name : moving) model.equilibrium->values[name] = GiNaC::numeric(static_cast<long>(random() % 7) - 3, 4);
  return model;
}

std::vector<std::pair<std::string, Lagrangian>> all_models() {
  std::vector<std::pair<std::string, Lagrangian>> models;
  for (const char* name : {"cart_pendulum.toml", "quarter_car.toml", "vehicle.toml", "vehicle.m"})
    models.emplace_back(name, example(name));
  for (const char* name : {"vehicle.json", "quarter_car.json"}) models.emplace_back(name, lagrangian(data(name)["input"]));
  for (const char* part : {"open", "closed"}) models.emplace_back(part, lagrangian(data("redundant.json")[part]["input"]));
  for (const auto& stated : data("linearise.json")["cases"]) {
    Lagrangian model = lagrangian(stated);
    model.equilibrium.emplace();
    model.equilibrium->find = true;
    for (std::size_t i = 0; i < stated["coordinates"].size(); ++i)
      model.equilibrium->values[stated["coordinates"][i]] = parse(nlohmann::json(stated["guess"][i]).dump(), model.symbols);
    models.emplace_back(stated["name"], std::move(model));
  }
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    models.emplace_back("seed " + std::to_string(seed), random_model(random));
  }
  return models;
}

/// With sin² as 1 − cos², and the operator of one system for that of the other.
ex normalized(const ex& value, const EquationSystem& from, const EquationSystem& to) {
  GiNaC::exmap replacements{{from.op.in(from.symbols), to.op.in(to.symbols)}};
  for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node)
    if (GiNaC::is_the_function<GiNaC::sin_SERIAL>(*node))
      replacements[GiNaC::power(*node, 2)] = 1 - GiNaC::power(GiNaC::cos(node->op(0)), 2);
  return value.expand().subs(replacements).expand();
}

TEST(Motion, LinearizedEqualsTheSecondDerivativesOfTheEnergies) {
  for (const auto& [name, model] : all_models()) {
    SCOPED_TRACE(name);
    const EquationSystem wanted = lagrange_equations(model).equations();
    const EquationSystem got = test::small_motions(equations_of_motion(model), test::operating_point(model));
    ASSERT_EQ(got.equations.size(), wanted.equations.size());
    ASSERT_EQ(got.sources.size(), wanted.sources.size());
    EXPECT_EQ(got.symbols.names(), wanted.symbols.names());
    EXPECT_EQ(got.inputs, wanted.inputs);
    EXPECT_EQ(got.outputs, wanted.outputs);
    for (std::size_t u = 0; u < got.sources.size(); ++u) {
      EXPECT_EQ(got.sources[u].name, wanted.sources[u].name);
      EXPECT_EQ(got.sources[u].kind, wanted.sources[u].kind);
    }
    for (std::size_t i = 0; i < got.equations.size(); ++i) {
      EXPECT_EQ(got.unknowns[i].name, wanted.unknowns[i].name);
      EXPECT_EQ(got.equations[i].name, wanted.equations[i].name);
      EXPECT_EQ(got.equations[i].left.size(), wanted.equations[i].left.size());
      EXPECT_EQ(got.equations[i].right.size(), wanted.equations[i].right.size());
      for (std::size_t j = 0; j < got.unknowns.size(); ++j)
        EXPECT_TRUE(equal(normalized(got.D(i, j), got, got), normalized(wanted.D(i, j), wanted, got)));
      for (std::size_t u = 0; u < got.sources.size(); ++u)
        EXPECT_TRUE(equal(normalized(got.B(i, u), got, got), normalized(wanted.B(i, u), wanted, got)));
    }
  }
}

/// The energies of a model as functions of numbers; rates of auxiliaries are difference quotients, nothing is differentiated.
class MeasuredEnergies {
 public:
  explicit MeasuredEnergies(const Lagrangian& model) : model_(model), parameters_(model.symbols.values()) {}

  using State = std::map<std::string, ex>;  ///< by the names of variables and rates, and t

  ex operator()(const std::vector<Lagrangian::Energy>& summands, const State& state) const {
    GiNaC::exmap values = values_of(state);
    const GiNaC::exmap before = values_of(moved(state, -step)), after = values_of(moved(state, step));
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries)
      if (const Symbol* rate = model_.symbols.find(rate_name(auxiliary.name)))
        values[rate->expr] = (value(auxiliary.value, after) - value(auxiliary.value, before)) / (2 * step);
    ex sum = 0;
    for (const Lagrangian::Energy& summand : summands) sum += value(summand.value, values);
    return sum;
  }

 private:
  inline static const ex step = GiNaC::power(ex(10), -25);

  ex value(const ex& stated, const GiNaC::exmap& values) const { return stated.subs(parameters_).subs(values).evalf(); }

  State moved(State state, const ex& time) const {
    for (const Lagrangian::Variable& variable : model_.variables)
      state[variable.name] += time * state.at(rate_name(variable.name));
    state["t"] += time;
    return state;
  }

  GiNaC::exmap values_of(const State& state) const {
    GiNaC::exmap values;
    for (const auto& [name, number] : state)
      if (const Symbol* symbol = model_.symbols.find(name)) values[symbol->expr] = number;
    for (const Lagrangian::Auxiliary& auxiliary : model_.auxiliaries)
      if (const Symbol* symbol = model_.symbols.find(auxiliary.name)) values[symbol->expr] = value(auxiliary.value, values);
    return values;
  }

  const Lagrangian& model_;
  GiNaC::exmap parameters_;
};

using State = MeasuredEnergies::State;

ex slope(const MeasuredEnergies& energies, const std::vector<Lagrangian::Energy>& summands, const State& at,
         const std::string& name) {
  static const ex step = GiNaC::power(ex(10), -15);
  State before = at, after = at;
  before[name] -= step;
  after[name] += step;
  return (energies(summands, after) - energies(summands, before)) / (2 * step);
}

/// A random motion: positions, rates and accelerations at t = 0 of everything that moves.
struct Motion {
  State position, rate, acceleration;

  State at(const ex& time) const {
    State state{{"t", time + ex(GiNaC::numeric(3, 7))}};
    for (const auto& [name, x] : position) {
      state[name] = x + time * rate.at(name) + time * time / 2 * acceleration.at(name);
      state[rate_name(name)] = rate.at(name) + time * acceleration.at(name);
    }
    return state;
  }
};

Motion random_motion(const Lagrangian& model, std::mt19937& random) {
  Motion motion;
  const auto value = [&] { return GiNaC::numeric(static_cast<long>(random() % 2001) - 1000, 1000); };
  for (const Lagrangian::Variable& variable : model.variables) {
    motion.position[variable.name] = value();
    motion.rate[variable.name] = value();
    motion.acceleration[variable.name] = value();
  }
  return motion;
}

/// Accelerations of the coordinates by M q̈ = F; the forces are 0.
void accelerate(const EquationsOfMotion& equations, Motion& motion) {
  const std::size_t n = equations.coordinates.size();
  GiNaC::exmap values;
  const State state = motion.at(0);
  for (const Symbol& symbol : equations.symbols.all())
    if (const auto known = state.find(symbol.name); known != state.end()) values[symbol.expr] = known->second;
  for (const auto& input : equations.inputs) {
    if (input.kind == SourceKind::force) values[input.derivatives[0]] = 0;
    if (input.derivatives.size() > 2) values[input.derivatives[2]] = motion.acceleration.at(input.name);
  }
  const GiNaC::exmap parameters = equations.symbols.values();
  const auto at = [&](const ex& value) { return value.subs(parameters).subs(values).evalf(); };
  GiNaC::matrix M(n, n), F(n, 1), unknown(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    F(i, 0) = at(equations.F[i]);
    unknown(i, 0) = GiNaC::symbol();
    for (std::size_t j = 0; j < n; ++j) M(i, j) = at(equations.M[i][j]);
  }
  const GiNaC::matrix solution = M.solve(unknown, F);
  for (std::size_t i = 0; i < n; ++i) motion.acceleration[equations.coordinates[i].name] = solution(i, 0);
}

TEST(Motion, AccelerationsSatisfyLagrangesEquationsOfTheMeasuredEnergies) {
  const Precision precision(90);
  static const ex step = GiNaC::power(ex(10), -9);
  auto models = all_models();
  models.emplace_back("explicit time", shaken());
  for (const auto& [name, model] : models) {
    SCOPED_TRACE(name);
    std::mt19937 random(7);
    const EquationsOfMotion equations = equations_of_motion(model);
    Motion motion = random_motion(model, random);
    accelerate(equations, motion);
    const MeasuredEnergies energies(model);
    const State now = motion.at(0), before = motion.at(-step), after = motion.at(step);
    const GiNaC::exmap parameters = model.symbols.values();
    for (const auto& coordinate : equations.coordinates) {
      const std::string rate = rate_name(coordinate.name);
      const ex inertia = (slope(energies, model.T, after, rate) - slope(energies, model.T, before, rate)) / (2 * step);
      const auto load = model.static_forces.find(coordinate.name);
      const std::vector<ex> forces{inertia, -slope(energies, model.T, now, coordinate.name),
                                   slope(energies, model.Pi, now, coordinate.name), slope(energies, model.Phi, now, rate),
                                   load == model.static_forces.end() ? ex(0) : ex(-load->second.subs(parameters))};
      double scale = 0;
      ex rest = 0;
      for (const ex& force : forces) {
        rest += force;
        scale += std::abs(number(force));
      }
      EXPECT_GT(scale, 0) << coordinate.name;
      EXPECT_LE(std::abs(number(rest)), 1e-12 * scale) << coordinate.name;
    }
  }
}

TEST(Motion, ConstraintsBecomeRowsAndTheirForcesStiffness) {
  const EquationsOfMotion motion = test::constrained_pendulum();
  const auto at = [&](const char* name) { return motion.symbols.at(name).expr; };
  const EquationSystem system =
      test::small_motions(motion, OperatingPoint({{at("y"), -at("l")}, {at("lambda"), -at("m") * at("g") / (2 * at("l"))}}));
  ASSERT_EQ(system.equations.size(), 3u);
  EXPECT_EQ(system.unknowns[2].name, "lambda");
  EXPECT_EQ(system.equations[2].name, "rod");
  EXPECT_TRUE(equal(system.D(0, 0), "m*p^2 + m*g/l", system.symbols));
  EXPECT_TRUE(equal(system.D(0, 2), "0", system.symbols));
  EXPECT_TRUE(equal(system.D(1, 1), "m*p^2 + m*g/l", system.symbols));
  EXPECT_TRUE(equal(system.D(1, 2), "2*l", system.symbols));
  EXPECT_TRUE(equal(system.D(2, 1), "-2*l", system.symbols));
  EXPECT_TRUE(equal(system.B(0, 0), "1", system.symbols));
  EXPECT_EQ(system.symbols.find("lambda"), nullptr);
}

TEST(Motion, JacobianSeesThroughDefinitions) {
  const EquationsOfMotion motion = test::constrained_pendulum();
  const EquationsOfMotion::Matrix J = motion.jacobian();
  EXPECT_TRUE(equal(J.at(0).at(0), "2*x", motion.symbols));
  EXPECT_TRUE(equal(J.at(0).at(1), "2*y", motion.symbols));
}

TEST(Motion, DryFrictionHasNoSmallMotions) {
  const EquationsOfMotion motion = equations_of_motion(
      lagrangian(LagrangianText{.coordinates = {"x"}, .T = {"m/2*Dx^2"}, .Pi = {"k/2*x^2"}, .Phi = {"mu*abs(Dx)"}}));
  const std::string error = error_of([&] { test::small_motions(motion, OperatingPoint({})); });
  EXPECT_NE(error.find("the equation of 'x' is not smooth at the equilibrium: its derivative jumps with sign(Dx)"),
            std::string::npos)
      << error;
  const EquationSystem sliding = test::small_motions(motion, OperatingPoint({{motion.coordinates[0].rate, 1}}));
  EXPECT_TRUE(equal(sliding.D(0, 0), "m*p^2 + k", sliding.symbols));
}

}  // namespace
}  // namespace sfg
