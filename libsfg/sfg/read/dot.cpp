#include "sfg/read/dot.hpp"

#include <algorithm>
#include <set>

#include "sfg/expr/parse.hpp"
#include "sfg/graph/graph_names.hpp"
#include "sfg/read/dot/dot_check.hpp"
#include "sfg/read/dot/dot_scan.hpp"
#include "sfg/read/laws.hpp"
#include "sfg/read/stated_attributes.hpp"
#include "sfg/text/printable.hpp"

namespace sfg {

std::atomic<DotCheck>& dot_check_in_use() {
  static std::atomic<DotCheck> check = nullptr;
  return check;
}

namespace {

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
      : source_(source),
        dot_(dot),
        problems_(problems),
        laws_(source, graph_.symbols, problems),
        stated_(source, graph_, problems, [this](std::string_view name) { return stated(name); }) {}

  SignalFlowGraph graph() {
    graph_.where = source_.at(0);
    if (dot_.title) graph_.title = dot_meaning(dot_value(source_, dot_.title->begin)).text;
    if (const auto title = stated("title")) graph_.title = title->text;
    std::set<std::string> names;
    for (const DotNode& node : dot_.nodes) names.insert(node_name(node));
    stated_.before_nodes(names);
    nodes();
    for (const DotEdge& edge : dot_.edges) {
      branch(edge);
      if (problems_.full()) problems_.finish(nullptr);
    }
    laws_.finish();
    stated_.after_branches(laws_);
    latex();
    for (const DotAttribute& attribute : dot_.attributes)
      if (const std::string& name = dot_.names[attribute.name]; !StatedAttributes::are_of_graph(name))
        keep(attribute, graph_.attributes);
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

  void keep(const DotAttribute& attribute, Attributes& kept) const {
    bool html = false;
    const std::string value = dot_.value(source_, attribute, &html).text;
    kept.emplace_back(kept_name(dot_.names[attribute.name]), kept_value(value, html));
  }

  /// How names are set: of the graph a list, of a node its own.
  void latex() {
    NameTable known;
    std::vector<std::string> names = graph_.symbols.names();
    for (const Node& node : graph_.nodes()) names.push_back(node.name);
    const auto read = [&](const DotAttribute& attribute, const auto& apply) {
      if (dot_.names[attribute.name] != "latex") return;
      const Passage text = dot_.value(source_, attribute);
      try {
        apply(kept_value(text.text, false));
      } catch (const NameLatexError& error) {
        problems_.add(wrong_latex(error, source_.at(text.source_of(std::min(error.at, text.text.size())))));
      }
    };
    for (const DotAttribute& attribute : dot_.attributes)
      read(attribute, [&](const std::string& list) {
        for (const std::string& name : add_stated(known, list))
          if (std::ranges::find(names, name) == names.end())
            problems_.warn(source_.at(attribute.begin), "latex of " + in_quotes(name) + ", which is no name of the graph",
                           suggestion(name, names));
      });
    for (const DotNode& node : dot_.nodes)
      for (const DotAttribute& attribute : node.attributes)
        read(attribute, [](const std::string& text) { name_from_latex(text); });
  }

  std::string node_name(const DotNode& node) const {
    return node.name.find('\\') == std::string::npos ? node.name : dot_meaning(dot_value(source_, node.begin)).text;
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
      if (const auto unit = stated_.node_units().find(name); unit != stated_.node_units().end())
        made.attributes.emplace_back("unit", unit->second);
      if (has_steering(name)) problems_.error(made.where, "the name of a node has a control character", "remove it");
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
    if (arguments && arguments->own && !nonlinear) laws_.doubt_arguments(place_of_name(*arguments));
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
      if (const std::string near = StatedAttributes::meant_by(name); !near.empty())
        problems_.error(place_of_name(attribute), "attribute " + in_quotes(name) + " of the graph is not known",
                        "did you mean '" + near + "'?");
    }
  }

  const SourceText& source_;
  const DotFile& dot_;
  Problems& problems_;
  SignalFlowGraph graph_;
  Laws laws_;
  StatedAttributes stated_;
  std::vector<NodeId> ids_;
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
  if (const DotCheck check = dot_check_in_use(); check && !problems.any_errors()) check(source, dot);
  SignalFlowGraph graph = DotReading(source, dot, problems).graph();
  problems.finish(notes);
  return graph;
}

}  // namespace sfg
