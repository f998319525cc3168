// What the scripts say: names, strings, statements. That they run and are right is the business of tests/clients.
#include <gtest/gtest.h>

#include <sstream>

#include "export/subjects.hpp"
#include "sfg/error.hpp"
#include "sfg/export/scripts/script_content.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/numeric/lookup_table.hpp"

namespace sfg {
namespace {

using Writer = void (*)(std::ostream&, const ExportSubject&, const Budget&);
constexpr std::array<Writer, 4> writers{write_octave_program, write_scilab_program, write_python_program, write_maxima_program};

std::string program(Writer write, const std::string& dot) {
  ExportSubject subject = exported::subject(dot);
  subject.times = {0, 0.5, 1};
  subject.frequencies = {0.1, 2};
  std::ostringstream out;
  write(out, subject, {});
  return out.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Scripts, KeywordsAndTheirOwnNamesAreOtherNames) {
  const std::string dot =
      "digraph { input=\"a\"; output=\"b\"; parameters=\"end=2, lambda=3, transfer_0=4, simp=5, np=6, λ=7, then=8\"; a -> b "
      "[gain=\"(end+lambda+transfer_0+simp+np+λ+then)/(s+end)\"]; }";
  const auto expect = [&](Writer write, const std::vector<std::string>& lines) {
    const std::string text = program(write, dot);
    for (const std::string& line : lines) EXPECT_TRUE(has(text, line)) << line << "\n" << text;
  };
  expect(write_octave_program,
         {"end -> end_2", "λ -> lambda_2", "transfer_0 -> transfer_0_2", "\nend_2 = 2.0;", "\nlambda = 3.0;"});
  expect(write_scilab_program, {"end -> end_2", "then -> then_2", "\nthen_2 = 8.0;", "\nsimp = 5.0;"});
  expect(write_python_program, {"lambda -> lambda_2", "λ -> lambda_3", "np -> np_2", "\nend = 2.0\n"});
  expect(write_maxima_program, {"simp -> simp_2", "then -> then_2", "\nsimp_2: 5$", "\nend: 2$"});
}

TEST(Scripts, StringsSayTheNamesAsTheyAre) {
  const std::string dot = "digraph { input=\"a\"; output=\"it's \\\"q\\\" %s\"; a -> \"it's \\\"q\\\" %s\" [gain=\"1/(s+1)\"]; }";
  EXPECT_TRUE(has(program(write_octave_program, dot), "labels = {'it''s \"q\" %s/a'};"));
  EXPECT_TRUE(has(program(write_scilab_program, dot), "labels = [\"it''s \"\"q\"\" %s/a\"];"));
  EXPECT_TRUE(has(program(write_python_program, dot), "(\"it's \\\"q\\\" %s/a\", transfer_0,"));
  EXPECT_TRUE(has(program(write_maxima_program, dot), "print(\"# frequency it's \\\"q\\\" %s/a\")$"));
}

TEST(Scripts, CoefficientsAreFormulasOfTheParametersHighestPowerFirst) {
  EXPECT_TRUE(has(program(write_octave_program, exported::loop), "numerator_0 = [K];\ndenominator_0 = [1.0, T, K];\n"));
  EXPECT_TRUE(has(program(write_scilab_program, exported::loop), "numerator_0 = [K];\ndenominator_0 = [1.0, T, K];\n"));
  EXPECT_TRUE(has(program(write_python_program, exported::loop), "(np.array([K]),\n            np.array([1.0, T, K]),"));
  EXPECT_TRUE(has(program(write_maxima_program, exported::loop), "transfer_0: '(K/(s^2 + T*s + K))$"));
}

TEST(Scripts, ParametersStatedByOthersStayFormulas) {
  const std::string dot =
      "digraph { input=\"a\"; output=\"b\"; parameters=\"wn=sqrt(k/m), k=1/3, m=2\"; a -> b [gain=\"wn^2/(s^2+wn^2)\"]; }";
  EXPECT_TRUE(has(program(write_octave_program, dot), "k = 0.3333333333333333;\nm = 2.0;\nwn = sqrt(k/m);\n"));
  EXPECT_TRUE(has(program(write_python_program, dot), "wn = np.sqrt(k/m)\n"));
  EXPECT_TRUE(has(program(write_maxima_program, dot), "k: 1/3$\nm: 2$\nwn: sqrt(k/m)$\n"));
}

TEST(Scripts, WhatHasNoStepSaysWhy) {
  const std::string dot = "digraph { input=\"a\"; output=\"b, c\"; a -> b [gain=\"s+1\"]; a -> c [gain=\"1/(s+1)\"]; }";
  for (const Writer write : {write_octave_program, write_scilab_program, write_python_program})
    EXPECT_TRUE(has(program(write, dot), "its numerator has the higher degree"));
}

TEST(Scripts, DeadTimeOutsideLoopsIsADelayInsideItIsRefused) {
  const std::string outside = "digraph { input=\"a\"; output=\"b\"; parameters=\"L=1/2\"; a -> b [gain=\"exp(-s*L)/(s+1)\"]; }";
  EXPECT_TRUE(has(program(write_octave_program, outside), "delay_0 = L;"));
  EXPECT_TRUE(has(program(write_scilab_program, outside), "delay_0 = L;"));
  EXPECT_TRUE(has(program(write_python_program, outside), "            L)\n"));
  for (const Writer write : {write_octave_program, write_scilab_program, write_python_program}) {
    const std::string circle =
        "digraph { input=\"r\"; output=\"b\"; r -> a; a -> b [gain=\"exp(-s)/(s+1)\"]; b -> a [gain=\"-1\"]; }";
    try {
      program(write, circle);
      ADD_FAILURE() << "no refusal";
    } catch (const NoAnswer& refusal) {
      EXPECT_TRUE(has(refusal.what(), "'a' -> 'b'")) << refusal.what();
    }
  }
}

TEST(Scripts, MaximaTakesAnyGainButNoLaw) {
  EXPECT_TRUE(
      has(program(write_maxima_program, "digraph { input=\"a\"; output=\"b\"; a -> b [gain=\"1/(1+sqrt(s))\"]; }"), "sqrt(s)"));
  EXPECT_TRUE(has(program(write_maxima_program,
                          "digraph { input=\"a\"; output=\"b\"; parameters=\"k=-2\"; a -> b [gain=\"pi*sign(k)/(1+s)\"]; }"),
                  "%pi*signum(k)"));
  EXPECT_THROW(program(write_maxima_program, "digraph { input=\"a\"; output=\"b\"; a -> b [nonlinear=\"u^3\"]; }"), NoAnswer);
}

TEST(Scripts, LawsThatSlideAreRefusedOthersThatJumpAreNot) {
  const std::string friction =
      "digraph { input=\"F\"; output=\"v\"; parameters=\"m=2\"; F -> v [gain=\"1/(m*s)\"]; v -> r [nonlinear=\"-sign(u)\"]; r -> "
      "v "
      "[gain=\"1/(m*s)\"]; }";
  const std::string relay =
      "digraph { input=\"r\"; output=\"y\"; r -> e; e -> u [nonlinear=\"sign(u)\"]; u -> y [gain=\"1/(s*(s+1))\"]; y -> e "
      "[gain=\"-1\"]; }";
  for (const Writer write : {write_octave_program, write_scilab_program, write_python_program}) {
    try {
      program(write, friction);
      ADD_FAILURE() << "no refusal";
    } catch (const NoAnswer& refusal) {
      EXPECT_TRUE(has(refusal.what(), "'v' -> 'r'")) << refusal.what();
    }
    EXPECT_TRUE(has(program(write, relay), "sign("));
  }
}

TEST(Scripts, TheSameBytesEveryTime) {
  for (const Writer write : writers)
    for (const char* dot : {exported::loop, exported::two_port, exported::sampled}) {
      const std::string text = program(write, dot);
      EXPECT_EQ(text, program(write, dot));
      EXPECT_TRUE(text.ends_with('\n'));
    }
}

TEST(ScriptContent, TablesInPiecesAreTheTables) {
  using numeric::Interpolation;
  for (const Interpolation way : {Interpolation::linear, Interpolation::spline, Interpolation::monotone}) {
    const std::vector<double> x{-1, 0, 0.5, 2}, y{3, -1, 0.25, 4};
    const numeric::LookupTable table("", way, x, y);
    const TablePieces pieces = table_pieces(static_cast<std::uint32_t>(numeric::lookup_code(numeric::table_number(table))));
    ASSERT_EQ(pieces.breaks.size(), pieces.coefficients.size() + 1);
    for (const double at : {-3.0, -1.0, -0.7, 0.0, 0.3, 0.5, 1.1, 2.0, 5.0}) {
      std::size_t k = 0;
      while (k + 2 < pieces.breaks.size() && pieces.breaks[k + 1] <= at) ++k;
      const double t = at - pieces.breaks[k];
      const auto& c = pieces.coefficients[k];
      EXPECT_NEAR(((c[0] * t + c[1]) * t + c[2]) * t + c[3], table.value(at), 1e-12) << at;
    }
  }
}

}  // namespace
}  // namespace sfg
