// A report as a page: what a reader's browser is told and what it must not be.
#include "sfg/report/report.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/read/input.hpp"
#include "sfg/text/digest.hpp"

namespace sfg {
namespace {

std::string html(const Report& report) {
  std::ostringstream out;
  write_html_document(out, report);
  return out.str();
}

Report report_of(const std::string& text, const ReportOptions& options = {}) {
  const Subject subject(read(text, InputFormat::dot, "model.dot"));
  return report({subject, "model.dot", text, questions(subject.graph())}, options);
}

std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) found.push_back((*i)[1]);
  return found;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  return text.substr(from + begin.size(), text.find(end, from + begin.size()) - from - begin.size());
}

// R → e → y, y → e, y → y: two loops that touch, and c → c, which touches neither.
const std::string three_loops =
    R"(digraph { input="R"; output="y"; R -> e; e -> y [gain="K"]; y -> e [gain="-H"]; y -> y [gain="-g"]; R -> c; c -> c [gain="q"];
       c -> y [gain="b"]; })";

TEST(ReportPage, ScriptsAreThoseOfThePolicy) {
  const std::string page = html(report_of(three_loops));
  const std::string script = between(page, "<script>", "</script>");
  ASSERT_GT(script.size(), 1000U);
  EXPECT_NE(page.find("script-src 'sha256-" + base64(sha256(script)) + "'"), std::string::npos);
  EXPECT_EQ(all(page, "(<script)").size(), 1U);
  EXPECT_LT(page.find("Content-Security-Policy"), page.find("<style"));
  for (const char* rule : {"default-src 'none'", "base-uri 'none'", "form-action 'none'"})
    EXPECT_NE(page.find(rule), std::string::npos) << rule;
}

TEST(ReportPage, ContentsNameTheSectionsInOrder) {
  const std::string page = html(report_of(three_loops));
  const auto links = all(between(page, "<nav", "</nav>"), "href=\"#([^\"]+)\""), sections = all(page, "<section id=\"([^\"]+)\"");
  EXPECT_EQ(links, sections);
  EXPECT_GE(sections.size(), 4U);
  EXPECT_EQ(all(page, "(<h1)").size(), 1U);
}

TEST(ReportPage, ControlsKnowTheirBranches) {
  const std::string page = html(report_of(three_loops));
  // branches by index: 0 R→e, 1 e→y, 2 y→e, 3 y→y, 4 R→c, 5 c→c, 6 c→y
  std::set<std::string> paths, loops;
  for (const std::string& path : all(page, "data-path=\"\\d\"[^>]*data-branches=\"([^\"]*)\"")) paths.insert(path);
  for (const std::string& loop : all(page, "data-loop=\"\\d\"[^>]*data-branches=\"([^\"]*)\"")) loops.insert(loop);
  EXPECT_EQ(paths, (std::set<std::string>{"0 1", "4 6"}));
  EXPECT_EQ(loops, (std::set<std::string>{"1 2", "3", "5"}));
  EXPECT_EQ(all(page, "data-set=\"([^\"]*)\"").size(), 2U);
  EXPECT_EQ(all(page, "(<g class=\"branch[^>]*tabindex=\"0\" role=\"button\")").size(), 7U);
}

TEST(ReportPage, TermsNameTheirLoops) {
  const std::string page = html(report_of(three_loops)), delta = between(page, "data-delta=\"0\"", "<br>");
  const auto terms = all(delta, "data-terms=\"([^\"]*)\"");
  EXPECT_EQ(terms.size(), 5U);  // three loops, two pairs
  EXPECT_EQ(std::set<std::string>(terms.begin(), terms.end()).size(), 5U);
  const std::string gain = between(page, "Gain from", "</p>");
  EXPECT_EQ(all(gain, "data-terms=\"(P\\d)\""), (std::vector<std::string>{"P1", "P2"}));
}

TEST(ReportPage, NamesAreData) {
  const std::string page = html(report_of(
      R"(digraph "</title><img src=x>" { input="</script><b>"; output="\"&'<>"; "</script><b>" -> "\"&'<>" [gain="K"]; "\"&'<>" -> "\"&'<>" [gain="-1"]; })"));
  EXPECT_EQ(all(page, "(<img|<b>)").size(), 0U);
  EXPECT_EQ(all(page, "(</script)").size(), 1U);
  EXPECT_EQ(all(page, "(</title>)").size() - all(page, "(<title)").size(), 0U);
  EXPECT_NE(page.find("data-name=\"&lt;/script&gt;&lt;b&gt;\""), std::string::npos);
}

TEST(ReportPage, NoSectionButThoseAskedFor) {
  const std::string page = html(report_of(three_loops, {.title = "Other <title> & \"more\"", .sections = {"mason"}}));
  EXPECT_EQ(all(page, "<section id=\"([^\"]+)\""), std::vector<std::string>{"mason"});
  EXPECT_NE(page.find("<h1>Other &lt;title&gt; &amp; &quot;more&quot;</h1>"), std::string::npos);
  EXPECT_EQ(all(page, "(class=\"said\")").size(), 1U);  // what touches is said without the graph, too
  EXPECT_EQ(all(page, "data-branches=\"([^\"]+)\"").size(), 0U);
}

TEST(ReportPage, LongListsAreFolded) {
  // A chain with eight loops between neighbours.
  std::string text = "digraph { input=\"n0\"; output=\"n41\"; n0 -> n1;";
  for (int i = 1; i <= 40; ++i)
    text += "n" + std::to_string(i) + " -> n" + std::to_string(i + 1) + " [gain=\"a" + std::to_string(i) + "\"]; " +
            (i % 5 == 1 ? "n" + std::to_string(i + 1) + " -> n" + std::to_string(i) + " [gain=\"-1\"]; " : std::string());
  const std::string page = html(report_of(text + "}", {.sections = {"mason"}}));
  const std::size_t sets = all(page, "data-set=\"([^\"]*)\"").size();
  EXPECT_EQ(sets, 247U);  // eight loops that do not touch: 2^8 − 1 − 8 sets of two or more
  EXPECT_EQ(all(page, "(<details>)").size(), all(page, "(</details>)").size());
  EXPECT_GE(all(page, "(<details>)").size(), 1U);
}

TEST(ReportPage, FormulasAreBrokenWhereALineEnds) {
  SymbolTable symbols;
  std::string sum = "x";
  for (int i = 0; i < 40; ++i) sum += " + alpha_" + std::to_string(i) + "*s^" + std::to_string(i % 5);
  Page wide;
  wide.add(Equations{{{Math::name("T"), {math(parse("(" + sum + ")/(1 + " + sum + "*y)", symbols), "s")}}}, "s"});
  const std::string page = html({.title = "t", .sections = {{"transfer", "T", {{{}, wide}}}}, .moving = {}});
  EXPECT_NE(page.find("<mtable class=\"lines\">"), std::string::npos);
  EXPECT_EQ(page.find("style=\"--fit"), std::string::npos);  // the lines fit: nothing need shrink
  EXPECT_EQ(all(page, "<msub><mi>(α)</mi>").size(), 80U);
}

TEST(ReportPage, FormulasAreCopiedAsTheyAre) {
  const ReportFormula formula{{Math::name("T"), {Math::name("K")}}, "K<1 & \"x\"", "\\frac{K}{s}", "K/s"};
  const std::string page = html({.title = "t", .sections = {{"transfer", "T", {{"C/R", formula}}}}, .moving = {}});
  EXPECT_EQ(all(page, "data-copy=\"([a-z]+)\""), (std::vector<std::string>{"text", "latex", "sympy"}));
  EXPECT_NE(page.find("value=\"K&lt;1 &amp; &quot;x&quot;\""), std::string::npos);
  EXPECT_NE(page.find("value=\"\\frac{K}{s}\""), std::string::npos);
  EXPECT_NE(page.find("<div class=\"part\" data-transfer=\"C/R\">"), std::string::npos);
}

TEST(ScriptHash, IsThatOfAPublishedScript) {
  // CSP level 3, section 8.3: the hash of alert('Hello, world.');
  EXPECT_EQ(base64(sha256("alert('Hello, world.');")), "qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
}

}  // namespace
}  // namespace sfg
