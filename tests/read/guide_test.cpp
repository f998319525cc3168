// Every example of the guide to the formats is read.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "read/problems.hpp"

namespace sfg {
namespace {

TEST(GuideToFormats, ItsExamplesAreRead) {
  std::ifstream in(SFG_SOURCE_DIR "/docs/guide/formats.md");
  std::ostringstream page;
  page << in.rdbuf();
  const std::string text = page.str();
  const std::regex block("```(dot|toml|json)\n([^`]*)```");
  std::size_t examples = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), block), end; i != end; ++i, ++examples) {
    const std::string language = (*i)[1];
    const InputFormat format = language == "dot" ? InputFormat::dot : language == "toml" ? InputFormat::toml : InputFormat::json;
    for (const Diagnostic& problem : test::problems(std::string((*i)[2]), format, language))
      ADD_FAILURE() << to_string(problem) << "\n" << (*i)[2];
  }
  EXPECT_EQ(examples, 10U);
}

}  // namespace
}  // namespace sfg
