
#include <ginac/ginac.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/input.hpp"
#include "sfg/write/analog_program.hpp"

namespace {

namespace fs = std::filesystem;
using namespace sfg;

AnalogProgram program(const SignalFlowGraph& graph, const std::vector<std::vector<std::string>>& runs, AnalogOptions options) {
  AnalogEquations equations = analog_equations(graph);
  SymbolTable table;
  table.add({.name = "t", .kind = SymbolKind::time, .expr = equations.time});
  for (const auto& inputs : runs) {
    options.runs.push_back({"run", {}});
    for (const std::string& text : inputs) options.runs.back().inputs.push_back(parse(text, table));
  }
  return analog_program(std::move(equations), options);
}

/// The columns t y t y … that ngspice writes; empty without ngspice.
std::vector<std::vector<double>> simulated(const AnalogProgram& program, AnalogNetlist kind, const std::string& name) {
  const fs::path folder = fs::temp_directory_path() / ("sfg_analog_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  {
    std::ofstream out(folder / (name + ".cir"));
    write_netlist(out, program, {.kind = kind, .name = name, .points = program.times.size()});
  }
  const std::string command = "cd '" + folder.string() + "' && ngspice -b " + name + ".cir > log 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c): a fixed command
  std::ifstream in(folder / (name + "_step.txt"));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<double> row;
    for (double value = 0; words >> value;) row.push_back(value);
    if (!row.empty()) rows.push_back(row);
  }
  fs::remove_all(folder);
  return rows;
}

bool has_ngspice() { return std::system("command -v ngspice > /dev/null 2>&1") == 0; }  // NOLINT(cert-env33-c)

/// Every run and output within 0.1 % of the interpreted table.
void expect_same(const AnalogProgram& program, const std::string& name) {
  if (!has_ngspice()) GTEST_SKIP() << "no ngspice here";
  for (const AnalogNetlist kind : {AnalogNetlist::user, AnalogNetlist::machine, AnalogNetlist::amplifiers}) {
    SCOPED_TRACE(name + " " + std::to_string(static_cast<int>(kind)));
    const auto rows = simulated(program, kind, name);
    ASSERT_EQ(rows.size(), program.times.size());
    std::size_t column = 0;
    for (const auto& run : program.responses)
      for (const auto& output : run) {
        double top = 0;
        for (const double value : output) top = std::max(top, std::abs(value));
        for (std::size_t i = 1; i < rows.size(); ++i) {
          EXPECT_NEAR(rows[i].at(column), program.times[i], 1e-9 * program.until);
          EXPECT_NEAR(rows[i].at(column + 1), output[i], 1e-3 * top) << i;
        }
        column += 2;
      }
  }
}

SignalFlowGraph file(const char* name) {
  return std::get<SignalFlowGraph>(read_file(std::string(SFG_TEST_DATA) + "/analog/" + name).content);
}

TEST(AnalogNetlist, RunsTwoMasses) {
  expect_same(program(file("two_masses.dot"), {{"4"}, {"4*cos(13*t)"}}, {.machine_unit = 10, .until = 10}), "two_masses");
}

TEST(AnalogNetlist, RunsThreeMasses) {
  expect_same(program(file("three_masses.dot"), {{"5*cos(6*t)"}}, {.until = 5}), "three_masses");
}

TEST(AnalogNetlist, RunsLawsAndInitialValues) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph { input="I"; output="i, 2y"; I -> a; a -> i [gain="1/(s^2+s/2)"];
    i -> a [nonlinear="-u^3 - tanh(2*v) + sign(u)*min(v, 1/2) + t/10"]; i -> "2y" [nonlinear="max(u, v)*abs(u)"]; })dot",
                                         "test.dot");
  expect_same(program(graph, {{"sin(2*t)"}}, {.initial = {{"i", -1}}, .until = 6}), "laws");
}

TEST(AnalogNetlist, NamesAreLegalAndDifferent) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph { input="R"; output="r"; R -> r [gain="1/(s+1)"]; })dot", "test.dot");
  std::ostringstream out;
  write_netlist(out, program(graph, {{"1"}}, {.until = 2}));
  EXPECT_NE(out.str().find("* R -> "), std::string::npos);
  EXPECT_NE(out.str().find(".subckt program r r_2\n"), std::string::npos) << out.str();
}

TEST(AnalogProgram, TableHasALineForEveryInput) {
  const AnalogProgram two = program(file("two_masses.dot"), {{"4"}}, {.until = 5});
  std::ostringstream out;
  write_csv(out, two);
  std::size_t lines = 1;
  for (const AnalogElement& element : two.elements) lines += std::max<std::size_t>(1, element.inputs.size());
  const std::string csv = out.str();
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), lines);
  EXPECT_NE(csv.find("element,kind,variable,sign,scale,initial,from,gain,potentiometer,setting,law,peak,test\n"),
            std::string::npos);
}

}  // namespace
