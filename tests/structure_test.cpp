// The house rules that a compiler does not check: which layer includes which, what is installed, what the corpus states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
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
    {"about",
     {{"error"},
      {"Eigen", "arb", "boost", "cln", "flint", "fmt", "ginac", "nlohmann", "nlopt", "pugixml", "sundials", "yaml", "zlib"}}},
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
    {"compare", {{"approximate"}, {"ginac"}}},
    {"approximate", {{"response"}, {"ginac", "Eigen"}}},
    {"study", {{"response"}, {"ginac", "Eigen", "nlopt", "ceres", "glog", "boost", "fmt", "flint", "arb", "mpi"}}},
    {"nonlinear",
     {{"response"}, {"ginac", "Eigen", "boost", "cvode", "nvector", "sundials", "sunmatrix", "sunlinsol", "sunnonlinsol"}}},
    {"multibody", {{"nonlinear", "derive"}, {"ginac", "Eigen"}}},
    {"draw", {{"transfer"}, {"ginac", "fmt"}}},
    {"plot", {{"study", "nonlinear", "multibody", "draw"}, {"fmt"}}},
    {"read", {{"draw", "graph"}, {"ginac", "graphviz", "toml++", "nlohmann", "fmt", "pugixml", "yaml", "zlib"}}},
    {"write",
     {{"approximate", "compare", "study", "nonlinear", "multibody", "draw", "derive"}, {"ginac", "graphviz", "nlohmann", "fmt"}}},
    {"export", {{"write", "plot"}, {"ginac", "fmt", "nlohmann"}}},
    {"ask", {{"study", "multibody", "read"}, {"ginac"}}},
    {"report", {{"ask", "write", "plot", "read"}, {"ginac", "fmt", "nlohmann"}}},
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
  static const std::map<std::string, std::string> single{
      {"arb.h", "arb"},           {"nlopt.h", "nlopt"},       {"acb.h", "arb"},   {"acb_calc.h", "arb"},
      {"arb_fmpz_poly.h", "arb"}, {"pugixml.hpp", "pugixml"}, {"yaml.h", "yaml"}, {"zlib.h", "zlib"}};
  if (const auto it = single.find(include); it != single.end()) return it->second;
  const std::size_t slash = include.find('/');
  if (slash == std::string::npos || include.starts_with("sys/")) return "";
  return include.substr(0, slash);
}

/// C++ without its comments and the insides of its literals; lines stay.
std::string code_of(const std::string& text) {
  static const std::regex skipped(
      R"re(//[^\n]*|/\*[^]*?\*/|R"(\w*)\([^]*?\)\1"|"(?:[^"\\\n]|\\.)*"|(\w')(?=\w)|'(?:[^'\\\n]|\\.)+')re");
  std::string code;
  auto end = text.begin();
  for (std::sregex_iterator i(text.begin(), text.end(), skipped), none; i != none; ++i) {
    code.append(end, (*i)[0].first);
    if ((*i)[2].matched)
      code += (*i)[2].str();  // of a number such as 10'000
    else if (const char first = *(*i)[0].first; first != '/')
      code += "\"\"";
    code.append(static_cast<std::size_t>(std::count((*i)[0].first, (*i)[0].second, '\n')), '\n');
    end = (*i)[0].second;
  }
  return code.append(end, text.end());
}

struct Function {
  std::string head;  ///< what stands before the body
  std::size_t line = 0, lines = 0;
};

/// Whether a brace after this begins a value: of a default argument or of a member in a constructor's list.
bool before_a_value(const std::string& head) {
  static const std::regex member(R"re(\)\s*(?:noexcept\s*)?:(?!:)[^]*[\w>]\s*$)re");
  return std::count(head.begin(), head.end(), '(') != std::count(head.begin(), head.end(), ')') ||
         std::regex_search(head, member);
}

/// Bodies that stand in a namespace or a class, by their braces.
std::vector<Function> functions(const std::string& text) {
  static const std::regex named(R"re((?:^|\s)(?:namespace|class|struct|union|enum|extern)\b[^()]*$)re");
  enum class Block { container, function, inside, value };
  std::vector<std::pair<Block, Function>> open;
  std::vector<Function> found;
  std::string head;
  std::size_t line = 1, begin = 1;
  for (const char c : code_of(text)) {
    const bool outside = open.empty() || open.back().first == Block::container;
    if (c == '{') {
      const bool value = open.empty() ? false : open.back().first == Block::value || (outside && before_a_value(head));
      const bool holds = outside && std::regex_search(head, named);
      const bool body = outside && head.find('(') != std::string::npos;
      open.push_back({value   ? Block::value
                      : holds ? Block::container
                      : body  ? Block::function
                              : Block::inside,
                      {head, begin, 0}});
      if (!value) head.clear();
    } else if (c == '}' && !open.empty()) {
      auto [block, function] = open.back();
      open.pop_back();
      function.lines = line + 1 - function.line;
      if (block == Block::function) found.push_back(function);
      if (block == Block::value)
        head += "{}";
      else
        head.clear();
    } else if (c == ';') {
      head.clear();
    } else if (!head.empty() || std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (head.empty()) begin = line;
      head += c;
    }
    if (c == '\n') ++line;
  }
  return found;
}

/// The name before the list of parameters, with its class: "Reader::value".
std::string name_of(const Function& function) {
  const auto names = matches(function.head, R"re(((?:\w+::)*~?\w+|operator\S+)\s*\()re");
  return names.empty() ? function.head : names.front();
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

/// Free functions that headers of these layers declare.
Names declared_in(const std::vector<std::string>& rooms) {
  Names names;
  for (const std::string& room : rooms)
    for (const fs::path& header : files("libsfg/sfg/" + room, {".hpp"}))
      for (const std::string& name : matches(code_of(text_of(header)), R"re((?:^|\n)\w[\w:<>, *&]* [*&]?(\w+)\()re"))
        names.insert(name);
  return names;
}

Names called_in(const std::string& text) {
  const auto names = matches(code_of(text), R"re((?:^|[^\w.>])(\w+)(?=\())re");
  return {names.begin(), names.end()};
}

// Which operator is that of sampled systems is known in one place: everything else asks Operator::discrete(). Of bodies z is an
// axis.
TEST(Structure, TheOperatorZIsNamedOnce) {
  Names found;
  for (const char* folder : {"libsfg", "tools"})
    for (const fs::path& file : files(folder, {".cpp", ".hpp"}))
      if (!matches(text_of(file), R"re(([!=]= "z"|"z" [!=]=))re").empty() && !file.filename().string().starts_with("multibody_"))
        found.insert(file.filename().string());
  EXPECT_EQ(found, (Names{"operator.cpp"}));
}

// An answer must not depend on how busy the machine is: whoever asks the clock ends by an error, a limit of time, or keeps a
// checkpoint.
TEST(Structure, NoAnswerDependsOnTheClock) {
  const Names may_ask{"budget.hpp", "budget.cpp", "process.cpp", "exact_number.cpp", "run_keeper.hpp", "monte_carlo.cpp"};
  for (const fs::path& file : files("libsfg/sfg", {".hpp", ".cpp"}))
    EXPECT_TRUE(may_ask.contains(file.filename()) || text_of(file).find("_clock") == std::string::npos) << file;
}

// The engine of the standard library descends once a character: a text of users that is long enough ends the process.
TEST(Structure, NoRegularExpressionReadsTheTextOfUsers) {
  for (const char* folder : {"libsfg", "tools"})
    for (const fs::path& file : files(folder, {".cpp", ".hpp"}))
      for (const std::string& include : includes(file))
        EXPECT_TRUE(include != "regex" && include != "regex.h" && include != "boost/regex.hpp" && include != "httplib.h")
            << file << " includes <" << include << ">: sfg/text/scan.hpp reads a text from its front";
}

// Clang 14, with which the sanitizers and the fuzzers build, cannot use the views of Debian's standard library, nor what returns
// one.
TEST(Structure, NoViewsOfRanges) {
  const std::regex views(
      "std::views::|ranges::(unique|remove|remove_if|partition|stable_partition|rotate|equal_range|search|find_end|subrange)\\b");
  for (const char* folder : {"libsfg", "tools", "tests"})
    for (const fs::path& file : files(folder, {".cpp", ".hpp"}))
      EXPECT_TRUE(file.filename() == "structure_test.cpp" || !std::regex_search(text_of(file), views)) << file;
}

// Two types of one name in one namespace are one type to the linker, which keeps the constructors of either.
TEST(Structure, EveryTypeHasItsNameAlone) {
  std::map<std::string, Names> homes;
  for (const char* folder : {"libsfg", "tools"})
    for (const fs::path& file : files(folder, {".hpp", ".cpp"})) {
      std::vector<std::string> spaces;
      std::istringstream lines(text_of(file));
      for (std::string line; std::getline(lines, line);) {
        static const std::regex space(R"re(^namespace ?([\w:]*) ?\{)re"), end(R"re(^\} *// namespace)re"),
            type(R"re(^(?:struct|class|enum class) (\w+)(?: final)?(?: : .*)?(?: \{.*)?$)re");
        std::smatch found;
        if (std::regex_search(line, found, space)) spaces.push_back(found[1]);
        if (std::regex_search(line, end) && !spaces.empty()) spaces.pop_back();
        const bool hidden = std::ranges::find(spaces, std::string()) != spaces.end();
        if (hidden || !std::regex_match(line, found, type) || (line.ends_with(';') && !line.ends_with("};"))) continue;
        std::string name;
        for (const std::string& part : spaces) name += part + "::";
        homes[name + found[1].str()].insert(file.string());
      }
    }
  EXPECT_GT(homes.size(), 300U);
  for (const auto& [name, found] : homes)
    EXPECT_EQ(found.size(), 1U) << name << " in " << *found.begin() << ", " << *found.rbegin();
}

// What a writer needs is computed by its caller, whose limits hold then, and passed in.
TEST(Structure, WritersCallNoPass) {
  Names passes = declared_in({"model", "derive", "graph", "transfer", "control", "response", "approximate", "study"});
  for (const std::string pass : {"mason", "numeric_transfer", "assignment", "transfer_functions", "poles_zeros"})
    ASSERT_TRUE(passes.contains(pass)) << pass;
  for (const std::string reads_a_result :
       {"gain_by_paths", "driver", "hidden_modes", "name_of", "kind_of", "to_string", "decimal", "needed"})
    passes.erase(reads_a_result);
  passes.erase("product");  // Math::product puts a formula together
  const Names own = declared_in({"write"});
  for (const fs::path& file : files("libsfg/sfg/write", {".cpp"})) {
    Names local = own;
    for (const Function& function : functions(text_of(file))) local.insert(name_of(function));
    for (const std::string& name : called_in(text_of(file)))
      EXPECT_TRUE(!passes.contains(name) || local.contains(name)) << file << " calls " << name;
  }
}

TEST(Structure, ACallIsSeen) {
  EXPECT_EQ(called_in("f(g(a), b.h(), p->i(), sfg::j(1)); // k()\n\"l()\""), (Names{"f", "g", "j"}));
}

constexpr std::size_t most_lines_of_a_file = 500, most_lines_of_a_function = 60;

// Longer ones, and why.
const std::map<std::string, std::string> long_files{
    {"libsfg/sfg/read/spice.cpp", "one reader, a function a kind of statement"},
    {"libsfg/sfg/ring/multivariate.cpp", "one ring over one type of FLINT, a function an operation"},
};
const std::map<std::string, std::string> long_functions{
    {"libsfg/sfg/ddd/size_estimate.cpp sampled_prediction", "one sweep whose steps share its state"},
    {"libsfg/sfg/numeric/tape_bounded.cpp BoundedRunner::arithmetic", "a case an operation"},
    {"libsfg/sfg/response/compiled_response.cpp CompiledResponse::CompiledResponse",
     "from graph to tape, each step from the last"},
};

/// Names that a source keeps to itself, and short forms of its own, each with the line that declares it.
std::map<std::string, std::string> own_names(const std::string& code) {
  static const std::regex type(R"re(^(?:template ?<.*> *)?(?:struct|class|enum class|enum|union) (\w+)\b.*)re"),
      alias(R"re(^using (\w+) = .*)re"),
      constant(R"re(^(?:static |inline |thread_local )*(?:constexpr|const)\b[^(=]*?\b(\w+)(?:\[[^\]]*\])*\s*(?:=|\{|;|\().*)re"),
      function(R"re(^(?:\[\[[\w:]+\]\] )*(?:[\w:<>,&* ]|\[\])*[ &*>]([A-Za-z_]\w*)\(.*)re");
  std::map<std::string, std::string> names;
  std::istringstream lines(code);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "namespace {") inside = true;
    if (line.starts_with("}  ") || line == "}") inside = inside && line == "}";
    if ((!inside && !line.starts_with("using ")) || line.empty() || line.front() == ' ' || line.front() == '}' ||
        line.starts_with("namespace"))
      continue;
    std::smatch found;
    for (const std::regex* form : {&type, &alias, &constant, &function})
      if (std::regex_match(line, found, *form)) {
        names.emplace(found[1], line);
        break;
      }
  }
  return names;
}

/// The folder of a source, or the room that is compiled with its sub-rooms, as the build says.
fs::path compiled_room(const fs::path& source) {
  static const std::string whole = matches(text_of(root / "libsfg/CMakeLists.txt"), "WITH_SUBROOMS ([^\\n]*)").at(0) + " ";
  const fs::path folder = source.parent_path(), above = folder.parent_path();
  return whole.find("sfg/" + above.filename().string() + " ") != std::string::npos ? above : folder;
}

// What two sources of a room need has a home; that also lets a room be compiled as one. A short form of a name elsewhere may
// stand in several, if it is the same one.
TEST(Structure, NoNameStandsTwiceInTheUnnamedNamespacesOfARoom) {
  std::map<fs::path, std::map<std::string, std::pair<std::string, std::string>>> rooms;
  std::size_t count = 0;
  for (const char* folder : {"libsfg/sfg", "tools"})
    for (const fs::path& path : files(folder, {".cpp"}))
      for (const auto& [name, line] : own_names(code_of(text_of(path)))) {
        ++count;
        const auto [it, is_new] = rooms[compiled_room(path)].emplace(name, std::pair(line, path.filename().string()));
        if (!is_new && !(line.starts_with("using ") && line == it->second.first))
          ADD_FAILURE() << path << ": " << name << " stands in " << it->second.second << ", too";
      }
  EXPECT_GT(count, 2000u);
}

TEST(Structure, FilesAndFunctionsAreShort) {
  Names met;
  for (const std::string folder : {"libsfg/sfg", "tools"})
    for (const fs::path& file : files(folder, {".hpp", ".cpp"})) {
      const std::string name = fs::relative(file, root).generic_string(), text = text_of(file);
      const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
      if (lines > most_lines_of_a_file) {
        EXPECT_TRUE(long_files.contains(name)) << name << " has " << lines << " lines: cut it, or say in long_files why not";
        met.insert(name);
      }
      for (const Function& function : functions(text)) {
        if (function.lines <= most_lines_of_a_function) continue;
        const std::string key = name + " " + name_of(function);
        EXPECT_TRUE(long_functions.contains(key)) << key << " at line " << function.line << " has " << function.lines
                                                  << " lines: cut it, or say in long_functions why not";
        met.insert(key);
      }
    }
  for (const auto* list : {&long_files, &long_functions})
    for (const auto& [name, reason] : *list) EXPECT_TRUE(met.contains(name)) << name << " is short now: take it off the list";
}

TEST(Structure, FunctionsAreFoundByTheirBraces) {
  const auto found = functions(R"source(namespace a {
struct S {
  explicit S(int i = {}) : x{i}, z(1), w{} {
    --z;
  }
  int y() const {
    const auto f = [](int i) { return i; };  // {
    return f('{') + 10'000;
  }
};
const char* text = "} {";
std::vector<int> long_one(const S& s,
                          int = {})
{
  if (s.y()) {
    return {};
  }
  return {1};
}
}
)source");
  std::vector<std::tuple<std::string, std::size_t, std::size_t>> got;
  for (const Function& function : found) got.emplace_back(name_of(function), function.line, function.lines);
  EXPECT_EQ(got, (decltype(got){{"S", 3, 3}, {"y", 6, 4}, {"long_one", 12, 8}}));
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
  EXPECT_LE(installed.size(), 160U) << "what no example, page or module uses is not installed";
  const auto list = includes(root / "libsfg/sfg/sfg.hpp");
  ASSERT_GT(list.size(), 20U);
  EXPECT_LE(list.size(), 80U);
  const Names named(list.begin(), list.end());
  EXPECT_EQ(named.size(), list.size()) << "a header twice";
  for (const std::string& header : named) EXPECT_TRUE(installed.contains(header)) << header;
  EXPECT_EQ(matches(text_of(root / "libsfg/sfg/sfg.hpp"), R"(#include ("[^"]+" +// \S))").size(), list.size())
      << "a line says nothing";
}

TEST(Structure, WhatTheGuideNamesIsInstalled) {
  Names installed = public_headers("sfg\n");
  installed.merge(public_headers("sfg_graphviz\n"));
  installed.merge(public_headers("sfg_mpi\n"));
  for (const auto& page : fs::directory_iterator(root / "docs/guide"))
    for (const std::string& header : matches(text_of(page.path()), R"(\b(sfg/[a-z0-9_/]+\.hpp))"))
      EXPECT_TRUE(installed.contains(header)) << page.path() << " names " << header;
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

TEST(Structure, CommandAndExamplesNeedNoPackageOfTheLibrary) {
  Names installed = public_headers("sfg\n");
  const Names graphviz = public_headers("sfg_graphviz");
  installed.insert(graphviz.begin(), graphviz.end());
  installed.merge(public_headers("sfg_mpi\n"));
  for (const std::string folder : {"tools", "examples"})
    for (const fs::path& file : files(folder, {".hpp", ".cpp"}))
      for (const std::string& include : includes(file)) {
        if (include.starts_with("sfg/") && folder == "examples") {
          EXPECT_TRUE(installed.contains(include)) << file << " includes " << include;
        }
        const std::string package = package_of(include);
        EXPECT_FALSE(package == "ginac" || package == "cln" || package == "boost" || package == "graphviz" || package == "flint")
            << file << " includes <" << include << ">";
      }
}

// Headers that declare what several sources define, each of them without a header of its name. Paths go from the header's folder.
const std::map<std::string, std::string> shared_headers{
    {"derive/energies", "inspect_energies linear_model"},
    {"study/identifiable/told", "peel"},
    {"approximate/approximate", "deviation dominant_terms pole_splitting standard_form"},
    {"compare/comparison", "counterexample equality explanation model_pair pair_deviation"},
    {"control/margins", "closed_loop disk_margins error_constants"},
    {"control/phase_of_roots", "phase_of_delays"},
    {"control/poles", "bode_asymptotes transmission_zeros"},
    {"control/routh", "root_locus stability_region"},
    {"derive/circuit", "noise_sources ports return_ratio"},
    {"derive/lagrange", "lagrange_equations motion"},
    {"derive/multibody/substitution", "substitution_list"},
    {"derive/polar/polar_derivation", "lagrange_tree"},
    {"draw/bodies/mechanism_picture", "mechanism_animation"},
    {"draw/bodies/mechanism_shapes", "mechanism_view"},
    {"draw/formula", "caption"},
    {"draw/graph/layers", "layer_heights layer_order"},
    {"draw/graph/layout", "highlight shown_part"},
    {"draw/graph/sketch", "place_arrows place_labels place_nodes shape_courses"},
    {"draw/sheets/matrix_picture", "loop_sheet"},
    {"exact/delayed_loop", "delayed_zeros"},
    {"exact/exact_polynomial", "exact_number"},
    {"export/c/c_parts", "c_fixed c_main c_motion c_states c_transfer"},
    {"export/simulink/simulink_parts", "simulink_blocks simulink_equations"},
    {"export/simulink/simulink_system", "simulink_layout"},
    {"export/targets",
     "branch_list export_subject circuits/spice_netlist circuits/verilog_a_module circuits/verilog_module "
     "fmi/functional_mockup_unit graphml "
     "html_snippet json_export latex_document modelica_model scripts/maxima_program scripts/octave_program "
     "scripts/python_program scripts/scilab_program simulink/simulink_model"},
    {"expr/math_tree", "print_mathml"},
    {"expr/names_in_use", "name_latex name_look"},
    {"expr/parse", "number"},
    {"expr/print_form", "print_polynomial"},
    {"expr/rational", "modular_point"},
    {"expr/syntax", "tokens"},
    {"expr/tolerance", "covariance"},
    {"graph/from_equations", "output_signal to_equations"},
    {"graph/rewrite", "rewrite_turn"},
    {"graph/textbook_shape", "textbook_search"},
    {"model/model", "joined"},
    {"multibody/aggregate", "part whole_system"},
    {"multibody/aggregate_parts", "aggregate_law"},
    {"multibody/aggregate_run", "aggregate_model aggregate_motion normalization"},
    {"multibody/constraint_check", "body_check"},
    {"multibody/mechanism_motion", "mechanism_run"},
    {"nonlinear/analog/analog_program", "analog_equations analog_run"},
    {"nonlinear/balance/periodic_motion", "balance limit_cycle"},
    {"nonlinear/balance/floquet", "floquet_count"},
    {"nonlinear/compiled_laws", "rest/enclosure"},
    {"nonlinear/rest/operating_points", "linearized point_in_time"},
    {"nonlinear/principal", "principal_form"},
    {"nonlinear/run/transient", "phase_portrait"},
    {"numeric/tape", "tape_batch tape_bounded"},
    {"plot/figures",
     "absolute_figure balance_figure describing_figure fit_figure global_figure local_figure locus_figure measured_points "
     "mode_figure monte_carlo_figure nichols_figure noise_figure nyquist_figure phase_figure pole_figure region_figure "
     "sensitivity_figure singular_value_figure static_figure swept_poles worst_case_figure"},
    {"plot/plot", "plot_options"},
    {"read/diagram/block_meaning", "simulink_blocks xcos_blocks"},
    {"read/diagram/model_section", "mdl_text simulink_diagram slx_parts"},
    {"read/document/document", "json_document toml_document"},
    {"read/document/model_document",
     "graph_document joined_document lagrange_document matrix_document multibody_document polar_document"},
    {"read/document/multibody_reading",
     "multibody_bodies multibody_conditions multibody_directions multibody_joints multibody_loads multibody_surroundings"},
    {"read/spice", "spice/spice_probe"},
    {"read/toml", "dimensions"},
    {"report/report", "moving_model report_latex report_markdown report_page report_pdf"},
    {"report/sections",
     "equations_section graph_section loop_section measured_parts model_section parameter_panel poles_section reduction_section "
     "report_picture reproduce_section responses_section sensitivity_section simulated_parts transfer_section "
     "verification_section"},
    {"response/closed_form", "input_signal"},
    {"response/compiled_response", "certified_values"},
    {"response/simulation", "forced_response"},
    {"response/time_response", "oscillation_band responses"},
    {"study/fit/least_squares", "least_squares_loaded"},
    {"study/fit/signal_residuals", "linear_residuals"},
    {"study/local/sensitivity", "sensitivity_values"},
    {"study/measures/axis_measures", "axis_slopes delayed_axis"},
    {"study/measures/measure", "measure_program"},
    {"study/samples/monte_carlo", "sampling statistics"},
    {"study/sweep", "swept_transfers"},
    {"transfer/certificate", "formula_letters linear_equations pole_discs"},
    {"transfer/sequence", "operation_counts"},
    {"write/analog_program", "analog_netlist"},
    {"write/balance", "absolute_stability describing"},
    {"write/derivation", "derivation_json polar principal"},
    {"write/forms/approximate", "asymptotic_gain short_form standard"},
    {"write/forms/transfer", "blocks factored sequence transfer_table zpk"},
    {"write/frequency_response", "measured_response singular_values"},
    {"write/graph", "dot typed_diagram"},
    {"write/margins", "interval_family root_locus routh stability_region"},
    {"write/mason", "exercise reduce"},
    {"write/motion/motion", "aggregate aggregate_motion mechanism_run motion_state multibody run_events"},
    {"write/noise", "noise_budget"},
    {"write/operating_points", "netlist_rest"},
    {"write/page/page", "latex_lines latex_listing page_html page_latex page_markdown page_rst page_text"},
    {"write/study/fit", "identifiable tuning"},
    {"write/study/monte_carlo", "global_sensitivity worst_case"},
    {"write/study/sensitivity", "local_study response_sensitivity sensitivity_sequence"},
    {"write/substitutions/substitutions", "substitution_c substitution_octave substitution_python"},
    {"write/time_response", "closed_form discretize"},
};

TEST(Structure, EverySourceHasAHeaderOfItsNameOrSaysWhichDeclaresIt) {
  std::set<fs::path> stated;
  for (const auto& [header, sources] : shared_headers) {
    const fs::path path = root / "libsfg/sfg" / (header + ".hpp");
    const std::string declared = code_of(text_of(path));
    for (const std::string& name : matches(sources, "(\\S+)")) {
      const fs::path source = (path.parent_path() / (name + ".cpp")).lexically_normal();
      EXPECT_TRUE(stated.insert(source).second && fs::exists(source)) << source << " stands twice, or is no source";
      EXPECT_TRUE(std::ranges::any_of(functions(text_of(source)),
                                      [&](const Function& function) {
                                        const std::string called = name_of(function);
                                        return declared.find(called.substr(called.rfind(':') + 1) + "(") != std::string::npos;
                                      }))
          << header << " declares nothing of " << name;
    }
  }
  for (const fs::path& source : files("libsfg/sfg", {".cpp"}))
    EXPECT_NE(fs::exists(fs::path(source).replace_extension(".hpp")), stated.contains(source))
        << source << ": a header of its name, or a line in shared_headers";
}

// What the library says can be followed by a program: the names of options are those of the command (tools/frame/remedy.cpp).
TEST(Structure, MessagesOfTheLibraryNameNoOptions) {
  for (const fs::path& file : files("libsfg/sfg", {".cpp"})) {
    const std::string name = file.filename().string();
    // Options of rsvg-convert; a listing of the command; how other programs run a file.
    if (Names{"convert.cpp", "frequency.cpp", "maxima_program.cpp", "octave_program.cpp"}.contains(name)) continue;
    for (const std::string& option : matches(text_of(file), R"re("[^"\n]*[ (]--([a-z][a-z-]+)[^"\n]*")re"))
      EXPECT_TRUE(option.empty()) << file << " names --" << option;
  }
}

// An advice says in a comment which functions or fields answer it.
TEST(Structure, RemediesCiteWhatThereIs) {
  std::string headers;
  for (const fs::path& file : files("libsfg/sfg", {".hpp"}))
    if (file.filename() != "remedy.hpp") headers += std::regex_replace(text_of(file), std::regex("//[^\n]*"), "");
  std::size_t cited = 0;
  for (const std::string& said : matches(text_of(root / "libsfg/sfg/remedy.hpp"), "///<([^\n]*)")) {
    for (const std::string& name : matches(said, R"re(\b([a-z_]+)\(\))re")) {
      EXPECT_TRUE(std::regex_search(headers, std::regex("[A-Za-z>*&] " + name + "\\(")))
          << "there is no function " << name << "()";
      ++cited;
    }
    for (const std::string& word : matches(said, R"re(\b([A-Z]\w+|[a-z_]+(?=[,;. ]*$)))re")) {
      if (word[0] >= 'a' && said.find("::" + word) == std::string::npos) continue;
      EXPECT_TRUE(std::regex_search(headers, std::regex("\\b" + word + "\\b"))) << "there is no " << word;
      ++cited;
    }
  }
  EXPECT_GE(cited, 20U);
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
