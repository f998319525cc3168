// What netlists, modules and Modelica models say: names, equations, refusals. That they run and are right is the business of
// tests/clients.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "export/subjects.hpp"
#include "sfg/error.hpp"
#include "sfg/export/circuits/spice_language.hpp"
#include "sfg/export/exported_motion.hpp"
#include "sfg/export/stated_equations.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/numeric/lookup_table.hpp"
#include "sfg/write/page/table_formula.hpp"

namespace sfg {
namespace {

using Writer = void (*)(std::ostream&, const ExportSubject&, const Budget&);
constexpr std::array<Writer, 3> continuous{write_spice_netlist, write_verilog_a_module, write_modelica_model};

ExportSubject subject(const std::string& dot) {
  ExportSubject made = exported::subject(dot);
  made.times = {0, 0.5, 1};
  made.frequencies = {0.1, 2};
  return made;
}

std::string file(Writer write, const ExportSubject& made) {
  std::ostringstream out;
  write(out, made, {});
  return out.str();
}
std::string file(Writer write, const std::string& dot) { return file(write, subject(dot)); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void expect_lines(const std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) EXPECT_TRUE(has(text, line)) << line << "\n" << text;
}

/// The message of the refusal.
std::string refusal(Writer write, const ExportSubject& made) {
  try {
    file(write, made);
  } catch (const NoAnswer& refused) {
    return std::string(refused.what()) + "; " + refused.remedy().text();
  }
  return "";
}

double evaluated(const std::string& formula) { return *double_value(parse_known(formula, SymbolTable())); }

// The formula is read by the parser of models, whose max is that of the formula.
TEST(TableFormula, IsTheTable) {
  using numeric::Interpolation;
  for (const Interpolation kind : {Interpolation::linear, Interpolation::spline, Interpolation::monotone}) {
    const numeric::LookupTable table("", kind, {-2, -0.5, 0.25, 1, 3}, {1, -1, 0.5, 0.75, -2});
    const auto code = static_cast<std::uint32_t>(numeric::lookup_code(numeric::table_number(table)));
    for (double x = -4; x < 5; x += 0.37) {
      const std::string argument = "(" + code_number(x) + ")";
      const double found =
          evaluated(table_formula(code, argument, [](const std::string& difference) { return "max(" + difference + ", 0)"; }));
      EXPECT_NEAR(found, table.value(x), 1e-11) << name(kind) << " at " << x;
    }
  }
}

TEST(StatedFormula, StepsStandWhereTheyAreUsed) {
  const ExportSubject made = subject(
      "digraph { input=\"a\"; output=\"b\"; parameters=\"k=100, m=4, w=sqrt(k/m), z=(k+m)^2/w+(k+m)\"; a -> b "
      "[gain=\"z/(s+w)\"]; }");
  const std::vector<ExportedParameter> parameters = exported_parameters(made.graph);
  const std::vector<std::string> names{"(100)", "(4)", "(5)", "Z"};
  EXPECT_EQ(stated_formula(parameters[0], parameters, names, spice_constants()), "100.0");
  for (const std::size_t k : {2U, 3U}) {
    const std::string formula = stated_formula(parameters[k], parameters, names, spice_constants());
    EXPECT_FALSE(has(formula, step_mark)) << formula;
    EXPECT_NEAR(evaluated(formula), parameters[k].value, 1e-12) << formula;
  }
}

TEST(LinearMotion, IsTheProductOfTheMatrices) {
  const ExportSubject made = subject(exported::two_port);
  const auto parameters = valued_parameters(made.graph);
  const ExportedStates space = exported_states(made, parameters, exported_transfers(made, parameters));
  const ExportedMotion motion = linear_motion(space, parameters);
  const std::size_t n = space.states.size(), in = space.inputs.size(), out = space.outputs.size();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-2, 2);
  std::vector<double> given = values_of(parameters);
  const std::vector<double> entries = space.entries.values(std::span<const double>(given));
  given.push_back(0);  // the time
  const std::size_t first = given.size();
  for (std::size_t k = 0; k < n + in; ++k) given.push_back(any(random));
  const std::vector<double> rates = motion.rates.values(std::span<const double>(given));
  ASSERT_EQ(rates.size(), n + out);
  for (std::size_t row = 0; row < n + out; ++row) {
    const bool state = row < n;
    const std::size_t of_states = state ? row * n : n * (n + in) + (row - n) * n;
    const std::size_t of_inputs = state ? n * n + row * in : n * (n + in) + out * n + (row - n) * in;
    double right = 0;
    for (std::size_t k = 0; k < n; ++k) right += entries[of_states + k] * given[first + k];
    for (std::size_t k = 0; k < in; ++k) right += entries[of_inputs + k] * given[first + n + k];
    EXPECT_NEAR(rates[row], right, 1e-12) << row;
  }
}

TEST(SpiceNames, UpperAndLowerCaseAreTheSame) {
  SpiceNames names;
  EXPECT_EQ(names("k"), "k");
  EXPECT_EQ(names("K"), "K_2");
  EXPECT_EQ(names("Temp"), "Temp_2");
  EXPECT_EQ(names("v1"), "v1");
  EXPECT_EQ(names.beginning("v"), "v_");
  EXPECT_EQ(names.beginning("w"), "w");
  EXPECT_EQ(names.renamed(), (std::vector<std::pair<std::string, std::string>>{{"K", "K_2"}, {"Temp", "Temp_2"}}));
}

TEST(Spice, ATransferFunctionIsAChainOfIntegrators) {
  // 10/(s² + 2s): the unit of time is that of 2.
  expect_lines(
      file(write_spice_netlist, exported::loop),
      {"* transfer function 0: C/R\n", ".param K = 10.0\n", ".param T = 2.0\n", ".param w0 = 2.0\n",
       "Cx0_1 x0_1 0 {1/w0} IC=0\nGx0_1 0 x0_1 x0_2 0 1\n", "Gx0_2 0 x0_2 e0 0 1\n", "Ge0_x0_2 0 e0 x0_2 0 {-den0_1/den0_0/w0}\n",
       "Gy0_x0_1 0 y0 x0_1 0 {num0_0/den0_0/w0**2}\n", "wrdata model_step.txt v(y0)\n", "wrdata model_frequency.txt v(y0)\n"});
}

TEST(Spice, WholePowersAreProductsSinceItsOwnLoseTheSign) {
  const std::string text =
      file(write_spice_netlist, "digraph { input=\"a\"; output=\"b\"; parameters=\"k=-2\"; a -> b [gain=\"k^3/(s+1)\"]; }");
  expect_lines(text, {"{k*k*k}"});
}

// Whatever a name says, it stands in lines of comment alone.
TEST(CircuitFiles, ForeignTextEndsNoComment) {
  const std::string dot =
      "digraph { title=\"x */ end\\n.end\\n`include \\\"y\\\"\"; input=\"a\"; output=\"q'b */ $display\"; parameters=\"k=1\"; a "
      "-> \"q'b */ "
      "$display\" [gain=\"k/(s+1)\"]; }";
  for (Writer write : continuous) {
    std::istringstream text(file(write, dot));
    for (std::string line; std::getline(text, line);) {
      const std::size_t comment = std::min(line.find("//"), line.find('"'));
      if (line.starts_with("*")) continue;
      EXPECT_FALSE(has(line.substr(0, std::min(comment, line.size())), "$display")) << line;
      EXPECT_FALSE(line.starts_with(".end ")) << line;
    }
  }
}

TEST(CircuitFiles, KeywordsAreRenamed) {
  const std::string dot =
      "digraph { input=\"input\"; output=\"b\"; parameters=\"end=2, ddt=3, der=4\"; input -> b [gain=\"(end+ddt+der)/(s+end)\"]; "
      "}";
  expect_lines(file(write_verilog_a_module, dot),
               {"//   end -> end_2\n", "//   ddt -> ddt_2\n", "module model(input_2, b);\n", "parameter real der = 4.0;\n"});
  expect_lines(file(write_modelica_model, dot), {"//   end -> end_2\n", "parameter Real ddt = 3.0;\n",
                                                 "parameter Real der_2 = 4.0;\n", "input Real input_2 \"input\";\n"});
}

TEST(CircuitFiles, LawsAreKept) {
  const std::string dot =
      "digraph { input=\"r\"; output=\"x\"; parameters=\"k=3\"; r -> x [gain=\"1/(s+1)\"]; x -> c [nonlinear=\"k*u^3\"]; c -> x "
      "[gain=\"-1/(s+1)\"]; }";
  expect_lines(file(write_spice_netlist, dot), {"Bx0 0 x0 I=", "V(x0)*V(x0)*V(x0)", "Bu0 u0 0 V=1.0\n"});
  expect_lines(file(write_verilog_a_module, dot), {"// law of 'x' -> 'c': k*u^3\n", "<+ ddt(V("});
  expect_lines(file(write_modelica_model, dot), {"// law of 'x' -> 'c': k*u^3\n", "der(", "^3", "system.r = 1.0;\n"});
}

TEST(CircuitFiles, ImproperResponsesAreRefusedByTheirBranch) {
  const ExportSubject made =
      subject("digraph { input=\"r\"; output=\"y\"; parameters=\"\"; r -> lead [gain=\"s\"]; lead -> y [gain=\"s+2\"]; }");
  for (Writer write : continuous) {
    const std::string message = refusal(write, made);
    EXPECT_TRUE(has(message, "'r' -> 'lead'")) << message;
    EXPECT_TRUE(has(message, "octave")) << message;
  }
}

TEST(CircuitFiles, DeadTimeIsRefusedByItsBranch) {
  const ExportSubject made = subject(
      "digraph { input=\"r\"; output=\"y\"; parameters=\"T=1\"; r -> d [gain=\"exp(-s*T)\"]; d -> y [gain=\"1/(s+1)\"]; }");
  for (Writer write : continuous) EXPECT_TRUE(has(refusal(write, made), "'r' -> 'd'"));
}

TEST(CircuitFiles, CircuitsKnowNoSamples) {
  for (Writer write : {write_spice_netlist, write_verilog_a_module})
    EXPECT_TRUE(has(refusal(write, subject(exported::sampled)), "verilog"));
  expect_lines(file(write_modelica_model, exported::sampled), {"when sample(0, 0.1) then", " = pre(", "end when;"});
}

TEST(Modelica, UnitsAreWrittenItsWay) {
  ExportSubject made = subject(exported::loop);
  made.graph.symbols.find("K")->unit = "kg*m^2/s";
  made.graph.symbols.find("T")->unit = "10 turns";
  expect_lines(file(write_modelica_model, made),
               {"parameter Real K(unit = \"kg.m2/s\") = 10.0;\n", "parameter Real T = 2.0 \"in 10 turns\";\n"});
}

// 1/s held for h: x(k+1) = x(k) + h u(k), whatever the sample.
TEST(Verilog, AnIntegratorAddsItsInput) {
  ExportSubject made = subject("digraph { input=\"a\"; output=\"b\"; a -> b [gain=\"1/s\"]; }");
  EXPECT_TRUE(has(refusal(write_verilog_module, made), "verilog-a"));
  made.sample_time = exact::Rational(1) / exact::Rational(2);
  expect_lines(file(write_verilog_module, made), {"    e0 = a;\n", "    b_sample = 0.5*x0_1;\n", "    x0_1 = x0_1 + e0;\n",
                                                  "\"# step b/a\"", "for (k = 0; k < 3; k = k + 1)"});
}

TEST(Verilog, AModelInZHasTheFormulasOfItsParameters) {
  expect_lines(file(write_verilog_module, exported::sampled),
               {"parameter real c = 0.75;\n", "parameter real d = 0.5;\n", "always @(posedge clock) begin\n"});
}

}  // namespace
}  // namespace sfg
