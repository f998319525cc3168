#include "sfg/read/source_text.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace sfg {
namespace {

/// Every place of a text by going through it, character by character.
TEST(SourceText, OffsetsAndPlacesOfAnyTextAreEachOthersInverse) {
  std::mt19937 random(5);
  for (const unsigned one_in : {0U, 2U, 40U, 2000U}) {  // characters of several bytes: none, many, few, in few of the blocks
    std::string text;
    for (int i = 0; i < 5000; ++i)
      text += one_in > 0 && random() % one_in == 0 ? (random() % 2 == 0 ? "µ" : "€") : random() % 60 == 0 ? "\n" : "x";
    const SourceText source(text, "f");
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;  // within a character
      ASSERT_EQ(source.offset(line, column), i) << line << ':' << column;
      const SourceSpan span = source.at(i);
      ASSERT_TRUE(span.line == line && span.column == column)
          << span.line << ':' << span.column << " for " << line << ':' << column;
      ++column;
      if (text[i] == '\n') ++line, column = 1;
    }
    EXPECT_EQ(source.offset(line, column + 7), text.size());
    EXPECT_EQ(source.offset(line + 1, 1), text.size());
  }
}

TEST(SourceText, WhatIsNoTextIsFoundAtItsPlace) {
  const auto column_of = [](const std::string& text) {
    try {
      SourceText(text, "f").check_characters();
    } catch (const Error& error) {
      return error.where().column;
    }
    return 0U;
  };
  EXPECT_EQ(column_of("plain \t µ €\r\n~"), 0U);
  EXPECT_EQ(column_of("ab\x7F"), 3U);
  EXPECT_EQ(column_of("µb\x01"), 3U);
  EXPECT_EQ(column_of("ab\xFFz"), 3U);
  EXPECT_EQ(column_of(std::string("a\0b", 3)), 2U);
}

}  // namespace
}  // namespace sfg
