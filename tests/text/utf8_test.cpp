#include "sfg/text/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sfg {
namespace {

TEST(Utf8, CountsCharactersNotBytes) {
  EXPECT_EQ(character_count(""), 0U);
  EXPECT_EQ(character_count("abc"), 3U);
  EXPECT_EQ(character_count("φ_x = 日本"), 8U);
  EXPECT_EQ(character_count("𝛥"), 1U);
}

TEST(Utf8, BytesOfACharacterEndWithTheText) {
  EXPECT_EQ(character_bytes("aφ", 0), 1U);
  EXPECT_EQ(character_bytes("aφ", 1), 2U);
  EXPECT_EQ(character_bytes("𝛥", 0), 4U);
  EXPECT_EQ(character_bytes("\xCF", 0), 1U);
}

TEST(Utf8, NoCharacterIsCut) {
  const std::string text = "aφ𝛥";
  for (std::size_t bytes = 0; bytes <= text.size() + 1; ++bytes) {
    const std::string_view cut = cut_to_bytes(text, bytes);
    EXPECT_TRUE(cut == "" || cut == "a" || cut == "aφ" || cut == text) << bytes;
    EXPECT_LE(cut.size(), bytes);
  }
  EXPECT_EQ(cut_to_bytes(text, 6), "aφ");
}

}  // namespace
}  // namespace sfg
