// The steps: the flow of the signals (draw/graph/flow), chains (draw/graph/chains), rows and tracks (draw/graph/arrange),
// coordinates (draw/graph/place_nodes), courses (draw/graph/shape_courses), labels (draw/graph/place_labels).
#include "sfg/draw/graph/layout.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sfg/draw/graph/labels.hpp"
#include "sfg/draw/graph/layered.hpp"
#include "sfg/draw/graph/loop_numbers.hpp"
#include "sfg/draw/graph/sketch.hpp"
#include "sfg/draw/graph/stated_places.hpp"
#include "sfg/draw/graph/wishes.hpp"
#include "sfg/draw/ink.hpp"
#include "sfg/draw/polyline.hpp"
#include "sfg/draw/sheets/legend.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

constexpr std::size_t most_nodes_on_rows = 30;
constexpr std::size_t most_branches_on_rows = 60;
constexpr std::size_t readable_branches = 400;  // however few nodes they join
constexpr std::size_t most_arranged = 4000;
constexpr std::size_t most_branches_a_node = 3;
constexpr double margin_of_sheet = 24;
constexpr std::size_t most_rows = 6;  // of a picture that is to be narrow: of more a reader sees the lines between them alone
constexpr double tallest = 2;         // height to width of such a picture
constexpr double clearly = 0.9;       // less is not worth names: it is hardly seen in the letters

/// The label's formula about a centre.
void centre(Label& label, Point at) {
  const Formula& f = label.formula;
  label.formula = f.moved(at.x - f.width / 2, at.y + (f.ascent - f.descent) / 2);
  label.centre = at;
}

Size size_of(const Formula& f) { return {f.width, f.height(), ink_about_centre(f)}; }

std::string list(const SignalFlowGraph& graph, const std::vector<NodeId>& nodes) {
  std::string text;
  for (const NodeId node : nodes) text += (text.empty() ? "" : ", ") + graph[node].name;
  return text.empty() ? "none" : text;
}

const GiNaC::ex& law_of(const Branch& branch) { return branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law; }

/// A gain by powers of the operator; of a law, which knows none, as files state it.
std::string law_text(const SignalFlowGraph& graph, const Branch& branch) {
  return print(law_of(branch), Notation::text, branch.linear() ? graph.op.symbol() : std::string_view());
}

/// "C → e: −1": the gain as program text with the typeset minus sign.
std::string title(const SignalFlowGraph& graph, BranchId id) {
  const Branch& branch = graph[id];
  return graph[branch.from].name + " → " + graph[branch.to].name + ": " + with_minus_signs(law_text(graph, branch));
}

std::string sheet_description(const SignalFlowGraph& graph) {
  std::string text = "Signal-flow graph with " + std::to_string(graph.nodes().size()) + " nodes and " +
                     std::to_string(graph.branches().size()) + " branches. Inputs: " + list(graph, graph.stated_inputs()) +
                     ". Outputs: " + list(graph, graph.stated_outputs()) + ". Branches:";
  for (const Branch& branch : graph.branches()) {
    text += " " + graph[branch.from].name + " to " + graph[branch.to].name + (branch.linear() ? ": " : " (nonlinear): ") +
            law_text(graph, branch) + ";";
  }
  text.back() = '.';
  return text;
}

/// Whether a course runs through the ink of a label, so that paper has to go behind it.
class Passage {
 public:
  explicit Passage(const Sketch& sketch) : sketch_(sketch) {
    for (const Sketch::Course& course : sketch.courses) bounds_.push_back(bounds(course.samples).grown(1));
  }
  bool under(const Label& label) const {
    const std::vector<Box> parts = ink(label.formula);
    const Box all = bounds(parts);
    for (std::size_t b = 0; b < bounds_.size(); ++b)
      if (all.overlap(bounds_[b]) > 0 && under(parts, all, sketch_.courses[b].samples)) return true;
    return false;
  }

 private:
  static bool under(const std::vector<Box>& parts, const Box& all, const std::vector<Point>& samples) {
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const Point a = samples[i - 1], b = samples[i];
      if (distance(all, a, b) == 0 && std::ranges::any_of(parts, [&](const Box& part) { return distance(part, a, b) == 0; }))
        return true;
    }
    return false;
  }

  const Sketch& sketch_;
  std::vector<Box> bounds_;
};

void finish_branches(Drawing& drawing, const Sketch& sketch, std::vector<Label> labels) {
  const Passage passage(sketch);
  for (const BranchId id : sketch.graph.branch_ids()) {
    const auto& course = sketch.courses[id.index];
    DrawnBranch drawn{id, course.curve, {}, {}, std::move(labels[id.index]), sketch.feedback(id), !sketch.graph[id].linear()};
    drawn.from = sketch.graph[sketch.graph[id].from].name;
    drawn.to = sketch.graph[sketch.graph[id].to].name;
    drawn.title = title(sketch.graph, id);
    const std::size_t i = sketch.arrows[id.index];
    const Point before = course.samples[i - 1], after = course.samples[i + 1];
    const double length = std::max(distance(before, after), 1e-9);
    drawn.direction = {(after.x - before.x) / length, (after.y - before.y) / length};
    drawn.arrow = {course.samples[i].x + 6 * drawn.direction.x, course.samples[i].y + 6 * drawn.direction.y};
    centre(drawn.gain, sketch.gain_centres[id.index]);
    drawn.gain.backed = passage.under(drawn.gain);
    drawing.branches.push_back(std::move(drawn));
  }
}

Box bounds(const Drawing& drawing, const Sketch& sketch) {
  Box box{1e9, 1e9, -1e9, -1e9};
  const auto include = [&](const Label& label) {
    const Box around = Box::around(label.centre, label.formula.width, label.formula.height());
    box.include({around.left, around.top});
    box.include({around.right, around.bottom});
  };
  for (const DrawnNode& node : drawing.nodes) {
    include(node.name);
    box.include({node.at.x - 6, node.at.y - 6});
    box.include({node.at.x + 6, node.at.y + 6});
  }
  for (const DrawnBranch& branch : drawing.branches) {
    include(branch.gain);
    for (const Point p : sketch.courses[branch.id.index].samples) box.include(p);
  }
  return box;
}

void move(Label& label, double x, double y) {
  label.formula = label.formula.moved(x, y);
  label.centre = {label.centre.x + x, label.centre.y + y};
}

void move(Drawing& drawing, double x, double y) {
  const auto shift = [&](Point& p) { p = {p.x + x, p.y + y}; };
  for (DrawnNode& node : drawing.nodes) {
    shift(node.at);
    move(node.name, x, y);
  }
  for (DrawnBranch& branch : drawing.branches) {
    for (Point& p : branch.curve) shift(p);
    shift(branch.arrow);
    move(branch.gain, x, y);
  }
}

struct LayoutCandidate {
  Sketch sketch;
  double cost = 0;  ///< of what disturbs a reader, in crossings
};

constexpr double label_fault = 10, course_fault = 3;

double cost(const LabelFaults& faults) {
  return label_fault * static_cast<double>(faults.on_labels + faults.on_nodes) +
         course_fault * static_cast<double>(faults.on_courses) + static_cast<double>(faults.doubtful);
}

/// Chains on rows, spread as little as the labels need.
LayoutCandidate on_rows(const Sketch& start, const Budget& budget) {
  std::optional<Sketch> best;
  double least = 0;
  LabelFaults least_faults;
  for (const double spread : {1.0, 1.2, 1.45, 1.75, 2.1}) {
    budget.check("the layout of the picture");
    Sketch sketch = start;
    sketch.spread = spread * start.spread;
    place_nodes(sketch);
    shape_courses(sketch);
    const LabelFaults faults = place_labels(sketch);
    const double now = cost(faults) + 5 * (spread - 1);
    if (!best || now < least) {
      least = now;
      least_faults = faults;
      best.emplace(std::move(sketch));
    }
    if (faults.on_labels + faults.on_nodes + faults.on_courses == 0) break;
  }
  const double all = cost(least_faults) + static_cast<double>(crossings(*best));
  return {*std::move(best), all};
}

LayoutCandidate on_layers(Sketch sketch, const Budget& budget) {
  const LabelFaults faults = layered(sketch, budget);
  const double all = cost(faults) + static_cast<double>(crossings(sketch));
  return {std::move(sketch), all};
}

/// Rows as textbooks draw them, or layers where that disturbs clearly less.
Sketch least_faulty(Sketch start, const Budget& budget) {
  const SignalFlowGraph& graph = start.graph;
  const double textbook = start.flow.side_by_side ? 6 : 1.5;  // crossings that the usual form is worth
  if (start.rows > 0 || graph.nodes().size() > most_nodes_on_rows || graph.branches().size() > most_branches_on_rows) {
    layered(start, budget);
    return start;
  }
  LayoutCandidate layers = on_layers(start, budget);
  start.arrangement = arrange(bridged(graph), start.flow, budget);
  LayoutCandidate rows = on_rows(start, budget);
  return rows.cost > layers.cost + textbook ? std::move(layers.sketch) : std::move(rows.sketch);
}

/// What is given stays, the rest is placed; a picture from right to left is a mirrored one, but for what is given.
Sketch sketched(Sketch start, const LayoutOptions& options) {
  const SignalFlowGraph& graph = start.graph;
  const GivenPlaces given = options.like ? common_places(graph, *options.like) : stated_picture(graph);
  const bool laid_out = !given.all();
  Sketch sketch = laid_out ? least_faulty(std::move(start), options.budget) : std::move(start);
  if (laid_out && given.nodes.empty()) turn_to_sides(sketch);
  const bool leftwards = laid_out && runs_leftwards(graph);
  if (leftwards) mirror(sketch);
  if (!given.nodes.empty()) {
    Sketch placed = place_as_stated(std::move(sketch), given);
    if (options.mirror) mirror(placed), place_labels(placed);
    return placed;
  }
  if (options.mirror) mirror(sketch);
  if (leftwards != options.mirror) place_labels(sketch);
  return sketch;
}

/// The rest of the graph, its nodes and branches under their numbers in the whole.
Drawing drawn_without(const SignalFlowGraph& graph, const std::vector<NodeId>& nodes, LayoutOptions options) {
  const ShownPart part = without(graph, nodes);
  options.parts = Parts::all;
  const bool numbers = std::exchange(options.number_loops, false);  // which are those of the whole
  Drawing drawing = layout(part.graph, options);
  for (DrawnNode& node : drawing.nodes) node.id = part.nodes[node.id.index];
  for (DrawnBranch& branch : drawing.branches) branch.id = part.branches[branch.id.index];
  if (numbers) number_loops(drawing, graph, options.budget);
  drawing.left_out = in_words(graph, nodes);
  drawing.description += " Left out: " + drawing.left_out + ".";
  return drawing;
}

GainLabels gains_of(const SignalFlowGraph& graph, const LayoutOptions& options) {
  return gain_labels(graph, options.text_size, options.widest_gain, options.decimals, options.width);
}

/// @param rows  into which it is broken; 0: a long one only
Drawing drawn(const SignalFlowGraph& graph, GainLabels gains, const LayoutOptions& options, std::size_t rows) {
  Drawing drawing;
  drawing.text_size = options.text_size;
  drawing.title = graph.title.empty() ? "Signal-flow graph" : graph.title;
  drawing.description = sheet_description(graph);
  if (graph.nodes().empty()) {
    drawing.width = drawing.height = 2 * margin_of_sheet;
    return drawing;
  }
  std::vector<bool> inverting;
  for (const Label& label : gains.gains) inverting.push_back(label.math.is_negative());
  const SignalFlowGraph whole = bridged(graph);
  inverting.resize(whole.branches().size());
  Flow order = flow(whole, inverting);
  Sketch start{graph, std::move(order), {}, options.spread, rows, {}, {}, {}, {}, {}, {}, {}, {}, false};
  std::vector<Label> names = name_labels(graph, options.text_size);
  for (const Label& label : names) start.names.push_back(size_of(label.formula));
  for (const Label& label : gains.gains) start.gains.push_back(size_of(label.formula));
  const Sketch sketch = sketched(std::move(start), options);
  for (const NodeId id : graph.node_ids()) {
    drawing.nodes.push_back({id, sketch.nodes[id.index], std::move(names[id.index]), graph[id].name});
    centre(drawing.nodes.back().name, sketch.name_centres[id.index]);
  }
  finish_branches(drawing, sketch, std::move(gains.gains));
  const Box box = bounds(drawing, sketch);
  move(drawing, margin_of_sheet - box.left, margin_of_sheet - box.top);
  drawing.width = box.right - box.left + 2 * margin_of_sheet;
  drawing.height = box.bottom - box.top + 2 * margin_of_sheet;
  add_legend(drawing, gains.legend, options.text_size, options.width);
  if (options.number_loops) number_loops(drawing, graph, options.budget);
  return drawing;
}

bool fits(const Drawing& drawing, const LayoutOptions& options) { return std::ceil(drawing.width) <= options.width; }

/// As wide as it comes where that fits, else closer, else broken into rows.
Drawing drawn_within(const SignalFlowGraph& graph, const LayoutOptions& options) {
  const GainLabels gains = gains_of(graph, options);  // set once: those of some models are hundreds of digits long
  Drawing best = drawn(graph, gains, options, 0);
  const auto again = [&](double spread, std::size_t rows) {
    LayoutOptions closer = options;
    closer.spread = spread * options.spread;
    return drawn(graph, gains, closer, rows);
  };
  constexpr double closest = 0.5;
  const double natural = best.width;
  for (const double spread : {0.9, 0.8, 0.7, 0.6, closest}) {
    const bool cannot_fit = spread * natural > options.width;  // names and nodes become no smaller
    if (fits(best, options) || (cannot_fit && spread > closest)) continue;
    if (Drawing closer = again(spread, 0); closer.width < best.width) best = std::move(closer);
  }
  const bool beyond_rows = best.width > static_cast<double>(most_rows) * options.width;
  if (options.like || !stated_ranks(graph).empty() || beyond_rows) return best;
  for (std::size_t rows = 2; !fits(best, options) && rows <= most_rows && 2 * rows <= graph.nodes().size(); ++rows)
    if (Drawing broken = again(0.7, rows); fits(broken, options) && broken.height < tallest * broken.width)
      best = std::move(broken);
  return best;
}

}  // namespace

bool suits_layout(const SignalFlowGraph& graph) {
  const std::size_t nodes = graph.nodes().size(), branches = graph.branches().size();
  return branches <= readable_branches || (nodes <= most_arranged && branches <= most_branches_a_node * nodes);
}

Drawing layout(const SignalFlowGraph& graph, const LayoutOptions& options) {
  if (const std::vector<NodeId> nodes = left_out(graph, options.parts); !nodes.empty())
    return drawn_without(graph, nodes, options);
  if (!suits_layout(graph))
    throw LimitReached("a picture of " + std::to_string(graph.nodes().size()) + " nodes and " +
                           std::to_string(graph.branches().size()) +
                           " branches would show nothing: its lines could not be followed",
                       Remedy(Advice::reduce_graph) | "draw its matrix, a part of it, or write it as DOT for Graphviz");
  if (options.width == 0) return drawn(graph, gains_of(graph, options), options, 0);
  Drawing best = drawn_within(graph, options);
  // A name for a gain is read more easily than letters of half the size.
  for (const double part : {0.12, 0.06})
    if (LayoutOptions named = options; best.width > options.width / clearly) {
      named.widest_gain = std::min(options.widest_gain, part * options.width);
      if (Drawing shorter = drawn_within(graph, named); shorter.width < clearly * best.width) best = std::move(shorter);
    }
  return best;
}

}  // namespace sfg
