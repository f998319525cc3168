#include "sfg/read/printed_system.hpp"

#include <gtest/gtest.h>

#include "expect.hpp"
#include "read/problems.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

std::string errors(const std::string& text) {
  return test::errors_of([&] { read_printed_system(text, "g.tf"); });
}

/// "u1 -> y1: (s + 2)/(…)" a line for each branch.
std::string branches(const std::string& text) {
  const SignalFlowGraph graph = read_printed_system(text, "g.tf");
  std::string result;
  for (const Branch& branch : graph.branches())
    result += graph[branch.from].name + " -> " + graph[branch.to].name + ": " + print(branch.gain()) + "\n";
  return result;
}

// What Octave 7 with control 3.4 prints.

constexpr const char* octave_tf = R"(
Transfer function 'K' from input 'u1' to output ...

        1  
 y1:  -----
      s + 1

      0.001 s^3 + 1.235e+07 s + 1
 y2:  ---------------------------
                 -s^2            

Transfer function 'K' from input 'u2' to output ...

 y1:  2 s

 y2:  0

Continuous-time model.
)";

TEST(PrintedSystem, TransferFunctionsOfOctave) {
  EXPECT_EQ(branches(octave_tf), "u1 -> y1: 1/(s + 1)\nu1 -> y2: -(s^3 + 12350000000*s + 1000)/(1000*s^2)\nu2 -> y1: 2*s\n");
  const SignalFlowGraph graph = read_printed_system(octave_tf, "K.tf");
  EXPECT_EQ(graph.title, "K");
  EXPECT_EQ(graph.inputs.size(), 2U);
  EXPECT_EQ(graph.outputs.size(), 2U);
  EXPECT_EQ(to_string(graph.branches()[0].where), "K.tf:4:9");
}

TEST(PrintedSystem, SampledOnes) {
  const SignalFlowGraph graph = read_printed_system(
      "Transfer function 'F' from input 'u1' to output ...\n\n         z^-1 + 0.5 z^-2   \n y1:  ---------------------\n"
      "      1 - 0.5 z^-1 + 2 z^-3\n\nSampling time: 0.1 s\nDiscrete-time model.\n",
      "F.tf");
  EXPECT_TRUE(graph.op.discrete());
  EXPECT_EQ(graph.op.sample_time()->text(), "1/10");
  SymbolTable symbols = graph.symbols;
  EXPECT_EXPRESSION(graph.branches()[0].gain(), parse("(z^2 + z/2)/(z^3 - z^2/2 + 2)", symbols));
  EXPECT_FALSE(
      read_printed_system(
          "G =\n \n  z - 0.93\n  --------\n     z\n \nSample time: unspecified\nDiscrete-time transfer function.\n", "g.tf")
          .op.sample_time());
  EXPECT_EQ(read_printed_system("G =\n \n  1\n \nSample time: 2 minutes\nDiscrete-time transfer function.\n", "g.tf")
                .op.sample_time()
                ->text(),
            "120");
}

constexpr const char* octave_ss = R"(
S.a =
          x1     x2
   x1      0      1
   x2  -0.25  2e-05

S.b =
       u1  u2
   x1   0   0
   x2   1   3

S.c =
       x1
   y1   1

       x2
   y1   0

S.d =
       u1  u2
   y1   0   7

Continuous-time model.
)";

TEST(PrintedSystem, StatesOfOctave) {
  const SignalFlowGraph graph = read_printed_system(octave_ss, "S.tf");
  EXPECT_EQ(graph.title, "S");
  EXPECT_EQ(graph.inputs.size(), 2U);
  ASSERT_EQ(graph.outputs.size(), 1U);
  std::map<std::string, std::string> gains;
  for (const Branch& b : graph.branches()) gains[graph[b.from].name + " " + graph[b.to].name] = print(b.gain());
  EXPECT_EQ(gains.at("x1 Dx2"), "-1/4");
  EXPECT_EQ(gains.at("x2 Dx2"), "1/50000");
  EXPECT_EQ(gains.at("u2 Dx2"), "3");
  EXPECT_EQ(gains.at("u2 y1"), "7");
}

// What MATLAB prints.

TEST(PrintedSystem, TransferFunctionsOfMatlab) {
  EXPECT_EQ(branches(">> G = tf([1 10],[1 3])\n\nG =\n \n  s + 10\n  ------\n  s + 3\n \nContinuous-time transfer "
                     "function.\nModel Properties\n"),
            "u -> y: (s + 10)/(s + 3)\n");
  EXPECT_EQ(branches("Transfer function:\n                 2.7\nexp(-0.5*s) * --------\n              12 s + 1\n"),
            "u -> y: 27*exp(-s/2)/(10*(12*s + 1))\n");
  EXPECT_EQ(branches("G =\n \n  exp(-2*s) * (1)\n \nContinuous-time transfer function.\n"), "u -> y: exp(-2*s)\n");
  const char* const zpk =
      "ans =\n \n         0.001 (s+0.008333)\n  ---------------------------\n  s (s-3)^2 (s^2 + 0.25s + 4)\n \nContinuous-time "
      "zero/pole/gain model.\n";
  EXPECT_EQ(branches(zpk), "u -> y: (1000000*s + 8333)/(250000000*s*(4*s^2 + s + 16)*(s - 3)^2)\n");
  EXPECT_EQ(branches("H =\n \n  From input 1 to output...\n         s + 1\n   1:  ---------\n        s^2 + 3\n \n   2:  4\n \n  "
                     "From input \"w\" to output...\n"
                     "   1:  0\n \n         -1\n   2:  -----\n        s^2\n \nContinuous-time transfer function.\n"),
            "u1 -> y1: (s + 1)/(s^2 + 3)\nu1 -> y2: 4\nw -> y2: -1/s^2\n");
}

TEST(PrintedSystem, StatesOfMatlab) {
  const SignalFlowGraph graph = read_printed_system(R"(sys =
 
  A = 
            C_A        T
   C_A       -5  -0.3427
   T      47.68    2.785
 
  B = 
          T_c  C_A_f
   C_A      0      1
   T      0.3      0
 
  C = 
         C_A    T
   out1    0    1
 
  D = 
          T_c  C_A_f
   out1     0      0
 
Continuous-time state-space model.
)",
                                                    "sys.tf");
  EXPECT_EQ(graph.title, "sys");
  EXPECT_EQ(graph[graph.inputs.at(1)].name, "C_A_f");
  EXPECT_TRUE(graph.find("C_A"));
}

TEST(PrintedSystem, DescriptorsAreDividedOut) {
  const std::string head =
      "S.e =\n       x1  x2\n   x1   2   1\n   x2   1   1\n\nS.a =\n       x1  x2\n   x1   1   2\n   x2   3   4\n\n"
      "S.b =\n       u1\n   x1   1\n   x2   0\n\nS.c =\n       x1  x2\n   y1   1   1\n\n";
  const SignalFlowGraph graph = read_printed_system(head + "Continuous-time model.\n", "S.tf");
  std::map<std::string, std::string> gains;
  for (const Branch& b : graph.branches()) gains[graph[b.from].name + " " + graph[b.to].name] = print(b.gain());
  EXPECT_EQ(gains.at("x1 Dx1"), "-2");  // E⁻¹ = [1 -1; -1 2]
  EXPECT_EQ(gains.at("x2 Dx2"), "6");
  EXPECT_EQ(gains.at("u1 Dx2"), "-1");
  std::string singular = head;
  singular.replace(singular.find("x2   1   1"), 10, "x2   2   1");
  EXPECT_EQ(errors(singular), "1:1 E is singular: some states are algebraic\n");
}

TEST(PrintedSystem, SeveralSystems) {
  const std::string one =
      "Transfer function 'G' from input 'u1' to output ...\n\n      1\n y1:  -\n      s\n\nContinuous-time model.\n\n";
  const std::string named = "Transfer function 'H' from input 'y1' to output ...\n\n pos:  3\n\nStatic gain.\n";
  EXPECT_EQ(branches(one + named), "G.u1 -> G.y1: 1/s\ny1 -> pos: 3\n");
  EXPECT_EQ(branches("A =\n\n  1\n  -\n  s\n\nB =\n\n  2\n\n"), "A.u -> A.y: 1/s\nB.u -> B.y: 2\n");
}

TEST(PrintedSystem, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(errors(""), "1:1 there is no system in the text\n");
  EXPECT_EQ(errors("G =\n\n  s + x\n  -----\n  s\n"), "3:7 the variable 'x' is not s, p, z or q^-1\n");
  EXPECT_EQ(errors("G =\n\n  1\n  -----\n  0\n"), "5:3 the denominator is 0\n");
  EXPECT_EQ(errors("G =\n\n  1\n  -----\n\n"), "3:3 a fraction without a numerator or without a denominator\n");
  EXPECT_EQ(errors("G =\n\n  s + (1+2i)\n  -----\n  s\n"), "3:11 a complex coefficient\n");
  EXPECT_EQ(errors("G =\n\n  NaN\n\n"), "3:3 a coefficient that is no number\n");
  EXPECT_EQ(errors("G =\n\n  z\n  -\n  s\n"), "5:3 the variable is 's' here and 'z' before\n");
  EXPECT_EQ(errors("G =\n\n  1/s\n\nSample time: 1 seconds\nDiscrete-time transfer function.\n"),
            "1:1 the system is discrete, and the variable is 's'\n");
  EXPECT_EQ(errors("S.a =\n       x1  x2\n   x1   1   2\n   x2   3\n\n"), "4:4 the row has 1 number, but there are 2 columns\n");
  EXPECT_EQ(errors("S.a =\n       x1\n   x1   1\n\nS.b =\n       u1\n   x1   1\n\nContinuous-time model.\n"), "");
  EXPECT_EQ(errors("S.a =\n       x1\n   x1   Inf\n\n").substr(0, 4), "1:1 ");
  EXPECT_EQ(errors("G =\n\n  1\n  - s\n  s +\n  =?\n").substr(0, 2), "6:");
  EXPECT_EQ(errors("G =\n\n  " + std::string(100000, '(') + "\n").substr(0, 2), "3:");
}

TEST(PrintedSystem, IsTold) {
  EXPECT_TRUE(is_printed_system(octave_tf));
  EXPECT_TRUE(is_printed_system("G =\n\n  1\n\nStatic gain.\n"));
  EXPECT_FALSE(is_printed_system("syms x\nK=[1]\nTM=m*x^2/2\n"));
}

}  // namespace
}  // namespace sfg
