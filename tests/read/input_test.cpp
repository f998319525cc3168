#include "sfg/read/input.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "read/problems.hpp"

namespace sfg {
namespace {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("sfg_input_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string refusal(const std::string& path, std::optional<InputFormat> format = {}) {
  try {
    read_file(path, format);
  } catch (const Error& error) {
    return error.diagnostics()[0].message;
  }
  return "";
}

TEST(Input, TheExtensionTellsTheFormat) {
  EXPECT_EQ(format_of("a.b/x.DOT"), InputFormat::dot);
  EXPECT_EQ(format_of("x.gv"), InputFormat::dot);
  EXPECT_EQ(format_of("x.toml"), InputFormat::toml);
  EXPECT_EQ(format_of("x.m"), InputFormat::script);
  EXPECT_EQ(format_of("x.txt"), InputFormat::script);
  EXPECT_EQ(format_of("x.json"), InputFormat::json);
  EXPECT_THROW(format_of("dot"), Error);
  EXPECT_THROW(format_of("x.xls"), Error);
}

TEST(Input, ReadsEveryFormat) {
  const Folder folder;
  EXPECT_TRUE(std::holds_alternative<SignalFlowGraph>(read_file(folder.file("x.dot", "digraph { a -> b }")).content));
  EXPECT_TRUE(std::holds_alternative<SignalFlowGraph>(
      read_file(folder.file("x.json", "{\"branches\": [{\"from\": \"a\", \"to\": \"b\"}]}")).content));
  EXPECT_TRUE(
      std::holds_alternative<SignalFlowGraph>(read_file(folder.file("g.toml", "[graph]\nbranches=[['a','b']]\n")).content));
  const Input model = read_file(folder.file("m.toml", "[lagrange]\ncoordinates=['x']\nT='m*Dx^2/2'\n"));
  EXPECT_TRUE(std::holds_alternative<Lagrangian>(std::get<Model>(model.content)));
  const Input script = read_file(std::string(SFG_TEST_DATA) + "/lagrange/vehicle_corrected.m");
  EXPECT_TRUE(std::holds_alternative<Lagrangian>(std::get<Model>(script.content)));
  EXPECT_EQ(read_file(folder.file("x", "digraph { a -> b }"), InputFormat::dot).format, InputFormat::dot);
}

TEST(Input, SaysWhyAFileCannotBeRead) {
  const Folder folder;
  EXPECT_EQ(refusal("/nonexistent.dot"), "cannot read '/nonexistent.dot': there is no such file");
  EXPECT_EQ(refusal(folder.path(), InputFormat::dot), "cannot read '" + folder.path() + "': it is a folder");
  EXPECT_EQ(refusal(folder.path() + "/x.dot/y.dot").substr(0, 11), "cannot read");
  EXPECT_EQ(refusal("-"), "standard input has no name to tell its format from");
  EXPECT_EQ(refusal(folder.file("x.xls", "")).substr(0, 11), "cannot tell");
}

TEST(Input, RefusesAFileThatIsTooLarge) {
  const Folder folder;
  const std::string path = folder.file("x.dot", "digraph {");
  std::filesystem::resize_file(path, largest_file + 1);
  EXPECT_NE(refusal(path).find("it is larger than 256 MiB"), std::string::npos);
}

TEST(Input, ReadsStandardInput) {
  std::istringstream text("digraph { a -> b [gain=\"(\"] }");
  std::streambuf* const others = std::cin.rdbuf(text.rdbuf());
  try {
    read_file("-", InputFormat::dot);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.diagnostics()[0].where), "<stdin>:1:26");
  }
  std::cin.rdbuf(others);
}

std::string report(const std::string& text, InputFormat format) {
  std::string lines;
  for (const Diagnostic& diagnostic : test::problems(text, format, "f")) lines += to_string(diagnostic) + '\n';
  return lines;
}

TEST(Check, IsSilentWhenAllIsWell) { EXPECT_EQ(report("digraph { a -> b }", InputFormat::dot), ""); }

TEST(Check, ListsErrorsAndWarningsInTheOrderOfTheFile) {
  EXPECT_EQ(
      report("strict digraph {\n a -> b [gain=\"x+\"];\n b -> c [gian=\"x\"];\n c -> d [gain=\"1/0\"]; }", InputFormat::dot),
      "f:1:1: warning: keyword 'strict' merges parallel branches into one, the later gain replaces the earlier; leave 'strict' "
      "away "
      "where parallel branches add\n"
      "f:2:18: error: the expression ends too early: a number, a name or '(' is missing; complete it\n"
      "f:3:10: error: attribute 'gian' of a branch is not known, and its gain would be 1; did you mean 'gain'?\n"
      "f:4:18: error: division by zero; correct the divisor\n");
}

}  // namespace
}  // namespace sfg
