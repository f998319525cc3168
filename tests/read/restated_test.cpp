// Values written back into the text of every format; everything else stays byte for byte.
#include "sfg/read/restated.hpp"

#include <gtest/gtest.h>

#include "sfg/error.hpp"

namespace sfg {
namespace {

const char* const graph = "[graph]\r\nbranches = [[\"u\", \"y\", \"K/(T*s+L)\"]]\n";

TEST(Restated, KeepsCommentsAndSpacesOfToml) {
  const std::string before =
      std::string("# the plant, as measured\n") + graph +
      "[parameters]  # of it\nK = 3   # to be tuned: K = 3\nT = { unit = \"s\", value = 2.5e0, tolerance = "
      "\"5%\" }  # s\nL = \"1 + K\"\n";
  const std::string after =
      std::string("# the plant, as measured\n") + graph +
      "[parameters]  # of it\nK = 0.1   # to be tuned: K = 3\nT = { unit = \"s\", value = \"1/3\", tolerance = "
      "\"5%\" }  # s\nL = \"1 + K\"\n";
  const RestatedValue values[]{{"K", "0.1"}, {"T", "1/3"}};
  EXPECT_EQ(restated(before, InputFormat::toml, "a.toml", values), after);
}

TEST(Restated, FindsTablesAndDottedKeysOfToml) {
  const std::string before =
      std::string(graph) +
      "[parameters.K]\ntext = \"value = 3\"\nvalue = \"3k\" # ohm\n[parameters.T]\nvalue=1\n[parameters.L]\nvalue = 7\n";
  const RestatedValue values[]{{"T", "-2e-05"}, {"K", "5"}};
  EXPECT_EQ(
      restated(before, InputFormat::toml, "a.toml", values),
      std::string(graph) +
          "[parameters.K]\ntext = \"value = 3\"\nvalue = 5 # ohm\n[parameters.T]\nvalue=-2e-05\n[parameters.L]\nvalue = 7\n");
  const std::string dotted = "parameters.K = 3\nparameters.T.value = 4\nparameters.L = 1\n" + std::string(graph);
  EXPECT_EQ(restated(dotted, InputFormat::toml, "a.toml", values),
            "parameters.K = 5\nparameters.T.value = -2e-05\nparameters.L = 1\n" + std::string(graph));
}

TEST(Restated, KeepsJson) {
  const auto text = [](const std::string& K, const std::string& T) {
    return "{\"parameters\": {\"K\": " + K + ", \"T\": {\"value\": " + T +
           ", \"unit\": \"s\"}},\n  \"branches\": [{\"from\": \"u\", \"to\": \"y\", \"gain\": \"K/(T*s+1)\"}]}";
  };
  const RestatedValue values[]{{"K", "4.25"}, {"T", "0.75"}};
  EXPECT_EQ(restated(text("3", "\"1/2\""), InputFormat::json, "a.json", values), text("4.25", "0.75"));
}

TEST(Restated, KeepsDot) {
  const std::string before =
      "// K=3\ndigraph {\n  parameters = \"K = 2*3, T=2m\";  // parameters\n  u -> y [gain=\"K/(T*s+1)\"];\n}\n";
  const std::string after =
      "// K=3\ndigraph {\n  parameters = \"K = 7.5, T=0.002\";  // parameters\n  u -> y [gain=\"K/(T*s+1)\"];\n}\n";
  const RestatedValue values[]{{"K", "7.5"}, {"T", "0.002"}};
  EXPECT_EQ(restated(before, InputFormat::dot, "a.dot", values), after);
}

TEST(Restated, KeepsNetlists) {
  const std::string before =
      "* a filter\n.param Rs=1k  G={2*3} ; gain\nV1 in 0 AC 1\nR1 in a {Rs}\nC1 a  0 20n\nE1 out 0 a 0 {G}\n.end\n";
  const std::string after =
      "* a filter\n.param Rs=470  G=5 ; gain\nV1 in 0 AC 1\nR1 in a {Rs}\nC1 a  0 3.3e-09\nE1 out 0 a 0 {G}\n.end\n";
  const RestatedValue values[]{{"Rs", "470"}, {"C1", "3.3e-09"}, {"G", "5"}};
  EXPECT_EQ(restated(before, InputFormat::spice, "a.cir", values), after);
}

TEST(Restated, KeepsAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  const auto dot = [](const std::string& K, const std::string& T) {
    return "digraph { parameters=\"K=" + K + ",T=" + T + "\"; u -> y [gain=\"K/(T*s+1)\"]; }\r\n";
  };
  const RestatedValue values[]{{"T", "0.25"}};
  EXPECT_EQ(restated(mark + dot("2", "3/10"), InputFormat::dot, "a.dot", values), mark + dot("2", "0.25"));
  const std::string toml = mark + graph + "[parameters]\nK = 3\nL = 1\nT = ";
  EXPECT_EQ(restated(toml + "2\n", InputFormat::toml, "a.toml", values), toml + "0.25\n");
  const std::string circuit = mark + "title\nV1 in 0 1\nR1 in out 1k\nC1 out 0 1u\n.param T=";
  EXPECT_EQ(restated(circuit + "2\n", InputFormat::spice, "a.cir", values), circuit + "0.25\n");
}

TEST(Restated, RefusesWhatTheFileDoesNotState) {
  const std::string text = std::string(graph) + "[parameters]\nK = 3\nT = { unit = \"s\" }\n";
  for (const char* name : {"T", "L", "Q"}) {
    const RestatedValue values[]{{name, "1"}};
    EXPECT_THROW(static_cast<void>(restated(text, InputFormat::toml, "a.toml", values)), Error) << name;
  }
}

}  // namespace
}  // namespace sfg
