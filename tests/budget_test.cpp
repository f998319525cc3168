#include "sfg/budget.hpp"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>

#include "sfg/error.hpp"

namespace {

/// What a function that must reach a limit says.
template <class Function>
std::string said(const Function& function) {
  try {
    function();
  } catch (const sfg::LimitReached& limit) {
    return std::string(limit.what()) + "; " + limit.remedy().text();
  }
  return "nothing";
}

TEST(Budget, WithoutLimitOfTimeOnlyListensToTheStop) {
  std::stop_source stop;
  const sfg::Budget budget({}, stop.get_token());
  EXPECT_NO_THROW(budget.check("anything"));
  stop.request_stop();
  EXPECT_THROW(budget.check("anything"), sfg::Cancelled);
}

TEST(Budget, NamesTheWorkThatTheTimeEndedIn) {
  const sfg::Budget budget({.seconds = 0});
  EXPECT_NE(said([&] { budget.check("the listing"); }).find("the time limit of 0 s ended during the listing"), std::string::npos);
}

TEST(Budget, AllowsExactlyItsTerms) {
  const sfg::Budget budget({.terms = 10});
  EXPECT_NO_THROW(budget.check_terms(10, "the listing", sfg::Advice::list_some));
  const std::string text = said([&] { budget.check_terms(11, "the listing", sfg::Advice::list_some); });
  EXPECT_NE(text.find("the listing needs 11 terms, more than the limit of 10"), std::string::npos) << text;
}

TEST(Budget, AllowsExactlyItsMemory) {
  const sfg::Budget budget({.memory_bytes = std::size_t{1} << 20});
  EXPECT_NO_THROW(budget.check_memory(1048576, "the diagram", sfg::Advice::ask_sequence));
  const std::string text = said([&] { budget.check_memory(3 * 1048576.0, "the diagram", sfg::Advice::ask_sequence); });
  EXPECT_NE(text.find("the diagram needs about 3 MiB, more than the limit of 1 MiB"), std::string::npos) << text;
}

TEST(Budget, WithOtherTermsKeepsClockAndStop) {
  std::stop_source stop;
  const sfg::Budget budget({.seconds = 0, .terms = 10}, stop.get_token());
  const sfg::Budget wider = budget.with_terms(20);
  EXPECT_EQ(wider.limits().terms, 20U);
  EXPECT_EQ(budget.limits().terms, 10U);
  EXPECT_THROW(wider.check("anything"), sfg::LimitReached);
  stop.request_stop();
  EXPECT_THROW(wider.check("anything"), sfg::Cancelled);
}

}  // namespace
