// The standard form is the transfer function: random products of lags, pairs, integrators and dead times with values of any sign,
// compared with what they were made of at complex points; each factor is 1 at rest.
#include "sfg/transfer/standard.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "graphs/families.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

struct Standard {
  SignalFlowGraph graph;
  TransferFunction transfer;
  GiNaC::exmap values;
  StandardTransfer form;

  Standard(const std::string& gain, const std::string& variable, const std::vector<std::pair<std::string, int>>& stated)
      : graph(test::graph_of({{"u", "y", gain}})), transfer(solved(variable)) {
    for (const auto& [name, value] : stated)
      if (const Symbol* symbol = graph.symbols.find(name)) values[symbol->expr] = GiNaC::numeric(value, 10);
    form = standard(factored(transfer, {.values = values}), transfer.value.space(), values, graph.symbols.names());
  }
  TransferFunction solved(const std::string& variable) {
    graph.op = variable;
    graph.op.declare(graph.symbols);
    return transfer_function(graph, {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}});
  }
  std::string expression() const { return write(form.expression(math(form.gain, form.variable)), Notation::text); }
  /// The printed form with its definitions put in.
  Complex value(Complex point) {
    GiNaC::exmap known = values;
    for (const auto& [name, value, positive] : form.definitions)
      known[graph.symbols.symbol(name)] = value.subs(values, GiNaC::subs_options::no_pattern);
    return at(parse(expression(), graph.symbols).subs(known, GiNaC::subs_options::no_pattern), point);
  }
  Complex exact(Complex point) { return at(transfer.value.expression(), point); }
  Complex at(const GiNaC::ex& e, Complex point) {
    const auto number = complex_value(e.subs(values, GiNaC::subs_options::no_pattern), graph.op.in(graph.symbols), point);
    if (!number) ADD_FAILURE() << print(e) << " has no value";
    return number.value_or(0);
  }
};

TEST(StandardForm, ReadsAsInBooks) {
  const Standard two("A*(1 + s*R1*C1)/((1 + s*R2*C2)*(1 + s*R3*C3))", "s", {});
  EXPECT_EQ(two.expression(), "A*(1 + s/omega_z)/((1 + s/omega_p1)*(1 + s/omega_p2))");
  EXPECT_EQ(Standard("K*(s + a)/(s*(s + b))", "s", {}).expression(), "omega_u*(1 + s/omega_z)/(s*(1 + s/omega_p))");
  EXPECT_EQ(Standard("-K*s", "s", {}).expression(), "-s/omega_u");
  EXPECT_EQ(Standard("gm*(1 - s*C/gm)/(s^2*L*C + s*R*C + 1)", "s", {}).expression(),
            "gm*(1 - s/omega_z)/(1 + s/(Q*omega_0) + (s/omega_0)^2)");
  EXPECT_EQ(Standard("1/(s^3 + a*s + b)", "s", {}).expression(), "(1/b)/(1 + a_1*s + a_3*s^3)");
  EXPECT_EQ(Standard("omega_p/(s + omega_p)", "s", {}).expression(), "1/(1 + s/omega_p_)") << "the name is taken";
}

TEST(StandardForm, DominantRootsComeFirst) {
  const Standard two("1/((s + a)*(s + b)*(s + c))", "s", {{"a", 500}, {"b", 3}, {"c", 20}});
  ASSERT_EQ(two.form.definitions.size(), 3U);
  EXPECT_EQ(print(two.form.definitions[0].value), "b");
  EXPECT_EQ(print(two.form.definitions[1].value), "c");
  EXPECT_EQ(print(two.form.definitions[2].value), "a");
}

TEST(StandardForm, OfSamplesIsThatAtOne) {
  const Standard z("k*(z - b)/((z - c)*(z^2 - p*z + q))", "z", {{"k", 10}, {"b", 5}, {"c", 2}, {"p", 10}, {"q", 5}});
  EXPECT_EQ(z.expression().find("omega"), std::string::npos);
  const GiNaC::ex variable = z.transfer.value.space().generator(0);
  EXPECT_TRUE(vanishes(z.form.gain - z.transfer.value.expression().subs(variable == 1)));
}

/// A factor of order 1 or 2 with letters, with one letter that has a value of any sign.
std::string factor(std::mt19937_64& random, const std::string& variable, int which) {
  const std::string n = std::to_string(which);
  switch (random() % 6) {
    case 0: return "(a" + n + "*" + variable + " + b" + n + ")";
    case 1: return "(" + variable + "^2 + a" + n + "*" + variable + " + b" + n + ")";
    case 2: return "(" + variable + " - b" + n + ")^2";
    case 3: return "(a" + n + " + 2)";
    case 4: return variable;
    default: return "(a" + n + "*" + variable + "^3 + b" + n + "*" + variable + " + 3)";
  }
}

TEST(StandardForm, IsTheTransferFunction) {
  std::mt19937_64 random(33);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::string variable = trial % 3 == 0 ? "z" : "s";
    const std::string gain = factor(random, variable, 1) + "*" + factor(random, variable, 2) + "/(" +
                             factor(random, variable, 3) + "*" + factor(random, variable, 4) + ")" +
                             (trial % 7 == 1 && variable == "s" ? "*exp(-a1*s)" : "");
    std::vector<std::pair<std::string, int>> stated;
    for (int i = 1; i <= 4; ++i)
      for (const char* letter : {"a", "b"}) {
        const int value = static_cast<int>(random() % 61) - 30;
        stated.emplace_back(letter + std::to_string(i), value == -20 || (value == 0 && *letter == 'b') ? 7 : value);
      }
    Standard form(gain, variable, stated);
    const Complex point(0.31, 0.77);
    SCOPED_TRACE(gain + " as " + form.expression());
    const Complex exact = form.exact(point);
    Complex found;
    ASSERT_NO_THROW(found = form.value(point)) << [&] {
      std::string text;
      for (const auto& definition : form.form.definitions) text += definition.name + " = " + print(definition.value) + "\n";
      for (const auto& [letter, value] : stated) text += letter + " = " + std::to_string(value) + "/10\n";
      return text;
    }();
    EXPECT_LT(std::abs(found - exact), 1e-9 * (1 + std::abs(exact))) << gain << " is not " << form.expression();
    ++compared;
  }
  EXPECT_EQ(compared, 200);
}

}  // namespace
}  // namespace sfg
