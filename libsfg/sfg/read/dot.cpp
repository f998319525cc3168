#include "sfg/read/dot.hpp"

#include <graphviz/cgraph.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/tolerance.hpp"
#include "sfg/graph/output_signal.hpp"
#include "sfg/read/dot/dot_scan.hpp"
#include "sfg/read/laws.hpp"
#include "sfg/read/parameters.hpp"
#include "sfg/read/tables.hpp"

namespace sfg {

namespace {

/// cgraph's parser and its error reports live in globals of the process: one caller at a time.
std::mutex cgraph_in_use;
std::string cgraph_messages;

int keep_message(char* message) {
  cgraph_messages += message;
  return 0;
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

void cross_check_with_cgraph(const SourceText& source, const DotFile& dot) {
  const std::lock_guard lock(cgraph_in_use);
  const Cgraph graph = cgraph_of(dot.clean);
  Comparison(source, dot, graph.get()).run();
}

/// Attributes of edges that are Graphviz's (graphviz.org/doc/info/attrs.html): what is neither of these nor ours is somebody's
/// own.
bool is_graphviz_attribute(const std::string& name) {
  static const std::string names =
      " URL arrowhead arrowsize arrowtail class color colorscheme comment constraint decorate dir edgeURL edgehref"
      " edgetarget edgetooltip fillcolor fontcolor fontname fontsize headURL head_lp headclip headhref headlabel"
      " headport headtarget headtooltip href id key label labelURL labelangle labeldistance labelfloat labelfontcolor"
      " labelfontname labelfontsize labelhref labeltarget labeltooltip layer len lhead lp ltail minlen nojustify"
      " penwidth pos samehead sametail showboxes style tailURL tail_lp tailclip tailhref taillabel tailport tailtarget"
      " tailtooltip target tooltip weight xlabel xlp ";
  return !name.empty() && name.find(' ') == std::string::npos && names.find(' ' + name + ' ') != std::string::npos;
}

/// What the parts of the DOT file mean.
class DotReading {
 public:
  DotReading(const SourceText& source, const DotFile& dot, Problems& problems)
      : source_(source), dot_(dot), problems_(problems), laws_(source, graph_.symbols, problems) {}

  SignalFlowGraph graph() {
    graph_.where = source_.at(0);
    if (dot_.title) graph_.title = dot_meaning(dot_value(source_, dot_.title->begin)).text;
    operator_symbol();
    parameters();
    if (const auto list = stated("tables")) TableReading(source_, graph_.symbols, problems_).list(*list);
    nodes();
    for (const DotEdge& edge : dot_.edges) {
      branch(edge);
      if (problems_.full()) problems_.finish(nullptr);
    }
    laws_.finish();
    check_parameters(graph_.symbols, problems_);
    correlations();
    graph_.inputs = ends("input");
    graph_.outputs = outputs();
    for (const DotAttribute& attribute : dot_.attributes)
      if (!is_ours(dot_.names[attribute.name])) keep(attribute, graph_.attributes);
    refuse_misspelt_attributes();
    return std::move(graph_);
  }

 private:
  Passage meaning(const DotAttribute& attribute) const { return dot_meaning(dot_.value(source_, attribute)); }

  std::optional<Passage> stated(std::string_view name) const {
    for (const DotAttribute& attribute : dot_.attributes)
      if (dot_.names[attribute.name] == name) return meaning(attribute);
    return {};
  }

  static const std::vector<std::string>& our_names() {
    static const std::vector<std::string> names{"input",      "output",        "variable", "parameters",  "units",       "tables",
                                                "tolerances", "distributions", "texts",    "sample_time", "correlations"};
    return names;
  }
  static bool is_ours(const std::string& name) { return std::ranges::find(our_names(), name) != our_names().end(); }

  void keep(const DotAttribute& attribute, Attributes& kept) const {
    bool html = false;
    const std::string value = dot_.value(source_, attribute, &html).text;
    kept.emplace_back(kept_name(dot_.names[attribute.name]), kept_value(value, html));
  }

  void operator_symbol() {
    if (const auto name = stated("variable"))
      state_operator(graph_.symbols, graph_.op, *name, source_, problems_);
    else
      graph_.op.declare(graph_.symbols);
    if (const auto h = stated("sample_time")) state_sample_time(graph_.op, *h, source_, problems_);
  }

  void parameters() {
    if (const auto list = stated("parameters")) state_parameters(graph_.symbols, *list, source_, problems_);
    units();
    remarks("texts", [](Symbol& symbol, const std::string& text, const SourceSpan&) { symbol.text = text; });
    remarks("tolerances", [&](Symbol& symbol, const std::string& text, const SourceSpan& where) {
      problems_.attempt([&] { symbol.tolerance = parse_tolerance(text, where); });
    });
    remarks("distributions", [&](Symbol& symbol, const std::string& text, const SourceSpan& where) {
      problems_.attempt([&] { symbol.distribution = parse_distribution(text, where); });
    });
  }

  /// correlations="R1,R2=0.8; R2,R3=0.1"
  void correlations() {
    const auto list = stated("correlations");
    if (!list || list->trimmed().text.empty()) return;
    for (const Passage& entry : split(*list, ';')) {
      const std::size_t equals = entry.text.find('=');
      if (equals == std::string::npos)
        problems_.error(place(source_, entry.trimmed()), "the attribute 'correlations' lists pairs=number",
                        "write, for instance, correlations=\"R1,R2=0.8; R2,R3=0.1\"");
      else
        state_correlation(graph_.symbols, entry.part(0, equals).trimmed(), entry.part(equals + 1, std::string::npos).trimmed(),
                          source_, problems_);
    }
  }

  /// units="k=N/m, x=m": of parameters, and of signals, whose nodes keep them.
  void units() {
    std::set<std::string> nodes;
    for (const DotNode& node : dot_.nodes) nodes.insert(node_name(node));
    each_remark("units", [&](const Passage& name, const std::string& text, const SourceSpan&) {
      const Symbol* known = graph_.symbols.find(name.text);
      if (!known && nodes.contains(name.text)) {
        node_units_[name.text] = text;
        return;
      }
      graph_.symbols.symbol(name.text, place(source_, name));
      graph_.symbols.find(name.text)->unit = text;
    });
  }

  std::string node_name(const DotNode& node) const {
    return node.name.find('\\') == std::string::npos ? node.name : dot_meaning(dot_value(source_, node.begin)).text;
  }

  /// units="k=N/m, m=kg": what else is known of parameters. A backslash takes a comma into the text.
  template <class Apply>
  void remarks(std::string_view attribute, Apply&& apply) {
    each_remark(attribute, [&](const Passage& name, const std::string& text, const SourceSpan& where) {
      graph_.symbols.symbol(name.text, place(source_, name));
      apply(*graph_.symbols.find(name.text), text, where);
    });
  }

  template <class Apply>
  void each_remark(std::string_view attribute, Apply&& apply) {
    const auto list = stated(attribute);
    if (!list || list->trimmed().text.empty()) return;
    for (const Passage& entry : split_list(*list)) {
      const std::size_t equals = entry.text.find('=');
      const Passage name = entry.part(0, std::min(equals, entry.text.size())).trimmed();
      if (equals == std::string::npos || !is_name(name.text)) {
        problems_.error(place(source_, entry.trimmed()), "the attribute '" + std::string(attribute) + "' lists name=text",
                        "write, for instance, k=N/m, m=kg");
        continue;
      }
      const Passage text = entry.part(equals + 1, std::string::npos);
      apply(name, unescaped(text), place(source_, text));
    }
  }

  void nodes() {
    ids_.reserve(dot_.nodes.size());
    for (const DotNode& node : dot_.nodes) {
      const std::string name = node_name(node);
      if (const auto known = graph_.find(name)) {
        ids_.push_back(*known);
        continue;
      }
      Node made{name, source_.at(node.begin, node.end - node.begin), {}};
      for (const DotAttribute& attribute : node.attributes) keep(attribute, made.attributes);
      if (const auto unit = node_units_.find(name); unit != node_units_.end()) made.attributes.emplace_back("unit", unit->second);
      ids_.push_back(graph_.add_node(std::move(made)));
    }
  }

  void branch(const DotEdge& edge) {
    Branch made{ids_[edge.tail], ids_[edge.head], GiNaC::ex(1), source_.at(edge.begin, edge.end - edge.begin), {}};
    const DotAttribute* gain = nullptr;
    const DotAttribute* label = nullptr;
    const DotAttribute* nonlinear = nullptr;
    const DotAttribute* arguments = nullptr;
    for (const DotAttribute& attribute : edge.attributes) {
      const std::string& name = dot_.names[attribute.name];
      if (name == "gain") {
        gain = &attribute;
      } else if (name == "nonlinear") {
        nonlinear = &attribute;
      } else if (name == "arguments") {
        arguments = &attribute;
      } else {
        if (name == "label") label = &attribute;
        keep(attribute, made.attributes);
      }
    }
    if (gain && nonlinear)
      problems_.error(source_.at(nonlinear->begin), "a branch with both a gain and a nonlinear law",
                      "make two branches of it: parallel branches add");
    else if (nonlinear)
      made.law = law(*nonlinear, arguments, made.where);
    else if (gain)
      made.law = laws_.gain(meaning(*gain));
    else if (label && !meaning(*label).trimmed().text.empty())
      made.law = laws_.gain(meaning(*label));
    if (!gain && !nonlinear) doubt_missing_gain(edge, label != nullptr);
    graph_.add_branch(std::move(made));
  }

  Nonlinearity law(const DotAttribute& stated, const DotAttribute* arguments, const SourceSpan& branch) {
    Nonlinearity result = laws_.nonlinear(meaning(stated), branch);
    if (!arguments || meaning(*arguments).trimmed().text.empty()) return result;
    const Passage list = meaning(*arguments);
    std::vector<Passage> entries = split_list(list);
    for (Passage& entry : entries)
      if (entry.text.find('\\') != std::string::npos) entry.text = unescaped(entry);
    laws_.arguments(entries, result, graph_);
    return result;
  }

  /// The name in front of the value, where nothing but blanks and '=' stand between them.
  SourceSpan place_of_name(const DotAttribute& attribute) const {
    const std::string_view text = source_.text(), name = dot_.names[attribute.name];
    std::size_t end = attribute.begin;
    while (end > 0 && std::string_view(" \t\r\n=\"").find(text[end - 1]) != std::string_view::npos) --end;
    const bool there = end >= name.size() && text.substr(end - name.size(), name.size()) == name;
    return there ? source_.at(end - name.size(), name.size()) : source_.at(attribute.begin);
  }

  /// A branch without gain and label counts as 1: a misspelt one is an error, and what might be one under another name is named.
  void doubt_missing_gain(const DotEdge& edge, bool labelled) {
    for (const DotAttribute& attribute : edge.attributes) {
      const std::string& name = dot_.names[attribute.name];
      if (is_graphviz_attribute(name)) continue;
      if (const std::string near = nearest(name, std::vector<std::string>{"gain", "nonlinear", "arguments", "label"});
          !near.empty())
        problems_.error(
            place_of_name(attribute),
            "attribute " + in_quotes(name) + " of a branch is not known, and its gain would be " + (labelled ? "the label" : "1"),
            "did you mean '" + near + "'?");
      else if (!labelled)
        problems_.remark(place_of_name(attribute),
                         "attribute " + in_quotes(name) + " means nothing here, and the gain is taken as 1",
                         "a gain is stated as gain=\"…\"");
    }
  }

  void refuse_misspelt_attributes() {
    for (const DotAttribute& attribute : dot_.attributes) {
      const std::string& name = dot_.names[attribute.name];
      if (is_ours(name)) continue;
      std::vector<std::string> meant{"sample_time"};
      if (name.find('_') == std::string::npos)  // input_2 and the like are somebody's own
        meant.insert(meant.end(), our_names().begin(), our_names().end());
      if (const std::string near = nearest(name, meant); !near.empty())
        problems_.error(place_of_name(attribute), "attribute " + in_quotes(name) + " of the graph is not known",
                        "did you mean '" + near + "'?");
    }
  }

  /// input="a, b": names of nodes.
  std::vector<NodeId> ends(const char* attribute) {
    const auto list = stated(attribute);
    if (!list || list->text.find_first_not_of(' ') == std::string::npos) return {};
    const std::vector<Passage> names = split_list(*list);
    const bool all_known =
        std::ranges::all_of(names, [&](const Passage& name) { return graph_.find(unescaped(name)).has_value(); });
    if (const auto whole = graph_.find(list->text); whole && !all_known) return {*whole};  // a name with a comma in it, alone
    return laws_.nodes(names, attribute, graph_);
  }

  /// output="x, R - y, v(a,b)": nodes, and what is linear in them.
  std::vector<NodeId> outputs() {
    const auto list = stated("output");
    if (!list) return {};
    std::vector<Passage> names = split_list(*list, Calls::whole);
    const auto is_plain = [&](const Passage& entry) {
      const std::string name = unescaped(entry);
      return graph_.find(name).has_value() || (is_name(name) && !name.starts_with('D'));
    };
    if (std::ranges::all_of(split_list(*list), is_plain) || graph_.find(list->text)) return ends("output");
    std::erase_if(names, [&](const Passage& entry) {
      return !is_plain(entry) && !problems_.attempt([&] { output_signal(graph_, unescaped(entry), {}, place(source_, entry)); });
    });
    return laws_.nodes(names, "output", graph_);
  }

  const SourceText& source_;
  const DotFile& dot_;
  Problems& problems_;
  SignalFlowGraph graph_;
  Laws laws_;
  std::vector<NodeId> ids_;
  std::map<std::string, std::string> node_units_;  ///< stated for all at once
};

}  // namespace

SignalFlowGraph read_dot(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const SourceText source(text, std::move(file));
  Problems problems;
  if (text.size() > largest_dot)
    problems.error(source.at(0), "the text is longer than " + std::to_string(largest_dot) + " bytes", "split the graph");
  if (!problems.any_errors()) problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  const DotFile dot = scan_dot(source, problems);
  if (!problems.any_errors()) cross_check_with_cgraph(source, dot);
  SignalFlowGraph graph = DotReading(source, dot, problems).graph();
  problems.finish(notes);
  return graph;
}

}  // namespace sfg
