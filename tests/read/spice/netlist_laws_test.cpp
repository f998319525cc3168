#include "sfg/read/spice/netlist_laws.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sfg/derive/circuit.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/read/spice.hpp"

namespace {

using namespace sfg;

PrincipalForm form_of(const std::string& netlist) {
  const Circuit circuit = read_spice("title\n" + netlist + "\n.end\n", "test.cir");
  return principal_form(from_equations(circuit_equations(circuit), {}).graph);
}

double value(const PrincipalForm& form, const std::map<std::string, double>& signals, double time = 0) {
  const CompiledLaws laws(form, form.linear.parameter_values());
  std::vector<double> arguments, f(laws.laws());
  for (const auto& argument : form.arguments) arguments.push_back(signals.at(argument.signal));
  laws.values({arguments, time}, f);
  return f[0];
}

TEST(NetlistLaws, DiodeIsShockleys) {
  const PrincipalForm form =
      form_of("V1 in 0 AC 1\nR1 in out 1k\nD1 out 0 DMOD\nC1 out 0 1u\n.model DMOD D(IS=2e-14 N=1.5)\n.print v(out)");
  ASSERT_EQ(form.laws.size(), 1u);
  const double thermal = 1.380649e-23 * 300.15 / 1.602176634e-19;
  for (const double u : {-5.0, -0.1, 0.0, 0.3, 0.7}) {
    const double expected = 2e-14 * (std::exp(u / (1.5 * thermal)) - 1);
    EXPECT_NEAR(value(form, {{"v(out)", u}}), expected, 1e-12 * std::abs(expected) + 1e-29) << u;
  }
  const double far = value(form, {{"v(out)", 1e4}});  // on the tangent
  EXPECT_TRUE(std::isfinite(far));
  EXPECT_NEAR(far / (2e-14 * std::exp(80) * (1 + 1e4 / (1.5 * thermal) - 80)), 1, 1e-9);
}

TEST(NetlistLaws, KirchhoffHoldsAtTheOperatingPoint) {
  // 5 V over 1 kΩ and a diode: the static transmittances and the law agree with the solution by bisection of the circuit.
  const PrincipalForm form = form_of("V1 in 0 AC 1\nR1 in out 1k\nD1 out 0 DMOD\n.model DMOD D\n.print v(out)");
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double u = (low + high) / 2;
    ((5 - u) / 1000 > value(form, {{"v(out)", u}}) ? low : high) = u;
  }
  EXPECT_NEAR(low, 0.6926, 1e-3);
}

TEST(NetlistLaws, BehaviouralSourcesReadVoltagesAndCurrents) {
  const std::string rest = "\nV1 a 0 AC 1\nR1 a b 1k\nR2 b 0 1k\nR3 out 0 1k\nV2 b c 0\nR4 c 0 2k\n.param g=3\n.print v(out)";
  const std::map<std::string, double> at{{"v(a)", 2}, {"v(b)", 0.5}, {"v(a,b)", 1.5}, {"i(V2)", 0.25}, {"v(c)", 1}};
  EXPECT_DOUBLE_EQ(value(form_of("B1 0 out I={g*v(a,b)^2 + i(V2)*v(B)}" + rest), at), 3 * 2.25 + 0.125);
  EXPECT_DOUBLE_EQ(value(form_of("B1 0 out I=g*v(a)*v(b) + 1m*v(a)" + rest), at), 3 + 0.002);
  EXPECT_DOUBLE_EQ(value(form_of("B1 0 out I = min(v(a), v(b)) + sgn(v(c))*u(time - 1)" + rest), at, 2), 1.5);
  const PrincipalForm voltage = form_of("B1 out 0 V={tanh(v(a))}" + rest);
  EXPECT_DOUBLE_EQ(value(voltage, at), std::tanh(2));
}

TEST(NetlistLaws, SayWhatIsWrong) {
  const auto message = [](const std::string& line) {
    try {
      circuit_equations(read_spice("title\nV1 a 0 AC 1\nR1 a b 1k\n" + line + "\n.end\n", "test.cir"));
      return std::string("read");
    } catch (const Error& problem) {
      EXPECT_EQ(problem.where().line, 4u) << line;
      return std::string(problem.what());
    }
  };
  EXPECT_NE(message("D1 b 0 NONE").find("no model 'NONE'"), std::string::npos);
  EXPECT_NE(message(".model J1 NJF(BETA=1m)").find("are not read"), std::string::npos);
  EXPECT_NE(message("B1 b 0 2*v(a)").find("needs"), std::string::npos);
  EXPECT_NE(message("B1 b 0 I={2}").find("depends on no voltage"), std::string::npos);
  EXPECT_NE(message("B1 b 0 I={v(nowhere)^2}").find("no node 'nowhere'"), std::string::npos);
  EXPECT_NE(message("B1 b 0 I={v(a)^}").find("error"), std::string::npos);
}

}  // namespace
