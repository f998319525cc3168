// The sections of a report, by kind of model, and the commands that make its figures again.
#include "sfg/report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "sfg/derive/derive.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/report/report_command.hpp"
#include "sfg/write/page/page.hpp"

namespace {

using namespace sfg;
using Names = std::vector<std::string>;

ReportSubject subject_of(const std::string& text, InputFormat format, const std::string& file) {
  ReportSubject subject{Subject(read(text, format, file)), file, text, {}};
  if (!subject.graph().stated_inputs().empty()) subject.questions = questions(subject.graph());
  return subject;
}

ReportSubject of_dot(const std::string& text) { return subject_of(text, InputFormat::dot, "g.dot"); }

Names ids(const Report& report) {
  Names all;
  for (const ReportSection& section : report.sections) all.push_back(section.id);
  return all;
}

const ReportSection& section(const Report& report, const std::string& id) {
  const auto found = std::ranges::find(report.sections, id, &ReportSection::id);
  if (found == report.sections.end()) throw std::out_of_range("no section " + id);
  return *found;
}

/// All pages of a section as text.
std::string text_of(const Report& report, const std::string& id) {
  std::ostringstream out;
  for (const ReportPart& part : section(report, id).parts)
    if (const auto* page = std::get_if<Page>(&part.content)) write_text(out, *page, {.width = 1000});
  return out.str();
}

template <class Content>
std::size_t count(const Report& report, const std::string& id) {
  return static_cast<std::size_t>(std::ranges::count_if(
      section(report, id).parts, [](const ReportPart& part) { return std::holds_alternative<Content>(part.content); }));
}

Names lines(const std::string& text) {
  Names all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find("sfg ") != std::string::npos) all.push_back(line.substr(line.find("sfg ")));
  return all;
}

const std::string loop = R"g(digraph "A loop" { input="R"; output="C"; parameters="K=4, T=0.5";
  R -> e; e -> C [gain="K/(T*s+1)"];
C->e[gain = "-1"];
})g";

TEST(Report, GraphWithValuesHasAllThatApplies) {
  const Report made = report(of_dot(loop));
  EXPECT_EQ(made.title, "A loop");
  EXPECT_EQ(ids(made), (Names{"model", "graph", "mason", "transfer", "poles", "frequency", "time", "sensitivity", "reduction",
                              "verification", "reproduce"}));
  EXPECT_EQ(count<ReportDerivation>(made, "mason"), 1);
  EXPECT_EQ(count<Figure>(made, "frequency"), 1);
  EXPECT_NE(text_of(made, "poles").find("Stable"), std::string::npos);
  EXPECT_NE(text_of(made, "time").find("rise time"), std::string::npos);
}

TEST(Report, OfALoopThatIsOpened) {
  const ReportSubject whole = of_dot(loop);
  ReportSubject subject{whole.subject.about(LoopTerms{.where = "C,e", .of = LoopAnswer::sensitivity}), "g.dot", loop, {}};
  subject.questions = questions(subject.graph());
  subject.words = {"--break", "C,e", "--of", "sensitivity"};
  const Report made = report(subject);
  EXPECT_EQ(ids(made), (Names{"model", "graph", "mason", "transfer", "loop", "poles", "frequency", "time", "sensitivity",
                              "reduction", "verification", "reproduce"}));
  const std::string text = text_of(made, "loop");
  for (const char* part : {"L = K/", "S = ", "T = K/", "phase margin", "modulus-margin", "opened at C,e"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  EXPECT_EQ(count<Figure>(made, "loop"), 4U);
  EXPECT_EQ(text_of(made, "frequency").find("margin"), std::string::npos);
  EXPECT_NE(text_of(made, "verification").find("complementary"), std::string::npos);
  const Names commands = lines(text_of(made, "reproduce"));
  for (const char* line : {"sfg margins g.dot --break C,e --of loop", "sfg poles g.dot --break C,e --of sensitivity"})
    EXPECT_NE(std::ranges::find(commands, line), commands.end()) << line;
  for (const std::string& command : commands) EXPECT_EQ(command.find("--from"), std::string::npos) << command;
}

TEST(Report, WithoutValuesNothingIsInNumbers) {
  const Report made = report(of_dot(R"g(digraph { R -> e; e -> C [gain="K/(T*s+1)"]; C -> e [gain="-1"]; C -> y;
})g"));
  const Names there = ids(made);
  for (const char* absent : {"poles", "frequency", "time", "equations"})
    EXPECT_EQ(std::ranges::find(there, absent), there.end()) << absent;
  EXPECT_NE(std::ranges::find(there, "sensitivity"), there.end());
  EXPECT_FALSE(made.moving);
}

TEST(Report, FormulasAreForProgramsToo) {
  const Report made = report(of_dot(R"g(digraph { u -> y [gain="a^2/(s^2+b)"];
})g"));
  const auto& part = section(made, "transfer").parts.front();
  EXPECT_EQ(part.transfer, "y/u");
  const auto& formula = std::get<ReportFormula>(part.content);
  EXPECT_EQ(formula.text, "a^2/(s^2 + b)");
  EXPECT_EQ(formula.sympy, "a**2/(s**2 + b)");
  EXPECT_EQ(formula.latex, "\\frac{a^{2}}{s^{2} + b}");
}

TEST(Report, DeadTimeInALoopHasNoPoles) {
  const Report made =
      report(of_dot(R"g(digraph { u -> y [gain="exp(-s)/(s+1)"]; y -> u2 [gain="-1"]; u2 -> y [gain="exp(-s)/(s+1)"]; y -> z;
})g"));
  const Names there = ids(made);
  EXPECT_EQ(std::ranges::find(there, "poles"), there.end());
  EXPECT_NE(std::ranges::find(there, "time"), there.end());
}

TEST(Report, CancelledModesAreWarnedOf) {
  const Report made = report(of_dot(R"g(digraph { u -> x [gain="(s-1)/(s+2)"]; x -> y [gain="1/(s-1)"];
})g"));
  EXPECT_NE(text_of(made, "poles").find("does not decay"), std::string::npos);
  const Report stable = report(of_dot(R"g(digraph { u -> x [gain="(s+1)/(s+2)"]; x -> y [gain="1/(s+1)"];
  })g"));
  EXPECT_EQ(text_of(stable, "poles").find("does not decay"), std::string::npos);
  EXPECT_NE(text_of(stable, "transfer").find("Cancelled"), std::string::npos);
}

TEST(Report, SectionsKeepTheirOrder) {
  const Report made = report(of_dot(loop), {.sections = {"mason", "graph"}});
  EXPECT_EQ(ids(made), (Names{"graph", "mason"}));
  try {
    report(of_dot(loop), {.sections = {"maison"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("maison"), std::string::npos);
    EXPECT_NE(error.remedy().text().find("mason"), std::string::npos);
  }
}

TEST(Report, LawsAreSimulatedAndReduced) {
  const Report made = report(of_dot(R"g(digraph { input="F"; output="x"; variable="p"; parameters="q=1/2";
    F -> r; r -> x [gain="1/(p^2 + p + 1)"]; x -> r [nonlinear="-q*u^3"];
  })g"));
  EXPECT_EQ(ids(made), (Names{"model", "graph", "time", "reduction", "verification", "reproduce"}));
  EXPECT_GE(count<Figure>(made, "time"), 2);  // the response, and its phase portrait
  EXPECT_NE(text_of(made, "graph").find("-q*u^3"), std::string::npos) << text_of(made, "graph");
  EXPECT_NE(text_of(made, "time").find("States of rest"), std::string::npos);
}

TEST(Report, NothingAskedIsNoFault) {
  const Report made =
      report(of_dot(R"g(digraph { output="x"; variable="p"; r -> x [gain="1/(p^2+1)"]; x -> r [nonlinear="(1-u^2)*v"];
  })g"));
  EXPECT_NE(text_of(made, "time").find("up to"), std::string::npos);
}

TEST(Report, EveryAnswerSaysHowItWasVerified) {
  const std::string text = text_of(report(of_dot(loop)), "verification");
  for (const char* name : {"Mason's rule", "Transfer functions", "C/R", "Poles and zeros", "Frequency response"})
    EXPECT_NE(text.find(name), std::string::npos) << name;
}

TEST(Report, LongListsAreCounted) {
  std::string text = "digraph { input=u; output=y; u -> n0;";  // 2^10 paths
  for (int i = 0; i < 10; ++i) {
    const std::string a = "n" + std::to_string(i), b = "n" + std::to_string(i + 1), c = "m" + std::to_string(i);
    text += a + " -> " + b + " [gain=\"a" + std::to_string(i) + "\"]; " + a + " -> " + c + "; " + c + " -> " + b + ";";
  }
  const Report made = report(of_dot(text + " n10 -> y; }"));
  EXPECT_EQ(count<ReportDerivation>(made, "mason"), 0);
  EXPECT_NE(text_of(made, "mason").find("1024"), std::string::npos);
}

TEST(ReportCommand, WordsSurviveTheShell) {
  EXPECT_EQ(shell_word("a.dot"), "a.dot");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("ho'st $x.toml"), R"('ho'\''st $x.toml')");
  EXPECT_EQ(shell_word("שלום"), "'שלום'");
  const std::string line = R"sh("$(printf %b 'a\0012b')")sh", separator = R"sh("$(printf %b 'a\0342\0200\0250b')")sh";
  EXPECT_EQ(shell_word("a\nb"), line);
  EXPECT_EQ(shell_word("a\xe2\x80\xa8"
                       "b"),
            separator);
}

/// The very words come back from a shell.
TEST(ReportCommand, ShellReadsTheWords) {
  for (const std::string word :
       {"plain", "two words", "a'b\"c`d$e\\f", "* ? [x] ~ # ! & ; | < > ( )", "%s%d\\n", "tab\there", "line\nbreak", "-x"}) {
    FILE* shell = popen(("printf %s " + shell_word(word)).c_str(), "r");
    ASSERT_NE(shell, nullptr);
    std::string read;
    for (int c = fgetc(shell); c != EOF; c = fgetc(shell)) read += static_cast<char>(c);
    pclose(shell);
    EXPECT_EQ(read, word);
  }
}

TEST(ReportCommand, EveryFigureHasItsVerb) {
  const Names all = lines(text_of(report(of_dot(loop)), "reproduce"));
  for (const char* verb : {"draw", "mason", "tf", "poles", "bode", "step", "sens", "reduce"})
    EXPECT_TRUE(std::ranges::any_of(all, [&](const std::string& line) {
      return line.starts_with("sfg " + std::string(verb) + " g.dot");
    })) << verb;
}

TEST(ReportCommand, SettingsAreForNumbersAlone) {
  ReportSubject subject = of_dot(loop);
  subject.words = {"--set", "K=7", "--from", "R", "--to", "C"};
  for (const std::string& line : lines(text_of(report(subject), "reproduce"))) {
    const bool numbers = line.starts_with("sfg bode") || line.starts_with("sfg step") || line.starts_with("sfg poles") ||
                         line.starts_with("sfg margins") || line.find("--freq") != std::string::npos;
    EXPECT_EQ(line.find("--set K=7") != std::string::npos, numbers) << line;
  }
}

TEST(ReportCommand, StandardInputIsSavedFirst) {
  ReportSubject subject = of_dot(loop);
  subject.file = "-";
  subject.words = {"--format", "dot"};
  const std::string text = text_of(report(subject), "reproduce");
  EXPECT_NE(text.find("sfg mason input.dot\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("--format"), std::string::npos);
}

}  // namespace
