#include "sfg/text/escape.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "graphs/hostile.hpp"

namespace sfg {
namespace {

TEST(Escape, WellFormedCharactersAreMeasuredAndOthersReplaced) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("é"), 2U);
  EXPECT_EQ(utf8_length("日"), 3U);
  EXPECT_EQ(utf8_length("𝛥"), 4U);
  for (const std::string bad : {"\x80", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3", "\xFF"}) {
    EXPECT_EQ(utf8_length(bad), 0U);
    EXPECT_EQ(valid_utf8("a" + bad + "b").find(bad), std::string::npos);
  }
  EXPECT_EQ(valid_utf8("\xC3(x"), "\xEF\xBF\xBD(x");
}

TEST(Escape, JsonStringsReadBack) {
  for (const std::string& text : test::hostile_texts()) EXPECT_EQ(nlohmann::json::parse(json_string(text)), valid_utf8(text));
}

TEST(Escape, XmlTextHasNoMarkupLeft) {
  EXPECT_EQ(xml_text("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
  for (const std::string& text : test::hostile_texts()) {
    const std::string escaped = xml_text(text);
    EXPECT_EQ(escaped.find_first_of("<>\""), std::string::npos) << text;
    for (const unsigned char c : escaped) EXPECT_TRUE(c >= 0x20 || c == '\t' || c == '\n' || c == '\r');
  }
}

TEST(Escape, BracketsThatCloseAtTheEndAreHtml) {
  for (const char* html : {"<b>", "<<b>>", "<a><b>"}) EXPECT_EQ(is_dot_html(html), std::string(html) != "<a><b>") << html;
  for (const char* plain : {"", "<", "<b", "b>", "a<b>"}) EXPECT_FALSE(is_dot_html(plain)) << plain;
}

TEST(Escape, NamesStayBareWhereTheGrammarAllowsIt) {
  EXPECT_EQ(toml_key("a-1"), "a-1");
  EXPECT_EQ(toml_key("a b"), "\"a b\"");
  EXPECT_EQ(toml_key(""), "\"\"");
  EXPECT_EQ(dot_name("x1"), "x1");
  for (const char* reserved : {"node", "Edge", "1a", "a b", ""}) EXPECT_EQ(dot_name(reserved).front(), '"') << reserved;
}

}  // namespace
}  // namespace sfg
