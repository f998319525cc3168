#include "sfg/text/printable.hpp"

#include <gtest/gtest.h>

#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {
namespace {

std::string character(std::uint32_t code) {
  std::string text;
  append_utf8(text, code);
  return text;
}

// The rule once more, by the numbers of Unicode.
bool steers(std::uint32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

TEST(Printable, EveryCharacterIsShownOrWrittenByItsNumber) {
  for (std::uint32_t c = 0; c < 0x3000; ++c) {
    const std::string one = character(c);
    EXPECT_EQ(steering_bytes(one), steers(c) ? one.size() : 0) << c;
    EXPECT_EQ(has_steering("ab" + one), steers(c) && c != '\r') << c;
    EXPECT_EQ(is_printable(one + "b"), !steers(c)) << c;
    EXPECT_EQ(printable(one) == one, !steers(c)) << c;
    EXPECT_TRUE(is_printable(printable("a" + one + "b"))) << c;
  }
  EXPECT_EQ(printable("a\x1b[2J\xC2\x9B" + character(0x202E)), "a\\u{1b}[2J\\u{9b}\\u{202e}");
  EXPECT_EQ(printable_json("{\"a\": \"\x7F\xC2\x9B\"}"), "{\"a\": \"\\u007f\\u009b\"}");
  EXPECT_EQ(printable("a\r\nb\rc"), "a\r\nb\\u{d}c");
}

TEST(Printable, AnyBytesBecomeText) {
  std::uint32_t random = 1;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string bytes;
    for (int k = 0; k < 6; ++k) {
      random = random * 1664525U + 1013904223U;
      constexpr std::string_view likely = "\xE2\x80\xAE\xC2\x9B\xF0\x1B\x81\xA6\xFF\ra";
      bytes += likely[(random >> 16) % likely.size()];
    }
    const std::string shown = printable(bytes);
    EXPECT_TRUE(is_printable(shown));
    EXPECT_EQ(valid_utf8(shown), shown);
    EXPECT_EQ(printable(shown), shown);
  }
}

TEST(Printable, MessagesAreCut) {
  const std::string word(100000, 'k');
  EXPECT_LT(message_text("option '--set Kp=" + word + "' has no number").size(), 300U);
  EXPECT_NE(message_text("option '--set Kp=" + word + "' has no number").find("…"), std::string::npos);
  EXPECT_NE(message_text("option '--set Kp=" + word + " is wrong").find(" is wrong"), std::string::npos);
  std::string blanks;
  for (int i = 0; i < 100000; ++i) blanks += "a ";
  EXPECT_LT(message_text(blanks).size(), 2100U);
  EXPECT_EQ(message_text(message_text(blanks + "\n" + word)), message_text(blanks + "\n" + word));
  const std::string usual = "x.dot:1:2: error: 'K' is unknown; did you mean 'k'?\nsecond line";
  EXPECT_EQ(message_text(usual), usual);
}

TEST(Printable, FailuresSpeakPrintably) {
  const Error error(SourceSpan{std::make_shared<const std::string>("a\x1b.dot"), 1, 2},
                    "name '\xC2\x9B" + std::string(100000, 'x') + "' is wrong");
  EXPECT_TRUE(is_printable(error.what()));
  EXPECT_LT(std::string(error.what()).size(), 400U);
  EXPECT_TRUE(is_printable(error.diagnostics().front().message));
  EXPECT_TRUE(is_printable(NoAnswer("\xFF\x1b").what()));
}

TEST(Printable, OfVeryManyErrorsTheFirstAreSaid) {
  const Error error(std::vector<Diagnostic>(100000, Diagnostic{{}, "x is wrong"}));
  EXPECT_EQ(error.diagnostics().size(), 101U);
  EXPECT_EQ(error.diagnostics().back().message, "these are the first 100 errors of 100000");
  EXPECT_EQ(Error(std::vector<Diagnostic>(100, Diagnostic{{}, "x is wrong"})).diagnostics().size(), 100U);
}

TEST(Excerpt, StandsAroundItsCharacter) {
  const auto at = [](std::string_view line, std::size_t k) { return excerpt(line, k).value_or(Excerpt{"-", 0, 0}); };
  EXPECT_EQ(at("a + b", 2).text, "a + b");
  EXPECT_EQ(at("a + b", 2).before, 2U);
  EXPECT_EQ(at("a + b", 2).after, 3U);
  EXPECT_EQ(at("a\tb\r", 1).text, "a b ");
  EXPECT_EQ(at("a\xF0\x1B[2Jx", 1).text, "a··[2Jx");
  EXPECT_EQ(at("é\xC2\x9B", 1).text, "é·");
  EXPECT_FALSE(excerpt("", 0));
  EXPECT_FALSE(excerpt("ab", 3));
  EXPECT_TRUE(excerpt("ab", 2));
  const std::string line = std::string(1000000, 'x') + "!" + std::string(1000000, 'y');
  const Excerpt middle = at(line, 1000000);
  EXPECT_LT(middle.text.size(), 130U);
  EXPECT_EQ(middle.text.substr(middle.before + std::string("…").size() - 1, 1), "!");
}

}  // namespace
}  // namespace sfg
