// Pages and their renderers: nothing is lost by breaking lines, and what comes out is what its readers take.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/text/utf8.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/forms/transfer.hpp"
#include "sfg/write/page/line_break.hpp"
#include "sfg/write/page/mathml_lines.hpp"
#include "sfg/write/page/page.hpp"
#include "sfg/write/time_response.hpp"

namespace sfg {
namespace {

std::string text(const Page& page, std::size_t width, Notation notation = Notation::text) {
  std::ostringstream out;
  write_text(out, page, {.notation = notation, .width = width});
  return out.str();
}
// More definitions than are trees at once: the text is that of the whole page.
TEST(PageText, ALongSequenceInPartsReadsAsInOnePiece) {
  SignalFlowGraph graph;
  const auto gain = [&](const char* letter, std::size_t k) { return graph.symbols.symbol(letter + std::to_string(k)); };
  for (std::size_t k = 1; k <= 700; ++k) {
    const NodeId before = graph.node("v" + std::to_string(k - 1)), i = graph.node("i" + std::to_string(k)),
                 v = graph.node("v" + std::to_string(k));
    graph.add_branch(before, i, gain("y", k));
    graph.add_branch(v, i, -gain("y", k));
    graph.add_branch(i, v, gain("z", k));
    if (k < 700) graph.add_branch(graph.node("i" + std::to_string(k + 1)), v, -gain("z", k));
  }
  const TransferSequence sequence = transfer_sequence(graph, {graph.at("v0"), graph.at("v700"), Question::Mode::source, {}});
  ASSERT_GT(sequence.definitions.size(), 1000U);
  for (const std::size_t width : {std::size_t{30}, std::size_t{100}})
    for (const Detail detail : {Detail::brief, Detail::full}) {
      const TextLayout layout{.notation = Notation::unicode, .width = width};
      EXPECT_EQ(text(page(graph, sequence, detail, layout), width, Notation::unicode),
                text(page(graph, std::span(&sequence, 1), detail), width, Notation::unicode));
    }
}

std::string latex(const Page& page, double width) {
  std::ostringstream out;
  write_latex(out, page, {.width = width});
  return out.str();
}
std::string html(const Page& page) {
  std::ostringstream out;
  write_html(out, page);
  return out.str();
}
std::string markdown(const Page& page) {
  std::ostringstream out;
  write_markdown(out, page);
  return out.str();
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Page equation(const GiNaC::ex& value, const std::string& main = {}) {
  Page page;
  page.add(Equations{{{Math::name("T"), {math(value, main)}}}, main});
  return page;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Sums of products of sums, three deep.
GiNaC::ex random_expression(std::mt19937& random, SymbolTable& symbols, int depth) {
  const auto pick = [&](int n) { return std::uniform_int_distribution(0, n - 1)(random); };
  if (depth == 0) return pick(4) == 0 ? GiNaC::ex(pick(9) + 1) : symbols.symbol("name" + std::to_string(pick(6)));
  GiNaC::ex value = pick(2) == 0 ? 0 : 1;
  const bool sum = value.is_zero();
  for (int i = pick(5) + 2; i > 0; --i) {
    const GiNaC::ex part = random_expression(random, symbols, depth - 1);
    value = sum ? value + (pick(2) == 0 ? part : -part) : pick(4) == 0 ? value / part : value * part;
  }
  return value;
}

TEST(PageText, BrokenFormulasReadBackAndFit) {
  std::mt19937 random(7);
  SymbolTable symbols;
  for (int trial = 0; trial < 200; ++trial) {
    GiNaC::ex value;
    try {
      value = random_expression(random, symbols, 3);
    } catch (const std::exception&) {
      continue;  // a random denominator of zero
    }
    const std::string whole = print(value);
    const std::size_t width = 30 + 10 * static_cast<std::size_t>(trial % 8);
    const std::string broken = broken_formula(whole, 4, {width, 6});
    std::string joined;
    for (const std::string& line : lines_of(broken)) {
      const std::size_t begin = line.find_first_not_of(' ');
      joined += (joined.empty() || joined.ends_with('(') ? "" : " ") + line.substr(begin);
    }
    EXPECT_TRUE(vanishes(parse(joined, symbols) - value)) << whole << "\n" << broken;
    // A name and the brackets and signs that cling to it are not broken.
    for (const std::string& line : lines_of(broken)) EXPECT_LE(character_count(line), width + 14) << broken;
  }
}

TEST(PageText, APowerOfTheOperatorALine) {
  SymbolTable symbols;
  const GiNaC::ex value = parse("a1*b1*s^3 + a2*b2*s^2 + a3*b3*s^2 + a4*b4*s + a5*b5", symbols);
  EXPECT_EQ(text(equation(value, "s"), 100), "T = a1*b1*s^3 + a2*b2*s^2 + a3*b3*s^2 + a4*b4*s + a5*b5\n");
  EXPECT_EQ(text(equation(value, "s"), 40), R"(T = a1*b1*s^3
    + a2*b2*s^2 + a3*b3*s^2
    + a4*b4*s
    + a5*b5
)");
}

TEST(PageText, FractionsGrowDownwards) {
  SymbolTable symbols;
  const GiNaC::ex value = parse("(a + b + N)/(c + d + e)", symbols);
  EXPECT_EQ(text(equation(value), 30), "T = (N + a + b)/(c + d + e)\n");
  EXPECT_EQ(text(equation(value), 25), "    N + a + b\nT = ---------\n    c + d + e\n");
  EXPECT_EQ(text(equation(value), 10), "T = N_/D_\n  N_ = N\n      + a\n      + b\n  D_ = c\n      + d\n      + e\n");
}

TEST(PageText, TablesThatAreTooWideAreGivenCellByCell) {
  Page page;
  page.add(Table{{{words("first")}, {words("second"), true}}, {{words("1"), words("22")}}});
  EXPECT_EQ(text(page, 20), "first  second\n1          22\n");
  EXPECT_EQ(text(page, 12), "first: 1\n  second: 22\n");
}

/// Every \begin has its \end, every { its }, every \left its \right, on one line of an alignment.
void expect_balanced(const std::string& source) {
  std::vector<std::string> open;
  int braces = 0, delimiters = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string_view rest = std::string_view(source).substr(i);
    if (rest.starts_with("\\begin{")) open.emplace_back(rest.substr(7, rest.find('}') - 7));
    if (rest.starts_with("\\left") && !rest.starts_with("\\leftarrow")) ++delimiters;
    if (rest.starts_with("\\right") && !rest.starts_with("\\rightarrow") && !rest.starts_with("\\raggedright")) --delimiters;
    if (rest.starts_with("\\end{")) {
      ASSERT_FALSE(open.empty()) << source;
      EXPECT_EQ(open.back(), rest.substr(5, rest.find('}') - 5)) << source;
      open.pop_back();
    }
    if (rest.starts_with("\\\\")) {
      EXPECT_EQ(delimiters, 0) << "a line ends inside of \\left … \\right: " << source;
    }
    if (rest[0] == '\\')
      ++i;
    else if (rest[0] == '{')
      ++braces;
    else if (rest[0] == '}')
      --braces;
  }
  EXPECT_TRUE(open.empty()) << source;
  EXPECT_EQ(braces, 0) << source;
}

TEST(PageLatex, BrokenFormulasAreBalanced) {
  std::mt19937 random(11);
  SymbolTable symbols;
  for (int trial = 0; trial < 100; ++trial) {
    GiNaC::ex value;
    try {
      value = random_expression(random, symbols, 3);
    } catch (const std::exception&) {
      continue;
    }
    expect_balanced(latex(equation(value), 60 + 10 * (trial % 8)));
  }
}

TEST(PageLatex, LinesOfASumFit) {
  SymbolTable symbols;
  GiNaC::ex sum = 0;
  for (int i = 0; i < 60; ++i) sum += symbols.symbol("a" + std::to_string(i)) * symbols.symbol("b" + std::to_string(i));
  constexpr double width = 300;
  const auto lines = latex_lines(math(sum), width);
  EXPECT_GT(lines.size(), 3U);
  EXPECT_LT(lines.size(), 20U) << "lines are filled";
  EXPECT_LE(latex_width(math(sum)), width * static_cast<double>(lines.size()) * 1.1);
}

TEST(PageLatex, WhatIsSubtractedKeepsItsBracketsOnSeveralLines) {
  std::vector<Math> loops;
  for (int i = 1; i < 60; ++i) loops.push_back(Math::name("L" + std::to_string(i)));
  const Math sum = Math::sum({Math::number("1"), Math::negative(Math::sum(loops))});
  std::string whole;
  for (const std::string& line : latex_lines(sum, 200)) whole += line + "\n";
  EXPECT_NE(whole.find("1\n - \\bigl(L_{1}"), std::string::npos) << whole;
  EXPECT_NE(whole.find("L_{59}\\bigr)"), std::string::npos) << whole;
  const Math product = Math::product({Math::name("K"), Math::sum(loops), Math::power(Math::name("s"), Math::number("2"))});
  whole.clear();
  for (const std::string& line : latex_lines(product, 200)) whole += line + "\n";
  EXPECT_NE(whole.find("\\bigr) s^{2}\n"), std::string::npos) << whole;
}

TEST(PageLatex, TextOfAnyKindIsEscaped) {
  Page page{"50 % of #3 & {more} \\ ^~_$", {}};
  page.add(Paragraph{{"α → β_1, 中"}});
  EXPECT_EQ(latex(page, 100),
            "\\section*{50 \\% of \\#3 \\& \\{more\\} \\textbackslash{} \\textasciicircum{}\\textasciitilde{}\\_\\$}\n\n"
            "\\noindent $\\alpha$ $\\to$ $\\beta$\\_1, [U+4E2D]\n\n");
}

/// Tags are closed in their order, and nothing else begins with <.
void expect_well_formed(const std::string& source) {
  std::vector<std::string> open;
  for (std::size_t at = source.find('<'); at != std::string::npos; at = source.find('<', at + 1)) {
    const std::size_t end = source.find('>', at);
    ASSERT_NE(end, std::string::npos) << source;
    const std::string tag = source.substr(at + 1, end - at - 1), name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.ends_with('/')) continue;
    if (tag.front() != '/') {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << source;
    EXPECT_EQ("/" + open.back(), tag) << source;
    open.pop_back();
  }
  EXPECT_TRUE(open.empty()) << source;
}

Page page_of_everything() {
  SymbolTable symbols;
  Page page{"<script>&\"", {}};
  page.add(Heading{{"of ", Math::signal("<b>")}});
  page.add(Equations{{{Math::signal("v(<&>)"),
                       {math(parse("a/(b + sqrt(c))", symbols)), Math::matrix({Math::name("x"), Math::number("0")}, 2)},
                       {Math::relation(Math::signal("<i>"), "→", Math::name("y"))}}}});
  page.add(Table{{{words("a|b")}, {}}, {{words("<td>"), {Math::element(Math::name("d"), {Math::name("x"), Math::name("y")})}}}});
  page.add(Paragraph{words("checked & done"), 1, true});
  page.add(Listing{"if (a < b) c();\n"});
  page.add(Gap{});
  return page;
}

// Every notation draws the same scene in its own format; TikZ is loaded where there is a picture.
TEST(PageLatex, PicturesAreTikzNoWiderThanALine) {
  Scene scene{.title = "t", .width = 100, .height = 50, .groups = {{.style = ""}}, .kind = "plot"};
  scene.groups[0].shapes.push_back({SceneShape::Kind::polyline, "line", {{0, 0}, {100, 50}}});
  Page page;
  page.add(Picture{.drawn = scene, .caption = "50 % of it"});
  std::ostringstream latex, html, markdown, text;
  write_latex(latex, page, {.document = true});
  write_html(html, page);
  write_markdown(markdown, page);
  write_text(text, page);
  EXPECT_NE(latex.str().find("\\usetikzlibrary{arrows.meta,calc}"), std::string::npos);
  EXPECT_NE(latex.str().find("\\draw[sfg line]"), std::string::npos);
  EXPECT_NE(latex.str().find("\\end{tikzpicture}}\n}%\n\\ifdim\\wd0>\\linewidth"), std::string::npos);
  EXPECT_NE(latex.str().find("50 \\% of it"), std::string::npos);
  for (const std::string& svg : {html.str(), markdown.str()}) {
    EXPECT_NE(svg.find("d=\"M0,0 L100,50\""), std::string::npos) << svg;
    EXPECT_EQ(svg.find("tikz"), std::string::npos);
  }
  EXPECT_EQ(text.str(), "50 % of it\n");
  page.blocks = {Gap{}};
  latex.str("");
  write_latex(latex, page, {.document = true});
  EXPECT_EQ(latex.str().find("tikz"), std::string::npos);
}

/// The letters, digits and signs of MathML in their order, without those that are not seen.
std::string shown_signs(const std::string& elements) {
  std::string shown;
  bool tag = false;
  for (const char c : elements) {
    if (c == '<') tag = true;
    if (!tag) shown += c;
    if (c == '>') tag = false;
  }
  for (const std::string& unseen : {std::string("\u2062"), std::string("\u2061")})
    for (std::size_t at; (at = shown.find(unseen)) != std::string::npos;) shown.erase(at, unseen.size());
  return shown;
}

TEST(PageHtml, LinesOfAFormulaLoseNothingAndFit) {
  std::mt19937 random(11);
  SymbolTable symbols;
  std::size_t broken = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Math formula;
    try {
      formula = math(random_expression(random, symbols, 3));
    } catch (const std::exception&) {
      continue;  // a random denominator of zero
    }
    const double room = 16 + 4 * static_cast<double>(trial % 6);
    std::string joined;
    for (const MathmlLine& line : mathml_lines(formula, room)) {
      joined += line.elements;
      EXPECT_LE(line.width, room + 4) << write(formula, Notation::text);  // brackets cling to what they stand beside
      ++broken;
    }
    EXPECT_EQ(shown_signs(joined), shown_signs(mathml_elements(formula))) << "room " << room;
  }
  EXPECT_GT(broken, 600U);
}

TEST(PageHtml, EveryNameIsEscaped) {
  const std::string source = html(page_of_everything());
  expect_well_formed(source);
  EXPECT_EQ(source.find("<script>"), std::string::npos);
  EXPECT_EQ(source.find("<b>"), std::string::npos);
  EXPECT_NE(source.find("<mfrac>"), std::string::npos) << source;
  EXPECT_NE(source.find("a &lt; b"), std::string::npos) << source;
}

TEST(PageMarkdown, BarsAndTagsAreNoMarkup) {
  const std::string source = markdown(page_of_everything());
  EXPECT_NE(source.find("| a\\|b |"), std::string::npos) << source;
  EXPECT_NE(source.find("# \\<script\\>"), std::string::npos) << source;
  EXPECT_NE(source.find("```math\n\\begin{aligned}\n"), std::string::npos) << "dollars would end a display: " << source;
  EXPECT_NE(source.find("## of $`\\text{$<$b$>$}`$"), std::string::npos) << source;
  EXPECT_NE(source.find("*checked & done*"), std::string::npos) << source;
}

TEST(PageMarkdown, DisplaysStandBetweenDollarsAndNothingIsAnItemOrAnEntity) {
  Page page = equation(GiNaC::ex(2));
  page.add(Paragraph{words("1. first &lt; 2")});
  page.add(Paragraph{words("- second")});
  page.add(Listing{"a\n```\nb"});
  const std::string source = markdown(page);
  EXPECT_NE(source.find("$$\n\\begin{aligned}\n"), std::string::npos) << source;
  EXPECT_NE(source.find("1\\. first \\&lt; 2"), std::string::npos) << source;
  EXPECT_NE(source.find("\\- second"), std::string::npos) << source;
  EXPECT_NE(source.find("````\na\n```\nb\n````\n"), std::string::npos) << source;
}

TEST(PageLatex, ListingsHoldAnyCharacters) {
  const std::string source = latex_listing("\\end{verbatim} 'q' `x` %# \xD7\xA9 -- \xFF\n\n" + std::string(100, 'z'), 200);
  for (const char* raw : {"\\end{", " %", "#", "--", "\xFF", "'"})
    EXPECT_EQ(source.find(raw), std::string::npos) << raw << source;
  EXPECT_NE(source.find("[U+05E9]"), std::string::npos) << source;
  EXPECT_EQ(times(source, "\\hookrightarrow"), 2U) << source;  // 47 characters a line
  EXPECT_EQ(times(source, "\\par\n"), 4U) << source;
}

/// R → x → Y and R → Z.
SignalFlowGraph two_outputs() {
  SignalFlowGraph graph;
  graph.add_branch(graph.node("R"), graph.node("Y"), parse("K/(s + a)", graph.symbols));
  graph.add_branch(graph.node("R"), graph.node("Z"), parse("G", graph.symbols));
  return graph;
}

TEST(AnswerPage, SaysOnceHowSeveralWereVerified) {
  const SignalFlowGraph graph = two_outputs();
  std::vector<Question> questions;
  for (const char* output : {"Y", "Z"}) questions.push_back({*graph.find("R"), *graph.find(output), Question::Mode::source, {}});
  const auto transfers = transfer_functions(graph, questions);
  const std::string brief = text(page(graph, transfers), 100), full = text(page(graph, transfers, Detail::full), 100);
  EXPECT_EQ(times(brief, "verified: "), 1U) << brief;
  EXPECT_EQ(times(brief, "products of gains: at most "), 1U) << brief;
  EXPECT_EQ(times(full, "  verified: "), 2U) << full;
  EXPECT_EQ(times(full, "products of gains: "), 2U) << full;
  EXPECT_EQ(text(page(graph, {transfers.data(), 1}), 100), text(page(graph, {transfers.data(), 1}, Detail::full), 100));
}

TEST(ResponsePage, HasAtMostTwentyRowsAndTheFiguresLast) {
  for (const std::size_t samples : {2U, 20U, 21U, 24U, 101U, 200U, 201U, 1000U}) {
    NamedResponse response;
    response.name = "y";
    for (std::size_t i = 0; i < samples; ++i) {
      response.value.time.push_back(static_cast<double>(i));
      response.value.value.push_back(7);
    }
    const auto lines = lines_of(text(page(std::span(&response, 1), "step"), 100));
    const std::size_t rows = static_cast<std::size_t>(
        std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.ends_with(" 7"); }));
    EXPECT_LE(rows, 20U) << samples;
    EXPECT_GE(rows, std::min<std::size_t>(samples, 8)) << samples;
    const std::string last = std::to_string(samples - 1);
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.ends_with(" 7") && line.find(" " + last + " ") != std::string::npos;
    })) << samples;
    EXPECT_NE(lines.back().find("final value"), std::string::npos) << lines.back();
  }
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Page, AnHtmlDocumentBringsTheLettersOfItsFormulas) {
  Page made;
  made.add(Paragraph{.text = {Math::name("x")}});
  std::ostringstream document, part;
  write_html_document(document, made);
  EXPECT_NE(document.str().find("@font-face { font-family: 'SFG Math'; src: url(data:font/woff2;base64,"), std::string::npos);
  EXPECT_NE(document.str().find("math{font-family:'SFG Math'"), std::string::npos);
  write_html(part, made);
  EXPECT_EQ(part.str().find("@font-face"), std::string::npos);
}

// A table of any number of columns and rows: where its columns do not fit and its rows do, they change places; nothing is lost.
TEST(Page, TablesOfMoreColumnsThanFitAreTurned) {
  for (const std::size_t columns : {2U, 5U, 14U, 30U})
    for (const std::size_t rows : {1U, 3U}) {
      Page made;
      Table table;
      for (std::size_t i = 0; i < columns; ++i) table.columns.push_back({.head = {"head" + std::to_string(i) + "."}});
      for (std::size_t k = 0; k < rows; ++k) {
        auto& row = table.rows.emplace_back();
        for (std::size_t i = 0; i < columns; ++i) row.push_back({Math::name("cell" + std::to_string(100 * k + i) + "_wide")});
      }
      made.add(table);
      std::ostringstream html, latex;
      write_html_document(html, made);
      write_latex(latex, made, {});
      const bool wide = columns > 5;
      EXPECT_EQ(count_of(html.str(), "<tr>"), wide ? columns : rows + 1) << columns << " by " << rows;
      EXPECT_EQ(count_of(latex.str(), "\\\\\n"), wide ? columns : rows + 1) << columns << " by " << rows;
      for (std::size_t i = 0; i < columns; ++i) {
        EXPECT_EQ(count_of(html.str(), "head" + std::to_string(i) + "."), 1U);
        EXPECT_EQ(count_of(latex.str(), "head" + std::to_string(i) + "."), 1U);
      }
    }
}

}  // namespace
}  // namespace sfg
