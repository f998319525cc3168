// Inside a room the layers say nothing: what keeps it readable is that few of its files need each other.
#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path library = fs::path(SFG_SOURCE_DIR) / "libsfg";

/// Files that need each other, directly or by others; a header and the source of its name are one file.
std::vector<std::vector<std::string>> knots(const std::map<std::string, std::vector<std::string>>& includes) {
  std::map<std::string, std::size_t> number;
  std::vector<std::string> names;
  for (const auto& [name, used] : includes) {
    number.emplace(name, names.size());
    names.push_back(name);
  }
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(names.size());
  for (const auto& [name, used] : includes)
    for (const std::string& other : used)
      if (number.contains(other)) add_edge(number.at(name), number.at(other), graph);
  std::vector<std::size_t> component(names.size());
  const std::size_t count = strong_components(graph, component.data());
  std::vector<std::vector<std::string>> found(count);
  for (std::size_t i = 0; i < names.size(); ++i) found[component[i]].push_back(names[i]);
  std::erase_if(found, [](const auto& knot) { return knot.size() == 1; });
  return found;
}

std::map<std::string, std::vector<std::string>> includes_of_the_library() {
  static const std::regex include(R"re(#include "(sfg/[^"]+)\.hpp")re");
  std::map<std::string, std::vector<std::string>> all;
  for (const auto& entry : fs::recursive_directory_iterator(library / "sfg")) {
    if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    std::vector<std::string>& used = all[fs::relative(entry.path(), library).replace_extension().generic_string()];
    std::smatch found;
    for (std::string line; std::getline(in, line);)
      if (std::regex_search(line, found, include)) used.push_back(found[1]);
  }
  return all;
}

TEST(Rooms, AtMostFourFilesNeedEachOther) {
  const auto includes = includes_of_the_library();
  EXPECT_GT(includes.size(), 500u);
  for (const auto& knot : knots(includes)) {
    std::ostringstream text;
    for (const std::string& name : knot) text << ' ' << name;
    EXPECT_LE(knot.size(), 4u) << "need each other, so that none is understood alone:" << text.str();
  }
}

TEST(Rooms, HaveAtMostFortySources) {
  std::map<std::string, std::size_t> count;
  for (const auto& entry : fs::recursive_directory_iterator(library / "sfg"))
    if (entry.path().extension() == ".cpp") ++count[entry.path().parent_path().string()];
  for (const auto& [room, sources] : count) EXPECT_LE(sources, 40u) << room << ": give it sub-rooms";
}

TEST(Rooms, KnotsAreFoundThroughOthers) {
  const auto found = knots({{"a", {"b"}}, {"b", {"c", "d"}}, {"c", {"a"}}, {"d", {}}, {"e", {"elsewhere", "a"}}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
