#include "sfg/error.hpp"

#include <gtest/gtest.h>

namespace sfg {
namespace {

TEST(Error, PrintsPlaceMessageAndHint) {
  const auto file = std::make_shared<const std::string>("plant.toml");
  const Error error(SourceSpan{file, 12, 9, 2}, "unknown symbol 'kk'", "did you mean 'k'?");
  EXPECT_STREQ(error.what(), "plant.toml:12:9: error: unknown symbol 'kk'; did you mean 'k'?");
}

TEST(Error, NearestFindsTheLikelyName) {
  const std::vector<std::string> names{"mass", "stiffness", "k"};
  EXPECT_EQ(nearest("mas", names), "mass");
  EXPECT_EQ(nearest("stifness", names), "stiffness");
  EXPECT_EQ(nearest("zzz", names), "");
  EXPECT_EQ(nearest("K", names), "k");
  EXPECT_EQ(nearest("R", names), "") << "one letter for another is no misspelling";
}

TEST(Error, EveryWayToEndIsAFailureWithItsRemedy) {
  const auto file = std::make_shared<const std::string>("plant.toml");
  using Seen = std::pair<std::string, std::uint32_t>;
  const auto caught = [](const auto& thrown) -> Seen {
    try {
      throw thrown;
    } catch (const Failure& failure) {
      return {failure.remedy().text(), failure.where().line};
    }
  };
  EXPECT_EQ(caught(Error({file, 12, 9, 2}, "wrong", "correct it")), Seen("correct it", 12));
  EXPECT_EQ(caught(NoAnswer("none", Advice::pade, {file, 3, 1, 1})), Seen("replace the dead time by a Padé approximant", 3));
  EXPECT_EQ(caught(LimitReached("long", Advice::raise_time_limit)), Seen("raise the limit of time", 0));
  EXPECT_EQ(caught(Cancelled()), Seen("", 0));
}

TEST(Remedy, NamesAlternatives) {
  EXPECT_TRUE(Remedy("").empty());
  EXPECT_EQ(Remedy().text(), "");
  EXPECT_EQ((Advice::list_some | "ask for less").text(), "list only some, or ask for less");
  EXPECT_EQ(("state it" | Remedy(Advice::substitute, "K") | "leave it out").text(),
            "state it, substitute a number for K, or leave it out");
}

TEST(Remedy, TakesTheWordsOfItsCaller) {
  const Remedy remedy = "state it" | Remedy(Advice::substitute, "K");
  EXPECT_EQ(remedy.text([](const Remedy::Step& step) {
    return step.advice == Advice::substitute ? "give --set " + step.subject : step.subject;
  }),
            "state it, or give --set K");
}

TEST(Remedy, OfTheLibraryNamesNoOption) {
  for (int i = 1; i <= static_cast<int>(Advice::name_format); ++i) {
    const std::string words = Remedy(static_cast<Advice>(i)).text();
    EXPECT_FALSE(words.empty()) << i;
    EXPECT_EQ(words.find("--"), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace sfg
