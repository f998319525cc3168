// The two published forms of substitution lists: what they mean, that one becomes the other, and what is wrong in a file.
#include "sfg/read/substitutions.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sfg/model/elastic_constants.hpp"
#include "sfg/write/substitutions/substitutions.hpp"

namespace {

using namespace sfg;

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(SFG_TEST_DATA) + "/substitutions/" + file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string written(const SubstitutionList& list, SubstitutionForm form) {
  std::ostringstream out;
  write_substitutions(out, list, form);
  return out.str();
}

std::vector<std::string> names(const std::vector<GiNaC::ex>& symbols) {
  std::vector<std::string> result;
  for (const GiNaC::ex& symbol : symbols) result.push_back(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name());
  return result;
}

/// M and F of the list at every state of the double pendulum, against those of an independent derivation.
void expect_double_pendulum(const SubstitutionList& list) {
  const auto oracle = nlohmann::json::parse(text_of("double_pendulum.json"));
  const std::map<std::string, std::string> other{{"c1", "lc1"}, {"c2", "lc2"}};
  ASSERT_EQ(list.states.size(), 4U);
  for (const auto& state : oracle["states"]) {
    SubstitutionPoint point;
    for (const std::string& name : names(list.constants))
      point.constants.push_back(oracle["parameters"][other.contains(name) ? other.at(name) : name].get<double>());
    for (const char* part : {"s", "sd"})
      for (const auto& value : state[part]) point.states.push_back(value.get<double>());
    const std::vector<double> got = values_at(list, point);
    ASSERT_EQ(got.size(), 6U);
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(got[2 * i + j], state["M"][i][j].get<double>(), 1e-14);
      EXPECT_NEAR(got[4 + i], -state["h"][i].get<double>(), 2e-14);  // no joint torques in the file
    }
  }
}

std::string message_of(const std::string& text) {
  try {
    read_substitutions(text, "x.sub");
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().front();
    return to_string(first.where) + ": " + first.message;
  }
  return "";
}

TEST(ReadSubstitutions, NamesGiveTheDoublePendulum) {
  const SubstitutionList list = read_substitutions(text_of("double_pendulum.sub"), "double_pendulum.sub");
  EXPECT_EQ(names(list.states), (std::vector<std::string>{"s1", "s2", "s1d", "s2d"}));
  EXPECT_EQ(list.substitutions.size(), 31U);
  EXPECT_EQ(list.substitutions.back().number, 39U);  // the numbers have gaps
  expect_double_pendulum(list);
}

TEST(ReadSubstitutions, IndicesGiveTheDoublePendulum) {
  const SubstitutionList list = read_substitutions(text_of("double_pendulum.idx"), "double_pendulum.idx");
  EXPECT_EQ(names(list.constants), (std::vector<std::string>{"l1", "c1", "c2", "m1", "m2", "I1", "I2", "g"}));
  EXPECT_EQ(names(list.states), (std::vector<std::string>{"s1", "s2", "s1d", "s2d"}));
  expect_double_pendulum(list);
}

TEST(ReadSubstitutions, OneFormBecomesTheOtherAndBack) {
  for (const char* file : {"double_pendulum.sub", "double_pendulum.idx"}) {
    const SubstitutionList read = read_substitutions(text_of(file), file);
    const std::string named = written(read, SubstitutionForm::names), indexed = written(read, SubstitutionForm::indexed);
    const SubstitutionList of_names = read_substitutions(named, "named"), of_indices = read_substitutions(indexed, "indexed");
    expect_double_pendulum(of_names);
    expect_double_pendulum(of_indices);
    EXPECT_EQ(written(of_indices, SubstitutionForm::names), named);
    EXPECT_EQ(written(of_names, SubstitutionForm::indexed), indexed);
    EXPECT_NE(indexed.find("\nsub(24)=-kon("), std::string::npos);
    EXPECT_NE(named.find("\nM(1,2)=sub29;\n"), std::string::npos);
  }
}

// Mráz's own listing of a double pendulum with three modes a body and ten points on the first: lp7xb1 is kon(134), v1p1xb2 is
// kon(234), e1b2 is X(6).
TEST(ReadSubstitutions, ConstantsOfElasticBodiesHaveThePlacesOfThePublishedListing) {
  const SubstitutionList list = read_substitutions(
      "sub13=s1; sub14=s2; sub15=e3b1; sub136=v3p10xb1; sub146=k3_3b1; sub156=1;\n"
      "sub216=sub13*(sub136+lp7xb1)+sub14*(sub146+lp7yb1)+sub15*(sub156+lp7zb1);\n"
      "sub280=v1p1xb2*e1b2+v2p1xb2*e2b2+v3p1xb2*e3b2;\nM(1,1)=sub280+l1;\n",
      "mraz.sub");
  const std::string indexed = written(list, SubstitutionForm::indexed);
  EXPECT_NE(indexed.find("sub(216)=sub(13)*(kon(134)+sub(136))+sub(14)*(kon(135)+sub(146))+sub(15)*(kon(136)+sub(156));"),
            std::string::npos)
      << indexed.substr(indexed.find("\nsub"));
  EXPECT_NE(indexed.find("sub(280)=X(6)*kon(234)+X(7)*kon(240)+X(8)*kon(246);"), std::string::npos)
      << indexed.substr(indexed.find("\nsub"));
  EXPECT_NE(indexed.find("% kon(1)=mp1b1\n% kon(2)=lp1xb1\n"), std::string::npos);
  EXPECT_NE(indexed.find("M(1,1)=kon(261)+sub(280);"), std::string::npos);  // scalars behind them: 229 + 22 + 9
}

TEST(ElasticConstants, NamesAreReadBack) {
  const std::vector<ElasticConstant> all = elastic_constants(3, 11, 12);
  EXPECT_EQ(all.size(), 11U * (4 + 6 * 12) + 144U);
  for (const ElasticConstant& constant : all) EXPECT_EQ(elastic_constant(constant.name()), constant);
  for (const char* name : {"lp", "lp0xb1", "lp1wb1", "lp1xb", "v1p1x", "mp1b1x", "k1b1", "l1", "sub1"})
    EXPECT_FALSE(elastic_constant(name)) << name;
}

TEST(ReadSubstitutions, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(message_of("sub1=a;\nsub3=sub1+sub2;\n"), "x.sub:2:11: sub2 is used before it is made");
  EXPECT_EQ(message_of("sub(1)=kon(1)+ sub( 7);\n"), "x.sub:1:16: sub7 is used before it is made");
  EXPECT_EQ(message_of("sub1=a;\nsub1=b;\n"), "x.sub:2:1: sub1 is made twice");
  EXPECT_EQ(message_of("sub1=a"), "x.sub:1:1: the assignment does not end with ';'");
  EXPECT_EQ(message_of("M(1,1)=1; M(1,1)=2;"), "x.sub:1:11: this entry of 'M' is made twice");
  EXPECT_EQ(message_of("M(1,1)=1; M(1)=2;"), "x.sub:1:11: an entry of 'M' has 1 indices");
  EXPECT_EQ(message_of("kon(1)=2;"), "x.sub:1:1: 'kon' is given to the equations, not made by them");
  EXPECT_EQ(message_of("y=2;"), "x.sub:1:1: 'y' is neither a substitution nor an entry of a result");
  EXPECT_EQ(message_of("# nothing\n"), "x.sub:1:1: the file has no assignment");
  EXPECT_EQ(message_of("M(99999,99999)=1;"), "x.sub:1:1: 'M' would have 9999800001 entries");
  EXPECT_NE(message_of("sub1=2*;"), "");
  EXPECT_NE(message_of("sub(99999999999999999999)=1;"), "");
}

TEST(ReadSubstitutions, NamesOfFunctionsAndKeywordsDoNotCollide) {
  const SubstitutionList list = read_substitutions("# constants: sin end kon X\nsub1=sin(end)*sin+kon*X;\nF(1)=sub1;\n", "x.sub");
  const SubstitutionList again = read_substitutions(written(list, SubstitutionForm::indexed), "x.idx");
  const SubstitutionPoint point{.constants = {2, 3, 5, 7}, .states = {}, .inputs = {}};
  EXPECT_EQ(values_at(list, point), values_at(again, point));
  EXPECT_DOUBLE_EQ(values_at(list, point)[0], std::sin(3) * 2 + 35);
}

}  // namespace
