// Every form of an answer reads back: what `tf` writes as rational, mason, factored or sequence, in text and in JSON, is read
// by the same grammar and compared with the transfer function, by its normal form and, sharing nothing with it, by values
// modulo a prime of the text alone and of an elimination on the graph. SFG_TEST_MULTIPLIER=10 runs ten times as many.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "expect.hpp"
#include "graphs/random.hpp"
#include "response_modulo.hpp"
#include "sfg/error.hpp"
#include "sfg/transfer/factored.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"
#include "sfg/write/forms/transfer.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {
namespace {

using Json = nlohmann::json;

const TextLayout unbroken{.width = 1'000'000};

std::uint64_t multiplier() {
  const char* text = std::getenv("SFG_TEST_MULTIPLIER");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

/// The answer to one question in every form, as `tf` writes it.
class Written {
 public:
  Written(const SignalFlowGraph& graph, const Question& question)
      : graph_(graph), transfer(transfer_function(graph, question)), sequence(transfer_sequence(graph, question)) {}

  template <class Write>
  static std::string text(Write write) {
    std::ostringstream out;
    write(out);
    return out.str();
  }
  Json rational_json() const {
    return parsed(text([&](std::ostream& out) { write_json(out, graph_, {&transfer, 1}); }));
  }
  Json mason_json() const {
    const MasonListing listing = mason(graph_, transfer.question);
    return parsed(text([&](std::ostream& out) { write_json(out, graph_, {&listing, 1}, {&transfer, 1}); }));
  }
  Json factored_json() const {
    const FactoredTransfer factors = factored(transfer);
    return parsed(text([&](std::ostream& out) { write_json(out, graph_, {&factors, 1}, {&transfer, 1}); }));
  }
  Json sequence_json() const {
    return parsed(text([&](std::ostream& out) { write_json(out, graph_, {&sequence, 1}); }));
  }
  std::string rational_text() const {
    return text([&](std::ostream& out) { write_text(out, page(graph_, {&transfer, 1}), unbroken); });
  }
  std::string factored_text() const {
    const FactoredTransfer factors = factored(transfer);
    return text([&](std::ostream& out) { write_text(out, page(graph_, {&factors, 1}, {&transfer, 1}), unbroken); });
  }
  std::string sequence_text() const {
    return text([&](std::ostream& out) { write_text(out, page(graph_, {&sequence, 1}), unbroken); });
  }

 private:
  static Json parsed(const std::string& json) { return Json::parse(json).at("transfers").at(0); }
  const SignalFlowGraph& graph_;

 public:
  TransferFunction transfer;
  TransferSequence sequence;
};

/// Texts read by the grammar, definitions put in.
class Reading {
 public:
  explicit Reading(SymbolTable symbols) : symbols_(std::move(symbols)) {}

  void define(const std::string& name, const std::string& value) {
    const GiNaC::ex meant = this->value(value);
    definitions_[symbols_.symbol(name)] = meant;
  }
  GiNaC::ex value(const std::string& text) { return parse(text, symbols_).subs(definitions_, GiNaC::subs_options::no_pattern); }

 private:
  SymbolTable symbols_;
  GiNaC::exmap definitions_;
};

struct Form {
  std::string name;
  std::string value;  ///< or numerator and denominator
  std::string below = {};
  std::vector<std::pair<std::string, std::string>> definitions = {};

  GiNaC::ex read(const SymbolTable& symbols) const {
    Reading reading(symbols);
    for (const auto& [defined, text] : definitions) reading.define(defined, text);
    const GiNaC::ex above = reading.value(value);
    return below.empty() ? above : above / reading.value(below);
  }
};

std::vector<Form> both(const std::string& name, const Json& json,
                       std::vector<std::pair<std::string, std::string>> definitions = {}) {
  return {{name, json.at("expression").get<std::string>(), {}, definitions},
          {name + ", numerator and denominator", json.at("numerator").get<std::string>(),
           json.at("denominator").get<std::string>(), definitions}};
}

/// The equations "name = value" of the text: definitions first, then the answer, whose value may be a quotient N/D that the
/// next two lines explain. Nothing when the answer is drawn as a fraction over three lines.
std::vector<Form> of_text(const std::string& name, const std::string& text) {
  if (text.find(" = --") != std::string::npos) return {};
  std::vector<std::pair<std::string, std::string>> equations;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    const std::size_t begin = line.find_first_not_of(' ');
    if (equals == std::string::npos || (begin > 0 && line.find(':') != std::string::npos)) break;  // remarks
    equations.emplace_back(line.substr(begin, equals - begin), line.substr(equals + 3));
  }
  const std::size_t n = equations.size();
  if (n >= 3 && equations[n - 3].second == equations[n - 2].first + "/" + equations[n - 1].first)
    return {{name, equations[n - 2].second, equations[n - 1].second, {equations.begin(), equations.end() - 3}}};
  return {{name, equations.back().second, {}, {equations.begin(), equations.end() - 1}}};
}

std::vector<Form> forms(const Written& written) {
  std::vector<Form> all;
  const auto add = [&](std::vector<Form> more) { all.insert(all.end(), more.begin(), more.end()); };
  add(both("rational", written.rational_json()));
  add(both("mason", written.mason_json()));
  add(both("factored", written.factored_json()));
  const Json sequence = written.sequence_json();
  std::vector<std::pair<std::string, std::string>> definitions;
  for (const Json& definition : sequence.at("definitions"))
    definitions.emplace_back(definition.at(0).get<std::string>(), definition.at(1).get<std::string>());
  add(both("sequence", sequence, definitions));
  add(of_text("rational as text", written.rational_text()));
  add(of_text("factored as text", written.factored_text()));
  add(of_text("sequence as text", written.sequence_text()));
  return all;
}

struct Count {
  std::size_t answers = 0, forms = 0, points = 0;
};

void compare(const SignalFlowGraph& graph, const Question& question, Count& count) {
  std::optional<Written> written;
  try {
    written.emplace(graph, question);
  } catch (const NoAnswer&) {
    return;
  }
  ++count.answers;
  const GiNaC::ex expected = written->transfer.value.expression();
  for (const Form& form : forms(*written)) {
    SCOPED_TRACE(form.name + ": " + form.value + (form.below.empty() ? "" : " over " + form.below));
    ++count.forms;
    EXPECT_EXPRESSION(form.read(graph.symbols), expected);
    const GiNaC::ex alone = form.read({});  // symbols made anew: the text says all
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const ModularPoint point = random_point(seed);
      const auto given = point(alone), wanted = test::response_modulo(graph, question, point);
      if (!given || !wanted) continue;  // a denominator vanishes there
      ++count.points;
      EXPECT_EQ(*given, *wanted);
    }
  }
}

TEST(FormsReadBack, OfRandomGraphs) {
  Count count;
  for (std::uint64_t seed = 1; seed <= 400 * multiplier(); ++seed) {
    const test::RandomGraph random(seed, test::Gains::any);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    const Question question = seed % 2 == 0 ? Question{random.input, random.output, Question::Mode::source, {}}
                                            : Question{random.inner, random.output, Question::Mode::ratio, random.input};
    try {
      compare(random.graph, question, count);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    if (::testing::Test::HasFailure()) break;
  }
  RecordProperty("answers", std::to_string(count.answers));
  EXPECT_GT(count.answers, 300U);
  EXPECT_GT(count.forms, 8 * count.answers);
  EXPECT_GT(count.points, count.forms);
}

/// The comparison finds a form that says something else.
TEST(FormsReadBack, AWrongFormIsSeen) {
  const test::RandomGraph random(3);
  const Written written(random.graph, {random.input, random.output, Question::Mode::source, {}});
  Form form = forms(written).front();
  form.value += " + s^40/10^9";
  EXPECT_FALSE(vanishes(form.read(random.graph.symbols) - written.transfer.value.expression()));
  const ModularPoint point = random_point(1);
  EXPECT_NE(point(form.read({})), test::response_modulo(random.graph, written.transfer.question, point));
}

}  // namespace
}  // namespace sfg
