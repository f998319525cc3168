#include "sfg/read/spice.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

using Kind = Circuit::Kind;

std::string message(const std::string& text, const SpiceLimits& limits = {}) {
  try {
    read_spice(text, "t.cir", nullptr, limits);
  } catch (const Error& error) {
    return error.what();
  } catch (const LimitReached& limit) {
    return std::string("limit: ") + limit.what();
  }
  return "no error";
}

void expect_message(const std::string& text, const char* place, const char* words) {
  const std::string given = message(text);
  EXPECT_EQ(given.rfind(place, 0), 0U) << given;
  EXPECT_NE(given.find(words), std::string::npos) << given;
}

std::string value_of(const Circuit& circuit, const char* name) { return print(*circuit.symbols.at(name).value); }

TEST(Spice, TitleCommentsContinuationsAndEnd) {
  const Circuit circuit = read_spice(
      "A title, not an element\n* a comment\nR1 a\n+ 0 ; the rest of it\n\n* between\n+ 4.7k $ ohms\n.end\nR2 a 0 1\n", "t.cir");
  EXPECT_EQ(circuit.title, "A title, not an element");
  ASSERT_EQ(circuit.elements.size(), 1U);
  EXPECT_EQ(circuit.elements[0].nodes, (std::vector<std::string>{"a", "0"}));
  EXPECT_EQ(value_of(circuit, "R1"), "4700");
  EXPECT_EQ(circuit.elements[0].where.line, 3U);
}

TEST(Spice, NumbersHaveSuffixesAndUnits) {
  const Circuit circuit =
      read_spice("t\nR1 a 0 2.2MEG\nR2 a 0 10kOhm\nC1 a 0 4.7uF\nL1 a 0 1e-3\nC2 a 0 10p\nR3 a 0 1mil\n", "t.cir");
  EXPECT_EQ(value_of(circuit, "R1"), "2200000");
  EXPECT_EQ(value_of(circuit, "R2"), "10000");
  EXPECT_EQ(value_of(circuit, "C1"), "47/10000000");
  EXPECT_EQ(value_of(circuit, "L1"), "1/1000");
  EXPECT_EQ(value_of(circuit, "C2"), "1/100000000000");
  EXPECT_EQ(value_of(circuit, "R3"), "127/5000000");
}

TEST(Spice, NamesAndExpressionsAreValues) {
  const Circuit circuit = read_spice(
      "t\n.param Rb={2*Ra} Ra=1k\nR1 a 0 Rload\nR2 a 0 {rb + 2k*x}\nR3 a 0 'Ra/2'\nE1 b 0 a 0 {10/(1 + s*tau)}\n", "t.cir");
  EXPECT_EQ(print(circuit.elements[0].value), "Rload");
  EXPECT_EQ(print(circuit.elements[1].value), "Rb + 2000*x");
  EXPECT_EQ(print(circuit.elements[2].value), "Ra/2");
  SymbolTable symbols = circuit.symbols;
  EXPECT_TRUE((circuit.elements[3].value - parse("10/(1 + s*tau)", symbols)).is_zero());
  EXPECT_EQ(circuit.symbols.at("s").kind, SymbolKind::laplace);
  EXPECT_TRUE(circuit.symbols.values().at(circuit.symbols.at("Rb").expr).is_equal(2000));
}

TEST(Spice, CaseDoesNotMatterAndGroundHasTwoNames) {
  const Circuit circuit = read_spice("t\nr1 IN gnd 1K\nR2 in GND 1k\nC1 In 0 1N\n", "t.cir");
  for (const auto& element : circuit.elements) EXPECT_EQ(element.nodes, (std::vector<std::string>{"IN", "0"}));
}

TEST(Spice, SubcircuitsNestAndPassParameters) {
  const Circuit circuit = read_spice(
      "t\n.subckt inner p params: g=2\nG1 p m p 0 {g}\nR1 m 0 5\n.ends inner\n.subckt outer a\n.param h=3\nX1 a inner g={h}\nX2 "
      "a inner\n.ends\nXa n outer\n",
      "t.cir");
  ASSERT_EQ(circuit.elements.size(), 4U);
  EXPECT_EQ(circuit.elements[0].name, "G1_X1_Xa");
  EXPECT_EQ(circuit.elements[0].nodes[0], "n");
  EXPECT_EQ(circuit.elements[0].nodes[1], "m_X1_Xa");
  EXPECT_EQ(print(circuit.elements[0].value), "h_Xa");
  EXPECT_EQ(print(circuit.elements[2].value), "g_X2_Xa");
  EXPECT_EQ(value_of(circuit, "g_X2_Xa"), "2");
  EXPECT_EQ(value_of(circuit, "R1_X1_Xa"), "5");
}

TEST(Spice, SourcesOfAllKinds) {
  const Circuit circuit = read_spice(
      "t\nV1 a 0 DC 5 AC 1 90 SIN(0 1 1k)\nV2 b 0 PULSE(0 1 0 1n 1n 1u 2u)\nV3 c 0 0\nV4 d 0 DC 0 AC 0\nI1 e 0 AC\nV5 f 0 "
      "{Vs}\nV6 g 0 PWL 0 0 1 1\nR1 a 0 1\n",
      "t.cir");
  std::vector<std::string> values;
  for (const auto& element : circuit.elements) values.push_back(print(element.value));
  EXPECT_EQ(values, (std::vector<std::string>{"1", "1", "1", "1", "1", "1", "1", "R1"}));
  EXPECT_EQ(circuit.inputs, (std::vector<std::string>{"V1", "I1"}));
}

TEST(Spice, AnInductorIsNotCoupledToItself) {
  try {
    read_spice("t\nV1 a 0 AC 1\nL1 a b 1\nL2 b 0 1\nK1 L1 L2 l1 0.5\n", "t.cir");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.where()), "t.cir:5:10");
  }
}

TEST(Spice, BytesThatAreNoTextHaveTheirPlace) {
  for (const char* statement : {"R1 a\xff 0 1", "R1 a 0 {R\xe9}", "* sfg: Q1 \xc3=1"}) {
    try {
      read_spice(std::string("t\nV1 a 0 AC 1\n") + statement + "\n", "t.cir");
      ADD_FAILURE() << statement;
    } catch (const Error& error) {
      EXPECT_EQ(error.where().line, 3u);
      EXPECT_NE(std::string(error.what()).find("UTF-8"), std::string::npos) << error.what();
    }
  }
  // Remarks and the title may come from anywhere; the title is printed.
  const Circuit circuit = read_spice("* J\xf6rg\n* f\xfcr\nV1 a 0 AC 1 ; \xff\nR1 a 0 1\n", "t.cir");
  EXPECT_EQ(circuit.title, "J\uFFFDrg");
}

TEST(Spice, ANoiselessResistorConductsTheSame) {
  const Circuit circuit = read_spice("t\nV1 a 0 AC 1\nR1 a b 2k noisy=0\nR2 b 0 1k noisy=1\n", "t.cir");
  EXPECT_EQ(circuit.elements[1].kind, Circuit::Kind::vccs);
  EXPECT_EQ(print(circuit.elements[1].value), "1/R1");
  EXPECT_EQ(circuit.elements[2].kind, Circuit::Kind::resistor);
  EXPECT_THROW(read_spice("t\nV1 a 0 AC 1\nR1 a 0 2k noisy=2\n", "t.cir"), Error);
}

TEST(Spice, QuestionsNameInputAndOutputs) {
  const Circuit circuit =
      read_spice("t\nVin a 0 5\nV2 b 0 1\nR1 a b 1\n.tf v(a,b) vin\n.print AC i(r1) VM(B)\n.ac dec 10 1 1k\n", "t.cir");
  EXPECT_EQ(circuit.inputs, std::vector<std::string>{"Vin"});
  ASSERT_EQ(circuit.outputs.size(), 3U);
  EXPECT_EQ(circuit.outputs[0].name, "v(a,b)");
  EXPECT_EQ(circuit.outputs[1].name, "i(R1)");
  EXPECT_EQ(circuit.outputs[2].name, "v(b)");
}

TEST(Spice, MistakesHaveTheirPlace) {
  expect_message("t\nR1 a 0\n", "t.cir:2:1: error:", "needs more entries");
  expect_message("t\nR1 a 0 1x2\n", "t.cir:2:9: error:", "not a number");
  expect_message("t\nR1 a 0 1k\nR1 b 0 1k\n", "t.cir:3:1: error:", "two elements 'R1'");
  expect_message("t\nR1 a 0 0\n", "t.cir:2:8: error:", "resistance of 0");
  expect_message("t\nD1 a 0 1N4148\n", "t.cir:2:8: error:", "no model '1N4148'");
  expect_message("t\nQ1 a b 0 BC547\n", "t.cir:2:1: error:", "small-signal model");
  expect_message("t\nR1 a 0 {2*(x}\n", "t.cir:2:", "");
  expect_message("t\nR1 a 0 {2*x\n", "t.cir:2:8: error:", "brace is not closed");
  expect_message("t\n+ 3\n", "t.cir:2:1: error:", "continuation");
  expect_message("t\nX1 a 0 amp\n", "t.cir:2:8: error:", "no subcircuit 'amp'");
  expect_message("t\n.subckt amp a b\nR1 a b 1\n.ends\nX1 a amp\n", "t.cir:5:1: error:", "1 nodes");
  expect_message("t\n.subckt amp a\nR1 a 0 1\n.ends\nX1 a amp g=2\n", "t.cir:5:10: error:", "no parameter 'g'");
  expect_message("t\n.subckt amp a\nR1 a 0 1\n", "t.cir:2:9: error:", "no end");
  expect_message("t\n.subckt amp a\nX1 a amp\n.ends\nX1 a amp\n", "t.cir:3:1: error:", "contains itself");
  expect_message("t\nK1 L1 L2 0.5\nL1 a 0 1\n", "t.cir:2:7: error:", "no inductor");
  expect_message("t\n.include other.cir\n", "t.cir:2:10: error:", "there is no folder");
  expect_message("t\n.frobnicate\n", "t.cir:2:1: error:", "unknown statement");
  expect_message("t\n.tf v(a) R1\nR1 a 0 1\n", "t.cir:2:10: error:", "no independent source");
  expect_message("t\n.param s=3\nR1 a 0 1\n", "t.cir:2:8: error:", "operator");
  expect_message("t\n.param R1=3\nR1 a 0 1\n", "t.cir:3:8: error:", "has a value already");
  expect_message("title only\n", "t.cir:1:1: error:", "no elements");
}

TEST(Spice, ErrorsInsideExpressionsPointAtTheCharacter) { expect_message("t\nR1 a 0 {2k*x + 3k/}\n", "t.cir:2:19: error:", ""); }

TEST(Spice, AllMistakesAtOnce) {
  try {
    read_spice("t\nR1 a 0\nC1 a\nQ1 a b c npn\n", "t.cir");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().size(), 3U);
  }
}

TEST(Spice, ExpansionIsBounded) {
  std::string text = "bomb\n.subckt a0 p\nR1 p 0 1\n.ends\n";
  for (int i = 1; i <= 40; ++i)
    text +=
        ".subckt a" + std::to_string(i) + " p\nX1 p a" + std::to_string(i - 1) + "\nX2 p a" + std::to_string(i - 1) + "\n.ends\n";
  EXPECT_EQ(message(text + "X1 p a40\n", {.elements = 1000}).rfind("limit:", 0), 0U);
}

TEST(Spice, AForgottenTitleIsNoted) {
  std::vector<Diagnostic> notes;
  read_spice("R1 a 0 1k\nR2 a 0 1k\n.op\n", "t.cir", &notes);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].severity, Severity::warning);
  EXPECT_EQ(notes[1].severity, Severity::note);
}

TEST(Spice, HostileTextEndsInErrors) {
  for (const std::string& text :
       {std::string(""), std::string("\n"), std::string("t\n.\n"), std::string("t\n=\n"), std::string("t\n(\n"),
        std::string("t\n}\n"), std::string("t\nR\n"), std::string("t\n.subckt\n"), std::string("t\n.tf\n"),
        std::string("t\n.print v(\n"), std::string("t\nX\n"), std::string("t\nR1 a 0 \x01\n"), std::string("t\nR1 a 0 {}\n"),
        std::string("t\nK1\n"), std::string("t\nV1\n"), std::string("t\n.param\n"), std::string("t\nR1 a 0 1e999999999\n"),
        std::string("t\n.print ac\n"), std::string("t\nV1 a 0 ac {\n")})
    EXPECT_NE(message(text), "no error") << text;
}

TEST(Spice, ProbesAreReadInTheSpellingOfTheCircuit) {
  const Circuit circuit = read_spice("t\nV1 In 0 AC 1\nR1 In Out 1\nR2 Out 0 1\n", "t.cir");
  const auto name = [&](const char* text) {
    const auto probe = read_probe(text, circuit);
    return probe ? probe->name : "none";
  };
  EXPECT_EQ(name("V(out)"), "v(Out)");
  EXPECT_EQ(name("v(in, out)"), "v(In,Out)");
  EXPECT_EQ(name("v(out,gnd)"), "v(Out)");
  EXPECT_EQ(name("i(r1)"), "i(R1)");
  EXPECT_EQ(name("v(elsewhere)"), "v(elsewhere)");  // what is not there is said when the equations are made
  for (const char* text : {"out", "v", "v()", "v(a,b,c)", "vdb(out)", "w(out)", "i(R1) v(out)", "v(out", "", ".end"})
    EXPECT_EQ(name(text), "none") << text;
}

std::string notes_of(const std::string& text, Severity severity) {
  std::vector<Diagnostic> notes;
  read_spice(text, "t.cir", &notes);
  std::string list;
  for (const Diagnostic& note : notes)
    if (note.severity == severity) list += note.message + "\n";
  return list;
}

TEST(Spice, AFirstLineThatReadsAsAnElementIsSaidToBeTheTitle) {
  expect_message("V1 1 0 AC 1\nR1 1 0 1k\n.tf v(1) V1\n", "t.cir:3:10: error:", "the first line, 'V1 1 0 AC 1', is the title");
  expect_message("Vin 1 0 AC 1\nR1 1 0 1k\n", "t.cir:1:1: error:", "the circuit has no source");
  const std::string warning = "the first line of a netlist is its title, though this one looks like a statement\n";
  EXPECT_EQ(notes_of("Rload 2 0 1k\nV1 1 0 AC 1\nR1 1 2 1k\n", Severity::warning), warning);
  EXPECT_EQ(notes_of("r1 2 0 1k\nV1 1 0 AC 1\nR2 1 2 1k\n", Severity::warning), warning);
  for (const char* title : {"Low pass of 2nd order", "RC low pass, 2nd order", "Circuit of example 4", "* R1 1 0 1k", ""})
    EXPECT_EQ(notes_of(std::string(title) + "\nV1 1 0 AC 1\nR1 1 2 1k\n", Severity::warning), "") << title;
}

TEST(Spice, StatementsThatAreLeftOutAreNamedOnce) {
  const std::string circuit = "t\nV1 1 0 AC 1\nR1 1 0 1k\n";
  for (const char* card :
       {".noise v(1) V1 dec 10 1 1k", ".meas ac x max v(1)", ".four 1k v(1)", ".options reltol=1u", ".ic v(1)=0"}) {
    const std::string twice = circuit + card + "\n" + card + "\n",
                      head = std::string(card).substr(0, std::string(card).find(' '));
    EXPECT_EQ(notes_of(twice, Severity::remark),
              "statement '" + head + "' has no meaning for transfer functions and is ignored\n");
  }
  for (const char* card : {".temp 50", ".step param R 1 2 1", ".control\nalter R1 = 2\n.endc"})
    EXPECT_NE(notes_of(circuit + card + "\n", Severity::warning), "") << card;
  EXPECT_EQ(notes_of(circuit + ".ac dec 10 1 1k\n.op\n", Severity::remark), "");
}

/// Every line stands once more, and every entry with another value: that is an error, whatever it is an entry of.
TEST(Spice, NothingCountsTwice) {
  const std::vector<std::string> lines{"V1 a 0 DC 1 AC 1",
                                       "I1 0 b AC 1 noise=\"1e-20\"",
                                       "R1 a b 1k tc1=1m m=2 noisy=0",
                                       "C1 b 0 1n m=2",
                                       "L1 a c 1m Rser=2",
                                       "L2 b 0 1m",
                                       "K1 L1 L2 0.5",
                                       "X1 a b cell r=2",
                                       ".subckt cell 1 2 params: r=1 q=2",
                                       "R1 1 2 {r*q}",
                                       ".ends cell",
                                       ".param p=1 w=2",
                                       "D1 b 0 DM area=2 m=3",
                                       ".model DM D ( IS=1e-14 N=1 )",
                                       "Q1 d b 0 QN IC=1m VCE=5",
                                       ".model QN NPN ( BF=100 VAF={50} )",
                                       "M1 d b 0 0 MN ID=1m VDS=2 L=1u W=5u",
                                       ".model MN NMOS ( KP={1e-4} LAMBDA=0.1 )",
                                       "R2 d 0 1k RM",
                                       ".model RM R ( TC1=1m )",
                                       "T1 d 0 b 0 Z0=50 TD=1n",
                                       ".temp 50"};
  const auto text = [&](const std::string& other, std::size_t at) {
    std::string result = "t\n";
    for (std::size_t i = 0; i < lines.size(); ++i) result += (i == at ? other : lines[i]) + "\n";
    return result;
  };
  ASSERT_EQ(message(text("", lines.size())), "no error");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> words;
    std::istringstream stream(lines[i]);
    for (std::string word; stream >> word;) words.push_back(word);
    if (words[0] != ".subckt" && words[0] != ".ends" && words[0] != "R1")
      EXPECT_NE(message(text(lines[i] + "\n" + lines[i], i)), "no error") << lines[i];
    for (std::size_t k = 1; k < words.size(); ++k) {
      const bool entry = words[k].find('=') != std::string::npos;
      if (!entry && words[k] != "AC" && words[k] != "DC") continue;
      const std::string again = entry ? words[k].substr(0, words[k].find('=')) + "=7 " : words[k] + " 3 ";
      std::string doubled, alike;
      for (std::size_t j = 0; j < words.size(); ++j) {
        doubled += words[j] + " " + (j == (entry ? k : k + 1) ? again : "");
        alike += words[j] + " " + (j == k ? words[j] + " " : "");
      }
      const std::string said = message(text(doubled, i));
      EXPECT_NE(said, "no error") << doubled;
      if (!entry) continue;
      EXPECT_NE(said.find("there twice"), std::string::npos) << said;
      EXPECT_EQ(message(text(alike, i)), "no error") << alike;
    }
  }
  expect_message(text("K2 L2 L1 0.1\nK1 L1 L2 0.5", 6), "t.cir:", "are coupled by 'K2' already");
  const std::string diode = "t\nV1 1 0 AC 1\n.model DM D(IS=1e-14)\nD1 1 0 DM 2 ";
  expect_message(diode + "area=3\n", "t.cir:4:13: error:", "entry 'area' is there twice");
  EXPECT_EQ(message(diode + "m=3\n"), "no error");
  expect_message("t\n.model QN NPN(BF=9 VAF=50 VA=80)\nR1 1 0 1\n", "t.cir:2:27: error:", "entry 'VA' is there twice");
  const auto inside = [](const std::string& lines) {
    return "t\n.param r=9\n.subckt a 1 p=1\n" + lines + "R1 1 0 {r+p}\n.ends\nX1 1 a\n";
  };
  EXPECT_EQ(message(inside(".param r=2\n")), "no error") << "the top has another one";
  expect_message(inside(".param r=2\n.param R=3\n"), "t.cir:5:8: error:", "the parameter 'R' has a value already");
  expect_message(inside(".param p=2\n"), "t.cir:4:8: error:", "the parameter 'p' has a value already");
  EXPECT_EQ(read_spice("t\nV1 a 0 AC 1\nR1 a b 1\nR2 b 0 1\n.tf v(a) V1\n.tf v(b) V1\n", "t.cir").inputs.size(), 1U);
}

TEST(Spice, WhatIsLeftOutIsSaid) {
  const std::string circuit = "t\nV1 1 0 AC 1\nR1 1 0 1k\n";
  EXPECT_EQ(notes_of(circuit + ".end\n\n* words\n", Severity::remark), "");
  EXPECT_EQ(notes_of(circuit + ".end\n\nR2 1 0 5\nR3 1 0 5\n", Severity::remark), "what stands behind .end is left out\n");
  for (const char* ac : {"AC 2", "AC 1 90", "AC=1 180", "AC -1", "DC 2 AC 0.5 0"})
    EXPECT_NE(notes_of(std::string("t\nV1 1 0 ") + ac + "\nR1 1 0 1k\n", Severity::remark), "") << ac;
  for (const char* ac : {"AC 1", "AC", "AC 1 0", "AC=1", "AC 0 90", "2 AC 1.0"})
    EXPECT_EQ(notes_of(std::string("t\nV1 1 0 ") + ac + "\nR1 1 0 1k\n", Severity::remark), "") << ac;
  EXPECT_NE(notes_of("t\nV1 1 0 AC 1\nL1 1 0 1\nL2 2 0 1\nR1 2 0 1\nK1 L1 L2 {-1.01}\n", Severity::warning), "");
  EXPECT_EQ(notes_of("t\nV1 1 0 AC 1\nL1 1 0 1\nL2 2 0 1\nR1 2 0 1\nK1 L1 L2 -1\n", Severity::warning), "");
  const std::string cell = ".subckt a 1\nR1 1 0 1\n";
  EXPECT_EQ(notes_of("t\nV1 1 0 AC 1\nX1 1 a\n" + cell + ".ends b\n", Severity::warning), "the subcircuit 'a' ends as 'b'\n");
  expect_message("t\nX1 1 c\n.subckt c 1\n" + cell + ".ends b\nX1 1 a\n.ends c\n",
                 "t.cir:6:7: error:", "the subcircuit 'a' ends as 'b'");
  EXPECT_NE(notes_of("t\nV1 1 0 AC 1\nR1 1 2 1k\nB1 2 0 I={2*v(2)^3}\n", Severity::note), "");
  EXPECT_EQ(notes_of("t\nV1 1 0 AC 1\nR1 1 2 1k\nB1 2 0 I={2*v(2)^2/v(1)}\n", Severity::note), "") << "a division is no power";
}

TEST(Spice, ASectionThatALibraryHasNotIsAnError) {
  const NetlistFile beside = [](const std::string& name) -> std::string {
    if (name == "inner.lib") return "R9 1 0 5\n";
    return ".lib tt\n.param q=1\n.include inner.lib\n.endl\n.lib ss\n.param q=2\n.endl\n";
  };
  const auto of = [&](const std::string& section) {
    return read_spice("t\nV1 1 0 AC 1\nR1 1 0 {q}\n.lib 'a.lib' " + section + "\n", "t.cir", nullptr, {}, nullptr, beside);
  };
  EXPECT_EQ(value_of(of("SS"), "q"), "2");
  EXPECT_EQ(of("tt").elements.size(), 3U);
  try {
    of("ff");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("t.cir:4:7: error: 'a.lib' has no section 'ff'; it has tt ss"), 0U) << error.what();
  }
}

TEST(Spice, ADiodeHasAnAreaAndManyMayBeSideBySide) {
  const auto law = [](const std::string& behind) {
    const Circuit circuit = read_spice("t\nV1 1 0 AC 1\nD1 1 0 DM " + behind + "\n.model DM D(IS=1e-14)\n", "t.cir");
    return circuit.elements[1].value;
  };
  for (const auto& [behind, units] :
       std::vector<std::pair<const char*, int>>{{"2", 2}, {"area=3", 3}, {"m=4", 4}, {"2 m=4", 8}, {"area={1+1} m=3", 6}})
    EXPECT_EQ(print((law(behind) / units).expand()), print(law("").expand())) << behind;
  expect_message("t\nV1 1 0 AC 1\nD1 1 0 DM tt=1\n.model DM D(IS=1e-14)\n", "t.cir:3:11: error:", "area= or m=");
}

TEST(Spice, APowerOfAPowerNeedsParentheses) {
  for (const char* tower : {"2^3^2", "a**b**c", "2^-x^2", "(a+1)^(b)^c", "2^sqrt(4)^2", "3*(1 + 2^2^2)"})
    expect_message(std::string("t\nR1 1 0 {") + tower + "}\n", "t.cir:2:", "a power of a power");
  for (const char* one : {"(2^3)^2", "2^(3^2)", "2^3*4^2", "-2^2", "2^sqrt(4) + 3^2", "2^(1+2)"})
    EXPECT_EQ(message(std::string("t\nR1 1 0 {") + one + "}\n"), "no error") << one;
}

TEST(Spice, EntriesOfElementsCountOrAreNamed) {
  const Circuit circuit = read_spice("t\nV1 1 0 AC 1 Rser=50\nL1 1 2 1m Rser=3\nR1 2 0 1k m=2\nC1 2 0 1u m=4\n", "t.cir");
  const auto element = [&](const std::string& name) -> const Circuit::Element& {
    return *std::ranges::find(circuit.elements, name, &Circuit::Element::name);
  };
  EXPECT_EQ(element("L1").nodes[1], element("L1_Rser").nodes[0]);
  EXPECT_EQ(element("L1_Rser").nodes[1], "2");
  EXPECT_EQ(element("V1_Rser").nodes[1], "0");
  EXPECT_EQ(value_of(circuit, "V1_Rser"), "50");
  EXPECT_EQ(print(element("R1").value), "R1/R1_m");
  EXPECT_EQ(print(element("C1").value), "C1*C1_m");
  EXPECT_NE(notes_of("t\nV1 1 0 AC 1\nR1 1 0 1k TC=0.1\nC1 1 0 1u IC=2\n", Severity::remark), "");
  EXPECT_NE(notes_of("t\nV1 1 0 AC 1 PULSE(0 1 0 1n 1n 1 2)\nR1 1 0 1k\n", Severity::remark).find("'PULSE' of 'V1'"),
            std::string::npos);
  expect_message("t\nR1 1 0 1k tolerance=5\n", "t.cir:2:11: error:", "unknown entry 'tolerance'");
}

TEST(Spice, NumbersAsSchematicsHaveThem) {
  const Circuit circuit = read_spice(
      "t\nR1 1 0 4k7\nR2 1 0 4R7\nC1 1 0 2u2F\nR3 1 0 1meg5\nR4 1 0 50ohm\nR5 1 0 10k\u03A9\nC2 1 0 1\xB5\nC3 1 0 1\u00B5"
      "\nR6 1 0 -0R5\nR7 1 0 {1k5*2}\nR8 1 0 {1mil + 2e-3k}\nL1 1 0 2m2\n",
      "t.cir");
  EXPECT_EQ(value_of(circuit, "R1"), "4700");
  EXPECT_EQ(value_of(circuit, "R2"), "47/10");
  EXPECT_EQ(value_of(circuit, "C1"), "11/5000000");
  EXPECT_EQ(value_of(circuit, "R3"), "1500000");
  EXPECT_EQ(value_of(circuit, "R4"), "50");
  EXPECT_EQ(value_of(circuit, "R5"), "10000");
  EXPECT_EQ(value_of(circuit, "C2"), "1/1000000");
  EXPECT_EQ(value_of(circuit, "C3"), "1/1000000");
  EXPECT_EQ(value_of(circuit, "R6"), "-1/2");
  EXPECT_EQ(value_of(circuit, "L1"), "11/5000");
  const auto named = [&](const char* name) { return *std::ranges::find(circuit.elements, name, &Circuit::Element::name); };
  EXPECT_EQ(print(named("R7").value), "3000");
  EXPECT_EQ(print(named("R8").value), "10000127/5000000") << "25.4e-6 + 2";
  expect_message("t\nR1 1 0 2M2\n", "t.cir:2:8: error:", "the M is mega on schematics and milli in netlists");
  expect_message("t\nR1 1 0 {2*2M2}\n", "t.cir:2:9: error:", "the M is mega on schematics and milli in netlists");
  for (const char* value : {"4k7k", "4.7k7", "1a5", "5furlongs7"})
    expect_message(std::string("t\nR1 1 0 ") + value + "\n", "t.cir:2:", "not a number");
}

TEST(Spice, PartsOfRealElements) {
  const Circuit circuit = read_spice(
      "t\nV1 1 0 AC=1 Rser=50 Cpar=1p\nC1 1 2 1u V=25 mfg=\"A B\" Lser=2n Rser=10m Cpar=3p Rpar=1meg RLshunt=5 m=2 Irms=0\n"
      "L1 2 0 1m Rser=0\n",
      "t.cir");
  const auto element = [&](const std::string& name) -> const Circuit::Element& {
    return *std::ranges::find(circuit.elements, name, &Circuit::Element::name);
  };
  const auto nodes = [&](const std::string& name) { return element(name).nodes[0] + " " + element(name).nodes[1]; };
  EXPECT_EQ(circuit.elements.size(), 10U) << "Rser=0 is none";
  EXPECT_EQ(nodes("V1") + ", " + nodes("V1_Rser") + ", " + nodes("V1_Cpar"), "1 V1_inner, V1_inner 0, 1 0");
  EXPECT_EQ(nodes("C1") + ", " + nodes("C1_Rser") + ", " + nodes("C1_Lser"), "1 C1_inner, C1_inner C1_inner2, C1_inner2 2");
  EXPECT_EQ(nodes("C1_RLshunt"), nodes("C1_Lser"));
  EXPECT_EQ(nodes("C1_Rpar") + ", " + nodes("C1_Cpar"), "1 2, 1 2");
  EXPECT_EQ(nodes("L1"), "2 0");
  EXPECT_EQ(print(element("C1_Rser").value), "C1_Rser/C1_m") << "two capacitors are two resistances";
  EXPECT_EQ(print(element("C1_Cpar").value), "C1_Cpar*C1_m");
  EXPECT_EQ(circuit.inputs, std::vector<std::string>{"V1"});
  EXPECT_NE(notes_of("t\nV1 1 0 AC 1 PWL file=x.txt\nR1 1 0 1k\n", Severity::remark).find("entry 'file' is of a waveform"),
            std::string::npos);
  EXPECT_NE(
      notes_of("t\nV1 1 0 AC 1\nR1 1 0 1k tol=5 pwr=1\n", Severity::note).find("'R1' has no meaning for its signals: tol, pwr"),
      std::string::npos);
  expect_message("t\nR1 1 0 1k Rser=5\n", "t.cir:2:11: error:", "unknown entry 'Rser'");
  expect_message("t\nC1 1 0 1k Rpar=0\n", "t.cir:2:16: error:", "a resistance of 0");
  expect_message("t\nC1 1 0 1k RLshunt=5\n", "t.cir:2:11: error:", "there is none");
  expect_message("t\nC1 1 0 1k m=5 M=6\n", "t.cir:2:15: error:", "there twice");
}

StatedAnalyses analyses_of(const std::string& cards, std::vector<Diagnostic>* notes = nullptr) {
  StatedAnalyses analyses;
  read_spice("t\nV1 1 0 AC 1\nR1 1 0 1k\n" + cards + "\n", "t.cir", notes, {}, &analyses);
  return analyses;
}

TEST(Spice, AnalysesOfTheNetlistAreDefaults) {
  constexpr double turn = 6.283185307179586;
  const auto hertz = [&](const std::string& cards) {
    std::vector<double> result = analyses_of(cards).frequency;
    for (double& one : result) one = std::round(one / turn * 1e6) / 1e6;
    return result;
  };
  EXPECT_EQ(hertz(".AC DEC 2 1 100"), (std::vector<double>{1, 3.162278, 10, 31.622777, 100}));
  EXPECT_EQ(hertz(".ac oct 1 1k 8k"), (std::vector<double>{1000, 2000, 4000, 8000}));
  EXPECT_EQ(hertz(".ac dec 1 1 20"), (std::vector<double>{1, 10, 20})) << "both ends";
  EXPECT_EQ(hertz(".ac lin 3 10 20"), (std::vector<double>{10, 15, 20}));
  EXPECT_EQ(hertz(".ac lin 1 50 50"), std::vector<double>{50});
  EXPECT_EQ(hertz(".ac list 50 60"), (std::vector<double>{50, 60}));
  EXPECT_EQ(hertz(".param top=1k\n.ac dec 1 {top/10} {top}"), (std::vector<double>{100, 1000}));
  EXPECT_EQ(analyses_of(".tran 1u 5m").until, "1/200");
  EXPECT_EQ(analyses_of(".tran 10m").until, "1/100");
  EXPECT_EQ(analyses_of(".tran 0 {2*T} 0 1u uic\n.param T=1").until, "2");
  EXPECT_EQ(analyses_of(".tran 10m startup").until, "1/100");
}

TEST(Spice, AnalysesThatCannotBeReadAreNamed) {
  for (const char* card : {".ac dec 10 1", ".ac dec 10 0 1k", ".ac dec 10 1k 1", ".ac dec 1.5 1 10", ".ac dec 1e6 1 1e9",
                           ".ac dec ten 1 10", ".ac sweep 1 1 10", ".tran", ".tran 0", ".tran {T}"}) {
    std::vector<Diagnostic> notes;
    const StatedAnalyses analyses = analyses_of(card, &notes);
    EXPECT_TRUE(analyses.frequency.empty() && !analyses.until) << card;
    ASSERT_EQ(notes.size(), 1U) << card;
    EXPECT_EQ(notes[0].severity, Severity::remark) << card;
    EXPECT_EQ(notes[0].where.line, 4U) << card;
  }
  std::vector<Diagnostic> notes;
  analyses_of(".tran 1m\n.tran 2m", &notes);
  EXPECT_NE(notes.at(0).message.find("gives the last time"), std::string::npos);
  EXPECT_NE(notes.at(1).message.find("the first one counts"), std::string::npos);
}

}  // namespace
}  // namespace sfg
