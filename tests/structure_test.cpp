// The house rules that a compiler does not check: which layer includes which, what is installed, what the corpus states.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const fs::path root = SFG_SOURCE_DIR;

struct Layer {
  Names uses;      ///< other layers, and with them what those use
  Names packages;  ///< of third parties, by the first part of the include
};

// Who may include whom. "error" stands for the files at the root of the library.
const std::map<std::string, Layer> layers{
    {"text", {{}, {}}},
    {"error", {{"text"}, {}}},
    {"numeric", {{"error"}, {"Eigen"}}},
    {"ddd", {{}, {}}},
    {"exact", {{"error"}, {"flint", "arb", "calcium"}}},
    {"ring", {{"ddd", "error", "exact"}, {"cln", "flint", "arb"}}},
    {"expr", {{"numeric", "ring"}, {"ginac", "cln", "flint"}}},
    {"model", {{"expr"}, {"ginac"}}},
    {"graph", {{"model"}, {"ginac", "boost"}}},
    {"derive", {{"graph"}, {"ginac", "Eigen"}}},
    {"transfer", {{"graph", "ddd"}, {"ginac", "cln"}}},
    {"control", {{"transfer"}, {"ginac", "Eigen"}}},
    {"response", {{"control", "numeric"}, {"ginac", "Eigen", "flint", "arb"}}},
    {"approximate", {{"response"}, {"ginac", "Eigen"}}},
    {"study", {{"response"}, {"ginac"}}},
    {"draw", {{"transfer"}, {"ginac", "fmt"}}},
    {"plot", {{"response", "draw"}, {"fmt"}}},
    {"read", {{"graph"}, {"ginac", "graphviz", "toml++", "nlohmann", "fmt"}}},
    {"write", {{"approximate", "study", "draw", "derive"}, {"ginac", "graphviz", "nlohmann", "fmt"}}},
};

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) found.push_back((*i)[1]);
  return found;
}

std::vector<std::string> includes(const fs::path& path) {
  return matches(text_of(path), R"re((?:^|\n)\s*#\s*include\s*[<"]([^>"]+)[>"])re");
}

std::vector<fs::path> files(const fs::path& folder, const Names& extensions) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder))
    if (entry.is_regular_file() && extensions.contains(entry.path().extension())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// "sfg/graph/loops.hpp" → "graph"; a file at the root of the library belongs to "error".
std::string layer_of(const std::string& include) {
  const auto parts = matches(include, "([^/]+)");
  return parts.size() > 2 ? parts[1] : "error";
}

void add_with_all(const std::string& layer, Names& reached) {
  if (!reached.insert(layer).second) return;
  for (const std::string& next : layers.at(layer).uses) add_with_all(next, reached);
}

/// The package of an include of a third party; "" for the standard and the operating system.
std::string package_of(const std::string& include) {
  static const std::map<std::string, std::string> single{{"arb.h", "arb"}, {"acb.h", "arb"}, {"arb_fmpz_poly.h", "arb"}};
  if (const auto it = single.find(include); it != single.end()) return it->second;
  const std::size_t slash = include.find('/');
  if (slash == std::string::npos || include.starts_with("sys/")) return "";
  return include.substr(0, slash);
}

Names public_headers(const std::string& target_sources) {
  const std::string lists = text_of(root / "libsfg/CMakeLists.txt");
  const std::size_t begin = lists.find("target_sources(" + target_sources);
  const std::string block = lists.substr(begin, lists.find("PRIVATE", begin) - begin);
  const auto found = matches(block, R"((sfg/[\w/]+\.hpp))");
  return {found.begin(), found.end()};
}

TEST(Structure, LayersIncludeOnlyWhatLiesBelow) {
  for (const fs::path& file : files("libsfg/sfg", {".hpp", ".cpp"})) {
    const std::string name = fs::relative(file, root / "libsfg").generic_string();
    if (name == "sfg/sfg.hpp") continue;
    const std::string own = layer_of(name);
    ASSERT_TRUE(layers.contains(own)) << name << ": a folder that is no layer";
    Names allowed;
    add_with_all(own, allowed);
    for (const std::string& include : includes(file)) {
      if (include.starts_with("sfg/")) {
        EXPECT_TRUE(allowed.contains(layer_of(include))) << name << " includes " << include;
        EXPECT_TRUE(fs::exists(root / "libsfg" / include)) << name << " includes " << include;
      } else if (const std::string package = package_of(include); !package.empty()) {
        EXPECT_TRUE(layers.at(own).packages.contains(package)) << name << " includes <" << include << ">";
      }
    }
  }
}

TEST(Structure, LayersHaveNoCircle) {
  for (const auto& [name, layer] : layers)
    for (const std::string& used : layer.uses) {
      Names reached;
      add_with_all(used, reached);
      EXPECT_FALSE(reached.contains(name)) << name << " uses " << used << " and the reverse";
    }
}

TEST(Structure, OwnHeaderComesFirst) {
  for (const fs::path& file : files("libsfg/sfg", {".cpp"})) {
    fs::path header = fs::relative(file, root / "libsfg");
    header.replace_extension(".hpp");
    const auto list = includes(file);
    if (fs::exists(root / "libsfg" / header) && !list.empty()) {
      EXPECT_EQ(list.front(), header.generic_string()) << file;
    }
  }
}

TEST(Structure, FrontDoorSaysWhatEachHeaderIsFor) {
  const Names installed = public_headers("sfg\n");
  ASSERT_GT(installed.size(), 20U);
  const auto list = includes(root / "libsfg/sfg/sfg.hpp");
  ASSERT_GT(list.size(), 20U);
  const Names named(list.begin(), list.end());
  EXPECT_EQ(named.size(), list.size()) << "a header twice";
  for (const std::string& header : named) EXPECT_TRUE(installed.contains(header)) << header;
  EXPECT_EQ(matches(text_of(root / "libsfg/sfg/sfg.hpp"), R"(#include ("[^"]+" +// \S))").size(), list.size())
      << "a line says nothing";
}

TEST(Structure, FrontDoorHasNoEngines) {
  const Names engines{"ddd", "exact", "numeric", "ring"};
  for (const std::string& include : includes(root / "libsfg/sfg/sfg.hpp"))
    EXPECT_FALSE(engines.contains(layer_of(include))) << include;
}

TEST(Structure, PublicHeadersIncludeOnlyInstalledOnes) {
  Names installed = public_headers("sfg\n");
  const Names graphviz = public_headers("sfg_graphviz");
  installed.insert(graphviz.begin(), graphviz.end());
  for (const std::string& header : installed)
    for (const std::string& include : includes(root / "libsfg" / header))
      if (include.starts_with("sfg/")) {
        EXPECT_TRUE(installed.contains(include)) << header << " includes " << include;
      }
}

TEST(Structure, CommandAndExamplesUseInstalledHeadersOnly) {
  Names installed = public_headers("sfg\n");
  const Names graphviz = public_headers("sfg_graphviz");
  installed.insert(graphviz.begin(), graphviz.end());
  for (const std::string folder : {"tools", "examples"})
    for (const fs::path& file : files(folder, {".hpp", ".cpp"}))
      for (const std::string& include : includes(file)) {
        if (include.starts_with("sfg/")) {
          EXPECT_TRUE(installed.contains(include)) << file << " includes " << include;
        }
        const std::string package = package_of(include);
        EXPECT_FALSE(package == "ginac" || package == "cln" || package == "boost" || package == "graphviz" || package == "flint")
            << file << " includes <" << include << ">";
      }
}

// What the library says can be followed by a program: the names of options are those of the command (tools/frame/failure.cpp).
TEST(Structure, MessagesOfTheLibraryNameNoOptions) {
  for (const fs::path& file : files("libsfg/sfg", {".cpp"})) {
    const std::string name = file.filename().string();
    if (name == "convert.cpp" || name == "frequency.cpp") continue;  // options of rsvg-convert; a listing of the command
    for (const std::string& option : matches(text_of(file), R"re("[^"\n]*[ (]--([a-z][a-z-]+)[^"\n]*")re"))
      EXPECT_TRUE(option.empty()) << file << " names --" << option;
  }
}

TEST(Structure, EveryGraphOfTheCorpusStatesItsReferenceAndAnswer) {
  const auto graphs = files("graphs", {".dot"});
  EXPECT_GE(graphs.size(), 78U);
  for (const fs::path& file : graphs) {
    const std::string text = text_of(file);
    for (const std::string attribute : {"reference", "expect", "input", "output"})
      EXPECT_NE(text.find("  " + attribute + " = \""), std::string::npos) << file << " has no " << attribute;
  }
}

TEST(Structure, EveryExampleHasALineInItsReadme) {
  const std::string readme = text_of(root / "examples/README.md");
  for (const fs::path& file : files("examples", {".toml", ".cpp", ".m", ".dot"}))
    EXPECT_NE(readme.find("`" + file.filename().string() + "`"), std::string::npos) << file;
}

}  // namespace
