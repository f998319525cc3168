#include "sfg/derive/polar/polar_derivation.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "expect.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using Element = PolarNetwork::Element;
using Role = ElementKind::Role;

PolarNetwork network(const std::string& elements) {
  return std::get<PolarNetwork>(std::get<Model>(read_toml("[polar]\nelements = [" + elements + "]", "m.toml")));
}

std::string one_port(const std::string& name, const std::string& type, const std::string& from, const std::string& to,
                     const std::string& value = {}) {
  return "{name=\"" + name + "\", type=\"" + type + "\", nodes=[\"" + from + "\",\"" + to + "\"]" +
         (value.empty() ? "" : ", value=\"" + value + "\"") + "},\n";
}

ex transfer(const PolarNetwork& network, const std::string& from, const std::string& to, SymbolTable* symbols = nullptr) {
  const EquationSystem system = polar_derivation(network).equations;
  SignalFlowGraph graph = from_equations(system).graph;
  const NodeId output = output_signal(graph, to, system.definitions);
  if (symbols) *symbols = graph.symbols;
  return transfer_function(graph, {graph.at(from), output, Question::Mode::source, {}}).value.expression();
}

void expect_transfer(const std::string& elements, const std::string& from, const std::string& to, const std::string& expected) {
  SymbolTable symbols;
  const ex value = transfer(network(elements), from, to, &symbols);
  EXPECT_EXPRESSION(value, parse(expected, symbols)) << to << "/" << from;
}

// ---- the published graph

const std::string two_masses = one_port("m1", "mass", "1", "0", "m1") + one_port("m2", "mass", "2", "0", "m2") +
                               one_port("z1", "spring", "1", "0", "k1 + c1*p") + one_port("z2", "spring", "1", "2", "k2 + c2*p") +
                               one_port("z3", "spring", "2", "0", "k3 + c3*p");

TEST(PolarDerivation, NMassesAndQChordsGiveThePublishedGraph) {
  const PolarDerivation derivation = polar_derivation(network(two_masses + one_port("w", "force", "1", "0")));
  EXPECT_TRUE(derivation.graph.star());
  EXPECT_EQ(derivation.skeleton.size(), 2u + 3u);
  const SignalFlowGraph graph = from_equations(derivation.equations).graph;
  EXPECT_EQ(graph.nodes().size(), 2u * 2 + 2 * 3 + 1);  // and the source
  EXPECT_EQ(graph.branches().size(), derivation.skeleton.size() + derivation.closing.size());
  for (const PolarDerivation::Branch& stated : derivation.closing) {
    const auto leaving = graph.leaving(graph.at(stated.from));
    EXPECT_TRUE(std::ranges::any_of(
        leaving, [&](BranchId b) { return graph[graph[b].to].name == stated.to && graph[b].gain().is_equal(stated.gain); }))
        << stated.from << " -> " << stated.to;
  }
}

// Wojnarowski and Świder 1978, in the notation of T_1,2 … of a cubic spring between the masses.
TEST(PolarDerivation, PrincipalTransmittancesOfTwoMassesAndACubicSpring) {
  PolarNetwork model = network(two_masses + one_port("w", "force", "1", "0") +
                               "{name=\"al\", type=\"spring\", nodes=[\"1\",\"2\"], law=\"al*u^3\"}");
  model.outputs = {"x(2)"};
  const SignalFlowGraph graph = from_equations(polar_derivation(model).equations).graph;
  EXPECT_EQ(graph.inputs, std::vector{graph.at("w")});
  const PrincipalForm form = principal_form(graph);
  ASSERT_EQ(form.laws.size(), 1u);
  ASSERT_EQ(form.arguments.size(), 1u);
  const auto transfers = transfer_functions(form.linear, form.questions());
  SymbolTable symbols = form.linear.symbols;
  const std::string z1 = "(k1 + c1*p)", z2 = "(k2 + c2*p)", z3 = "(k3 + c3*p)";
  const std::string delta = "((m1*p^2 + " + z1 + "+" + z2 + ")*(m2*p^2 + " + z2 + "+" + z3 + ") - " + z2 + "^2)";
  const std::string expected[] = {"(m2*p^2 + " + z3 + ")", z2, "-((m1+m2)*p^2 + " + z1 + " + " + z3 + ")",
                                  "(m1*p^2 + " + z1 + ")"};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EXPRESSION(transfers[i].value.expression(), parse(expected[i] + "/" + delta, symbols)) << i;
}

TEST(PolarDerivation, TheClosedFormIsAModelOfItsOwn) {
  const PolarNetwork model = network(two_masses + one_port("w", "acceleration", "2", "1") + one_port("F", "force", "1", "0") +
                                     "{name=\"n\", type=\"damper\", nodes=[\"1\",\"2\"], law=\"v^3 + u\"}");
  const PolarDerivation derivation = polar_derivation(model);
  EquationSystem full = derivation.equations, closed = derivation.closed_form.value();
  full.outputs = closed.outputs = {"x(n)"};
  const PrincipalForm a = principal_form(from_equations(full).graph), b = principal_form(from_equations(closed).graph);
  const auto all = transfer_functions(a.linear, a.questions()), few = transfer_functions(b.linear, b.questions());
  ASSERT_EQ(all.size(), few.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EXPRESSION(all[i].value.expression(), few[i].value.expression()) << i;
}

TEST(PolarDerivation, TheClosedFormIsTheDynamicStiffness) {
  const auto form = polar_derivation(network(two_masses + one_port("w", "force", "1", "2"))).closed_form;
  ASSERT_TRUE(form);
  SymbolTable symbols = form->symbols;
  EXPECT_EXPRESSION(form->D(0, 0), parse("m1*p^2 + k1 + c1*p + k2 + c2*p", symbols));
  EXPECT_EXPRESSION(form->D(0, 1), parse("-k2 - c2*p", symbols));
  EXPECT_EXPRESSION(form->D(1, 1), parse("m2*p^2 + k2 + c2*p + k3 + c3*p", symbols));
  EXPECT_EXPRESSION(form->B(0, 0), ex(1));
  EXPECT_EXPRESSION(form->B(1, 0), ex(-1));
}

// ---- the special cases

TEST(PolarDerivation, ASourceOfMotionIsABranchOfTheTree) {
  const std::string base =
      one_port("m", "mass", "1", "0", "m") + one_port("z", "spring", "1", "2", "k + c*p") + one_port("u", "motion", "2", "0");
  expect_transfer(base, "u", "x(z)", "-m*p^2/(m*p^2 + c*p + k)");
  expect_transfer(base, "u", "x(1)", "(c*p + k)/(m*p^2 + c*p + k)");
  expect_transfer(base, "u", "f(u)", "m*p^2*(c*p + k)/(m*p^2 + c*p + k)");  // it carries the mass
  const auto form = polar_derivation(network(base)).closed_form;
  SymbolTable symbols = form->symbols;
  EXPECT_EXPRESSION(form->B(0, 0), parse("k + c*p", symbols));
}

TEST(PolarDerivation, MasslessVerticesAreHeldByLinearElements) {
  const std::string series = one_port("m", "mass", "1", "0", "m") + one_port("c", "damper", "1", "3", "c") +
                             one_port("k", "spring", "3", "0", "k") + one_port("F", "force", "1", "0");
  const PolarDerivation derivation = polar_derivation(network(series));
  EXPECT_FALSE(derivation.graph.star());
  EXPECT_EQ(derivation.graph.edges[derivation.graph.tree[1]].name, "c");  // proper loops: the damper and not the spring
  EXPECT_TRUE(derivation.notes.empty());
  expect_transfer(series, "F", "x(1)", "(c*p + k)/(m*c*p^3 + m*k*p^2 + c*k*p)");
  expect_transfer(series, "F", "x(3)", "c*p/(m*c*p^3 + m*k*p^2 + c*k*p)");
  const std::string law = "{name=\"n\", type=\"spring\", nodes=[\"1\",\"2\"], law=\"u^3\"},";
  try {
    polar_derivation(network(one_port("m", "mass", "1", "0", "m") + law + one_port("F", "force", "2", "0")));
    FAIL() << "a vertex that only a nonlinear spring holds has a tree";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'2'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("'n'"), std::string::npos) << error.what();
  }
}

TEST(PolarDerivation, MassesOnOneVertexAreOneEdge) {
  const std::string masses =
      one_port("ma", "mass", "1", "0", "ma") + one_port("mb", "mass", "0", "1", "mb") + one_port("F", "force", "1", "0");
  EXPECT_EQ(polar_derivation(network(masses)).graph.tree.size(), 1u);
  expect_transfer(masses, "F", "x(1)", "1/((ma + mb)*p^2)");  // a free body
  expect_transfer(masses, "F", "f(ma)", "ma/(ma + mb)");
  expect_transfer(masses, "F", "f(mb)", "-mb/(ma + mb)");  // taken from the reference
  expect_transfer(masses, "F", "x(mb)", "-1/((ma + mb)*p^2)");
}

TEST(PolarDerivation, AnInerterMakesAnAlgebraicLoopThatIsNoted) {
  const std::string inerter = one_port("m", "mass", "1", "0", "m") + one_port("b", "inerter", "1", "0", "b") +
                              one_port("k", "spring", "1", "0", "k") + one_port("F", "force", "1", "0");
  expect_transfer(inerter, "F", "x(1)", "1/((m + b)*p^2 + k)");
  const PolarDerivation derivation = polar_derivation(network(inerter));
  ASSERT_EQ(derivation.notes.size(), 1u);
  EXPECT_NE(derivation.notes[0].message.find("algebraic"), std::string::npos);
}

TEST(PolarDerivation, TwoPortsPassMotionAndForce) {
  const std::string gear = one_port("J1", "inertia", "1", "0", "J1") + one_port("J2", "inertia", "2", "0", "J2") +
                           "{name=\"G\", type=\"gear\", nodes=[\"1\",\"2\"], ratio=\"i\"}," + one_port("M", "torque", "1", "0");
  expect_transfer(gear, "M", "x(1)", "1/((J1 + J2/i^2)*p^2)");
  expect_transfer(gear, "M", "f(G.1)", "(J2/i^2)/(J1 + J2/i^2)");
  expect_transfer(gear, "M", "f(G.2)", "-(J2/i)/(J1 + J2/i^2)");
  EXPECT_FALSE(polar_derivation(network(gear)).closed_form);
  const std::string motor = one_port("U", "voltage_source", "e", "0") + one_port("R", "resistor", "e", "l", "R") +
                            "{name=\"K\", type=\"motor\", nodes=[\"l\",\"w\"], ratio=\"K\"}," +
                            one_port("J", "inertia", "w", "0", "J");
  expect_transfer(motor, "U", "v(w)", "K/(R*J*p + K^2)");
  expect_transfer(motor, "U", "f(U)", "J*p/(R*J*p + K^2)");
  const std::string piston = one_port("P", "pressure_source", "h", "0") + one_port("m", "mass", "1", "0", "m") +
                             "{name=\"A\", type=\"piston\", nodes=[\"h\",\"1\"], ratio=\"A\"},";
  expect_transfer(piston, "P", "x(1)", "A/(m*p^2)");
}

TEST(PolarDerivation, ElectricalNetworksHaveVoltagesAsSignals) {
  const std::string filter = one_port("U", "voltage_source", "1", "0") + one_port("R", "resistor", "1", "2", "R") +
                             one_port("L", "inductor", "2", "3", "L") + one_port("C", "capacitor", "3", "0", "C");
  expect_transfer(filter, "U", "v(3)", "1/(L*C*p^2 + R*C*p + 1)");
  expect_transfer(filter, "U", "f(L)", "C*p/(L*C*p^2 + R*C*p + 1)");
  expect_transfer(filter, "U", "x(3)", "1/(L*C*p^3 + R*C*p^2 + p)");
}

// ---- any network against nodal analysis in velocities, which knows no tree: unknown across rates of the nodes, through
// variables of sources of motion and of transformers

class NodalAnalysis {
 public:
  NodalAnalysis(const PolarNetwork& network, const GiNaC::numeric& p) : network_(network), p_(p) {
    for (const std::string& node : network.nodes()) row(node);
    for (const Element& element : network.elements)
      if (element.kind.role == Role::across_source || element.kind.role == Role::transformer) row("f " + element.name);
    A_ = GiNaC::matrix(static_cast<unsigned>(rows_.size()), static_cast<unsigned>(rows_.size()));
    for (const Element& element : network.elements) stamp(element);
  }

  bool regular() const { return !A_.determinant().is_zero(); }

  /// Rates of all nodes and through variables of all elements for a unit input.
  std::map<std::string, ex> response(const std::string& input) {
    GiNaC::matrix b(A_.rows(), 1), unknowns(A_.rows(), 1);
    for (const Element& element : network_.elements) {
      if (element.name != input) continue;
      if (element.kind.role == Role::across_source)
        b(rows_.at("f " + input), 0) = GiNaC::pow(p_, element.kind.power);
      else
        for (const int end : {0, 1})
          if (element.nodes[end] != "0") b(rows_.at(element.nodes[end]), 0) += end == 0 ? 1 : -1;
    }
    for (unsigned i = 0; i < A_.rows(); ++i) unknowns(i, 0) = GiNaC::symbol();
    const GiNaC::matrix x = A_.solve(unknowns, b);
    std::map<std::string, ex> found;
    const auto rate = [&](const std::string& node) { return node == "0" ? ex(0) : x(rows_.at(node), 0); };
    for (const std::string& node : network_.nodes()) found["v(" + node + ")"] = rate(node);
    for (const Element& element : network_.elements) {
      if (element.kind.two_port()) continue;
      const ex across = rate(element.nodes[0]) - rate(element.nodes[1]);
      found["a(" + element.name + ")"] = p_ * across;
      found["f(" + element.name + ")"] = element.kind.role == Role::across_source    ? -x(rows_.at("f " + element.name), 0)
                                         : element.kind.role == Role::through_source ? ex(element.name == input ? 1 : 0)
                                                                                     : admittance(element) * across;
    }
    return found;
  }

 private:
  void row(const std::string& name) { rows_.emplace(name, static_cast<unsigned>(rows_.size())); }

  ex admittance(const Element& element) const {
    const ex own = element.kind.divides ? 1 / element.value : element.value;
    return own * GiNaC::pow(p_, element.kind.power);
  }

  void add(const std::string& row, const std::string& column, const ex& value) {
    if (row != "0" && column != "0") A_(rows_.at(row), rows_.at(column)) += value;
  }
  /// A through variable from→to of value · (v(plus) − v(minus)).
  void conduct(std::span<const std::string> ends, std::span<const std::string> control, const ex& value) {
    for (const int i : {0, 1})
      for (const int j : {0, 1}) add(ends[i], control[j], (i == j ? 1 : -1) * value);
  }

  void stamp(const Element& element) {
    const std::span<const std::string> first(element.nodes.data(), 2);
    const std::string own = "f " + element.name;
    const auto carry = [&](std::span<const std::string> ends, const ex& factor, const ex& ratio) {
      for (const int i : {0, 1}) {
        add(ends[i], own, (i == 0 ? 1 : -1) * factor);
        add(own, ends[i], (i == 0 ? 1 : -1) * ratio);
      }
    };
    switch (element.kind.role) {
      case Role::through_source: return;
      case Role::across_source: return carry(first, 1, 1);
      case Role::inertia:
      case Role::passive: return conduct(first, first, admittance(element));
      default: break;
    }
    const std::span<const std::string> second(element.nodes.data() + 2, 2);
    if (element.kind.role == Role::transformer) {
      carry(first, 1, 1);
      carry(second, -element.value, -element.value);
      return;
    }
    const ex conductance = element.kind.role == Role::piston ? element.value : 1 / element.value;
    conduct(first, second, conductance);
    conduct(second, first, -conductance);
  }

  const PolarNetwork& network_;
  ex p_;
  std::map<std::string, unsigned> rows_;
  GiNaC::matrix A_;
};

/// Elements of several domains between few nodes, with two-ports across them.
class RandomNetwork {
 public:
  explicit RandomNetwork(unsigned seed) : random_(seed) {}

  std::string elements() {
    std::string text;
    std::vector<std::string> domains;
    for (const char* domain : {"m", "r", "e", "h"})
      if (domains.empty() || any(3) == 0) domains.emplace_back(domain);
    for (const std::string& domain : domains) text += part(domain);
    for (std::size_t i = 0; i + 1 < domains.size(); ++i) text += couple(domains[i], domains[i + 1]);
    if (any(2) == 0) text += couple(domains[0], domains[0]);
    return text;
  }

 private:
  int any(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::string value() { return std::to_string(1 + any(9)) + "/" + std::to_string(1 + any(4)); }
  std::string node(const std::string& domain, bool reference) {
    return reference && any(3) == 0 ? "0" : domain + std::to_string(any(3));
  }
  std::string name() { return "q" + std::to_string(number_++); }

  std::string part(const std::string& domain) {
    static const std::map<std::string, std::vector<std::string>> types{
        {"m", {"spring", "damper", "spring", "inerter", "mass", "mass"}},
        {"r", {"torsion", "torsional_damper", "inertia", "inertia", "damper"}},
        {"e", {"resistor", "capacitor", "inductor", "conductance"}},
        {"h", {"hydraulic_resistance", "tank", "inertance"}}};
    static const std::map<std::string, std::vector<std::string>> sources{{"m", {"force", "motion", "velocity", "acceleration"}},
                                                                         {"r", {"torque", "rotation", "angular_velocity"}},
                                                                         {"e", {"current_source", "voltage_source"}},
                                                                         {"h", {"flow_source", "pressure_source"}}};
    std::string text;
    for (int i = 0, n = 2 + any(5); i < n; ++i) {
      const std::string& type = types.at(domain)[static_cast<std::size_t>(any(static_cast<int>(types.at(domain).size())))];
      const std::string from = node(domain, false), to = type == "mass" || type == "inertia" ? "0" : node(domain, true);
      if (from != to) text += one_port(name(), type, from, to, value());
    }
    const std::string& source = sources.at(domain)[static_cast<std::size_t>(any(static_cast<int>(sources.at(domain).size())))];
    const std::string from = node(domain, false), to = node(domain, true);
    return from == to ? text : text + one_port(name(), source, from, to);
  }

  std::string couple(const std::string& a, const std::string& b) {
    static const std::map<std::string, std::string> types{{"mm", "lever"}, {"rr", "gear"}, {"mr", "rack"}};
    const auto known = types.find(a + b);
    const std::string type = known != types.end() && any(2) == 0 ? known->second : any(2) == 0 ? "transformer" : "gyrator";
    const std::string ends = "\"" + node(a, false) + "\",\"0\",\"" + node(b, false) + "\",\"0\"";
    return "{name=\"" + name() + "\", type=\"" + type + "\", nodes=[" + ends + "], ratio=\"" + value() + "\"},\n";
  }

  std::mt19937 random_;
  int number_ = 0;
};

void expect_same(const PolarNetwork& model, NodalAnalysis& nodal, const GiNaC::numeric& p0, const std::string& text) {
  const EquationSystem system = polar_derivation(model).equations;
  SignalFlowGraph graph = from_equations(system).graph;
  for (const Element* source : model.sources()) {
    std::vector<Question> questions;
    std::vector<ex> expected;
    for (const auto& [signal, value] : nodal.response(source->name)) {
      questions.push_back({graph.at(source->name), output_signal(graph, signal, system.definitions), Question::Mode::source, {}});
      expected.push_back(value);
    }
    const auto transfers = transfer_functions(graph, questions);
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const ex value = transfers[i].value.expression().subs(system.op.in(graph.symbols) == p0);
      EXPECT_TRUE((value - expected[i]).is_zero()) << graph[questions[i].output].name << "/" << source->name << " in\n" << text;
    }
  }
}

TEST(PolarDerivation, AnyNetworkIsThatOfNodalAnalysis) {
  std::size_t compared = 0, refused = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const std::string text = RandomNetwork(seed).elements();
    std::optional<PolarNetwork> model;
    try {
      model = network(text);
    } catch (const Error&) {  // parts without a connection
      continue;
    }
    const GiNaC::numeric p0(3, 7);
    NodalAnalysis nodal(*model, p0);
    if (nodal.regular()) {
      ++compared;
      EXPECT_NO_THROW(expect_same(*model, nodal, p0, text)) << text;
    } else {
      ++refused;
    }
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(compared, 100u);
  RecordProperty("singular", static_cast<int>(refused));
}

}  // namespace
}  // namespace sfg
