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

}  // namespace
}  // namespace sfg
