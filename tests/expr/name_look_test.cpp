// How names are set: one rule for every notation, names that stay apart, and what authors may say of them.
#include "sfg/expr/names_in_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sfg/draw/formula.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

using Random = std::mt19937_64;

const std::map<std::string, std::string> letters{{"varphi", "φ"}, {"omega", "ω"}, {"mu", "μ"},
                                                 {"pi", "π"},     {"beta", "β"},  {"Omega", "Ω"}};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// "g_m,M1" of "g_{m,\mathrm{M1}}": base, index, power and accent, as each notation has them.
std::string of_latex(std::string text) {
  for (const auto& [name, letter] : letters) replace_all(text, "\\" + name, letter);
  for (const char* face : {"\\mathrm{", "\\text{", "\\mathit{"})
    for (std::size_t at = text.find(face); at != std::string::npos; at = text.find(face, at)) {
      const std::size_t end = text.find('}', at);
      text.erase(end, 1).erase(at, std::string(face).size());
    }
  for (const char* mark : {"{", "}", " "}) replace_all(text, mark, "");
  replace_all(text, "\\_", "U");
  return text;
}

std::string of_mathml(std::string text) {
  text.erase(0, text.find('>') + 1);
  const bool lowered = text.starts_with("<msub>");
  if (lowered) {  // what the first element of <msub> holds is the base
    const std::size_t begin = text.find("<mi"), end = text.find("</mi>", begin) + 5;
    text.insert(end, "<mo>LOW</mo>");
  }
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<')
      i = text.find('>', i);
    else
      plain += text[i];
  }
  const std::size_t low = plain.find("LOW");
  std::string base = plain.substr(0, low), index = low == std::string::npos ? "" : plain.substr(low + 3);
  replace_all(base, "_", "U");
  return base + (index.empty() ? "" : "_" + index);
}

std::string of_picture(const std::string& name) {
  const Formula set = typeset(Math::signal(name), 20);
  std::string base, index;
  for (const TextRow& row : set.rows)
    for (const TextRun& run : row.runs) (run.raise < -1 ? index : base) += run.text;
  replace_all(base, "_", "U");
  return base + (index.empty() ? "" : "_" + index);
}

std::string of_unicode(const std::string& name) {
  std::string text = print_name(name, Notation::unicode);
  constexpr std::array<const char*, 10> low{"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  for (std::size_t d = 0; d < low.size(); ++d) replace_all(text, low[d], std::to_string(d));
  return text;
}

std::string look(const std::string& name) { return of_latex(print_name(name, Notation::latex)); }

TEST(NameLook, TheRuleOfTheGuide) {
  const std::vector<std::pair<std::string, std::string>> rule{
      {"Jx", "J_x"},          {"Ro1", "R_o1"},      {"gm_M1", "g_m,M1"}, {"mu", "μ"},
      {"mu1", "μ_1"},         {"mus", "m_us"},      {"phix", "φ_x"},     {"varphi2", "φ_2"},
      {"omega_ref", "ω_ref"}, {"rpi", "r_π"},       {"Cmu", "C_μ"},      {"x12", "x_12"},
      {"R1a", "R_1a"},        {"K", "K"},           {"load1", "load_1"}, {"speed_ref", "speed_ref"},
      {"in_1", "in_1"},       {"e_phiy", "e_φy"},   {"x_1_2", "x_1,2"},  {"Vbe0", "V_be0"},
      {"v(out)", "V_out"},    {"i(R1)", "I_R1"},    {"v(a,b)", "V_a,b"}, {"rpi2", "r_π2"},
      {"a__b", "aUUb"},       {"_x", "Ux"},         {"pin", "p_in"},     {"phixyz", "phixyz"},
      {"Dx", "D_x"},          {"omegaab3", "ω_ab3"}};
  for (const auto& [name, want] : rule) {
    EXPECT_EQ(look(name), want) << name;
    EXPECT_EQ(of_picture(name), want) << name;
    EXPECT_EQ(of_mathml(mathml(Math::signal(name))), want) << name;
  }
  for (const char* word : {"load", "out", "ref", "speed_ref", "in1", "gnd"})
    EXPECT_TRUE(print_name(word, Notation::latex).starts_with("\\mathrm{")) << word;
}

std::string random_name(Random& random) {
  static const std::vector<std::string> parts{"x",   "K", "g", "phi", "mu", "omega", "load", "in",
                                              "ref", "1", "2", "12",  "a",  "beta",  "Q"};
  std::string name = parts[random() % 9];
  for (std::size_t n = random() % 5; n > 0; --n) name += (random() % 3 == 0 ? "_" : "") + parts[random() % parts.size()];
  return name;
}

TEST(NameLook, EveryNotationHasTheSameBaseAndIndices) {
  Random random(34);
  for (int i = 0; i < 3000; ++i) {
    const std::string name = random_name(random), latex = look(name);
    EXPECT_EQ(of_picture(name), latex) << name;
    EXPECT_EQ(of_mathml(mathml(Math::signal(name))), latex) << name;
    std::string plain = latex, unicode = of_unicode(name);
    for (std::string* text : {&plain, &unicode}) replace_all(*text, "_", "");
    replace_all(plain, "U", "");
    EXPECT_EQ(unicode, plain) << name;
  }
}

TEST(NameTable, NoTwoNamesLookAlike) {
  Random random(7);
  static const std::vector<std::string> parts{"K",  "x",  "phi", "varphi", "φ",     "1", "_1",
                                              "_x", "mu", "_",   "in",     "Alpha", "A", "v"};
  for (int i = 0; i < 300; ++i) {
    std::set<std::string> names;
    while (names.size() < 12) {
      std::string name = parts[random() % 5];
      for (std::size_t n = random() % 4; n > 0; --n) name += parts[random() % parts.size()];
      names.insert(name);
    }
    names.insert({"v(x_1)", "v(x,1)", "V_x1", "v(x1)", "Alpha", "A"});
    NameTable table;
    for (const std::string& name : names) table.add(name);
    if (i % 2 == 1) {  // an author who wants two names alike
      table.set("A", name_from_latex("K_1"));
      table.set("K_x", name_from_latex("\\varphi"));
    }
    const NamesInUse in_use(table);
    std::map<std::string, std::string> seen;
    for (const std::string& name : names)
      for (const std::string& shown :
           {look(name), "svg " + of_picture(name), "mathml " + of_mathml(mathml(Math::signal(name)))}) {
        const auto [known, fresh] = seen.emplace(shown, name);
        EXPECT_TRUE(fresh || known->second == name) << name << " looks like " << known->second << ": " << shown;
      }
  }
}

TEST(NameTable, OnlyWhatClashesStandsAsItIsWritten) {
  NameTable table;
  for (const char* name : {"K1", "K_1", "Kp", "x"}) table.add(name);
  const NamesInUse in_use(table);
  EXPECT_EQ(print_name("K1", Notation::latex), "\\mathrm{K1}");
  EXPECT_EQ(print_name("K_1", Notation::latex), "\\mathrm{K\\_1}");
  EXPECT_EQ(print_name("Kp", Notation::latex), "K_{p}");
  EXPECT_EQ(print_name("K_p", Notation::latex), "\\mathrm{K\\_p}")
      << "a name from elsewhere that would look like one of the table";
}

TEST(NameTable, RatesHaveDotsOverTheirBase) {
  NameTable table;
  table.add_rate("Dphix", "phix", 1);
  table.add_rate("DDphix", "phix", 2);
  table.set("x", name_from_latex("\\hat{x}_0"));
  table.add_rate("Dx", "x", 1);
  const NamesInUse in_use(table);
  EXPECT_EQ(print_name("Dphix", Notation::latex), "\\dot{\\varphi}_{x}");
  EXPECT_EQ(print_name("DDphix", Notation::latex), "\\ddot{\\varphi}_{x}");
  EXPECT_EQ(print_name("Dx", Notation::latex), "\\dot{\\hat{x}}_{0}");
  EXPECT_EQ(print_name("Dz", Notation::latex), "D_{z}");
}

TEST(NameLatex, IsSetInEveryNotation) {
  NameTable table;
  const std::vector<std::string> said{"K_p^{*}",
                                      "\\hat{a}_0",
                                      "\\bar{\\beta}",
                                      "\\dot{y}",
                                      "m'",
                                      "\\mathbf{x}",
                                      "x_{i_j}",
                                      "\\ddot{\\varphi}_{x,1}",
                                      "\\tilde{\\mathrm{ab}}",
                                      "\\Delta x",
                                      "R_\\parallel"};
  for (std::size_t i = 0; i < said.size(); ++i) table.set("n" + std::to_string(i), name_from_latex(said[i]));
  const NamesInUse in_use(table);
  for (std::size_t i = 0; i < said.size(); ++i) {
    const std::string name = "n" + std::to_string(i);
    EXPECT_EQ(print_name(name, Notation::latex), said[i]);
    EXPECT_FALSE(typeset(Math::name(name), 17).rows.empty());
    EXPECT_EQ(name_from_latex(write(NamesInUse::look(name).line, Notation::latex)).line, NamesInUse::look(name).line) << said[i];
  }
  EXPECT_EQ(mathml(Math::name("n0")).substr(49),
            "<msubsup><mi>K</mi><mi>p</mi><mi mathvariant=\"normal\">*</mi></msubsup></math>");
  EXPECT_EQ(mathml(Math::name("n3")).substr(49), "<mover accent=\"true\"><mi>y</mi><mo stretchy=\"false\">˙</mo></mover></math>");
  EXPECT_EQ(write(Math::power(Math::name("n0"), Math::number("2")), Notation::latex), "\\left(K_p^{*}\\right)^{2}");
  EXPECT_EQ(write(Math::power(Math::name("n1"), Math::number("2")), Notation::latex), "\\hat{a}_0^{2}");
}

TEST(NameLatex, RefusesWhatIsNoName) {
  const std::vector<std::pair<std::string, std::size_t>> wrong{{"", 0},
                                                               {"x_{1", 4},
                                                               {"x}", 1},
                                                               {"\\input{/etc/passwd}", 0},
                                                               {"x_1_2", 3},
                                                               {"x^^41", 2},
                                                               {"$x$", 0},
                                                               {"x%", 1},
                                                               {"\\write18{ls}", 0},
                                                               {"\\def\\x{}", 0},
                                                               {"_x", 0},
                                                               {"x_", 2},
                                                               {"\\hat", 4},
                                                               {"\\", 0},
                                                               {"#1", 0},
                                                               {"a&b", 1},
                                                               {"~", 0},
                                                               {"{{{{{{{{x}}}}}}}}", 7}};
  for (const auto& [text, at] : wrong) {
    try {
      name_from_latex(text);
      ADD_FAILURE() << text << " is taken";
    } catch (const NameLatexError& error) {
      EXPECT_EQ(error.at, at) << text << ": " << error.message;
    }
  }
  EXPECT_THROW(name_from_latex(std::string(201, 'x')), NameLatexError);
}

TEST(NameLatex, WhatIsMarkupElsewhereIsEscaped) {
  NameTable table;
  table.set("a", name_from_latex("x_{<script>}"));
  const NamesInUse in_use(table);
  EXPECT_EQ(mathml(Math::name("a")).find("<script"), std::string::npos);
  EXPECT_EQ(print_name("a", Notation::markup).find("<script"), std::string::npos);
}

TEST(NameLatex, RandomBytesAreReadOrRefused) {
  Random random(5);
  static const std::string alphabet = "xK1_^{}\\'$%&<>,= ~#\"ahtdob*é";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
    if (random() % 3 == 0) text += "\\dot{x}_{\\mathrm{in}}";
    try {
      const NameLook read = name_from_latex(text);
      std::string latex = write(read.line, Notation::latex);
      for (const char* escaped : {"\\{", "\\}"}) replace_all(latex, escaped, "");
      EXPECT_EQ(std::count(latex.begin(), latex.end(), '{'), std::count(latex.begin(), latex.end(), '}')) << text;
    } catch (const NameLatexError& error) {
      EXPECT_LE(error.at, text.size()) << text;
    }
  }
}

TEST(NameTable, WhatAuthorsSayIsReadBack) {
  NameTable table, again;
  add_stated(table, "Kp=K_p^{*}, v(a,b)=V_{a,b}, y = \\dot{y}\\,, m=m'");
  add_stated(again, table.stated());
  EXPECT_EQ(again.stated(), table.stated());
  EXPECT_EQ(latex(table.look("v(a,b)")), "V_{a,b}");
  for (const auto& [text, at] :
       std::vector<std::pair<std::string, std::size_t>>{{"Kp=K_p, y=\\input", 10}, {"Kp", 0}, {"a=b, =c", 5}}) {
    try {
      add_stated(again, text);
      ADD_FAILURE() << text;
    } catch (const NameLatexError& error) {
      EXPECT_EQ(error.at, at) << text;
    }
  }
}

}  // namespace
}  // namespace sfg
