#include "sfg/approximate/short_form.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "graphs/families.hpp"
#include "sfg/approximate/rest_formula.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

/// Every definition at the stated values: each uses those before it.
std::map<std::string, double> values_of(const SignalFlowGraph& graph, const StandardTransfer& form) {
  const GiNaC::exmap stated = graph.parameter_values();
  std::map<std::string, double> result;
  const auto value = [&](const GiNaC::ex& expression) {
    GiNaC::exmap put = stated;
    for (const std::string& name : symbol_names(expression))
      if (result.contains(name))
        for (GiNaC::const_preorder_iterator i = expression.preorder_begin(); i != expression.preorder_end(); ++i)
          if (GiNaC::is_a<GiNaC::symbol>(*i) && GiNaC::ex_to<GiNaC::symbol>(*i).get_name() == name) put[*i] = result[name];
    return double_value(expression.subs(put)).value();
  };
  for (const StandardTransfer::Definition& each : form.definitions) result[each.name] = value(each.value);
  if (!result.contains("A_0")) result["A_0"] = value(form.gain);
  return result;
}

/// What is said of every formula holds: it has the value, the value is as near to what the exact transfer function with numbers
/// says as is said, and that is as near as was wanted.
void expect_as_said(const SignalFlowGraph& graph, const ShortForm& form) {
  const Question question = form.form.question;
  const ExactTransfer exact = exact_transfers(graph.substituted(graph.parameter_values()), std::span(&question, 1)).front();
  std::vector<double> truth{std::abs(at_rest(exact).first.to_double())};
  for (const QuasiPolynomial* side : {&exact.numerator, &exact.denominator})
    for (const std::complex<double> root : exact::root_values(side->polynomial().coefficients())) {
      truth.push_back(std::abs(root));
      if (root.imag() != 0) truth.push_back(std::abs(root) / std::abs(2 * root.real()));
    }
  const auto values = values_of(graph, form.form);
  for (const ShortForm::Formula& each : form.formulas) {
    SCOPED_TRACE(each.name);
    if (!each.found) continue;
    ASSERT_TRUE(values.contains(each.name));
    EXPECT_NEAR(values.at(each.name) / each.value, 1, 1e-9);
    EXPECT_NEAR(std::abs(each.value / each.exact - 1), each.relative_error, 1e-9);
    EXPECT_LE(each.relative_error, form.wanted * (1 + 1e-9));
    if (each.means.empty() && !each.name.starts_with("omega_u")) {
      EXPECT_TRUE(std::ranges::any_of(truth, [&](double t) { return std::abs(std::abs(each.exact) / t - 1) < 1e-9; }))
          << each.exact;
    }
  }
}

std::size_t most_letters(const ShortForm& form) {
  std::size_t most = symbol_names(form.form.gain).size();
  for (const auto& each : form.form.definitions) most = std::max(most, symbol_names(each.value).size());
  return most;
}

SignalFlowGraph amplifier(const char* file) { return from_equations(derive(std::get<Model>(read_file(file).content))).graph; }

ShortForm short_form_of(const SignalFlowGraph& graph, double error) {
  const Question question = questions(graph).front();
  return short_form(graph, question, {.error = error});
}

TEST(ShortForm, PublishedAmplifiersHaveFormulasOfSixLettersWithinTenPercent) {
  for (const char* const file : {SFG_TEST_DATA "/amplifiers/two_stage.cir", SFG_TEST_DATA "/amplifiers/folded_cascode.cir",
                                 SFG_TEST_DATA "/amplifiers/symmetrical_ota.cir", SFG_TEST_DATA "/amplifiers/cascode.cir",
                                 SFG_SOURCE_DIR "/examples/ua741.cir"}) {
    SCOPED_TRACE(file);
    const SignalFlowGraph graph = amplifier(file);
    const ShortForm form = short_form_of(graph, 0.1);
    expect_as_said(graph, form);
    EXPECT_LE(most_letters(form), few_letters);
    std::size_t poles = 0;
    for (const ShortForm::Formula& each : form.formulas) {
      EXPECT_TRUE(each.found || each.name.starts_with("omega_z")) << each.name;
      poles += each.name.starts_with("omega_p") ? 1 : 0;
    }
    EXPECT_EQ(poles, 2U);
  }
}

TEST(ShortForm, ATwoStageAmplifierReadsAsInTheBooks) {
  const SignalFlowGraph graph = amplifier(SFG_TEST_DATA "/amplifiers/two_stage.cir");
  const ShortForm form = short_form_of(graph, 0.1);
  const auto expected = [&](const char* name, double value) {
    const auto found = std::ranges::find(form.formulas, name, &ShortForm::Formula::name);
    ASSERT_NE(found, form.formulas.end());
    EXPECT_NEAR(found->value / value, 1, 1e-9) << name;
  };
  const double ro24 = 1 / (1 / 1.67e6 + 1 / 1.33e6), ro67 = 1 / (1 / 263e3 + 1 / 210e3);
  expected("A_0", -94e-6 * ro24 * 942e-6 * ro67);  // by hand
  expected("omega_p1", 1 / (942e-6 * ro67 * ro24 * 3e-12));
  expected("omega_p2", 942e-6 / 10e-12);
  expected("omega_z", 942e-6 / 3e-12);
}

TEST(ShortForm, RandomLaddersAreAsNearAsIsSaid) {
  std::mt19937_64 random(741);
  std::uniform_int_distribution<int> exponent(-3, 3), mantissa(10, 99);
  for (int round = 0; round < 12; ++round) {
    std::vector<test::Arrow> arrows;
    const int sections = 2 + round % 3;
    for (int k = 1; k <= sections; ++k) {
      const std::string i = std::to_string(k), before = "v" + std::to_string(k - 1), next = std::to_string(k + 1);
      arrows.push_back({before, "i" + i, "1/R" + i});
      arrows.push_back({"v" + i, "i" + i, "-1/R" + i});
      arrows.push_back({"i" + i, "v" + i, "1/(s*C" + i + ")"});
      if (k < sections) arrows.push_back({"i" + next, "v" + i, "-1/(s*C" + i + ")"});
    }
    SignalFlowGraph graph = test::graph_of(arrows);
    for (const std::string& name : graph.symbols.names())
      if (name != "s")
        graph.symbols.find(name)->value =
            GiNaC::ex(mantissa(random)) * GiNaC::pow(GiNaC::ex(10), GiNaC::numeric(exponent(random)));
    const Question question{
        graph.find("v0").value(), graph.find("v" + std::to_string(sections)).value(), Question::Mode::source, {}};
    for (const double error : {0.02, 0.3}) expect_as_said(graph, short_form(graph, question, {.error = error}));
  }
}

TEST(ShortForm, AnIntegratorHasItsFrequencyAndAPairItsQuality) {
  SignalFlowGraph graph = test::graph_of({{"u", "e", "K"}, {"e", "x", "1/(L*C*s^2 + R*C*s + 1)"}, {"x", "y", "1/(T*s)"}});
  for (const auto& [name, value] : std::vector<std::pair<const char*, GiNaC::ex>>{
           {"K", 3}, {"L", GiNaC::numeric(1, 10)}, {"C", GiNaC::numeric(1, 1000)}, {"R", 2}, {"T", 5}})
    graph.symbols.find(name)->value = value;
  const Question question{graph.find("u").value(), graph.find("y").value(), Question::Mode::source, {}};
  const ShortForm form = short_form(graph, question);
  expect_as_said(graph, form);
  const auto values = values_of(graph, form.form);
  EXPECT_NEAR(values.at("omega_u"), 0.6, 1e-12);
  EXPECT_NEAR(values.at("omega_0"), 100, 1e-9);
  EXPECT_NEAR(values.at("Q"), 5, 1e-9);
}

TEST(ShortForm, WhatHasNoneIsRefused) {
  const SignalFlowGraph dead = test::graph_of({{"u", "y", "exp(-s)"}});
  const Question question{dead.find("u").value(), dead.find("y").value(), Question::Mode::source, {}};
  EXPECT_THROW(short_form(dead, question), NoAnswer);
}

}  // namespace
}  // namespace sfg
