// Block diagrams of Simulink and Xcos: random ones in every form against the equations of their blocks, what each block is,
// refusals with the paths of blocks, and archives that are broken or too large.
#include "sfg/read/diagram.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <tuple>

#include "read/diagram_files.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using test::WrittenBlock;
using test::WrittenDiagram;
using test::WrittenLine;
using Texts = std::vector<std::string>;

Texts branches(const SignalFlowGraph& graph) {
  Texts list;
  for (const Branch& branch : graph.branches())
    list.push_back(graph[branch.from].name + " -> " + graph[branch.to].name + ": " + print(branch.gain().normal()));
  std::ranges::sort(list);
  return list;
}

std::string refusal(const std::string& bytes, bool xcos = false) {
  try {
    if (xcos)
      read_xcos(bytes, "x.zcos");
    else
      read_simulink(bytes, "x.slx");
  } catch (const Error& error) {
    return to_string(error.diagnostics()[0]);
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// --- random diagrams

/// y = transfer · (Σ sign · input) of each block; the first are the inputs of the whole.
struct RandomBlock {
  WrittenBlock written;
  GiNaC::ex transfer = 1;
  std::vector<std::pair<std::size_t, int>> inputs = {};
};

class RandomDiagram {
 public:
  explicit RandomDiagram(unsigned seed) : random_(seed) {
    ends_ = below(2) + 1;
    for (std::size_t i = 0; i < ends_; ++i)
      blocks_.push_back(
          {{"in" + std::to_string(i + 1), "Inport", "IN_f", {{"Port", std::to_string(i + 1)}}, {std::to_string(i + 1)}, 0, 1}});
    const std::size_t count = 3 + below(6);
    for (std::size_t i = 0; i < count; ++i) add(i);
    for (std::size_t i = ends_; i < blocks_.size(); ++i)
      for (auto& [from, sign] : blocks_[i].inputs) from = below(4) == 0 ? below(blocks_.size()) : below(i);
    if (below(2) == 0) inner_begin_ = ends_ + below(count), inner_end_ = inner_begin_ + 1 + below(blocks_.size() - inner_begin_);
  }

  /// From the input to the last block at a value of s, by the equations of the blocks alone; nothing where they have no solution.
  std::optional<GiNaC::numeric> reference(std::size_t input, const GiNaC::exmap& values) const {
    const auto n = static_cast<unsigned>(blocks_.size());
    GiNaC::matrix equations(n, n), right(n, 1), unknown(n, 1);
    for (unsigned i = 0; i < n; ++i) {
      equations(i, i) = 1;
      unknown(i, 0) = GiNaC::symbol();
      for (const auto& [from, sign] : blocks_[i].inputs)
        equations(i, static_cast<unsigned>(from)) -= sign * blocks_[i].transfer.subs(values);
    }
    right(static_cast<unsigned>(input), 0) = 1;
    if (equations.determinant().is_zero()) return {};
    return GiNaC::ex_to<GiNaC::numeric>(equations.solve(unknown, right)(n - 1, 0));
  }

  WrittenDiagram diagram() const {
    WrittenDiagram outer, inner;
    outer.statements = "a = 3/2;\nb = 2*a; % of a\n";
    const auto is_inner = [&](std::size_t i) { return i >= inner_begin_ && i < inner_end_; };
    std::map<std::size_t, std::size_t> entering, leaving;
    for (std::size_t i = 0; i < blocks_.size(); ++i) (is_inner(i) ? inner : outer).blocks.push_back(blocks_[i].written);
    const auto port = [](const char* simulink, const char* xcos, std::size_t number) {
      const bool in = xcos[0] == 'I';
      return WrittenBlock{std::string(in ? "i" : "o") + std::to_string(number),
                          simulink,
                          xcos,
                          {{"Port", std::to_string(number)}},
                          {std::to_string(number)},
                          in ? 0U : 1U,
                          in ? 1U : 0U};
    };
    const auto inlet = [&](std::size_t from) {
      if (const auto [at, is_new] = entering.emplace(from, entering.size() + 1); is_new) {
        inner.blocks.push_back(port("Inport", "IN_f", at->second));
        outer.lines.push_back({name(from), 1, "Sub\nsystem", at->second});
      }
      return "i" + std::to_string(entering.at(from));
    };
    const auto outlet = [&](std::size_t from) {
      if (const auto [at, is_new] = leaving.emplace(from, leaving.size() + 1); is_new) {
        inner.blocks.push_back(port("Outport", "OUT_f", at->second));
        inner.lines.push_back({name(from), 1, "o" + std::to_string(at->second), 1});
      }
      return leaving.at(from);
    };
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      for (std::size_t k = 0; k < blocks_[i].inputs.size(); ++k) {
        const std::size_t from = blocks_[i].inputs[k].first;
        if (is_inner(i))
          inner.lines.push_back({is_inner(from) ? name(from) : inlet(from), 1, name(i), k + 1});
        else if (is_inner(from))
          outer.lines.push_back({"Sub\nsystem", outlet(from), name(i), k + 1});
        else
          outer.lines.push_back({name(from), 1, name(i), k + 1});
      }
    const std::size_t last = blocks_.size() - 1;
    outer.blocks.push_back({"y", "Outport", "OUT_f", {{"Port", "1"}}, {"1"}, 1, 0});
    outer.lines.push_back(is_inner(last) ? WrittenLine{"Sub\nsystem", outlet(last), "y", 1} : WrittenLine{name(last), 1, "y", 1});
    if (!inner.blocks.empty())
      outer.blocks.push_back({"Sub\nsystem", "SubSystem", "SUPER_f", {}, {}, entering.size(), leaving.size(), {inner}});
    return outer;
  }
  std::size_t ends() const { return ends_; }
  const GiNaC::symbol& s() const { return s_; }
  const GiNaC::symbol& free() const { return k_; }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::string name(std::size_t i) const { return blocks_[i].written.name; }
  int number() { return static_cast<int>(below(9)) - 4; }
  static std::string text(int n) { return std::to_string(n); }

  /// A sum, or what a block with one input does, in the words of each program.
  void add(std::size_t i) {
    const std::string name = "block " + std::to_string(i);
    RandomBlock made;
    const int p = number(), q = static_cast<int>(below(4)) + 1, r = number();
    made.inputs = {{0, 1}};
    switch (below(8)) {
      case 0:
      case 1: {
        made.inputs.clear();
        std::string signs = "|", list;
        for (std::size_t k = 0, n = 2 + below(2); k < n; ++k) {
          const int sign = below(2) == 0 ? 1 : -1;
          made.inputs.emplace_back(0, sign);
          signs += sign > 0 ? "+" : "-";
          list += sign > 0 ? (k ? ";1" : "1") : (k ? ";-1" : "-1");
        }
        made.written = {name,
                        "Sum",
                        "SUMMATION",
                        {{"Inputs", signs}, {"IconShape", "round"}},
                        {"1", "[" + list + "]", "0"},
                        made.inputs.size()};
        break;
      }
      case 2:
        made.written = {name, "Gain", "GAINBLK_f", {{"Gain", "k*" + text(p) + " + b"}}, {"k*" + text(p) + " + b"}};
        made.transfer = k_ * p + 3;
        break;
      case 3:
        made.written = {
            name,
            "TransferFcn",
            "CLR",
            {{"Numerator", "[" + text(p) + " -a]"}, {"Denominator", "conv([1 " + text(r) + "], [1, " + text(q) + "])"}},
            {text(p) + "*s - a", "(s + " + text(r) + ")*(%s + " + text(q) + ")"}};
        made.transfer = (p * s_ - GiNaC::numeric(3, 2)) / ((s_ + r) * (s_ + q));
        break;
      case 4:
        made.written = {name, "Integrator", "INTEGRAL_f", {}, {"0"}};
        made.transfer = 1 / s_;
        break;
      case 5:
        made.written = {name,
                        "StateSpace",
                        "CLSS",
                        {{"A", "[0 1; " + text(p) + " -2]"}, {"B", "[0; k]"}, {"C", "[" + text(q) + " 1]"}, {"D", text(r)}},
                        {"[0 1; " + text(p) + " -2]", "[0;k]", "[" + text(q) + ",1]", text(r), "[0;0]"}};
        made.transfer = k_ * (q + s_) / (s_ * (s_ + 2) - p) + r;
        break;
      case 6:
        made.written = {name,
                        "ZeroPole",
                        "CLR",
                        {{"Zeros", "[" + text(p) + "]"}, {"Poles", "[-1+2i -1-2i]"}, {"Gain", "[" + text(q) + "]"}},
                        {text(q) + "*(s - (" + text(p) + "))", "s^2 + 2*s + 5"}};
        made.transfer = q * (s_ - p) / (s_ * s_ + 2 * s_ + 5);
        break;
      default: made.written = {name, "Derivative", "DERIV", {}, {}}; made.transfer = s_;
    }
    blocks_.push_back(std::move(made));
  }

  std::mt19937 random_;
  GiNaC::symbol s_, k_;
  std::size_t ends_ = 0, inner_begin_ = 0, inner_end_ = 0;
  std::vector<RandomBlock> blocks_;
};

TEST(Diagram, EveryFormGivesWhatTheEquationsOfTheBlocksGive) {
  std::size_t compared = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const RandomDiagram random(seed);
    const WrittenDiagram written = random.diagram();
    const std::vector<std::pair<std::string, SignalFlowGraph>> graphs{
        {"mdl", read_simulink(test::mdl_text(written), "x.mdl")},
        {"slx", read_simulink(test::zip(test::slx_parts(written, false)), "x.slx")},
        {"slx in parts", read_simulink(test::zip(test::slx_parts(written, true), false), "x.slx")},
        {"xcos", read_xcos(test::xcos_text(written), "x.xcos")},
        {"zcos", read_xcos(test::zip({{"content.xml", test::xcos_text(written)}}), "x.zcos")}};
    for (const auto& [form, graph] : graphs) {
      const auto found = graph.find("y");
      ASSERT_TRUE(found) << form << " " << seed;
      for (std::size_t input = 0; input < random.ends(); ++input) {
        const GiNaC::numeric at(7, 3), free(5, 2);
        const auto expected = random.reference(input, {{random.s(), at}, {random.free(), free}});
        if (!expected) continue;
        const Question question{graph.at("in" + std::to_string(input + 1)), *found};
        GiNaC::ex value;
        try {
          value = transfer_function(graph, question).value.expression();
        } catch (const Failure&) {
          continue;  // the determinant vanishes
        }
        GiNaC::exmap values = graph.symbols.values();
        values[graph.op.in(graph.symbols)] = at;
        if (const Symbol* k = graph.symbols.find("k")) values[k->expr] = free;
        EXPECT_TRUE((value.subs(values).subs(values) - *expected).is_zero())
            << form << " " << seed << ": " << print(value) << " is not " << *expected;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100U);
}

// --- blocks of Simulink, one by one

/// u -> block -> y.
WrittenDiagram around(WrittenBlock block) {
  const std::string name = block.name;
  return {{{"u", "Inport", "IN_f", {{"Port", "1"}}, {"1"}, 0, 1},
           std::move(block),
           {"y", "Outport", "OUT_f", {{"Port", "1"}}, {"1"}, 1, 0}},
          {{"u", 1, name, 1}, {name, 1, "y", 1}}};
}
std::string simulink_gain(const std::string& type, std::vector<std::pair<std::string, std::string>> parameters) {
  const SignalFlowGraph graph = read_simulink(test::mdl_text(around({"B", type, "", std::move(parameters)})), "x.mdl");
  return print(graph.branches()[0].gain()) + (graph.op.sample_time() ? " " + graph.op.sample_time()->text() : "");
}
std::string xcos_gain(const std::string& type, Texts values) {
  return print(read_xcos(test::xcos_text(around({"B", "", type, {}, std::move(values)})), "x.xcos").branches()[0].gain());
}

TEST(Diagram, BlocksOfSimulink) {
  EXPECT_EQ(simulink_gain("Gain", {}), "1");
  EXPECT_EQ(simulink_gain("TransferFcn", {{"Numerator", "K*[1 T]'"}, {"Denominator", "[1 0 w0^2]"}}), "(K*T + K*s)/(s^2 + w0^2)");
  EXPECT_EQ(simulink_gain("TransportDelay", {{"DelayTime", "Td"}}), "exp(-Td*s)");
  EXPECT_EQ(simulink_gain("UnitDelay", {{"SampleTime", "0.1"}}), "1/z 1/10");
  EXPECT_EQ(simulink_gain("Delay", {{"DelayLength", "3"}, {"SampleTime", "[0.5 0]"}}), "1/z^3 1/2");
  EXPECT_EQ(simulink_gain("DiscreteTransferFcn", {{"Numerator", "[1]"}, {"Denominator", "[1 -0.5]"}, {"SampleTime", "-1"}}),
            "2/(2*z - 1)");
  EXPECT_EQ(simulink_gain("DiscreteFilter", {{"Numerator", "[1 b]"}, {"Denominator", "[1 -a]"}}), "-(b/z + 1)/(a/z - 1)");
  EXPECT_EQ(simulink_gain("DiscreteIntegrator", {{"IntegratorMethod", "Integration: Backward Euler"}, {"SampleTime", "1/4"}}),
            "z/(4*(z - 1)) 1/4");
  EXPECT_EQ(simulink_gain("DiscreteZeroPole", {{"Zeros", "[]"}, {"Poles", "[0.5 -0.5]"}, {"Gain", "2"}}),
            "8/((2*z + 1)*(2*z - 1))");
  EXPECT_EQ(
      simulink_gain("Reference",
                    {{"SourceBlock", "simulink/Continuous/PID Controller"}, {"Controller", "PI"}, {"P", "Kp"}, {"I", "Ki"}}),
      "Ki/s + Kp");
  EXPECT_EQ(simulink_gain("Gain", {{"Gain", "-2^2/sqrt(p.g)*1.5e-3"}}), "-3/(500*sqrt(p_g))");
}

TEST(Diagram, BlocksOfXcos) {
  EXPECT_EQ(xcos_gain("CLR", {"1", "1 + 2*%s*T + s^2"}), "1/(2*T*s + s^2 + 1)");
  EXPECT_EQ(xcos_gain("DLR", {"1", "z - a"}), "-1/(a - z)");
  EXPECT_EQ(xcos_gain("DOLLAR_m", {"0", "0"}), "1/z");
  EXPECT_EQ(xcos_gain("REGISTER", {"0;0;0"}), "1/z^3");
  EXPECT_EQ(xcos_gain("TIME_DELAY", {"0.5", "0", "1024"}), "exp(-s/2)");
  EXPECT_EQ(xcos_gain("GAINBLK", {"2*%pi", "0"}), "2*pi");
}

TEST(Diagram, VectorsMasksAndTags) {
  WrittenDiagram diagram{
      {{"r", "Inport", "", {{"Port", "1"}}, {}, 0, 1},
       {"d", "Inport", "", {{"Port", "2"}}, {}, 0, 1},
       {"mux", "Mux", "", {{"Inputs", "2"}}, {}, 2, 1},
       {"M", "Gain", "", {{"Gain", "[a b; 0 c]"}, {"Multiplication", "Matrix(K*u)"}}, {}},
       {"send", "Goto", "", {{"GotoTag", "T"}}, {}, 1, 0},
       {"get", "From", "", {{"GotoTag", "T"}}, {}, 0, 1},
       {"demux", "Demux", "", {{"Outputs", "2"}}, {}, 1, 2},
       {"Plant", "SubSystem", "", {}, {}, 1, 1, {around({"inner", "Gain", "", {{"Gain", "k*g"}}, {}})}, "k=@1;", "5"},
       {"y", "Outport", "", {{"Port", "1"}}, {}, 1, 0},
       {"z1", "Outport", "", {{"Port", "2"}}, {}, 1, 0}},
      {{"r", 1, "mux", 1},
       {"d", 1, "mux", 2},
       {"mux", 1, "M", 1},
       {"M", 1, "send", 1},
       {"get", 1, "demux", 1},
       {"demux", 1, "Plant", 1},
       {"Plant", 1, "y", 1},
       {"demux", 2, "z1", 1}}};
  const SignalFlowGraph graph = read_simulink(test::mdl_text(diagram), "x.mdl");
  EXPECT_EQ(branches(graph),
            (Texts{"M_1 -> inner: g*k", "M_2 -> z1: 1", "d -> M_1: b", "d -> M_2: c", "inner -> y: 1", "r -> M_1: a"}));
  EXPECT_EQ(print(*graph.symbols.find("k")->value), "5");
  EXPECT_EQ(graph.inputs.size(), 2U);
  // A name of a mask that the whole has, too, is another one.
  diagram.blocks[3].parameters[0].second = "[k b; 0 c]";
  const SignalFlowGraph both = read_simulink(test::mdl_text(diagram), "x.mdl");
  EXPECT_EQ(branches(both)[0], "M_1 -> inner: g*k_Plant");
  EXPECT_FALSE(both.symbols.find("k")->value);
}

/// r and d as one signal of two elements, through a block.
WrittenDiagram joined(WrittenBlock block) {
  WrittenDiagram diagram = around(std::move(block));
  diagram.blocks.push_back({"d", "Inport", "", {{"Port", "2"}}, {}, 0, 1});
  diagram.blocks.push_back({"mux", "Mux", "", {{"Inputs", "2"}}, {}, 2, 1});
  diagram.lines[0] = {"u", 1, "mux", 1};
  diagram.lines.push_back({"d", 1, "mux", 2});
  diagram.lines.push_back({"mux", 1, diagram.blocks[1].name, 1});
  return diagram;
}

TEST(Diagram, WidthsOfSignalsFit) {
  EXPECT_PRED2(holds, refusal(test::mdl_text(joined({"B", "Gain", "", {{"Gain", "[1 2 3]"}}, {}}))),
               "'B' has 2 elements, and the block takes 3");
  EXPECT_PRED2(holds, refusal(test::mdl_text(joined({"B", "Demux", "", {{"Outputs", "[1 2]"}}, {}, 1, 2}))),
               "'B' has 2 elements, and the block takes 3");
  // A sum with one sign adds the elements.
  const SignalFlowGraph sum = read_simulink(test::mdl_text(joined({"B", "Sum", "", {{"Inputs", "-"}}, {}})), "x.mdl");
  EXPECT_EQ(branches(sum), (Texts{"B -> y: 1", "d -> B: -1", "u -> B: -1"}));
}

TEST(Diagram, BlanksAndSignsInBrackets) {
  const auto numerator = [](const std::string& text) {
    return simulink_gain("TransferFcn", {{"Numerator", text}, {"Denominator", "[1 0 0 0]"}});
  };
  EXPECT_EQ(numerator("[1 - 2 3 -4]"), numerator("[-1, 3, -4]"));
  EXPECT_NE(numerator("[1 -2 3]"), numerator("[-1 3]"));
  EXPECT_EQ(numerator("[1 2] + [3 -4]"), numerator("[4 -2]"));
  EXPECT_EQ(numerator("2*[1 2] - 1"), numerator("[1 3]"));
}

TEST(Diagram, StatesThatBeginElsewhereAreTold) {
  for (const bool rests : {true, false}) {
    std::vector<Diagnostic> notes;
    read_simulink(test::mdl_text(around({"B", "Integrator", "", {{"InitialCondition", rests ? "0" : "x0"}}, {}})), "x.mdl",
                  &notes);
    EXPECT_EQ(notes.empty(), rests);
  }
}

TEST(Diagram, SourcesAndScopesAreInputsAndOutputs) {
  const WrittenDiagram diagram{{{"Step", "Step", "STEP_FUNCTION", {}, {}, 0, 1},
                                {"Constant", "Constant", "CONST_m", {{"Value", "[1.5 K]"}}, {"[1.5 K]"}, 0, 1},
                                {"Sum", "Sum", "BIGSOM_f", {{"Inputs", "+-"}}, {"[1;-1]"}, 2, 1},
                                {"Scope", "Scope", "CSCOPE", {}, {}, 1, 0}},
                               {{"Step", 1, "Sum", 1}, {"Constant", 1, "Sum", 2}, {"Sum", 1, "Scope", 1}}};
  for (const SignalFlowGraph& graph :
       {read_simulink(test::mdl_text(diagram), "x.mdl"), read_xcos(test::xcos_text(diagram), "x.xcos")}) {
    EXPECT_EQ(branches(graph), (Texts{"Constant_1 -> Sum_1: -1", "Constant_2 -> Sum_2: -1", "Step -> Sum_1: 1",
                                      "Step -> Sum_2: 1", "Sum_1 -> Scope_1: 1", "Sum_2 -> Scope_2: 1"}));
    EXPECT_EQ(graph.inputs.size(), 3U);
    EXPECT_EQ(graph.outputs.size(), 2U);
    EXPECT_EQ(graph[graph.at("Constant_2")].attributes, (Attributes{{"dc", "K"}}));
  }
}

// --- what is not read

TEST(Diagram, WhatIsNotLinearIsNamedByItsPath) {
  WrittenDiagram diagram =
      around({"Plant", "SubSystem", "SUPER_f", {}, {}, 1, 1, {around({"Valve", "Saturate", "SATURATION", {}, {}})}});
  EXPECT_EQ(
      refusal(test::mdl_text(diagram)),
      "x.slx:43:1: error: the block 'Plant/Valve' (Saturate) is none of the linear ones that are read; put what it does near the "
      "operating point in its place: a Gain, a transfer function; or take it out");
  EXPECT_PRED2(holds, refusal(test::xcos_text(diagram), true), "'Plant/Valve' (SATURATION)");
  for (const auto& [type, parameter, value, said] : std::vector<std::tuple<std::string, std::string, std::string, std::string>>{
           {"Integrator", "LimitOutput", "on", "has limits"},
           {"Integrator", "ExternalReset", "rising", "is reset"},
           {"Gain", "Gain", "K*(2", "'B' (Gain): the '(' that stands here is not closed"},
           {"Gain", "Gain", "system(1)", "nothing is run"},
           {"TransferFcn", "Denominator", "[0 0]", "denominator 0"},
           {"StateSpace", "A", "[1 2]", "sizes do not fit"},
           {"ZeroPole", "Poles", "[1+i]", "without their conjugates"},
           {"Gain", "Gain", "(9^1000)^1000", "too large"},
           {"Reference", "SourceBlock", "mylib/Thing", "break the link"}})
    EXPECT_PRED2(holds, refusal(test::mdl_text(around({"B", type, "", {{parameter, value}}, {}}))), said);
}

TEST(Diagram, OneOperatorAndOneSampleTime) {
  WrittenDiagram diagram = around({"A", "Integrator", "", {}, {}});
  diagram.blocks.push_back({"B", "UnitDelay", "", {{"SampleTime", "1"}}, {}});
  diagram.lines[1] = {"A", 1, "B", 1};
  diagram.lines.push_back({"B", 1, "y", 1});
  EXPECT_PRED2(holds, refusal(test::mdl_text(diagram)), "the block 'B' is discrete, and 'A' is continuous");
  diagram.blocks[1] = {"A", "UnitDelay", "", {{"SampleTime", "2"}}, {}};
  EXPECT_PRED2(holds, refusal(test::mdl_text(diagram)), "another sample time");
}

TEST(Diagram, LoopsOfNothingButLinesAreRefused) {
  WrittenDiagram diagram = around({"A", "SignalConversion", "", {}, {}});
  diagram.lines[0] = {"A", 1, "A", 1};
  EXPECT_PRED2(holds, refusal(test::mdl_text(diagram)), "is what leaves it");
  WrittenDiagram joined = around({"A", "Mux", "", {{"Inputs", "2"}}, {}, 2, 1});
  joined.lines.push_back({"A", 1, "A", 2});
  EXPECT_NE(refusal(test::mdl_text(joined)), "");
}

TEST(Diagram, ArchivesThatAreBrokenOrTooLargeAreRefused) {
  const std::string good = test::zip(test::slx_parts(around({"B", "Gain", "", {}, {}}), true));
  EXPECT_EQ(refusal(good), "");
  for (std::size_t cut = 0; cut < good.size(); cut += 37) EXPECT_NE(refusal(good.substr(0, cut)), "") << cut;
  std::string changed = good;
  changed[good.size() / 3] = static_cast<char>(changed[good.size() / 3] ^ 0x55);
  refusal(changed);  // whatever it says
  EXPECT_PRED2(holds, refusal(test::zip({{"simulink/blockdiagram.xml", std::string(std::size_t{70} << 20, ' ')}})),
               "more than 64 MiB");
  EXPECT_PRED2(holds, refusal(test::zip({{"other.xml", "<x/>"}})), "no model of Simulink");
  EXPECT_PRED2(holds, refusal(test::zip({{"other.xml", "<x/>"}}), true), "no diagram of Xcos");
  EXPECT_PRED2(holds,
               refusal(test::zip({{"content.xml", "<XcosDiagram/>"}, {"dictionary/dictionary.ser", "\xAC\xED\x00"}}), true),
               "dictionary.ser");
  std::string deep;
  for (int i = 0; i < 80; ++i) deep += "Block {\nBlockType SubSystem\nName a\nSystem {\n";
  for (int i = 0; i < 160; ++i) deep += "}\n";
  EXPECT_PRED2(holds, refusal("Model {\nSystem {\n" + deep + "}\n}\n"), "more than");
}

}  // namespace
}  // namespace sfg
