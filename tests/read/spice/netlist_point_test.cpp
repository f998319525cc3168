#include "sfg/read/spice/netlist_point.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sfg/derive/circuit.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input_at_point.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/read/spice/simulator_point.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using PointValues = std::map<std::string, std::map<std::string, double>>;  ///< of devices, by the names of the netlist

const std::string around_devices = R"(V1 in 0 AC 1
RS in g 1k
RD d 0 10k
RSS s 0 500
RBB b 0 2k
RC2 d bq 1k
RC c 0 5k
RE e 0 100
RSUB sub 0 300
RA a2 0 700
RO o 0 3k
RF o2 0 1k
.print v(o2)
)";

std::string netlist_of_devices(bool charges) {
  return "devices\n" + around_devices + R"(M1 d g s b NM W=1u L=1u AD=1p
Q1 c bq e sub QN
D1 c a2 DD
X1 a2 o stage
M2 0 o o2 b NM m=3
.model QN NPN(LEVEL=4 WHATEVER=1)
.model DD D(LEVEL=3)
.subckt stage g d
J1 d g 0 JN
.ends
.model JN NJF(LEVEL=2)
.model NM NMOS(LEVEL=)" +
         (charges ? "14)\n" : "3)\n");
}

/// The elements that the devices stand for, with the nodes between which they are.
struct HandPart {
  const char *device, *what, *nodes;
};
constexpr HandPart hand_parts[] = {
    {"m1", "gm", "d s g s"},    {"m1", "gds", "d s d s"},   {"m1", "gmbs", "d s b s"},     {"m1", "cgs", "g s"},
    {"m1", "cgd", "g d"},       {"m1", "cgb", "g b"},       {"m1", "cdb", "d b"},          {"m1", "csb", "s b"},
    {"m2", "gm", "0 o2 o o2"},  {"m2", "gds", "0 o2 0 o2"}, {"m2", "gmbs", "0 o2 b o2"},   {"m2", "cgs", "o o2"},
    {"m2", "cgd", "o 0"},       {"m2", "cgb", "o b"},       {"m2", "cdb", "0 b"},          {"m2", "csb", "o2 b"},
    {"q1", "gm", "c e bi e"},   {"q1", "gpi", "bi e bi e"}, {"q1", "go", "c e c e"},       {"q1", "gmu", "bi c bi c"},
    {"q1", "cpi", "bi e"},      {"q1", "cmu", "bi c"},      {"q1", "ccs", "c sub"},        {"q1", "rb", "bq bi"},
    {"d1", "gd", "c a2 c a2"},  {"d1", "cd", "c a2"},       {"j.x1.j1", "gm", "o 0 a2 0"}, {"j.x1.j1", "gds", "o 0 o 0"},
    {"j.x1.j1", "cgs", "a2 0"}, {"j.x1.j1", "cgd", "a2 o"}};

PointValues random_point(std::mt19937& random) {
  const std::set<std::string> needed{"gm", "gds", "gpi", "go", "gd"};
  std::uniform_real_distribution<double> exponent(-1, 0.5), any(0, 1);
  PointValues values;
  for (const HandPart& part : hand_parts) {
    const std::string what = part.what;
    const double usual = what[0] == 'c' ? 1e-12 : 1e-3;
    if (needed.contains(what) || what == "rb" || any(random) < 0.8)  // what a file lacks is 0
      values[part.device][what] =
          what == "rb" ? 125 << random() % 3 : std::stod(fmt::format("{:.6g}", usual * std::pow(10, exponent(random))));
  }
  return values;
}

std::string netlist_by_hand(const PointValues& values) {
  std::string text = "by hand\n" + around_devices;
  int count = 0;
  for (const HandPart& part : hand_parts)
    if (const auto found = values.at(part.device).find(part.what); found != values.at(part.device).end())
      text += fmt::format("{}{} {} {:.6g}\n",
                          part.what[0] == 'g'   ? "G9"
                          : part.what[0] == 'c' ? "C9"
                                                : "R9",
                          ++count, part.nodes, found->second);
  return text;
}

/// With the names and signs of the simulator.
PointValues as_simulated(const PointValues& values, bool charges, std::mt19937& random) {
  PointValues result;
  for (const auto& [device, quantities] : values)
    for (const auto& [what, value] : quantities) {
      const bool other = random() % 2 == 0;
      std::string name = what;
      double stated = value;
      if (device[0] == 'm' && charges) {
        if (what == "cdb" || what == "csb") {
          name = what == "cdb" ? "capbd" : "capbs";
          result[device][what] = -7e-12;  // a derivative, which does not count
        }
        if (what.starts_with("cg") && other) stated = -value;
      } else if (device[0] == 'm' && other) {
        name = what == "gmbs" ? "gmb" : what == "cdb" ? "cbd" : what == "csb" ? "cbs" : what;
      } else if (what == "ccs" && other) {
        name = "csub";
      } else if (what == "rb" && other) {
        name = "gx";
        stated = 1 / value;
      }
      result[device][name] = stated;
    }
  return result;
}

std::string as_printed(const PointValues& values) {
  std::string text;
  for (const auto& [device, quantities] : values)
    for (const auto& [what, value] : quantities) text += fmt::format("@{}[{}] = {:.6e}\n", device, what, value);
  return text;
}

/// M1 and M2 in one table, where both have all that either has.
std::string as_shown(const PointValues& values) {
  std::string text;
  const auto table = [&](const std::vector<std::string>& devices) {
    text += " Kind: a kind of device\n     device";
    for (const std::string& device : devices) text += fmt::format(" {:>21}", device);
    text += "\n      model";
    for (std::size_t i = 0; i < devices.size(); ++i) text += "                    nm";
    for (const auto& [what, first] : values.at(devices.front())) {
      text += fmt::format("\n{:>11}", what);
      for (const std::string& device : devices) text += fmt::format(" {:>21.6g}", values.at(device).at(what));
    }
    text += "\n\n";
  };
  std::vector<std::string> first, second;
  for (const auto& [what, value] : values.at("m1")) first.push_back(what);
  for (const auto& [what, value] : values.at("m2")) second.push_back(what);
  const bool together = first == second;
  for (const auto& [device, quantities] : values)
    if (!together || device != "m2")
      table(together && device == "m1" ? std::vector<std::string>{"m2", "m1"} : std::vector{device});
  return text + " Vsource: Independent voltage source\n     device  v1\n         dc   1\n\n";
}

std::string as_raw(const PointValues& values) {
  std::string names = "\t0\tv(d)\tvoltage\n", numbers = " 0\t1.5\n";
  int count = 1;
  for (const auto& [device, quantities] : values)
    for (const auto& [what, value] : quantities) {
      names += fmt::format("\t{}\t@{}[{}]\tadmittance\n", count++, device, what);
      numbers += fmt::format("\t{:.15e}\n", value);
    }
  return fmt::format(
      "Title: t\nDate: today\nPlotname: Operating Point\nFlags: real\nNo. Variables: {}\nNo. Points: "
      "1\nVariables:\n{}Values:\n{}",
      count, names, numbers);
}

std::complex<double> response_of_devices(const Circuit& circuit, double omega) {
  const SignalFlowGraph symbols = from_equations(circuit_equations(circuit)).graph;
  const SignalFlowGraph graph = symbols.substituted(symbols.symbols.values());
  GiNaC::ex value = transfer_function(graph, {graph.find("V1").value(), graph.find("v(o2)").value(), Question::Mode::source, {}})
                        .value.expression();
  SymbolTable table = graph.symbols;
  const GiNaC::numeric number =
      GiNaC::ex_to<GiNaC::numeric>(value.subs(GiNaC::exmap{{circuit.op.in(table), GiNaC::I * GiNaC::numeric(omega)}}).evalf());
  return {number.real().to_double(), number.imag().to_double()};
}

TEST(NetlistPoint, TheThreeFormsOfAFileGiveTheCircuitByHand) {
  std::mt19937 random(5);
  for (int i = 0; i < 6; ++i) {
    const PointValues values = random_point(random);
    const Circuit by_hand = read_spice(netlist_by_hand(values), "hand.cir");
    const bool charges = i % 2 == 0;
    const PointValues simulated = as_simulated(values, charges, random);
    for (const std::string& text : {as_printed(simulated), as_shown(simulated), as_raw(simulated)}) {
      const SimulatorPoint point = read_simulator_point(text, "op.txt");
      const Circuit circuit = read_spice(netlist_of_devices(charges), "c.cir", nullptr, {}, nullptr, {}, &point);
      for (const double omega : {1e3, 1e8, 1e10}) {
        const std::complex<double> wanted = response_of_devices(by_hand, omega);
        EXPECT_LT(std::abs(response_of_devices(circuit, omega) - wanted), 1e-9 * std::abs(wanted)) << text;
      }
      for (const auto& [what, value] : values.at("m1"))
        EXPECT_NEAR(GiNaC::ex_to<GiNaC::numeric>(*circuit.symbols.at(what + "_M1").value).to_double(), value, 1e-9 * value);
      EXPECT_NE(circuit.symbols.find("gm_J1_X1"), nullptr);
    }
  }
}

std::string point_errors(const std::string& netlist, const std::string& text, std::vector<Diagnostic>* notes = nullptr) {
  try {
    const SimulatorPoint point = read_simulator_point(text, "op.txt");
    read_spice("t\nV1 g 0 AC 1\nR1 d 0 1k\n" + netlist, "c.cir", notes, {}, nullptr, {}, &point);
  } catch (const Error& error) {
    std::string list;
    for (const Diagnostic& d : error.diagnostics()) list += to_string(d.where) + ' ' + d.message + '\n';
    return list;
  }
  return "";
}

TEST(NetlistPoint, ReversedLateralAndOfThreeTerminals) {
  const auto elements = [](const std::string& netlist, const std::string& text) {
    const SimulatorPoint point = read_simulator_point(text, "op.txt");
    std::string list;
    for (const Circuit::Element& element :
         read_spice("t\nV1 g 0 AC 1\nR1 d 0 1k\n" + netlist, "c.cir", nullptr, {}, nullptr, {}, &point).elements) {
      list += element.name;
      for (const std::string& node : element.nodes) list += ' ' + node;
      list += '\n';
    }
    return list.substr(list.find("R1 d 0\n") + 7);
  };
  EXPECT_EQ(elements("M1 d g s b N\n", "@m1[gm] = 1\n@m1[gds] = 2\n@m1[vds] = -0.1\n@m1[cgs] = 1e-12\n@m1[rd] = 5\n"),
            "Rd_M1 d M1_d\nGgm_M1 s M1_d g M1_d\nGds_M1 s M1_d s M1_d\nCgs_M1 g s\n");
  EXPECT_EQ(
      elements("Q1 d g 0 P\n.model P PNP(RC=10)\n", "@q1[gm] = 1\n@q1[gpi] = 2\n@q1[go] = 3\n@q1[csub] = 1e-12\n@q1[gx] = 0\n"),
      "Rc_Q1 d Q1_c\nGgm_Q1 Q1_c 0 g 0\nGpi_Q1 g 0 g 0\nGo_Q1 Q1_c 0 Q1_c 0\nCcs_Q1 g 0\n");
  EXPECT_EQ(elements("M1 d g 0 V\n.model V VDMOS(VTO=1)\n", "@m1[gm] = 1\n@m1[gds] = 2\n@m1[cds] = 1e-12\n"),
            "Ggm_M1 d 0 g 0\nGds_M1 d 0 d 0\nCds_M1 d 0\n");
}

TEST(NetlistPoint, WhatIsWrongIsSaidWithItsPlace) {
  const std::string m1 = "M1 d g 0 0 N\n", enough = "@m1[gm] = 1e-3\n@m1[gds] = 1e-5\n";
  EXPECT_EQ(point_errors(m1 + "M2 d g 0 0 N\nQ1 d g 0 QN\n", enough + "@m2[gds] = 1\n"),
            "c.cir:5:1 'M2' has no values of gm in 'op.txt'\nc.cir:6:1 'Q1' has no values of gm, gpi, go in 'op.txt'\n");
  EXPECT_EQ(point_errors(m1, "@m1[gm] = 1e-3\n  @m1[gds] = nan\n"), "op.txt:2:14 'nan' is no number: gds of 'm1' is missing\n");
  EXPECT_EQ(point_errors(m1, "@m1[gm] = 1e-3\n@m1[gds] = 1 2\n"), "op.txt:2:1 '@m1[gds]' has not one value\n");
  EXPECT_EQ(point_errors(m1, enough + "@m1[gm] = 2e-3\n"),
            "op.txt:3:11 gm of 'm1' has two values, 1e-3 (op.txt:1:11) and 2e-3\n");
  EXPECT_EQ(point_errors("M1 d g 0 0 N W=1u W=2u\n", enough), "c.cir:4:19 entry 'W' is there twice\n");
  EXPECT_EQ(point_errors(m1 + ".model N NMOS(LEVEL=1 LEVEL=1 TOX=1n TOX=2n)\n", enough),
            "c.cir:5:38 entry 'TOX' is there twice\n");
  EXPECT_EQ(point_errors("D1 d 0 DM 2 area=3\n", "@d1[gd] = 1\n"), "c.cir:4:13 entry 'area' is there twice\n");
  EXPECT_EQ(point_errors(m1, "hello\n"), "op.txt:1:1 there are no small-signal values of devices M, Q, D or J\n");
  const std::string raw = as_raw({{"m1", {{"gm", 1e-3}, {"gds", 1e-5}}}});
  EXPECT_EQ(point_errors(m1, raw), "");
  EXPECT_EQ(point_errors(m1, raw.substr(0, raw.rfind('\t'))), "op.txt:13:1 the raw file ends before the value of '@m1[gm]'\n");
  EXPECT_EQ(point_errors(m1, raw + "\t1\n"), "op.txt:15:2 a value behind that of the last variable\n");
  EXPECT_EQ(point_errors(m1, raw.substr(0, raw.find("Values:")) + "Binary:\n\x01\x02"), "op.txt:11:1 the raw file is binary\n");
  EXPECT_EQ(point_errors(m1, "Title: t\nPlotname: Operating Point\nValues:\n 0\n"),
            "op.txt:4:1 the raw file has no list of variables\n");
  EXPECT_EQ(point_errors(m1, "Title: t\nPlotname: AC Analysis\n"), "op.txt:1:1 the raw file has no plot 'Operating Point'\n");
}

TEST(NetlistPoint, WhatTheFileLacksAndHasBesideIsSaid) {
  std::vector<Diagnostic> notes;
  EXPECT_EQ(point_errors("M1 d g 0 0 N ID=1m\n* sfg: M3 ID=1m VDS=2\nM3 d g 0 0 N\n",
                         "@m1[gm] = 1e-3\n@m1[gds] = 1e-5\n@m3[gm] = 1\n@m3[gds] = 1\n@m7[gm] = 1\n", &notes),
            "");
  std::string said;
  for (const Diagnostic& note : notes)
    if (note.severity != Severity::note) said += to_string(note.where) + ' ' + note.message + '\n';
  EXPECT_EQ(said,
            "c.cir:5:11 the point that the netlist states of 'm3' is left out: 'op.txt' counts\n"
            "c.cir:4:1 'op.txt' counts, and the point that the netlist states of 'M1' is left out\n"
            "c.cir:4:1 'op.txt' has no gmbs, cgs, cgd, cgb, cdb, csb of 'M1', 'M3': taken as 0\n"
            "op.txt:5:11 the netlist has no device 'm7': its values are left out\n");
}

TEST(NetlistPoint, OnlyNetlistsHaveDevices) {
  const SimulatorPoint point = read_simulator_point("@m1[gm] = 1\n", "op.txt");
  EXPECT_THROW(read("digraph { a -> b }", InputFormat::dot, "g.dot", {}, NetlistConditions{.point = &point}), Error);
}

/// The values of `show` have six digits, those of `print` more: the same point, of which the longer counts.
TEST(NetlistPoint, ShowAndPrintInOneFile) {
  const SimulatorPoint point =
      read_simulator_point("     device  m1\n         gm  0.000795825\n\n@m1[gm] = 7.958254262e-04\n", "op.txt");
  EXPECT_EQ(point.devices.at("m1").at("gm").text, "7.958254262e-04");
}

}  // namespace
}  // namespace sfg
