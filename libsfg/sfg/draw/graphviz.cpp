#include "sfg/draw/graphviz.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/flow.hpp"
#include "sfg/draw/labels.hpp"
#include "sfg/draw/layout.hpp"
#include "sfg/draw/math_tree.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {
namespace {

constexpr std::size_t most_nodes = 2000;
constexpr std::size_t most_branches = 10'000;
constexpr double text_size = 15;
constexpr double widest_gain = 175;

/// A formula as Graphviz' HTML-like text: one line of text where that will do, else a table with bars.
class HtmlLabel {
 public:
  static std::string of(const Label& label) {
    if (label.plain) return xml_text(label.latex);
    return list(math_tree(label.latex));
  }

  static std::string list(const MathNode& node) { return tall(node) ? table(node) : line(node); }

 private:
  static bool tall(const MathNode& node) {
    return node.kind == MathNode::Kind::fraction || std::ranges::any_of(node.parts, tall);
  }

  /// On one line; a fraction inside a script gets a slash.
  static std::string line(const MathNode& node) {
    switch (node.kind) {
      case MathNode::Kind::list: return joined(node.parts);
      case MathNode::Kind::letter: return "<I>" + xml_text(node.text) + "</I>";
      case MathNode::Kind::upright:
      case MathNode::Kind::sign: return xml_text(node.text);
      case MathNode::Kind::fraction: return grouped(node.parts[0]) + "/" + grouped(node.parts[1]);
      case MathNode::Kind::root: return "√(" + line(node.parts[0]) + ")";
      case MathNode::Kind::bracket: return xml_text(node.text) + joined(node.parts) + xml_text(node.closing);
      case MathNode::Kind::script: {
        std::string text = line(node.parts[0]);
        if (!node.parts[1].empty()) text += "<SUB>" + line(node.parts[1]) + "</SUB>";
        if (!node.parts[2].empty()) text += "<SUP>" + line(node.parts[2]) + "</SUP>";
        return text;
      }
    }
    return {};
  }

  static std::string grouped(const MathNode& node) {
    const bool single = node.kind != MathNode::Kind::list || node.parts.size() == 1;
    return single ? line(node) : "(" + line(node) + ")";
  }

  static std::string joined(const std::vector<MathNode>& parts) {
    std::string text;
    bool operand = false;
    for (const MathNode& part : parts) {
      const bool sign = part.kind == MathNode::Kind::sign;
      if (operand && (sign || part.spaced)) text += sign ? " " : "\u2009";
      text += line(part);
      if (sign && operand) text += " ";
      operand = !sign;
    }
    return text;
  }

  static constexpr std::string_view open_table = R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">)";

  static std::string cell(const std::string& content) { return "<TD>" + content + "</TD>"; }

  /// Parts side by side: runs of text and fractions as cells of one row.
  static std::string table(const MathNode& node) {
    std::string cells;
    std::vector<MathNode> run;
    const auto flush = [&] {
      if (!run.empty()) cells += cell(joined(run));
      run.clear();
    };
    const std::vector<MathNode> own{node};
    for (const MathNode& part : node.kind == MathNode::Kind::list ? node.parts : own) {
      if (!tall(part)) {
        run.push_back(part);
        continue;
      }
      flush();
      if (part.kind == MathNode::Kind::fraction) {
        cells += cell(fraction(part));
      } else if (part.kind == MathNode::Kind::bracket || part.kind == MathNode::Kind::root) {
        const std::string open = part.kind == MathNode::Kind::root ? "√(" : part.text;
        const std::string close = part.kind == MathNode::Kind::root ? ")" : part.closing;
        cells += cell(large(open)) + cell(list(part.parts[0])) + cell(large(close));
      } else {
        cells += cell(line(part));
      }
    }
    flush();
    return std::string(open_table) + "<TR>" + cells + "</TR></TABLE>";
  }

  static std::string large(const std::string& sign) { return R"(<FONT POINT-SIZE="28">)" + xml_text(sign) + "</FONT>"; }

  static std::string fraction(const MathNode& node) {
    return std::string(open_table) + "<TR>" + cell(list(node.parts[0])) + "</TR><HR/><TR>" + cell(list(node.parts[1])) +
           "</TR></TABLE>";
  }
};

class GraphvizText {
 public:
  GraphvizText(const SignalFlowGraph& graph, const PictureOptions& options)
      : graph_(graph),
        colours_(options.dark ? dark_drawing : light_drawing),
        labels_(gain_labels(graph, text_size, widest_gain)) {
    std::vector<bool> inverting;
    for (const Label& label : labels_.gains) inverting.push_back(label.latex.starts_with("-"));
    flow_ = flow(graph, inverting);
    main_ = main_line();
  }

  std::string text() {
    out_ << "digraph " << dot_string(graph_.title.empty() ? "signal-flow graph" : graph_.title) << " {\n";
    const std::string face =
        R"(fontname="Liberation Serif,Times,serif", fontsize=15, fontcolor=")" + std::string(colours_.ink) + '"';
    out_ << "  graph [rankdir=LR, bgcolor=\"" << colours_.paper << "\", nodesep=0.45, ranksep=0.7, forcelabels=true, " << face;
    if (!labels_.legend.empty()) out_ << ", labelloc=b, labeljust=l, label=<" << legend() << '>';
    out_ << "];\n";
    out_ << "  node [shape=circle, fixedsize=true, width=0.13, label=\"\", penwidth=1.4, style=filled, fillcolor=\""
         << colours_.paper << "\", color=\"" << colours_.ink << "\", " << face << "];\n";
    out_ << "  edge [arrowsize=0.6, penwidth=1.2, color=\"" << colours_.ink << "\", " << face << "];\n";
    for (const NodeId id : graph_.node_ids()) node(id);
    rank("source", graph_.stated_inputs(), true);
    rank("sink", graph_.stated_outputs(), false);
    for (const BranchId id : graph_.branch_ids()) branch(id);
    out_ << "}\n";
    return out_.str();
  }

 private:
  /// The branches of the longest forward path: they are to lie on a straight line.
  std::vector<bool> main_line() const {
    const std::size_t n = graph_.nodes().size();
    std::vector<std::size_t> at(n), length(n, 1);
    for (std::size_t i = 0; i < n; ++i) at[flow_.position[i]] = i;
    std::vector<std::optional<BranchId>> next(n);
    for (std::size_t k = n; k-- > 0;)
      for (const BranchId b : graph_.leaving(NodeId{static_cast<std::uint32_t>(at[k])})) {
        const std::size_t to = graph_[b].to.index;
        if (flow_.against[b.index] || flow_.returning[to] || length[to] + 1 <= length[at[k]]) continue;
        length[at[k]] = length[to] + 1;
        next[at[k]] = b;
      }
    std::vector<bool> result(graph_.branches().size());
    if (n == 0) return result;
    std::size_t start = static_cast<std::size_t>(std::max_element(length.begin(), length.end()) - length.begin());
    for (const NodeId input : graph_.stated_inputs())
      if (length[input.index] == length[start]) start = input.index;
    for (std::optional<BranchId> b = next[start]; b; b = next[graph_[*b].to.index]) result[b->index] = true;
    return result;
  }

  void node(NodeId id) {
    out_ << "  n" << id.index << " [xlabel=<" << HtmlLabel::of(name_label(graph_[id].name, text_size))
         << ">, tooltip=" << dot_string(graph_[id].name);
    const auto leaving = graph_.leaving(id), entering = graph_.entering(id);
    const auto on_line = [&](BranchId b) { return main_[b.index]; };
    if (std::ranges::any_of(leaving, on_line) || std::ranges::any_of(entering, on_line)) out_ << ", group=line";
    out_ << "];\n";
  }

  /// Only real sources and sinks: a node with branches on both sides would be torn out of its place.
  void rank(std::string_view kind, const std::vector<NodeId>& nodes, bool sources) {
    std::string list;
    for (const NodeId node : nodes)
      if ((sources ? graph_.entering(node) : graph_.leaving(node)).empty()) list += " n" + std::to_string(node.index) + ";";
    if (!list.empty()) out_ << "  { rank=" << kind << ';' << list << " }\n";
  }

  void branch(BranchId id) {
    const Branch& branch = graph_[id];
    const bool back = flow_.against[id.index] || flow_.returning[branch.from.index] || flow_.returning[branch.to.index];
    out_ << "  n" << branch.from.index << " -> n" << branch.to.index << " [label=<" << HtmlLabel::of(labels_.gains[id.index])
         << '>';
    if (!branch.linear()) {
      out_ << ", style=dashed, color=\"" << colours_.law << "\", fontcolor=\"" << colours_.law << '"';
    } else if (back) {
      out_ << ", color=\"" << colours_.feedback << "\", fontcolor=\"" << colours_.feedback << '"';
    }
    if (branch.from == branch.to) {
      out_ << ", tailport=n, headport=n";
    } else if (flow_.against[id.index]) {
      out_ << ", constraint=false, tailport=s, headport=s";
    } else if (main_[id.index]) {
      out_ << ", weight=100";
    }
    out_ << "];\n";
  }

  std::string legend() const {
    std::string rows;
    for (const auto& [name, body] : labels_.legend)
      rows += R"(<TR><TD ALIGN="LEFT">)" + HtmlLabel::list(math_tree(name + " = " + body)) + "</TD></TR>";
    return R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4">)" + rows + "</TABLE>";
  }

  const SignalFlowGraph& graph_;
  const DrawingPalette& colours_;
  GainLabels labels_;
  Flow flow_;
  std::vector<bool> main_;
  std::ostringstream out_;
};

std::string own_svg(const SignalFlowGraph& graph, const PictureOptions& options) {
  std::ostringstream out;
  write_svg(out, layout(graph, {.budget = options.budget}), {.dark = options.dark});
  return out.str();
}

/// Graphviz' SVG with what a reader of the screen needs.
std::string with_description(std::string svg, const SignalFlowGraph& graph) {
  const std::size_t tag = svg.find("<svg ");
  const std::size_t end = tag == std::string::npos ? tag : svg.find('>', tag);
  if (end == std::string::npos) return svg;
  svg.insert(end + 1, "\n<title id=\"title\">" + xml_text(graph.title.empty() ? "Signal-flow graph" : graph.title) +
                          "</title>\n<desc id=\"description\">Signal-flow graph with " + std::to_string(graph.nodes().size()) +
                          " nodes and " + std::to_string(graph.branches().size()) + " branches</desc>");
  svg.insert(tag + 5, "role=\"img\" aria-labelledby=\"title description\" ");
  return svg;
}

}  // namespace

std::string graphviz_text(const SignalFlowGraph& graph, const PictureOptions& options) {
  if (graph.nodes().size() > most_nodes || graph.branches().size() > most_branches)
    throw LimitReached("a picture of " + std::to_string(graph.nodes().size()) + " nodes and " +
                           std::to_string(graph.branches().size()) + " branches would show nothing",
                       "reduce the graph first");
  return GraphvizText(graph, options).text();
}

std::string picture(const SignalFlowGraph& graph, PictureFormat format, const PictureOptions& options) {
  if (format == PictureFormat::dot) return graphviz_text(graph, options);
  if (suits_layout(graph)) {
    const std::string svg = own_svg(graph, options);
    if (format == PictureFormat::svg) return svg;
    return converted(svg, format, options.time_limit);
  }
  const char* kind = format == PictureFormat::svg ? "-Tsvg" : format == PictureFormat::png ? "-Tpng" : "-Tpdf";
  std::string made =
      picture_by({"dot", kind}, graphviz_text(graph, options), {.package = "graphviz", .seconds = options.time_limit});
  return format == PictureFormat::svg ? with_description(std::move(made), graph) : made;
}

}  // namespace sfg
