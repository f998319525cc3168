#include "sfg/read/graphml.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "expect.hpp"
#include "read/problems.hpp"
#include "same_graph.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/write/graph.hpp"

namespace sfg {
namespace {

std::string errors(const std::string& text) {
  return test::errors_of([&] { read_graphml(text, "g.graphml"); });
}

std::string document(const std::string& body, const std::string& graph = "edgedefault=\"directed\"") {
  return "<graphml>\n<key id=\"g\" for=\"edge\" attr.name=\"gain\" attr.type=\"string\"/>\n<graph " + graph + ">\n" + body +
         "</graph></graphml>\n";
}

/// What write_graphml() states of it comes back.
TEST(Graphml, WrittenIsRead) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph "a \"loop\" & <more>" {
    variable="p"; parameters="K=10, T=0.5, b=3*K"; expect="1";
    R [shape=box]; R -> "e 1"; "e 1" -> C [gain="K/(p*(1 + T*p))", color="red"]; C -> "e 1" [gain="-1"];
    C -> "e 1" [gain="2"]; C -> f [nonlinear="k3*u^3 + y", arguments="y=e 1"]; "φ<" -> f [gain="1/3"];
  })dot",
                                         "g.dot");
  std::ostringstream out;
  write_graphml(out, graph);
  EXPECT_EQ(test::description(read_graphml(out.str(), "g.graphml")), test::description(graph)) << out.str();
}

TEST(Graphml, ANodeWithALabelOfItsOwnKeepsItsName) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph { "x 1" [label="velocity"]; a -> "x 1"; })dot", "g.dot");
  std::ostringstream out;
  write_graphml(out, graph);
  EXPECT_EQ(test::description(read_graphml(out.str(), "g.graphml")), test::description(graph)) << out.str();
}

/// networkx 2.8: two keys `gain`, one a number; data of the graph at the end.
TEST(Graphml, OfNetworkx) {
  const SignalFlowGraph graph = read_graphml(R"xml(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d2" for="edge" attr.name="gain" attr.type="double" />
  <key id="d1" for="edge" attr.name="gain" attr.type="string" />
  <key id="d0" for="graph" attr.name="title" attr.type="string" />
  <graph edgedefault="directed">
    <node id="R" /><node id="e" /><node id="C" />
    <edge source="R" target="e" id="0"><data key="d1">1</data></edge>
    <edge source="e" target="C" id="0"><data key="d1">K/(s*(1+T*s))</data></edge>
    <edge source="C" target="e" id="0"><data key="d2">-0.1</data></edge>
    <edge source="C" target="e" id="1"><data key="d2">1e-05</data></edge>
    <data key="d0">nx loop</data>
  </graph>
</graphml>)xml",
                                             "g.graphml");
  EXPECT_EQ(graph.title, "nx loop");
  EXPECT_EXPRESSION(graph.branches()[2].gain(), GiNaC::numeric(-1, 10));
  EXPECT_EXPRESSION(graph.branches()[3].gain(), GiNaC::numeric(1, 100000));
  EXPECT_EQ(to_string(graph.branches()[1].where), "g.graphml:9:5");
}

/// igraph numbers its nodes and has the names as data.
TEST(Graphml, OfIgraph) {
  const SignalFlowGraph graph = read_graphml(R"xml(<graphml>
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="v_label" for="node" attr.name="label" attr.type="string"/>
  <key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="G" edgedefault="directed">
    <node id="n0"><data key="v_name">F</data><data key="v_label">force</data></node>
    <node id="n1"><data key="v_name">x</data><data key="v_label">place</data></node>
    <edge source="n0" target="n1"><data key="e_weight">2.5</data></edge>
  </graph></graphml>)xml",
                                             "g.graphml");
  EXPECT_EQ(graph.nodes()[0].name, "F");
  EXPECT_EQ(graph.nodes()[0].attributes, (Attributes{{"label", "force"}}));
  EXPECT_EXPRESSION(graph.branches()[0].gain(), GiNaC::numeric(5, 2));
}

/// yEd has names and gains as labels of what it draws, and groups.
TEST(Graphml, OfYed) {
  const SignalFlowGraph graph = read_graphml(R"xml(<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE graphml [<!ENTITY x "y">]>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <!--Created by yEd 3.23-->
  <key for="node" id="d5" attr.name="description" attr.type="string"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <node id="n0"><data key="d6"><y:ShapeNode><y:Geometry height="30.0"/><y:NodeLabel visible="true">R<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>
    <node id="n1" yfiles.foldertype="group"><data key="d6"><y:GroupNode><y:NodeLabel>plant</y:NodeLabel></y:GroupNode></data>
      <graph edgedefault="directed" id="n1:">
        <node id="n1::n0"><data key="d6"><y:ShapeNode><y:NodeLabel>e</y:NodeLabel></y:ShapeNode></data></node>
        <edge id="n1::e0" source="n1::n0" target="n1::n0"><data key="d10"><y:PolyLineEdge><y:EdgeLabel>-K &#42; 2
</y:EdgeLabel></y:PolyLineEdge></data></edge>
      </graph>
    </node>
    <edge id="e0" source="n0" target="n1::n0"><data key="d10"><y:PolyLineEdge><y:EdgeLabel>  1/(s + a)  </y:EdgeLabel></y:PolyLineEdge></data></edge>
  </graph>
</graphml>)xml",
                                             "g.graphml");
  ASSERT_EQ(graph.nodes().size(), 2U);
  EXPECT_EQ(graph.nodes()[1].name, "e");
  EXPECT_EQ(print(graph.branches()[0].gain()), "-2*K");
  EXPECT_EQ(print(graph.branches()[1].gain()), "1/(a + s)");
}

TEST(Graphml, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(errors("<graphml><graph>\n<node id=\"a\"></graph></graphml>").substr(0, 2), "2:");
  EXPECT_EQ(errors("").substr(0, 13), "1:1 not XML: ");
  EXPECT_EQ(errors("<svg/>"), "1:1 the document is <svg>, and no <graphml>\n");
  EXPECT_EQ(errors("<graphml/>"), "1:1 the file has no <graph>\n");
  EXPECT_EQ(errors(document("<node id=\"a\"/><edge source=\"a\" target=\"b\"/>\n")),
            "4:40 the edge leads to 'b', which is no node\n");
  EXPECT_EQ(errors(document("<node id=\"a\"/>\n<node id=\"a\"/>\n")), "5:11 there are two nodes 'a'\n");
  EXPECT_EQ(errors(document("<node id=\"a\"/>\n<edge source=\"a\" target=\"a\"/>\n", "edgedefault=\"undirected\"")),
            "5:1 an undirected edge\n");
  EXPECT_EQ(errors(document("<node id=\"a\"/>\n<edge source=\"a\" target=\"a\"><data key=\"h\">1</data></edge>\n")),
            "5:40 no key 'h' is declared\n");
  EXPECT_EQ(
      errors(document("<node id=\"a\"/>\n<edge source=\"a\" target=\"a\"><data key=\"g\">1 &lt; +</data></edge>\n")).substr(0, 5),
      "5:45 ");
  EXPECT_EQ(errors(document("<node id=\"a\"/>\n<edge source=\"a\" target=\"a\"><data key=\"g\">&x;</data></edge>\n")),
            "5:43 the reference behind '&' is not known\n");
  EXPECT_EQ(errors(document("<hyperedge/>\n")), "4:1 a hyperedge\n");
  EXPECT_EQ(errors(document("") + "<x/>").substr(0, 4), "");
}

TEST(Graphml, AGainOfTheTypeDoubleIsANumber) {
  const std::string head =
      "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n<graph><node id=\"a\"/><node "
      "id=\"b\"/>\n";
  for (const char* value : {"nan", "inf", "-Infinity", "K"})
    EXPECT_NE(errors(head + "<edge source=\"a\" target=\"b\"><data key=\"w\">" + value + "</data></edge></graph></graphml>")
                  .find("is no finite number"),
              std::string::npos)
        << value;
}

/// Nothing is fetched, and no entity grows.
TEST(Graphml, EntitiesAreNotRead) {
  const std::string bomb =
      "<!DOCTYPE graphml [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]>\n";
  EXPECT_EQ(errors(bomb + "<graphml><graph><node id=\"&b;\"/></graph></graphml>"),
            "2:27 the reference behind '&' is not known\n");
  EXPECT_EQ(errors(bomb + "<graphml><graph><node id=\"&c;\"/></graph></graphml>"),
            "2:27 the reference behind '&' is not known\n");
}

TEST(Graphml, Depth) {
  std::string deep = "<graphml>";
  for (int i = 0; i < 100; ++i) deep += "<graph><node id=\"n" + std::to_string(i) + "\">";
  for (int i = 0; i < 100; ++i) deep += "</node></graph>";
  EXPECT_NE(errors(deep + "</graphml>").find("nested more than 64 deep"), std::string::npos);
  std::string deeper;
  for (int i = 0; i < 200'000; ++i) deeper += "<a>";
  for (int i = 0; i < 200'000; ++i) deeper += "</a>";
  EXPECT_NE(errors("<graphml>" + deeper + "</graphml>").find("nested more than 1000 deep"), std::string::npos);
}

}  // namespace
}  // namespace sfg
