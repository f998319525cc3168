// Netlists as KiCad and LTspice write them.
#include <gtest/gtest.h>

#include <algorithm>

#include "sfg/expr/print.hpp"
#include "sfg/read/spice.hpp"

namespace {

using namespace sfg;

Circuit read(const std::string& text, std::vector<Diagnostic>* notes = nullptr) { return read_spice(text, "t.cir", notes); }

std::string message(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_message(const std::string& text, const std::string& part) {
  EXPECT_NE(message(text).find(part), std::string::npos) << message(text);
}

std::string value_of(const Circuit& circuit, const char* name) { return print(*circuit.symbols.at(name).value); }

TEST(NetlistDialects, KiCadsNamesAreNodes) {
  const Circuit circuit = read(
      ".title KiCad schematic\nR1 /in Net-(R1-Pad1) 10k\nR2 net-(R1-Pad1) /out 4k7\nC1 /out GND 10µ\nR3 \"/amp/x y\" /out 2Meg\n"
      "R4 \"/amp/X Y\" unconnected-(U1-Pad3) 1\nR5 unconnected-(U1-Pad3) 0 1\nV1 /in 0 DC 0 AC 1\n.save all\n.probe alli\n"
      ".save v(/out) /in\n.print v(Net-(R1-Pad1))\n.end\n");
  EXPECT_EQ(circuit.title, "KiCad schematic");
  EXPECT_EQ(circuit.elements[0].nodes, (std::vector<std::string>{"/in", "Net-(R1-Pad1)"}));
  EXPECT_EQ(circuit.elements[1].nodes, (std::vector<std::string>{"Net-(R1-Pad1)", "/out"}));
  EXPECT_EQ(circuit.elements[4].nodes, (std::vector<std::string>{"/amp/x y", "unconnected-(U1-Pad3)"}));
  EXPECT_EQ(value_of(circuit, "R2"), "4700");
  EXPECT_EQ(value_of(circuit, "C1"), "1/100000");
  EXPECT_EQ(value_of(circuit, "R3"), "2000000");
  ASSERT_EQ(circuit.outputs.size(), 3U);
  EXPECT_EQ(circuit.outputs[0].name, "v(/out)");
  EXPECT_EQ(circuit.outputs[1].name, "v(/in)");
  EXPECT_EQ(circuit.outputs[2].name, "v(Net-(R1-Pad1))");
  EXPECT_TRUE(read_probe("v(net-(r1-pad1))", circuit));
  expect_message("t\nR1 a 0 1\n.include \"/usr/share/opamp.lib\"\n", "t.cir:3:11: error: the file '/usr/share/opamp.lib'");
}

TEST(NetlistDialects, LTspicesNetlistIsReadAsItComes) {
  std::vector<Diagnostic> notes;
  const Circuit circuit = read(
      "* C:\\filter.asc\nV1 N001 0 AC 1 Rser=10\nR1 N002 N001 {R}\nC1 N002 0 10\xB5 Rser=10m Lser=1n\nR\xA7"
      "2 N002 0 1K ; a load\n"
      "X\u00A7U1 N002 N003 lp\nRl N003 0 {R*(1 + 1m*(temp - 27))}\n.subckt lp a b\nR1 a b 1k\n.ends\n.param R=10k\n"
      ".meas AC bw TRIG mag(V(out))=0.7 RISE=1\n.step param R list 1k 10k\n.model D D\n.lib standard.dio\n"
      ".lib C:\\users\\LTspiceXVII\\lib\\cmp\\standard.bjt\n.backanno\n.end\n",
      &notes);
  EXPECT_EQ(value_of(circuit, "C1"), "1/100000");
  EXPECT_EQ(value_of(circuit, "R_2"), "1000");
  EXPECT_TRUE(circuit.symbols.find("temper"));
  const auto noted = [&](const char* part) {
    return std::ranges::any_of(notes, [&](const Diagnostic& note) { return note.message.find(part) != std::string::npos; });
  };
  for (const char* part : {".meas", ".step", "standard.dio", "standard.bjt", ".backanno"}) EXPECT_TRUE(noted(part)) << part;
  expect_message("t\nX1 a 0 opamp\n.lib LTC.lib\n", "t.cir:3:6: error: ");
}

TEST(NetlistDialects, DecimalCommasAreRefusedAtTheirPlace) {
  const std::string comma = "no decimal comma is read";
  for (const char* line : {"R1 a 0 4,7k", "C1 a 0 1,5n", "V1 a 0 1,5", "V1 a 0 DC 1 AC 1,5", "E1 a 0 b 0 1,5", "F1 a 0 V2 1,5",
                           "K1 L1 L2 0,9", ".param R=4,7k", ".model DM D(IS=1e-14 N=1,5)"}) {
    const std::string text = message("t\n" + std::string(line) + "\nR9 a 0 1\n");
    const std::string place = "t.cir:2:" + std::to_string(std::string(line).find(',') + 2) + ": ";
    EXPECT_NE(text.find(place), std::string::npos) << line << '\n' << text;
    EXPECT_NE(text.find(comma), std::string::npos) << line << '\n' << text;
  }
  // Commas between nodes, arguments and coefficients are no decimal ones.
  EXPECT_EQ(message("t\nR1 1,2 1k\nG1 1,0,2,0 1m\nV1 1 0 PULSE(0,1,0,1n) AC 1\nR2 2 0 1k TC=1m,2u\n.print v(1,2)\n"), "no error");
}

}  // namespace
