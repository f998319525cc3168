// Transfer functions as scripts of a page; what these calculate is compared with the command in tests/report/moving_check.py.
#include "sfg/report/report.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "sfg/error.hpp"
#include "sfg/read/input.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/report/tape_script.hpp"

namespace sfg {
namespace {

MovingModel model_of(const std::string& text, InputFormat format = InputFormat::dot) {
  const Input input = read(text, format, "model");
  const auto& graph = std::get<SignalFlowGraph>(input.content);
  const std::vector<Question> all = questions(graph);
  return moving_model(graph, all);
}

MovingModel one_gain(const std::string& gain, const std::string& parameters) {
  return model_of("digraph { variable=\"s\"; parameters=\"" + parameters + "\"; input=\"u\"; output=\"y\"; u -> y [gain=\"" +
                  gain + "\"]; }");
}

TEST(MovingModel, CoefficientsAreThoseOfLowestTermsPartByPartOfDeadTime) {
  const MovingModel plain = model_of(
      "digraph { variable=\"s\"; parameters=\"K=3, a=1/3\"; input=\"u\"; output=\"y\"; u -> x [gain=\"(s+a)/(s+2)\"]; x -> y "
      "[gain=\"K/(s+a)\"]; }");
  EXPECT_TRUE(plain.coefficients);
  EXPECT_NE(plain.script.find("shapes:[{above:[[1,0]],below:[[2,0]],hidden:2}]"), std::string::npos) << plain.script;
  const MovingModel delayed = one_gain("exp(-t1*s)/(s+1) + K*exp(-t2*s)", "K=3, t1=1, t2=2");
  EXPECT_NE(delayed.script.find("above:[[2,1],[1,1]],below:[[2,0]]"), std::string::npos) << delayed.script;
}

TEST(MovingModel, WithoutCoefficientsItHasValues) {
  for (const MovingModel& model : {one_gain("K*sqrt(s)", "K=3"), one_gain("tanh(s)/K", "K=3")}) {
    EXPECT_FALSE(model.coefficients);
    EXPECT_NE(model.script.find("values:{size:"), std::string::npos);
    EXPECT_EQ(model.script.find("coefficients:"), std::string::npos);
  }
}

TEST(MovingModel, ADeadTimeOfALoopHasCoefficientsForWhenItIsMovedToZero) {
  const MovingModel model = model_of(
      R"g(digraph { variable="s"; parameters="K=2, t=0.3"; input="u"; output="y"; u -> y [gain="K/(s+1)"]; y -> y [gain="-exp(-s*t)"]; })g");
  EXPECT_FALSE(model.coefficients);
  EXPECT_NE(model.script.find("coefficients:"), std::string::npos);
  EXPECT_NE(model.script.find("below:[["), std::string::npos);
}

TEST(MovingModel, ParametersKeepExactValuesAndWhatTheyFollow) {
  const MovingModel model = one_gain("K/(s+l)", "K=1/3, a=2, l=2*a");
  ASSERT_EQ(model.parameters.size(), 3U);
  EXPECT_EQ(model.parameters[0].start, exact::Rational(1) / exact::Rational(3));
  EXPECT_EQ(model.parameters[2].start, exact::Rational(4));
  EXPECT_EQ(model.parameters[2].follows, "2*a");
  EXPECT_TRUE(model.parameters[1].follows.empty());
}

TEST(MovingModel, NamesOfTheModelAreStringsAndNeverMarkup) {
  const std::string hostile = "</script><!-- \xe2\x80\xa8 \\\" ' __proto__";
  EXPECT_EQ(script_string("</a\xe2\x80\xa8\xe2\x80\xa9\"\\"), "\"\\u003c/a\\u2028\\u2029\\\"\\\\\"");
  MovingModel model = model_of(
      "[graph]\nbranches = [ [\"</script><b>\", \"\\u2028<!--\", \"var/(__proto__*s+1)\"] ]\n"
      "[parameters]\nvar = 2\n__proto__ = { value = 3, unit = \"<b>\", text = \"]]> & <i>\" }\n",
      InputFormat::toml);
  EXPECT_EQ(model.script.find('<'), std::string::npos);
  EXPECT_EQ(model.script.find("\xe2\x80\xa8"), std::string::npos);
  EXPECT_NE(model.script.find("name:\"__proto__\""), std::string::npos);
  EXPECT_EQ(model.script.find(" var"), std::string::npos);
  std::ostringstream panel;
  write_parameter_panel(panel, model);
  EXPECT_EQ(panel.str().find("<b>"), std::string::npos);
  EXPECT_NE(panel.str().find("]]&gt; &amp; &lt;i&gt;"), std::string::npos);
}

TEST(ParameterPanel, SlidersReachFromHalfToTwice) {
  std::ostringstream out;
  write_parameter_panel(out, one_gain("K/(s+a)+b", "K=-3, a=5, b=0"));
  EXPECT_NE(out.str().find("min=\"-6\" max=\"-1.5\""), std::string::npos);
  EXPECT_NE(out.str().find("min=\"2.5\" max=\"10\""), std::string::npos);
  EXPECT_NE(out.str().find("min=\"-1\" max=\"1\""), std::string::npos);
}

TEST(ParameterPanel, SaysWhatStays) {
  MovingModel model = one_gain("K/(s+1)", "K=3");
  model.fixed = {"the equilibrium was searched: it stays <there>"};
  std::ostringstream out;
  write_parameter_panel(out, model);
  EXPECT_NE(out.str().find("it stays &lt;there&gt;."), std::string::npos);
}

TEST(TapeScript, NumbersAreExact) {
  EXPECT_EQ(script_number(exact::Rational(1) / exact::Rational(10)), "\"1/10\"");
  EXPECT_EQ(script_number(exact::Rational(3)), "3");
  EXPECT_EQ(script_number(exact::Rational(-5) / exact::Rational(8)), "-0.625");
}

TEST(TapeScript, ProgramsAreStraightLines) {
  numeric::TapeBuilder builder(numeric::TapeBuilder::Folding::exact);
  const auto x = builder.input("x"), y = builder.input("y");
  const auto square = builder.multiply(x, x);
  const auto out = builder.apply(numeric::Operation::sqrt, builder.add(square, builder.constant(2)));
  (void)y;
  EXPECT_EQ(tape_script(builder.tape(std::span(&out, 1)), 2, {}),
            "{size:5,inputs:[0,-1],numbers:[[2,2]],code:[({a,s,m,d,n,p,f})=>{m(1,0,0);a(3,1,2);f(4,\"sqrt\",3);}],outputs:[4]}");
}

}  // namespace
}  // namespace sfg
