#include "sfg/export/export_header.hpp"

#include <gtest/gtest.h>

#include "export/subjects.hpp"

namespace sfg {
namespace {

TEST(ExportHeader, NoTextEndsItsComment) {
  EXPECT_EQ(comment_text("a */ b /* c"), "a */ b /* c");
  EXPECT_EQ(block_comment_text("a */ b /* c*//"), "a * / b / * c* //");
  EXPECT_EQ(comment_text("line\nbreak\r\x01"), "line break  ");
  EXPECT_EQ(comment_text("a path\\"), "a path\\ .");
  EXPECT_EQ(comment_text("\xe2\x80\xa8next").find('\n'), std::string::npos);
  EXPECT_EQ(comment_text(std::string("what?") + "?/"), "what? ? /");
}

TEST(ExportHeader, SaysWhatTheFileIs) {
  ExportSubject subject = exported::subject(exported::loop);
  subject.graph.title = "A loop";
  subject.graph.symbols.find("K")->unit = "1/s";
  subject.command = "sfg export loop.dot --target c";
  const std::vector<std::string> lines =
      header_lines(subject, exported_parameters(subject.graph),
                   {.what = "C functions", .verified = "verified: by hand", .renamed = {{"λ", "lambda"}}});
  EXPECT_EQ(lines, (std::vector<std::string>{"A loop", "C functions", "parameters:", "  K = 10 1/s", "  T = 2",
                                             "names that are others here:", "  λ -> lambda", "verified: by hand",
                                             "made by: sfg export loop.dot --target c"}));
}

TEST(ExportHeader, WhatIsFollowedStandsFirst) {
  const ExportSubject subject = exported::subject("digraph { parameters=\"w=sqrt(k/m), m=2, k=8\"; a -> b [gain=\"w/(s+w)\"]; }");
  const std::vector<ExportedParameter> model = exported_parameters(subject.graph), file = by_dependence(model);
  EXPECT_EQ(model.front().name, "w");
  EXPECT_TRUE(model.front().follows);
  EXPECT_EQ(model.front().value, 2);
  EXPECT_EQ(file.back().name, "w");
}

}  // namespace
}  // namespace sfg
