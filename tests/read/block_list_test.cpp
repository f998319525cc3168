#include "sfg/read/block_list.hpp"

#include <gtest/gtest.h>

#include "expect.hpp"
#include "read/problems.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

std::string errors(const std::string& text) {
  return test::errors_of([&] { read_block_list(text, "g.csv"); });
}

std::string branches(const SignalFlowGraph& graph) {
  std::string text;
  for (const Branch& branch : graph.branches()) {
    text += "[" + graph[branch.from].name + "] -> [" + graph[branch.to].name + "] " +
            print(branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law);
    for (const auto& [name, value] : branch.attributes) text += " " + name + "=" + value;
    text += '\n';
  }
  return text;
}

TEST(BlockList, ColumnsInAnyOrderAndFurtherOnes) {
  const char* const expected = "[R] -> [e] 1\n[e] -> [C] K/(s + 1)\n[C] -> [e] -1/10\n";
  for (const char* text :
       {"from,to,gain\nR,e,1\ne,C,K/(s+1)\nC,e,-0.1\n",
        "\xEF\xBB\xBF"
        "gain,from,to\r\n1,R,e\r\n\r\nK/(s+1),e,C\r\n-0.1,C,e",
        "From;To;Gain\nR;e;1\n e ; C ; K/(s+1) \nC;e;-0.1\n", "source\ttarget\tweight\nR\te\t1\ne\tC\tK/(s+1)\nC\te\t-0.1\n",
        "from,to,num,den\nR,e,1,\ne,C,K,s+1\nC,e,-1,10\n"})
    EXPECT_EQ(branches(read_block_list(text, "g.csv")), expected) << text;
  EXPECT_EQ(branches(read_block_list("name,from,to,gain\nplant,e,C,1/s\n,C,e,-1\n", "g.csv")),
            "[e] -> [C] 1/s name=plant\n[C] -> [e] -1\n");
  EXPECT_EQ(branches(read_block_list("from,to,gain,nonlinear,arguments\nx,y,2,,\nx,y,,u^3+w,\"w\"\ny,w,1,,\n", "g.csv")),
            "[x] -> [y] 2\n[x] -> [y] u^3 + w\n[y] -> [w] 1\n");
}

TEST(BlockList, QuotesOfRfc4180) {
  const SignalFlowGraph graph =
      read_block_list("from,to,gain\n\"a, \"\"b\"\"\",\" c\nd\",\"min(x, 2)\"\n\"\xCF\x86\", from ,\"1\"\r\n", "g.csv");
  EXPECT_EQ(graph.nodes()[0].name, "a, \"b\"");
  EXPECT_EQ(graph.nodes()[1].name, " c\nd");
  EXPECT_EQ(graph.nodes()[2].name, "\xCF\x86");
  EXPECT_EQ(graph.nodes()[3].name, "from");
  EXPECT_EQ(to_string(graph.branches()[1].where), "g.csv:4:1");
}

TEST(BlockList, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(errors(""), "1:1 the file is empty\n");
  EXPECT_EQ(errors("from,to,gain\n"), "1:1 the list has no blocks\n");
  EXPECT_EQ(errors("R,e,1\n"),
            "1:1 the header has no column 'from'\n1:1 the header has no column 'to'\n1:1 the header has no column 'gain'\n");
  EXPECT_EQ(errors("from,to,gian\nR,e,1\n"), "1:1 the header has no column 'gain'\n");
  EXPECT_EQ(errors("from,to,gain,to\nR,e,1,e\n"), "1:14 the column 'to' is there twice\n");
  EXPECT_EQ(errors("from,to,gain\nR,e\ne,C,1,2\nC,,1\nC,e,\nC,e,K*(s\n"),
            "2:1 the line has 2 fields, but the header has 3\n3:1 the line has 4 fields, but the header has 3\n4:3 the name of a "
            "node is "
            "empty\n5:5 the block has no gain\n6:9 a ')' is missing\n");
  EXPECT_EQ(errors("from,to,gain\nR,\"e,1\n"), "2:3 the quote is not closed\n");
  EXPECT_EQ(errors("from,to,gain\nR,\"e\"x,1\na\"b,e,1\n"),
            "2:6 text behind the closing quote of a field\n3:2 a quote inside a field that does not begin with one\n");
  EXPECT_EQ(errors("from,to,num,den\nR,e,1,s-s\n"), "2:7 the denominator is 0\n");
  EXPECT_EQ(errors("from,to,gain\nR,\xE9,1\n").substr(0, 3), "2:3");  // Latin-1
  EXPECT_EQ(errors("from,to,gain\nR,e,1e999999999\n").substr(0, 3), "2:5");
  EXPECT_EQ(errors("from,to,gain\nR,e," + std::string(100000, '(') + "\n").substr(0, 2), "2:");
  EXPECT_NE(errors(std::string(100000, ',')).find("more than 1000 columns"), std::string::npos);
}

TEST(BlockList, WordsForMissingNumbersAreDoubted) {
  std::vector<Diagnostic> notes;
  read_block_list("from,to,gain\nR,e,NaN\n", "g.csv", &notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(to_string(notes[0].where), "g.csv:2:5");
}

TEST(BlockList, AHundredThousandLines) {
  std::string text = "from,to,gain\n";
  for (int i = 0; i < 100'000; ++i)
    text += "x" + std::to_string(i) + ",x" + std::to_string(i + 1) + ",k" + std::to_string(i % 7) + "\n";
  EXPECT_EQ(read_block_list(text, "g.csv").branches().size(), 100'000U);
}

}  // namespace
}  // namespace sfg
