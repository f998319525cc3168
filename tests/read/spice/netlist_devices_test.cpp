#include "sfg/read/spice/netlist_devices.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "expect.hpp"
#include "sfg/derive/circuit.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

double value_of(const Circuit& circuit, const std::string& name) {
  const GiNaC::ex value = substituted(circuit.symbols.at(name).expr, circuit.symbols.values(), {}).evalf();
  return GiNaC::ex_to<GiNaC::numeric>(value).to_double();
}

void expect_values(const Circuit& circuit, const std::map<std::string, double>& expected) {
  for (const auto& [name, value] : expected) EXPECT_NEAR(value_of(circuit, name), value, 1e-4 * std::abs(value)) << name;
}

GiNaC::ex transfer(const Circuit& circuit, const std::string& from, const std::string& to, SymbolTable& symbols) {
  const SignalFlowGraph graph = from_equations(circuit_equations(circuit)).graph;
  symbols = graph.symbols;
  return transfer_function(graph, {graph.find(from).value(), graph.find(to).value(), Question::Mode::source, {}})
      .value.expression();
}

/// At a frequency in Hz, with the stated values.
std::complex<double> response(const Circuit& circuit, const std::string& from, const std::string& to, double hertz) {
  SymbolTable symbols;
  GiNaC::ex value = transfer(circuit, from, to, symbols);
  GiNaC::exmap at = symbols.values();
  at[circuit.op.in(symbols)] = GiNaC::I * GiNaC::numeric(2 * std::numbers::pi * hertz);
  for (int i = 0; i < 4; ++i) value = value.subs(at);
  const GiNaC::numeric number = GiNaC::ex_to<GiNaC::numeric>(value.evalf());
  return {number.real().to_double(), number.imag().to_double()};
}

std::string errors(const std::string& text, const NetlistFile& beside = {}) {
  try {
    read_spice(text, "dir/t.cir", nullptr, {}, nullptr, beside);
  } catch (const Error& error) {
    std::string list;
    for (const Diagnostic& d : error.diagnostics())
      if (d.severity == Severity::error) list += to_string(d.where) + ' ' + d.message + '\n';
    return list;
  }
  return "";
}

// The operating points, small-signal parameters and responses below are those that ngspice 39 prints of the same netlists.

constexpr const char* common_emitter = R"(* Common-emitter stage
* sfg: Q1 IC=1.901708m VBE=0.7301309 VCE=4.4253546
VCC vcc 0 12
V1 in 0 AC 1
Rs in s 600
C1 s b 10u
R1 vcc b 47k
R2 b 0 10k
Q1 c b e QN
RC vcc c 3.3k
RE e 0 680
CE e 0 100u
C2 c out 10u
RL out 0 10k
.model QN NPN(IS=1e-15 BF=200 VAF=80 TF=400p CJE=8p CJC=3p RB=100)
.print ac v(out)
.end
)";

TEST(NetlistDevices, ABipolarTransistorAtItsPoint) {
  const Circuit circuit = read_spice(common_emitter, "ce.cir");
  expect_values(circuit, {{"gm_Q1", 7.350191e-02},
                          {"rpi_Q1", 1 / 3.513922e-04},
                          {"ro_Q1", 1 / 2.272183e-05},
                          {"cpi_Q1", 4.260865e-11},
                          {"cmu_Q1", 1.667580e-12}});
}

TEST(NetlistDevices, TheStageRespondsAsInNgspice) {
  const Circuit circuit = read_spice(common_emitter, "ce.cir");
  struct {
    double hertz, real, imaginary;
  } const expected[] = {{10, -4.50477113e-01, -1.34784737e+01},
                        {1000, -1.29465428e+02, -1.24580671e+01},
                        {1e6, -5.69871052e+01, 6.500552268e+01},
                        {1e8, 3.327860305e-01, 1.049335850e+00}};
  for (const auto& [hertz, real, imaginary] : expected) {
    const std::complex<double> value = response(circuit, "V1", "v(out)", hertz), wanted(real, imaginary);
    EXPECT_LT(std::abs(value - wanted), 1e-4 * std::abs(wanted)) << hertz << " Hz: " << value;
  }
}

constexpr const char* common_source = R"(* Common-source stage and follower
VDD vdd 0 5
V1 in 0 DC 1.2 AC 1
Rg in g 1k
M1 d g 0 0 MN W=20u L=2u ID=138.8889u VDS=2.222222
RD vdd d 20k
M2 vdd d o o2 MN W=50u L=2u
* sfg: M2 ID=105.6479u VDS=3.943521 VBS=-1.056479
RS o 0 10k
VB o2 0 0
CL o 0 10p
.model MN NMOS(VTO=0.7 KP=100u LAMBDA=0.05 GAMMA=0.4 PHI=0.65 TOX=20n CGSO=300p CGDO=300p)
.print ac v(o)
)";

TEST(NetlistDevices, MosTransistorsAtTheirPoints) {
  const Circuit circuit = read_spice(common_source, "cs.cir");
  expect_values(circuit, {{"gm_M1", 5.555556e-04},
                          {"rds_M1", 1 / 6.250000e-06},
                          {"cgs_M1", 5.204192e-14},
                          {"gm_M2", 7.952370e-04},
                          {"gmb_M2", 1.217520e-04},
                          {"rds_M2", 1 / 4.412423e-06},
                          {"cgs_M2", 1.301048e-13},
                          {"cgd_M2", 1.5e-14}});
  for (const auto& [hertz, wanted] : {std::pair(1e3, std::complex<double>(-7.68962354, 5.202512629e-04)),
                                      std::pair(1e7, std::complex<double>(-5.45944924, 4.118297501))}) {
    const std::complex<double> value = response(circuit, "V1", "v(o)", hertz);
    EXPECT_LT(std::abs(value - wanted), 1e-4 * std::abs(wanted)) << hertz << " Hz: " << value;
  }
}

TEST(NetlistDevices, APnpTransistorHasTheSameModel) {
  const Circuit npn = read_spice("t\nQ1 0 a 0 QX IC=1m\nV1 a 0 AC 1\n.model QX NPN(BF=100)\n", "t.cir");
  const Circuit pnp = read_spice("t\nQ1 0 a 0 QX IC=-1m\nV1 a 0 AC 1\n.model QX PNP(BF=100)\n", "t.cir");
  EXPECT_DOUBLE_EQ(value_of(npn, "gm_Q1"), value_of(pnp, "gm_Q1"));
  EXPECT_DOUBLE_EQ(value_of(npn, "rpi_Q1"), value_of(pnp, "rpi_Q1"));
}

/// In a subcircuit the point may stand beside the element there, and names have the instance behind them.
TEST(NetlistDevices, InSubcircuits) {
  const Circuit circuit = read_spice(
      "t\nV1 in 0 AC 1\nX1 in out stage params: I=2m\nRL out 0 1k\n.subckt stage a b I=1m\n* sfg: Q1 IC={I}\nQ1 b a 0 "
      "QX\n.subckt inner a b\nR1 a b 1k\n"
      ".ends\nX2 a b inner\n.ends\n.model QX NPN(BF=100)\n.print v(out)\n",
      "t.cir");
  EXPECT_NEAR(value_of(circuit, "gm_Q1_X1"), 2e-3 / 0.025865, 1e-5);
  EXPECT_TRUE(circuit.symbols.find("R1_X2_X1"));
}

/// Z at the end of a lossless line (Pozar, Microwave Engineering, 2.44): Z0 coth(sT) open, Z0 tanh(sT) shorted.
TEST(NetlistDevices, StubsOfALosslessLine) {
  for (const auto& [end, expected] : {std::pair("far 0", "Z0_T1*(1 + exp(-2*s*TD_T1))/(1 - exp(-2*s*TD_T1))"),
                                      std::pair("0 0", "Z0_T1*(1 - exp(-2*s*TD_T1))/(1 + exp(-2*s*TD_T1))")}) {
    SymbolTable symbols;
    const GiNaC::ex z =
        transfer(read_spice(std::string("stub\nI1 0 a AC 1\nT1 a 0 ") + end + " Z0=50 TD=1n\n.print v(a)\n", "t.cir"), "I1",
                 "v(a)", symbols);
    SymbolTable table = symbols;
    GiNaC::exmap at{{symbols.at("Z0_T1").expr, 50},
                    {symbols.at("TD_T1").expr, GiNaC::numeric(1, 3)},
                    {symbols.at("s").expr, GiNaC::numeric(7, 5)}};
    EXPECT_NEAR(GiNaC::ex_to<GiNaC::numeric>(z.subs(at).evalf()).to_double(),
                GiNaC::ex_to<GiNaC::numeric>(parse(expected, table).subs(at).evalf()).to_double(), 1e-9);
  }
}

/// A line that ends in its impedance delays and reflects nothing.
TEST(NetlistDevices, AMatchedLineDelays) {
  SymbolTable symbols;
  const GiNaC::ex value = transfer(
      read_spice("t\nV1 a 0 AC 1\nT1 a 0 b 0 Z0=50 F=1g NL=0.25\nR1 b 0 {Z0_T1}\n.print v(b)\n", "t.cir"), "V1", "v(b)", symbols);
  const GiNaC::exmap at = symbols.values();
  GiNaC::ex number = value.subs(at).subs(at).subs(at);
  number = number.subs(GiNaC::exmap{{symbols.at("s").expr, GiNaC::numeric(1000000000)}});
  EXPECT_NEAR(GiNaC::ex_to<GiNaC::numeric>(number.evalf()).to_double(), std::exp(-0.25), 1e-9);
}

TEST(NetlistDevices, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(errors("t\nR1 c 0 1\nQ1 c b e QN\n.model QN NPN(BF=100)\n"),
            "dir/t.cir:3:1 the transistor 'Q1' has no operating point\n");
  EXPECT_EQ(errors("t\nR1 c 0 1\nQ1 c b e QN IC=1m\n"), "dir/t.cir:3:10 there is no model 'QN' of this kind of transistor\n");
  EXPECT_EQ(errors("t\nR1 c 0 1\nQ1 c b e QN IC=1m VDS=1\n.model QN NPN(BF=100)\n").substr(0, 19), "dir/t.cir:3:19 entr");
  EXPECT_EQ(errors("t\nR1 c 0 1\nQ1 c b e QN IC=0\n.model QN NPN(BF=100)\n"),
            "dir/t.cir:3:1 the transistor 'Q1' carries no current\n");
  EXPECT_EQ(errors("t\nR1 c 0 1\nM1 d g s QN ID=1m\n.model QN NMOS(KP=1m)\n"),
            "dir/t.cir:3:1 element 'M1' needs four nodes and a model\n");
  EXPECT_EQ(errors("t\nR1 c 0 1\nT1 a 0 b 0 TD=1n\n"), "dir/t.cir:3:1 the line 'T1' has no impedance\n");
  EXPECT_EQ(errors("t\nR1 c 0 1\n.model QN NMOS(LEVEL=8)\n").substr(0, 15), "dir/t.cir:3:22 ");
}

// Files that a netlist names.

struct Folder {
  std::map<std::string, std::string> files;
  NetlistFile beside() const {
    return [this](const std::string& name) {
      const auto file = files.find(name);
      if (file == files.end()) throw Error(SourceSpan{}, "there is no such file");
      return file->second;
    };
  }
};

TEST(Include, FilesOfTheSameFolder) {
  const Folder folder{{{"rc.inc", "* parts\n.subckt rc a b\nR1 a b {r}\n.include 'c.inc'\n.ends\n.param r=1k\n"},
                       {"c.inc", "C1 b 0 1u\n"},
                       {"models.lib", ".lib one\n.param x=1\n.endl\n.lib two\n.param x=2\n.endl\n"}}};
  const Circuit circuit =
      read_spice("t\n.include \"rc.inc\"\n.lib models.lib two\nV1 in 0 AC 1\nX1 in out rc\nRL out 0 {x}\n.print v(out)\n",
                 "dir/t.cir", nullptr, {}, nullptr, folder.beside());
  EXPECT_EQ(value_of(circuit, "x"), 2);
  EXPECT_TRUE(circuit.symbols.find("C1_X1"));
  EXPECT_EQ(circuit.elements.size(), 4U);
}

TEST(Include, WhatIsWrongHasItsPlace) {
  Folder folder{{{"a.inc", "R1 a 0 1k\n.include b.inc\n"}, {"b.inc", "R2 a 0\n.include a.inc\n"}}};
  EXPECT_EQ(errors("t\n.include a.inc\nV1 a 0 1\n", folder.beside()), "dir/b.inc:2:10 the file 'a.inc' includes itself\n");
  folder.files["b.inc"] = "R2 a 0\n";
  EXPECT_EQ(errors("t\n.include a.inc\nV1 a 0 1\n", folder.beside()), "dir/b.inc:1:1 element 'R2' needs more entries\n");
  for (const char* name : {"../a.inc", "/etc/passwd", "sub/a.inc", "..", "C:\\a"})
    EXPECT_NE(errors(std::string("t\n.include \"") + name + "\"\n", folder.beside()).find("is not in the folder of this one"),
              std::string::npos)
        << name;
  EXPECT_NE(errors("t\n.include no.inc\n", folder.beside()).find("dir/t.cir:2:10 cannot read 'no.inc': there is no such file"),
            std::string::npos);
  EXPECT_NE(errors("t\n.include a.inc\n").find("there is no folder"), std::string::npos);
  EXPECT_EQ(errors("t\n.include t.cir\n", folder.beside()), "dir/t.cir:2:10 the file 't.cir' includes itself\n");
  for (int i = 0; i < 40; ++i) folder.files["f" + std::to_string(i)] = ".include f" + std::to_string(i + 1) + "\n";
  EXPECT_NE(errors("t\n.include f0\n", folder.beside()).find("more than 16 deep"), std::string::npos);
}

}  // namespace
}  // namespace sfg
