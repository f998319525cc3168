#include "sfg/draw/graphviz.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "sfg/draw/graph/flow.hpp"
#include "sfg/draw/graph/labels.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {
namespace {

constexpr std::size_t most_drawn = 2000;
constexpr std::size_t most_branches = 10'000;
constexpr double graphviz_text_size = 15;
constexpr double widest_gain = 175;

/// A formula as Graphviz' HTML-like text: one line of text where that will do, else a table with bars.
class HtmlLabel {
 public:
  static std::string of(const Math& m) {
    if (!is_tall(m)) return write(m, Notation::markup);
    HtmlLabel row;
    row.add(m);
    row.flush();
    return std::string(open_table) + "<TR>" + row.cells_ + "</TR></TABLE>";
  }

 private:
  /// A fraction inside a script gets a slash.
  static bool is_tall(const Math& m) {
    if (m.kind == Math::Kind::power) return is_tall(m.parts[0]);
    if (m.kind == Math::Kind::call && m.text == "exp") return false;
    return m.kind == Math::Kind::quotient || std::ranges::any_of(m.parts, is_tall);
  }
  static bool is_loose(const Math& m) {
    return m.kind == Math::Kind::sum || m.kind == Math::Kind::negative || m.kind == Math::Kind::relation;
  }

  static constexpr std::string_view open_table = R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">)";
  static std::string cell(const std::string& content) { return "<TD>" + content + "</TD>"; }

  void flush() {
    if (!run_.empty()) cells_ += cell(run_);
    run_.clear();
  }

  void bracketed(const std::string& open, const Math& inside, const std::string& close) {
    const auto large = [](const std::string& sign) { return R"(<FONT POINT-SIZE="28">)" + sign + "</FONT>"; };
    flush();
    cells_ += cell(large(open)) + cell(of(inside)) + cell(large(close));
  }

  /// Parts side by side: runs of text and fractions as cells of one row.
  void add(const Math& m) {
    if (!is_tall(m)) {
      run_ += write(m, Notation::markup);
      return;
    }
    switch (m.kind) {
      case Math::Kind::sum: sum(m); break;
      case Math::Kind::negative:
        run_ += "−";
        operand(m.parts[0]);
        break;
      case Math::Kind::product:
        for (const Math& part : m.parts) {
          if (&part != &m.parts.front()) run_ += "·";
          operand(part);
        }
        break;
      case Math::Kind::quotient:
        flush();
        cells_ += cell(std::string(open_table) + "<TR>" + cell(of(m.parts[0])) + "</TR><HR/><TR>" + cell(of(m.parts[1])) +
                       "</TR></TABLE>");
        break;
      case Math::Kind::power:
        bracketed("(", m.parts[0], ")");
        run_ += "<SUP>" + write(m.parts[1], Notation::markup) + "</SUP>";
        break;
      case Math::Kind::root: bracketed("√(", m.parts[0], ")"); break;
      case Math::Kind::relation:
        add(m.parts[0]);
        run_ += " " + xml_text(m.text) + " ";
        add(m.parts[1]);
        break;
      case Math::Kind::call:
        if (m.parts.size() == 1) {
          bracketed(m.text == "abs" ? "|" : m.text + "(", m.parts[0], m.text == "abs" ? "|" : ")");
          break;
        }
        [[fallthrough]];
      default: run_ += write(m, Notation::markup); break;
    }
  }

  void operand(const Math& m) {
    if (!is_loose(m))
      add(m);
    else if (is_tall(m))
      bracketed("(", m, ")");
    else
      run_ += "(" + write(m, Notation::markup) + ")";
  }

  void sum(const Math& m) {
    bool first = true;
    for (const Math& term : m.parts) {
      const std::string sign = term.is_negative() ? "−" : "+";
      run_ += first ? (term.is_negative() ? sign : "") : " " + sign + " ";
      operand(term.is_negative() ? term.parts[0] : term);
      first = false;
    }
  }

  std::string cells_, run_;
};

class GraphvizText {
 public:
  GraphvizText(const SignalFlowGraph& graph, const PictureOptions& options)
      : graph_(graph),
        colours_(drawing_palette(options.theme)),
        labels_(gain_labels(graph, graphviz_text_size, widest_gain, options.decimals)) {
    std::vector<bool> inverting;
    for (const Label& label : labels_.gains) inverting.push_back(label.math.is_negative());
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
    out_ << "  n" << id.index << " [xlabel=<" << HtmlLabel::of(Math::signal(graph_[id].name))
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
    out_ << "  n" << branch.from.index << " -> n" << branch.to.index << " [label=<" << HtmlLabel::of(labels_.gains[id.index].math)
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
      rows += R"(<TR><TD ALIGN="LEFT">)" + HtmlLabel::of(Math::equation(name, body)) + "</TD></TR>";
    return R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4">)" + rows + "</TABLE>";
  }

  const SignalFlowGraph& graph_;
  const DrawingPalette& colours_;
  GainLabels labels_;
  Flow flow_;
  std::vector<bool> main_;
  std::ostringstream out_;
};

}  // namespace

std::string graphviz_text(const SignalFlowGraph& graph, const PictureOptions& options) {
  if (graph.nodes().size() > most_drawn || graph.branches().size() > most_branches)
    throw LimitReached("a picture of " + std::to_string(graph.nodes().size()) + " nodes and " +
                           std::to_string(graph.branches().size()) + " branches would show nothing",
                       "reduce the graph first");
  return GraphvizText(graph, options).text();
}

}  // namespace sfg
