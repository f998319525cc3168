// Netlists as KiCad and LTspice write them.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <random>

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

TEST(NetlistDialects, WhereASimulatorBeginsIsNoPartOfTheCircuit) {
  const std::string models = ".model DM D(IS=1e-14)\n.model QM NPN(BF=100)\n.model MM NMOS(KP=1m)\n";
  const std::string plain =
      "* t\nV1 a 0 1\nR1 a b 1k\nD1 b 0 DM 2\nQ1 a b off QM IC=1m\nM1 a b off 0 MM ID=1m W=2u L=1u\nR2 off 0 1\n"
      "T1 a 0 b 0 Z0=50 TD=1n\n" +
      models;
  const std::string begun =
      "* t\nV1 a 0 1\nR1 a b 1k\nD1 b 0 DM 2 OFF IC=0.6\nQ1 a b off QM IC=1m OFF IC=0.6,5\n"
      "M1 a b off 0 MM OFF ID=1m IC=5, 2, 0 W=2u L=1u\nR2 off 0 1\nT1 a 0 b 0 Z0=50 TD=1n IC=0,0,1,0\n" +
      models;
  std::vector<Diagnostic> notes;
  const Circuit wanted = read(plain), found = read(begun, &notes);
  ASSERT_EQ(found.elements.size(), wanted.elements.size());
  for (std::size_t i = 0; i < found.elements.size(); ++i) {
    const Circuit::Element &a = found.elements[i], &b = wanted.elements[i];
    EXPECT_EQ(a.name + " " + print(a.value), b.name + " " + print(b.value));
    EXPECT_EQ(a.nodes, b.nodes);
  }
  EXPECT_EQ(std::ranges::count(notes, Severity::remark, &Diagnostic::severity), 7) << "three OFF, four IC";
}

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
  // the substrate is written, the model stands in a library that is not read
  const std::string bipolar =
      "t\nV1 a 0 5\nR1 a c 1k\nQ1 c a e 0 2N3904\nR2 e 0 1k\n.lib C:\\LTspiceXVII\\lib\\cmp\\standard.bjt\n";
  expect_message(bipolar, "t.cir:4:12: error: there is no model '2N3904'");
  expect_message(bipolar + "* sfg: Q1 IC=1m VCE=2\n", "t.cir:4:12: error: there is no model '2N3904'");
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

/// One circuit in the words of a plain netlist, or of what programs write.
class Dialect {
 public:
  Dialect(std::mt19937& random, bool plain) : random_(random), plain_(plain) {}

  std::string node(std::size_t k) {
    if (k == 0) return plain_ || coin() ? "0" : "GND";
    const std::string number = std::to_string(k);
    if (plain_) return "n" + number;
    switch (k % 5) {  // a node has one name, whatever the case
      case 0: return either("Net-(R" + number + "-Pad1)", "NET-(r" + number + "-Pad1)");
      case 1: return either("/sheet/n" + number, "/Sheet/N" + number);
      case 2: return "\"net " + number + "\"";
      case 3: return either("N00" + number, "n00" + number);
      default: return "unconnected-(U" + number + "-Pad" + number + ")";
    }
  }
  /// units · 10^power
  std::string value(int units, int power) {
    if (plain_) return std::to_string(units) + "e" + std::to_string(power);
    const std::string number = std::to_string(units);
    if (power == -6) return number + one_of({"u", "\u00B5", "\u03BC", "\xB5", "uF"});
    if (power == 3) return number + one_of({"k", "K", "kOhm"});
    if (power == 6) return number + one_of({"Meg", "MEG", "meg"});
    if (power == -3) return number + one_of({"m", "M"});
    if (power == -9) return number + one_of({"n", "N", "nF"});
    return number + "E" + std::to_string(power);
  }
  /// What stands between the lines without saying anything.
  std::string noise() {
    return plain_ ? "" : one_of({"", "* a remark\n", "; a remark\n", ".backanno\n", "\n", ".lib standard.dio\n", ".save all\n"});
  }
  std::string end() { return plain_ ? "\n" : one_of({"\n", " ; 1%\n", "\r\n", " $ note\n", "\t\n"}); }
  std::string gap() { return plain_ ? " " : one_of({" ", "\t", "  ", "\n+ ", " "}); }

 private:
  bool coin() { return random_() % 2 == 0; }
  std::string either(const std::string& a, const std::string& b) { return coin() ? a : b; }
  std::string one_of(std::initializer_list<const char*> of) { return *(of.begin() + random_() % of.size()); }
  std::mt19937& random_;
  bool plain_;
};

TEST(NetlistDialects, TheSameCircuitIsReadFromAllOfThem) {
  std::mt19937 random(33);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t seed = random();
    std::vector<Circuit> both;
    std::string shown;
    for (const bool plain : {true, false}) {
      std::mt19937 circuit(seed), spelling(seed + 1);
      Dialect as(spelling, plain);
      std::string text = "* a title\nV1" + as.gap() + as.node(1) + as.gap() + as.node(0) + as.gap() + "AC 1" + as.end();
      std::size_t inductors = 0;
      const std::size_t count = 3 + circuit() % 8;
      for (std::size_t i = 0; i < count; ++i) {
        const char letter = "RCLG"[circuit() % 4];
        const std::size_t a = circuit() % 6, b = (a + 1 + circuit() % 5) % 6, c = circuit() % 6;
        const int units = 1 + static_cast<int>(circuit() % 99), power = 3 * (static_cast<int>(circuit() % 6) - 3);
        const std::string name = letter + std::to_string(letter == 'L' ? ++inductors : 20 + i);
        text += as.noise() + name + as.gap() + as.node(a) + as.gap() + as.node(b) + as.gap();
        if (letter == 'G') text += as.node(c) + as.gap() + as.node(0) + as.gap();
        text += as.value(units, power) + as.end();
      }
      if (inductors > 1) text += "K1 L1 L2" + as.gap() + "0.9" + as.end();
      text += ".end\n";
      if (!plain) shown = text;
      both.push_back(read(text));
    }
    SCOPED_TRACE(shown);
    ASSERT_EQ(both[0].elements.size(), both[1].elements.size());
    std::map<std::string, std::string> spelled;  // the node of the one for that of the other
    for (std::size_t i = 0; i < both[0].elements.size(); ++i) {
      const Circuit::Element &a = both[0].elements[i], &b = both[1].elements[i];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.controls, b.controls);
      if (both[0].symbols.find(a.name)) {
        EXPECT_EQ(value_of(both[0], a.name.c_str()), value_of(both[1], b.name.c_str())) << a.name;
      }
      ASSERT_EQ(a.nodes.size(), b.nodes.size());
      for (std::size_t k = 0; k < a.nodes.size(); ++k) {
        EXPECT_EQ(a.nodes[k] == "0", b.nodes[k] == "0");
        EXPECT_EQ(spelled.try_emplace(a.nodes[k], b.nodes[k]).first->second, b.nodes[k]);
      }
    }
  }
}

}  // namespace
