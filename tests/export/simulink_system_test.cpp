// Blocks and lines: names, paths, places, and what they say when they are read back.
#include "sfg/export/simulink/simulink_system.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <sstream>

#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using Kind = SimulinkBlock::Kind;

std::string written(const SimulinkSystem& system) {
  std::ostringstream out;
  system.write(out, "m");
  return out.str();
}

TEST(SimulinkSystem, NamesAreTheirOwnAndStrokesAreDoubled) {
  SimulinkSystem system;
  const auto in = system.add_port(Kind::inport, "a/b");
  const auto gain = system.add({.name = "it's", .library = "built-in/Gain", .settings = {{"Gain", "2"}}});
  system.add({.name = "it's", .library = "built-in/Gain", .settings = {{"Gain", "3"}}});
  system.add({.name = "/line\nfeed/", .library = "built-in/Gain"});
  system.connect(in, 1, gain);
  const std::string text = written(system);
  EXPECT_NE(text.find("add_block('built-in/Inport', 'm/a//b'"), std::string::npos) << text;
  EXPECT_NE(text.find("'m/it''s'"), std::string::npos) << text;
  EXPECT_NE(text.find("'m/it''s 2'"), std::string::npos) << text;
  EXPECT_NE(text.find("'m/ //line feed// '"), std::string::npos) << text;
  EXPECT_NE(text.find("add_line('m', 'a//b/1', 'it''s/1'"), std::string::npos) << text;
}

TEST(SimulinkSystem, SubsystemsAreReadBackThroughTheirPorts) {
  SignalFlowGraph like;
  like.op = "s";
  const GiNaC::ex s = like.op.declare(like.symbols);
  SimulinkSystem system;
  const auto u = system.add_port(Kind::inport, "u");
  const auto y = system.add_port(Kind::outport, "y");
  const auto sub = system.add({.name = "equation y", .kind = Kind::subsystem, .library = "built-in/SubSystem", .inputs = 2});
  SimulinkSystem& inner = system.inside(sub);
  const auto first = inner.add_port(Kind::inport, "u"), second = inner.add_port(Kind::inport, "y");
  const auto out = inner.add_port(Kind::outport, "y");
  const auto left = inner.add({.name = "left", .kind = Kind::transfer, .library = "built-in/Integrator", .gain = 1 / s});
  const auto right = inner.add({.name = "right", .library = "built-in/Gain", .settings = {{"Gain", "-2"}}, .gain = -2});
  inner.connect(first, 1, left);
  inner.connect(second, 1, right);
  inner.connect(inner.sum("sum", {{left, 1}, {right, 1}}), 1, out);
  system.connect(u, 1, sub, 1);
  system.connect(sub, 1, sub, 2);
  system.connect(sub, 1, y);
  system.arrange();
  const SignalFlowGraph back = system.read_back(like);
  EXPECT_EQ(transfer_function(back, {back.at("in u"), back.at("out y")}).value.text(), "1/(3*s)");
}

TEST(SimulinkSystem, NoBlocksLieOnEachOtherAndNoneLeadsNowhere) {
  SimulinkSystem system;
  std::vector<SimulinkSystem::Index> blocks;
  for (int k = 0; k < 4; ++k) blocks.push_back(system.add_port(Kind::inport, "u" + std::to_string(k)));
  for (int k = 0; k < 40; ++k) {
    blocks.push_back(system.add({.name = "g", .library = "built-in/Gain", .settings = {{"Gain", std::string(k, 'x')}}}));
    system.connect(blocks[static_cast<std::size_t>(k * 7 % (k + 4))], 1, blocks.back());
  }
  const auto ring = system.sum("sum", {{blocks[10], 1}, {blocks[20], 1}, {blocks[43], 1}});
  system.connect(ring, 1, system.add({.name = "back", .library = "built-in/Gain"}));
  system.arrange();
  std::size_t ends = 0;
  for (std::size_t a = 0; a < system.blocks().size(); ++a) {
    const auto& p = system.blocks()[a].position;
    EXPECT_LT(p[0], p[2]);
    ends += system.blocks()[a].kind == Kind::terminator ? 1 : 0;
    for (std::size_t b = 0; b < a; ++b) {
      const auto& q = system.blocks()[b].position;
      EXPECT_FALSE(p[0] < q[2] && q[0] < p[2] && p[1] < q[3] && q[1] < p[3]) << a << " on " << b;
    }
  }
  EXPECT_GT(ends, 0U);
}

}  // namespace
}  // namespace sfg
