// The script that builds a Simulink model: its form, its names, what it refuses. tests/clients solves the diagrams.
#include "sfg/export/targets.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "export/subjects.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/error.hpp"
#include "sfg/export/simulink/simulink_parts.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/model.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

std::string script(const ExportSubject& subject) {
  std::ostringstream out;
  write_simulink_model(out, subject);
  return out.str();
}

/// The blocks, as they are connected, have the transfer functions of the graph, exactly.
void expect_same(const ExportSubject& subject, SimulinkDiagram diagram) {
  diagram.system.arrange();
  const SignalFlowGraph back = diagram.system.read_back(subject.graph);
  for (const Question& question : subject.questions) {
    const NodeId in = back.at("in " + subject.graph[question.input].name),
                 out = back.at("out " + subject.graph[question.output].name);
    EXPECT_EQ(transfer_function(back, {in, out}).value.text(), transfer_function(subject.graph, question).value.text());
  }
}

TEST(SimulinkModel, BlocksOfBranchesHaveTheTransferFunctions) {
  for (const char* dot : {exported::loop, exported::two_port, exported::sampled}) {
    const ExportSubject subject = exported::subject(dot);
    const MatlabNames names(exported_parameters(subject.graph));
    const auto diagram = branch_diagram(subject, names);
    ASSERT_TRUE(diagram);
    expect_same(subject, *diagram);
  }
}

TEST(SimulinkModel, CoefficientsAreFormulasOfTheParameters) {
  const std::string text = script(exported::subject(exported::loop));
  EXPECT_NE(text.find("K = 10;\nT = 2;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("'Numerator', '[K]'"), std::string::npos) << text;
  EXPECT_NE(text.find("'Denominator', '[1, T, 0]'"), std::string::npos) << text;
  EXPECT_NE(text.find("verified: at 20 frequencies"), std::string::npos) << text;
}

TEST(SimulinkModel, AModelInZHasItsSampleTime) {
  const std::string text = script(exported::subject(exported::sampled));
  EXPECT_NE(text.find("sample_time = 0.1;"), std::string::npos) << text;
  EXPECT_NE(text.find("'built-in/UnitDelay', 'model/u to p'"), std::string::npos) << text;
  EXPECT_EQ(text.find("Integrator"), std::string::npos) << text;
}

TEST(SimulinkModel, NamesOfMatlabAreNoParameters) {
  const std::string text =
      script(exported::subject("digraph { input=\"u\"; output=\"y\"; parameters=\"end=3, Denc=2, λ=4, lambda=5\"; "
                               "u -> y [gain=\"(end + λ)/(Denc*s + lambda)\"]; }"));
  EXPECT_NE(text.find("end -> end_2"), std::string::npos) << text;
  EXPECT_NE(text.find("Denc -> Denc_2"), std::string::npos) << text;
  EXPECT_NE(text.find("'Numerator', '[end_2 + lambda]'"), std::string::npos) << text;
  EXPECT_NE(text.find("'Denominator', '[Denc_2, lambda_2]'"), std::string::npos) << text;
}

TEST(SimulinkModel, EquationsAreSubsystemsOfTheirOwn) {
  const std::string toml =
      "variable = \"p\"\n[lagrange]\ncoordinates = [\"x\", \"y\"]\nforces = { x = \"F\" }\nT = \"m/2*(Dx^2 + Dy^2)\"\n"
      "Pi = \"k/2*x^2 + c/2*(x - y)^2\"\nPhi = \"h/2*(Dx - Dy)^2\"\n[parameters]\nm = 2\nk = 3\nc = 5\nh = 0.5\n"
      "[analysis]\ninput = \"F\"\noutput = [\"x\", \"y\"]\n";
  const Model model = std::get<Model>(read_toml(toml, "model.toml"));
  ExportSubject subject;
  subject.equations = lagrange_equations(std::get<Lagrangian>(model)).equations();
  subject.graph = from_equations(*subject.equations).graph;
  subject.questions = questions(subject.graph);
  const MatlabNames names(exported_parameters(subject.graph));
  const auto diagram = equation_diagram(subject, names);
  ASSERT_TRUE(diagram);
  expect_same(subject, *diagram);
  const std::string text = script(subject);
  for (const char* part :
       {"  m, h, c + k; ... % 1: x, den\n  0, 0, 1; ... % 2: F\n  0, h, c; ... % 3: y\n  m, h, c; ... % 4: y, den\n",
        "'model/equation x/Trans 2//1'", "'model/equation x/Trans 3//1'", "'model/equation y/Trans 5//4'",
        "'Numerator', 'Denc(5,:)', ...\n  'Denominator', 'Denc(4,:)'"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(SimulinkModel, AnImproperLoopIsClosedByItsClosedForm) {
  // Directly through the loop: 1 - 1 = 0. The whole is 1/(s + 1) for all that.
  const ExportSubject subject = exported::subject(
      "digraph { input=\"u\"; output=\"y\"; parameters=\"a=1\"; u -> e [gain=\"1/(s+a)^2\"]; e -> e [gain=\"s/(s+a)\"]; e -> y; "
      "}");
  const std::string text = script(subject);
  EXPECT_NE(text.find("in closed form"), std::string::npos) << text;
  EXPECT_NE(text.find("'model/y by u'"), std::string::npos) << text;
}

TEST(SimulinkModel, WhatSimulinkHasNotIsRefusedByTheBranch) {
  const auto refusal = [](const std::string& dot) -> std::string {
    try {
      script(exported::subject(dot));
    } catch (const NoAnswer& problem) {
      return problem.what() + problem.remedy().text();
    }
    return "";
  };
  const std::string improper = refusal("digraph { input=\"r\"; output=\"y\"; r -> lead [gain=\"s\"]; lead -> y; }");
  EXPECT_NE(improper.find("'r' -> 'lead'"), std::string::npos) << improper;
  EXPECT_NE(improper.find("octave"), std::string::npos) << improper;
  const std::string delay = refusal("digraph { input=\"r\"; output=\"y\"; r -> late [gain=\"exp(-s)\"]; late -> y; }");
  EXPECT_NE(delay.find("'r' -> 'late'"), std::string::npos) << delay;
  const std::string law = refusal("digraph { input=\"r\"; output=\"y\"; r -> cube [nonlinear=\"u^3\"]; cube -> y; }");
  EXPECT_NE(law.find("'r' -> 'cube'"), std::string::npos) << law;
  EXPECT_THROW(script(exported::subject("digraph { input=\"r\"; output=\"y\"; r -> y [gain=\"K\"]; }")), Error);
}

}  // namespace
}  // namespace sfg
