// Every graph of the corpus gives its published transfer function by every engine: determinant diagram, Mason's paths and
// loops, sequences of definitions by either method, node elimination step by step, sparse elimination modulo a prime, the
// compiled program for numbers. graphs/README.md explains the attributes.
#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "expect.hpp"
#include "response_modulo.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/reduce.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {
namespace {

namespace fs = std::filesystem;

const fs::path corpus = fs::path(SFG_SOURCE_DIR) / "graphs";

SignalFlowGraph read_graph(const std::string& name) {
  std::ifstream in(corpus / name);
  std::ostringstream text;
  text << in.rdbuf();
  return read_dot(text.str(), name);
}

std::optional<std::string> attribute(const SignalFlowGraph& graph, const std::string& name) {
  const auto it = std::find_if(graph.attributes.begin(), graph.attributes.end(), [&](const auto& a) { return a.first == name; });
  if (it == graph.attributes.end()) return {};
  return it->second;
}

/// One question of a file: the attributes with its suffix.
struct Asked {
  Question question;
  std::string expect;
  std::optional<std::string> misprint, paths, loops, sets;
};

NodeId node(const SignalFlowGraph& graph, const std::string& name) {
  const auto found = graph.find(name);
  if (!found) throw std::runtime_error("the question names no node: " + name);
  return *found;
}

std::vector<Asked> asked_of(const SignalFlowGraph& graph) {
  std::vector<Asked> asked;
  for (int number = 1;; ++number) {
    const std::string suffix = number == 1 ? "" : "_" + std::to_string(number);
    const auto expect = attribute(graph, "expect" + suffix);
    if (!expect) return asked;
    Asked next{.question = {},
               .expect = *expect,
               .misprint = attribute(graph, "misprint" + suffix),
               .paths = attribute(graph, "paths" + suffix),
               .loops = attribute(graph, "loops" + suffix),
               .sets = attribute(graph, "sets" + suffix)};
    next.question.input = number == 1 ? graph.inputs.at(0) : node(graph, attribute(graph, "input" + suffix).value());
    next.question.output = number == 1 ? graph.outputs.at(0) : node(graph, attribute(graph, "output" + suffix).value());
    if (const auto reference = attribute(graph, "ratio" + suffix)) {
      next.question.mode = Question::Mode::ratio;
      next.question.reference = node(graph, *reference);
    } else if (attribute(graph, "inject" + suffix)) {
      next.question.mode = Question::Mode::inject;
    }
    asked.push_back(std::move(next));
  }
}

std::vector<std::string> corpus_files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(corpus))
    if (entry.path().extension() == ".dot") names.push_back(fs::relative(entry.path(), corpus).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Values for all names of a graph, the same in every engine.
GiNaC::exmap some_numbers(const SignalFlowGraph& graph) {
  GiNaC::exmap values;
  long number = 2;
  for (const Symbol& symbol : graph.symbols.all()) values[symbol.expr] = GiNaC::numeric(number += 3, 7);
  return values;
}

void agrees_by_paths(const MasonListing& listing, const GiNaC::ex& expected) {
  const auto [above, below] = gain_by_paths(listing);
  EXPECT_EXPRESSION(above / below, expected);
}

void agrees_by_sequence(const SignalFlowGraph& graph, const Question& question, const GiNaC::ex& expected) {
  using Choice = SequenceOptions::Choice;
  for (const Choice method : {Choice::diagram, Choice::elimination}) {
    const TransferSequence sequence = transfer_sequence(graph, question, {.method = method});
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 40 && compared < 2; ++seed) {
      const ModularPoint point = random_point(seed);
      const auto found = value_modulo(sequence, point), wanted = point(expected);
      if (!found || !wanted) continue;
      EXPECT_EQ(*found, *wanted);
      ++compared;
    }
    EXPECT_EQ(compared, 2) << "no point was found at which the sequence has a value";
  }
}

void agrees_by_elimination(const SignalFlowGraph& graph, const Question& question, const GiNaC::ex& expected) {
  int compared = 0;
  for (std::uint64_t seed = 41; seed <= 80 && compared < 2; ++seed) {
    const ModularPoint point = random_point(seed);
    const auto found = test::response_modulo(graph, question, point), wanted = point(expected);
    if (!found || !wanted) continue;
    EXPECT_EQ(*found, *wanted);
    ++compared;
  }
  EXPECT_EQ(compared, 2) << "no point was found at which the elimination has a value";
}

/// What is left when every node between source and sink is eliminated: the branch from one to the other.
void agrees_by_reduction(SignalFlowGraph graph, const Question& question, const GiNaC::ex& expected) {
  if (question.mode != Question::Mode::source || question.input == question.output) return;
  graph.inputs = {question.input};
  graph.outputs = {question.output};
  const std::string input = graph[question.input].name, output = graph[question.output].name;
  const SignalFlowGraph after = reduce(graph, {}).after;
  EXPECT_EXPRESSION(transfer_function(after, sfg::question(after, input, output)).value.expression(), expected);
}

void agrees_by_program(const SignalFlowGraph& graph, const Question& question, const GiNaC::ex& expected) {
  SignalFlowGraph numbered = graph;
  GiNaC::exmap values = some_numbers(graph);
  const GiNaC::ex s = graph.op.in(graph.symbols);
  values.erase(s);
  const std::complex<double> at(0.3, 1.7);
  const auto wanted = complex_value(expected.subs(values), s, at);
  if (!wanted) return;  // a pole
  const CompiledResponse program(numbered.substituted(values), std::span(&question, 1));
  const std::complex<double> found = program.values(std::span(&at, 1)).value.at(0);
  EXPECT_NEAR(std::abs(found - *wanted), 0, 1e-9 * std::max(1.0, std::abs(*wanted)));
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, GivesItsPublishedAnswer) {
  SignalFlowGraph graph = read_graph(GetParam());
  const auto asked = asked_of(graph);
  ASSERT_FALSE(asked.empty());
  for (const Asked& a : asked) {
    SCOPED_TRACE(graph[a.question.input].name + " -> " + graph[a.question.output].name);
    if (a.expect == "error: singular") {
      EXPECT_THROW(transfer_function(graph, a.question), NoAnswer);
      EXPECT_THROW(mason(graph, a.question), NoAnswer);
      continue;
    }
    const GiNaC::ex expected = parse(a.expect, graph.symbols);
    const GiNaC::ex by_diagram = transfer_function(graph, a.question).value.expression();
    EXPECT_EXPRESSION(by_diagram, expected);
    const MasonListing listing = mason(graph, a.question);
    agrees_by_paths(listing, expected);
    agrees_by_sequence(graph, a.question, expected);
    agrees_by_elimination(graph, a.question, expected);
    agrees_by_reduction(graph, a.question, expected);
    agrees_by_program(graph, a.question, expected);
    if (a.misprint) {
      EXPECT_FALSE(vanishes(by_diagram - parse(*a.misprint, graph.symbols)));
    }
    if (a.paths) {
      EXPECT_EQ(listing.path_count, ring::Integer(*a.paths));
      EXPECT_EQ(std::to_string(listing.paths.size()), *a.paths);
    }
    if (a.loops) {
      EXPECT_EQ(listing.loop_count, ring::Integer(*a.loops));
      EXPECT_EQ(std::to_string(listing.loops.size()), *a.loops);
    }
    if (a.sets) {
      EXPECT_EQ(listing.set_count, ring::Integer(*a.sets));
      EXPECT_EQ(std::to_string(1 + listing.loops.size() + listing.non_touching.size()), *a.sets);
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Graphs, Corpus, testing::ValuesIn(corpus_files()), test_name);

}  // namespace
}  // namespace sfg
