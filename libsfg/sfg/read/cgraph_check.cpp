#include "sfg/read/cgraph_check.hpp"

#include <graphviz/cgraph.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

#include "sfg/read/dot/dot_check.hpp"

namespace sfg {

namespace {

/// cgraph's parser and its error reports live in globals of the process: one caller at a time.
std::mutex cgraph_in_use;
std::string cgraph_messages;

int keep_message(char* message) {
  cgraph_messages += message;
  return 0;
}

/// cgraph goes on where it gets no memory, and crashes: what has none ends here instead.
void* memory(void*, std::size_t bytes) {
  if (void* found = std::calloc(1, bytes)) return found;
  throw std::bad_alloc();
}
void* more_memory(void*, void* old, std::size_t before, std::size_t bytes) {
  void* found = std::realloc(old, bytes);
  if (!found) throw std::bad_alloc();
  if (bytes > before) std::memset(static_cast<char*>(found) + before, 0, bytes - before);
  return found;
}

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};
using Cgraph = std::unique_ptr<Agraph_t, CloseGraph>;

/// The text as cgraph reads it. Only what scan_dot() has accepted gets here, so a complaint is a fault of ours.
Cgraph cgraph_of(const std::string& clean) {
  cgraph_messages.clear();
  agreseterrors();
  const agusererrf others = agseterrf(keep_message);
  AgMemDisc.alloc = memory;
  AgMemDisc.resize = more_memory;
  constexpr std::size_t taken_blindly = 1 << 17;  // by its scanner and its dictionaries, which ask nobody
  std::free(memory(nullptr, taken_blindly));
  Cgraph graph(agmemread(clean.c_str()));
  agseterrf(others);
  if (!graph || agerrors() != 0) throw std::logic_error("read_dot: cgraph refuses the graph: " + cgraph_messages);
  return graph;
}

/// Holds the scan against what cgraph built: the same nodes, edges and attribute values in the same order.
class Comparison {
 public:
  Comparison(const SourceText& source, const DotFile& dot, Agraph_t* graph) : source_(source), dot_(dot), graph_(graph) {}

  void run() {
    require(static_cast<std::size_t>(agnnodes(graph_)) == dot_.nodes.size(), "number of nodes");
    require(static_cast<std::size_t>(agnedges(graph_)) == dot_.edges.size(), "number of edges");
    compare_values(graph_, AGRAPH, dot_.attributes);
    std::size_t expected = 0;
    for (Agnode_t* node = agfstnode(graph_); node; node = agnxtnode(graph_, node)) {
      require(index(node) == expected && agnameof(node) == std::string(DotFile::name_prefix) + dot_.nodes[expected].name,
              "nodes");
      compare_values(node, AGNODE, dot_.nodes[expected++].attributes);
      for (Agedge_t* edge = agfstout(graph_, node); edge; edge = agnxtout(graph_, edge)) compare_edge(edge);
    }
  }

 private:
  static std::size_t index(void* object) { return AGSEQ(object) - 1; }

  void compare_edge(Agedge_t* edge) {
    require(index(edge) < dot_.edges.size(), "edges");
    const DotEdge& scanned = dot_.edges[index(edge)];
    require(index(agtail(edge)) == scanned.tail && index(aghead(edge)) == scanned.head, "edges");
    compare_values(edge, AGEDGE, scanned.attributes);
  }

  void compare_values(void* object, int kind, const std::vector<DotAttribute>& attributes) {
    for (const DotAttribute& attribute : attributes) {
      const std::string& name = dot_.names[attribute.name];
      if (kind == AGEDGE && name == "key") continue;  // cgraph makes it the name of the edge
      const char* value = agget(object, const_cast<char*>(name.c_str()));
      require(value && dot_.value(source_, attribute).text == value, "attributes");
    }
  }

  static void require(bool agrees, const char* what) {
    if (!agrees) throw std::logic_error(std::string("read_dot: cgraph and the scan differ in the ") + what);
  }

  const SourceText& source_;
  const DotFile& dot_;
  Agraph_t* graph_;
};

void hold_against_cgraph(const SourceText& source, const DotFile& dot) {
  if (dot.beyond_cgraph) return;
  const std::lock_guard lock(cgraph_in_use);
  const Cgraph graph = cgraph_of(dot.clean);
  Comparison(source, dot, graph.get()).run();
}

}  // namespace

void check_dot_with_cgraph() { dot_check_in_use() = hold_against_cgraph; }

}  // namespace sfg
