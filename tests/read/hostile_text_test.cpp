// Texts of nobody's good will, for every reader: an answer or a refusal in words that can be shown, whatever the bytes. The
// reading happens on a small stack, so that what descends once a character is found out.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/csv.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/substitutions.hpp"
#include "sfg/text/printable.hpp"

namespace sfg {
namespace {

// The frames of sanitizers, which are compiled without optimising, are some ten times as large.
#if defined(SFG_SANITIZED)
constexpr std::size_t small_stack = std::size_t{16} << 20;
#else
constexpr std::size_t small_stack = std::size_t{1} << 20;
#endif

void on_small_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, small_stack);
  pthread_t thread{};
  const auto run = [](void* given) -> void* {
    (*static_cast<const std::function<void()>*>(given))();
    return nullptr;
  };
  std::function<void()> copy = work;
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &copy), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

/// What a text may hold at any place of it.
std::vector<std::string> hostile_pieces() {
  std::vector<std::string> pieces;
  constexpr std::size_t bytes = 65536;
  for (const char* piece :
       {"a",  "1",   " ",  "(", "[",    "{",     "<",    "-",   "+1",  "*a",      "^2",  ".",   ",",   ";",  "a(", "-(",
        "'",  "\\",  "=",  "|", "a=1 ", "[1,1]", "{a->", "->a", "a.",  "sqrt(",   "1e9", "a,",  "<a>", "&",  "#",  "%",
        "- ", "a: ", "\t", "é", "[[",   "}}",    "])",   "\n",  "\n+", "\n[a]\n", "(a)", "v(a", "{u",  "!a", "?",  "$"})
    pieces.push_back(repeated(piece, bytes));
  for (const char* piece : {"\x1b[2J",
                            "\xC2\x9B"
                            "2J",
                            "\xE2\x80\xAE",
                            "\xE2\x81\xA6",
                            "\xFF",
                            "\xF0\x1b[2J",
                            "\xC3",
                            "\xED\xA0\x80",
                            "\x7F",
                            "\r",
                            "\x01",
                            "1e999999999",
                            "1e-999999999",
                            "a^1e-300",
                            "a^1e300",
                            "2^2^2^2^2^2^2^2",
                            "1/0",
                            "0^(-1)",
                            "a^-999999999",
                            "nan",
                            "inf",
                            "0x1F",
                            "1e",
                            "1e+"})
    pieces.emplace_back(piece);
  pieces.emplace_back("a\0b", 3);
  return pieces;
}

/// A file that is right but for the sign @.
struct Frame {
  InputFormat format;
  const char* text;
};

const std::vector<Frame>& frames() {
  static const std::vector<Frame> all{
      {InputFormat::dot, "@"},
      {InputFormat::dot, "digraph { u -> y [gain=\"@\"]; }"},
      {InputFormat::dot, "digraph { u -> @ -> y; }"},
      {InputFormat::dot, "digraph { u -> \"@\" -> y; }"},
      {InputFormat::dot, "digraph { label=\"@\"; parameters=\"K=@\"; units=\"K=@\"; u -> y [gain=\"K\"]; }"},
      {InputFormat::dot, "digraph { tables=\"f=@\"; u -> y [nonlinear=\"table(u, f)\"]; }"},
      {InputFormat::dot, "digraph { u -> y [nonlinear=\"@\"]; }"},
      {InputFormat::dot, "digraph { u -> y [nonlinear=\"table(u, '@')\"]; }"},
      {InputFormat::toml, "@"},
      {InputFormat::toml, "title = \"@\"\n[graph]\nbranches = [[\"u\", \"y\", \"@\"]]\n"},
      {InputFormat::toml, "[graph]\nbranches = [[\"@\", \"y\", \"K\"]]\n[parameters]\nK = \"@\"\n"},
      {InputFormat::toml, "[graph]\nbranches = @\n"},
      {InputFormat::toml, "[lagrange]\ncoordinates = [\"@\"]\nT = \"@\"\n"},
      {InputFormat::toml, "[graph]\nbranches = [[\"u\", \"y\", \"1/s\"]]\n[simulation]\ninputs = { u = \"@\" }\n"},
      {InputFormat::json, "@"},
      {InputFormat::json, "{\"branches\": [[\"a\", \"b\", @]]}"},
      {InputFormat::json, "{\"branches\": [[\"a\", \"@\", \"K\"]], \"title\": \"@\"}"},
      {InputFormat::spice, "@"},
      {InputFormat::spice, "t\nV1 a 0 AC 1\nR1 a 0 @\n.end\n"},
      {InputFormat::spice, "t\nV1 @ 0 AC 1\nR1 @ 0 1\n.end\n"},
      {InputFormat::spice, "t\nV1 a 0 AC 1\nB1 b 0 V={@}\nR1 b 0 1\n.end\n"},
      {InputFormat::spice, "t\nV1 a 0 AC 1\nB1 b 0 V=v(@)\nR1 b 0 1\n.end\n"},
      {InputFormat::spice, "t\nV1 a 0 AC 1\nR1 a 0 R\n.param R=@\n.end\n"},
      {InputFormat::script, "@"},
      {InputFormat::script, "syms x Dx z\nK=[x\nDx\nz\n1]\nTM=[m*Dx^2]/2\nPM=k/2*[x-z].^2\nFM=0\nFunctions\nm=@\nk=1\n"},
      {InputFormat::script, "syms x Dx z @\nK=[x\nDx\nz\n1]\nTM=[m*@]/2\nPM=k/2*[x-z].^2\nFM=0\nFunctions\nm=1\nk=1\n"},
      {InputFormat::csv, "@"},
      {InputFormat::csv, "from,to,gain\na,b,@\n"},
      {InputFormat::csv, "from,to,gain\n\"@\",b,K\n"},
      {InputFormat::graphml, "@"},
      {InputFormat::graphml,
       "<graphml><graph edgedefault=\"directed\"><node id=\"@\"/><node id=\"b\"/><edge source=\"@\" "
       "target=\"b\"/></graph></graphml>"},
      {InputFormat::yaml, "@"},
      {InputFormat::yaml, "sources: [a]\nsinks: [b]\nnodes: [a, b]\nedges:\n  - [a, b, \"@\"]\n"},
      {InputFormat::system, "@"},
      {InputFormat::system, "TransferFunctionContinuous(\narray([@]),\narray([1., 1.]),\ndt: None\n)"}};
  return all;
}

std::string filled(const Frame& frame, const std::string& piece) {
  std::string text = frame.text;
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + piece.size()))
    text.replace(at, 1, piece);
  return text;
}

/// What the piece is, for a message.
std::string shown(const std::string& piece) { return printable(piece.substr(0, 20)) + " × " + std::to_string(piece.size()); }

/// Runs it: an answer, or a Failure that can be shown and is no longer than a screen for every error of the file.
void expect_words(const std::function<void()>& reading, const std::string& what) {
  constexpr std::size_t longest_line = 8200, longest = 200000;  // 2000 characters, at most 101 lines
  try {
    reading();
  } catch (const Failure& failure) {
    const std::string said = failure.what();
    EXPECT_FALSE(said.empty()) << what;
    EXPECT_TRUE(is_printable(said)) << what << ": " << printable(said.substr(0, 300));
    EXPECT_LT(said.size(), longest) << what;
    EXPECT_LT(said.substr(0, said.find('\n')).size(), longest_line) << what;
  } catch (const std::exception& fault) {
    ADD_FAILURE() << what << ": " << printable(std::string(fault.what()).substr(0, 300));
  }
}

class HostileText : public testing::TestWithParam<std::size_t> {};

TEST_P(HostileText, IsReadOrRefused) {
  const Frame& frame = frames()[GetParam()];
  on_small_stack([&] {
    for (const std::string& piece : hostile_pieces()) {
      const std::string text = filled(frame, piece);
      expect_words(
          [&] {
            const Input input = read(text, frame.format, "hostile");
            const auto* graph = std::get_if<SignalFlowGraph>(&input.content);
            EXPECT_TRUE(graph == nullptr ||
                        std::ranges::none_of(graph->nodes(), [](const Node& node) { return has_steering(node.name); }));
          },
          std::string(frame.text) + " with " + shown(piece));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Frames, HostileText, testing::Range<std::size_t>(0, 35));

TEST(HostileText, AllFramesAreTried) { EXPECT_EQ(frames().size(), 35U); }

TEST(HostileText, OfOtherReadersToo) {
  on_small_stack([&] {
    for (const std::string& piece : hostile_pieces()) {
      expect_words([&] { read_csv(piece, "hostile.csv"); }, "samples, " + shown(piece));
      expect_words([&] { read_points("0, 0\n" + piece, "hostile.csv"); }, "points, " + shown(piece));
      expect_words(
          [&] {
            SymbolTable symbols;
            parse(piece, symbols);
          },
          "an expression, " + shown(piece));
      expect_words([&] { parse_number(piece); }, "a number, " + shown(piece));
    }
  });
}

// A megabyte of one byte, and lines without an end.
TEST(HostileText, OfAMegabyte) {
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  on_small_stack([&] {
    for (const FormatName& format : format_names())
      for (const char* piece : {"a", "(", "[", "\n", " ", "9", "a->", "\xFF"})
        expect_words([&] { read(repeated(piece, megabyte), format.format, "hostile"); },
                     std::string(format.name) + ", a megabyte of " + printable(piece));
  });
}

TEST(HostileText, AChainOfTenThousandNodesIsRead) {
  std::string text = "digraph { n0";
  for (int i = 1; i < 10000; ++i) text += " -> n" + std::to_string(i);
  const Input input = read(text + "; }", InputFormat::dot, "chain.dot");
  EXPECT_EQ(std::get<SignalFlowGraph>(input.content).nodes().size(), 10000U);
}

}  // namespace
}  // namespace sfg
