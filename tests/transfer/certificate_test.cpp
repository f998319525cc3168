#include "sfg/transfer/certificate.hpp"

#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "published_cases.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/verify.hpp"
#include "sfg/write/certificate.hpp"

namespace sfg {
namespace {

using test::graph_of;
using Form = CertificateOptions::Form;

Question ask(const SignalFlowGraph& graph, const std::string& input, const std::string& output) {
  return {graph.find(input).value(), graph.find(output).value(), Question::Mode::source, {}};
}

Certificate certified(const SignalFlowGraph& graph, const Question& question, Form form = Form::automatic) {
  const std::vector<Question> questions{question};
  return certificate(graph, questions, linear_equations(graph, questions), {.form = form});
}

// The equations are satisfied by the stated solutions, and the answers are those of the solutions: by arithmetic of the test
// alone.
void expect_evidence(const Certificate& found) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < found.signals.size(); ++i) place[found.signals[i]] = i;
  for (const Certificate::Point& point : found.points) {
    __extension__ using Wide = unsigned __int128;
    const auto times = [&](std::uint64_t a, std::uint64_t b) { return static_cast<std::uint64_t>(Wide{a} * b % point.prime); };
    EXPECT_NE(point.determinant, 0U);
    ASSERT_EQ(point.solutions.size(), found.driven.size());
    for (std::size_t d = 0; d < found.driven.size(); ++d)
      for (std::size_t r = 0; r < found.equations.size(); ++r) {
        std::uint64_t sum = 0;
        for (std::size_t t = 0; t < found.equations[r].terms.size(); ++t)
          sum = (sum + times(point.matrix[r][t], point.solutions[d][place.at(found.equations[r].terms[t].first)])) % point.prime;
        EXPECT_EQ(sum, found.equations[r].of == found.driven[d] ? 1U : 0U) << found.equations[r].of;
      }
    for (std::size_t a = 0; a < found.answers.size(); ++a) {
      if (found.answers[a].mode != Question::Mode::source || found.driven.size() != 1) continue;
      EXPECT_EQ(point.answers[a], point.solutions[0][place.at(found.answers[a].output)]);
    }
  }
}

TEST(Certificate, OfOneLoop) {
  const SignalFlowGraph graph = graph_of({{"R", "e", "1"}, {"e", "C", "G/s"}, {"C", "e", "-H"}});
  const Certificate found = certified(graph, ask(graph, "R", "C"));
  ASSERT_EQ(found.equations.size(), 3U);
  using Terms = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(found.equations[1].terms, (Terms{{"R", "-1"}, {"e", "1"}, {"C", "H"}}));
  EXPECT_EQ(found.equations[2].terms, (Terms{{"e", "-G/s"}, {"C", "1"}}));
  EXPECT_EQ(found.answers[0].numerator, "G");
  EXPECT_EQ(found.answers[0].denominator, "s + G*H");
  EXPECT_TRUE(found.answers[0].lowest_terms);
  // N·det·s − D·det'·s: max(1, 2) of the answer, max(1, 1 + 1) of the equation of e, 1 of that of C
  EXPECT_EQ(found.answers[0].degree_bound, "4");
  EXPECT_EQ(found.points.size(), 3U);
  expect_evidence(found);
}

TEST(Certificate, EvidenceOfPublishedGraphsInBothForms) {
  std::size_t seen = 0;
  for (const auto& item : test::published_cases()) {
    if (item.known.at("expect") == "error") continue;
    SCOPED_TRACE(item.id);
    for (const Form form : {Form::fraction, Form::sequence}) expect_evidence(certified(item.graph, item.question, form));
    ++seen;
  }
  EXPECT_GT(seen, 10U);
}

TEST(Certificate, ValuesAreThoseOfTheMatrixThatVerifies) {
  const SignalFlowGraph graph = graph_of({{"R", "a", "K"}, {"a", "b", "1/(s + K)"}, {"b", "a", "-2"}, {"b", "C", "s"}});
  const Certificate found = certified(graph, ask(graph, "R", "C"));
  for (const Certificate::Point& point : found.points) {
    SignalFlowGraph with_numbers = graph;
    GiNaC::exmap values;
    for (std::size_t i = 0; i < found.letters.size(); ++i)
      values[graph.symbols.at(found.letters[i].name).expr] = GiNaC::numeric(static_cast<unsigned long>(point.letters[i]));
    const ModularPoint nowhere(point.prime, 0);
    ModularElimination elimination(graph.substituted(values), nowhere);
    EXPECT_EQ(elimination.determinant(), point.determinant);
    EXPECT_EQ(elimination.response(ask(graph, "R", "C")), point.answers[0]);
  }
}

TEST(Certificate, OfAModelHasItsEquations) {
  const Input input = read_file(std::string(SFG_SOURCE_DIR) + "/examples/quarter_car.toml");
  const EquationSystem system = derive(std::get<Model>(input.content));
  SignalFlowGraph graph = from_equations(system).graph;
  output_signal(graph, "stroke", system.definitions);
  const std::vector<Question> questions{ask(graph, "z_r", "stroke")};
  const auto equations = linear_equations(system, graph, questions);
  ASSERT_TRUE(equations);
  EXPECT_EQ(equations->signals, (std::vector<std::string>{"F_s", "F_u", "z_r", "z_s", "z_u", "stroke", "tyre"}));
  expect_evidence(certificate(graph, questions, *equations));
  const std::vector<Question> of_the_graph{ask(graph, "z_r", "e_z_s")};
  EXPECT_FALSE(linear_equations(system, graph, of_the_graph));
}

TEST(Certificate, NodesBehindALawAreLeftOut) {
  SignalFlowGraph graph = graph_of({{"R", "C", "K"}});
  const NodeId f = graph.node("f");
  const GiNaC::ex u = graph.symbols.symbol("u");
  graph.add_branch({.from = graph.at("C"), .to = f, .law = Nonlinearity{u * u}, .where = {}, .attributes = {}});
  EXPECT_EQ(certified(graph, ask(graph, "R", "C")).left_out, (std::vector<std::string>{"f"}));
  EXPECT_THROW(certified(graph, ask(graph, "R", "f")), Error);
}

TEST(Certificate, RefusesWhatIsNotReal) {
  const SignalFlowGraph graph = graph_of({{"R", "C", "K/sqrt(-2)"}});
  EXPECT_THROW(certified(graph, ask(graph, "R", "C")), NoAnswer);
  const std::vector<Question> questions{ask(graph, "R", "C")};
  EXPECT_THROW(certificate(graph, questions, linear_equations(graph, questions), {.points = 1}), std::invalid_argument);
}

TEST(Certificate, IsTheSameOnEveryRun) {
  const SignalFlowGraph graph = graph_of({{"R", "e", "1"}, {"e", "C", "exp(-T*s)/s"}, {"C", "e", "-sqrt(H)"}});
  std::ostringstream first, second;
  write_json(first, certified(graph, ask(graph, "R", "C")));
  write_json(second, certified(graph, ask(graph, "R", "C")));
  EXPECT_EQ(first.str(), second.str());
}

}  // namespace
}  // namespace sfg
