#include "sfg/report/report.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "sfg/read/input.hpp"

namespace sfg {
namespace {

std::string markdown(const Report& made) {
  std::ostringstream out;
  write_markdown_document(out, made);
  return out.str();
}

Report report_of(const std::string& text, std::vector<std::string> sections = {}) {
  const Subject subject(read(text, InputFormat::dot, "model.dot"));
  return report({subject, "model.dot", text, questions(subject.graph())}, {.sections = std::move(sections)});
}

std::string bytes_of(const std::string& base64) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned kept = 0, bits = 0;
  for (const char c : base64) {
    const auto value = letters.find(c);
    if (value == std::string::npos) break;
    kept = (kept << 6U) | static_cast<unsigned>(value);
    if ((bits += 6) >= 8) bytes += static_cast<char>((kept >> (bits -= 8)) & 0xFFU);
  }
  return bytes;
}

/// The pictures of the document, decoded.
std::vector<std::string> pictures(const std::string& source) {
  const std::string mark = "](data:image/svg+xml;base64,";
  std::vector<std::string> found;
  for (std::size_t at = source.find(mark); at != std::string::npos; at = source.find(mark, at + 1))
    found.push_back(bytes_of(source.substr(at + mark.size(), source.find(')', at) - at - mark.size())));
  return found;
}

constexpr const char* hostile = R"dot(// ``` ~~~~ ````
digraph "# <b>T</b> [x](javascript:y) $1$ | &lt;" {
  "a|b" -> "__proto__" [gain="var"]; "__proto__" -> "<script>" [gain="1/(s+1)"];
  "<script>" -> "__proto__" [gain="-1"]; "<script>" -> y;
})dot";

TEST(ReportMarkdown, PicturesAreDataWithTheirDescriptionBelow) {
  Report made = report_of(hostile, {"graph"});
  Figure figure;
  figure.title = "Step & response";
  figure.description = "What a <b>step</b> does";
  figure.panels.emplace_back().series.push_back({.x = {0, 1}, .y = {0, 1}});
  made.sections.push_back({"time", "Step response", {{"y/u", figure}}});
  const std::string source = markdown(made);
  const std::vector<std::string> found = pictures(source);
  ASSERT_EQ(found.size(), 2U) << source;
  for (const std::string& svg : found) {
    EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << svg.substr(svg.size() - 20);
  }
  std::ostringstream whole;
  figure.theme = Theme::light;
  write_svg(whole, figure);
  EXPECT_EQ(found[1], whole.str());
  EXPECT_NE(source.find("![Step & response](data:"), std::string::npos);
  EXPECT_NE(source.find("*What a \\<b\\>step\\</b\\> does."), std::string::npos) << source;
}

TEST(ReportMarkdown, NothingOfTheModelIsMarkup) {
  const std::string source = markdown(report_of(hostile));
  EXPECT_TRUE(source.starts_with("# \\# \\<b\\>T\\</b\\> \\[x\\](javascript:y) \\$1\\$ \\| \\&lt;\n")) << source.substr(0, 200);
  EXPECT_NE(source.find("\n`````\n// ``` ~~~~ ````\n"), std::string::npos) << "the fence is longer than any in the input";
  std::istringstream lines(source);
  bool code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) code = !code;
    if (code || line.starts_with("![")) continue;
    EXPECT_EQ(line.find("<script>"), std::string::npos) << line;
  }
}

TEST(ReportMarkdown, ContentsLinkToTheSections) {
  const std::string source = markdown(report_of(hostile));
  EXPECT_NE(source.find("- [Mason's rule](#masons-rule)\n"), std::string::npos);
  EXPECT_NE(source.find("\n## Mason's rule\n"), std::string::npos);
  EXPECT_EQ(source, markdown(report_of(hostile)));
}

}  // namespace
}  // namespace sfg
