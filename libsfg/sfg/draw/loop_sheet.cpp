#include "sfg/draw/loop_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sfg/draw/graph_scene.hpp"
#include "sfg/draw/layout.hpp"
#include "sfg/draw/scene_legend.hpp"

namespace sfg {
namespace {

constexpr double margin = 24, between = 26;

Highlight highlight(const SignalFlowGraph& graph, const Path& path, bool closed) {
  Highlight made{path.nodes, {}};
  for (std::size_t i = 0; i + (closed ? 0 : 1) < path.nodes.size(); ++i)
    for (const BranchId id : graph.leaving(path.nodes[i]))
      if (graph[id].to == path.nodes[(i + 1) % path.nodes.size()]) made.branches.push_back(id);
  return made;
}

Highlight operator+(Highlight a, const Highlight& b) {
  for (const NodeId node : b.nodes)
    if (!a.has(node)) a.nodes.push_back(node);
  for (const BranchId branch : b.branches)
    if (!a.has(branch)) a.branches.push_back(branch);
  return a;
}

/// A picture at another size and place.
struct Placement {
  double factor = 1;
  Point to;

  Point operator()(Point p) const { return {to.x + factor * p.x, to.y + factor * p.y}; }
  Label operator()(Label label) const {
    Formula& f = label.formula;
    f.width *= factor;
    f.ascent *= factor;
    f.descent *= factor;
    for (TextRow& row : f.rows) {
      const Point at = (*this)({row.x, row.y});
      row.x = at.x;
      row.y = at.y;
      row.width *= factor;
      for (TextRun& run : row.runs) {
        run.size *= factor;
        run.raise *= factor;
        run.before *= factor;
      }
    }
    for (TextRule& rule : f.rules) {
      rule.x1 = to.x + factor * rule.x1;
      rule.x2 = to.x + factor * rule.x2;
      rule.y = to.y + factor * rule.y;
      rule.thickness *= factor;
    }
    label.centre = (*this)(label.centre);
    return label;
  }
  SceneGroup operator()(SceneGroup group) const {
    for (SceneShape& shape : group.shapes) {
      for (Point& p : shape.points) p = (*this)(p);
      shape.radius *= factor;
    }
    for (SceneText& text : group.texts) text.label = (*this)(std::move(text.label));
    for (SceneGroup& inner : group.groups) inner = (*this)(std::move(inner));
    return group;
  }
};

/// What one small picture shows.
struct Tile {
  SceneData data;
  std::string title;
  Math caption;
  Highlight highlight;
};

std::string route(const SignalFlowGraph& graph, const Path& path, bool closed) {
  std::string text;
  for (const NodeId node : path.nodes) text += (text.empty() ? "" : " → ") + graph[node].name;
  return closed ? text + " → " + graph[path.nodes.front()].name : text;
}

Math numbered(const char* letter, std::size_t i) { return Math::name(letter + std::to_string(i + 1)); }

std::vector<Tile> tiles(const SignalFlowGraph& graph, std::span<const MasonListing> listings) {
  std::vector<Tile> made;
  const auto gain = [&](const GiNaC::ex& e) { return math(e, graph.op.symbol()); };
  for (const MasonListing& listing : listings) {
    const std::string transfer = graph[listing.question.output].name + "/" + graph[listing.question.input].name;
    for (std::size_t k = 0; k < listing.paths.size(); ++k)
      made.push_back({{{"path", std::to_string(k + 1)}, {"transfer", transfer}},
                      "Forward path " + std::to_string(k + 1) + ": " + route(graph, listing.paths[k].path, false),
                      Math::equation(numbered("P", k), gain(listing.paths[k].gain)),
                      highlight(graph, listing.paths[k].path, false)});
    for (std::size_t k = 0; k < listing.reference_paths.size(); ++k)
      made.push_back({{{"reference-path", std::to_string(k + 1)}, {"transfer", transfer}},
                      "Path " + std::to_string(k + 1) + " to the input: " + route(graph, listing.reference_paths[k].path, false),
                      Math::equation(numbered("Q", k), gain(listing.reference_paths[k].gain)),
                      highlight(graph, listing.reference_paths[k].path, false)});
  }
  if (listings.empty()) return made;
  const auto& loops = listings.front().loops;
  for (std::size_t i = 0; i < loops.size(); ++i)
    made.push_back({{{"loop", std::to_string(i + 1)}},
                    "Loop " + std::to_string(i + 1) + ": " + route(graph, loops[i].path, true),
                    Math::equation(numbered("L", i), gain(loops[i].gain)),
                    highlight(graph, loops[i].path, true)});
  for (const auto& set : listings.front().non_touching) {
    Tile tile{{}, "Loops that do not touch: ", Math::word(""), {}};
    std::string numbers;
    for (const std::size_t i : set) {
      numbers += (numbers.empty() ? "" : ",") + std::to_string(i + 1);
      tile.highlight = std::move(tile.highlight) + highlight(graph, loops[i].path, true);
    }
    tile.data = {{"set", numbers}};
    tile.title += numbers;
    tile.caption = Math::word("{" + numbers + "}");
    made.push_back(std::move(tile));
  }
  return made;
}

/// The caption in at most three lines; a longer one keeps its name only.
std::vector<Formula> caption_lines(const Math& caption, double size, double width) {
  constexpr std::size_t most_lines = 3;
  if (caption.kind != Math::Kind::relation) return {typeset(caption, size)};
  const Formula name = typeset(caption.parts[0], size);
  const Formula head = name.followed_by(typeset_plain("=", size), 0.22 * size);
  std::vector<Formula> lines = typeset_lines(caption.parts[1], size, width - head.width - 6);
  if (lines.size() > most_lines || std::ranges::any_of(lines, [&](const Formula& f) { return f.width > width - head.width; }))
    return {name};
  lines.front() = head.followed_by(lines.front(), 5);
  return lines;
}

void refuse_too_many(std::span<const MasonListing> listings, std::size_t count, std::size_t most) {
  const bool cut = std::ranges::any_of(listings, [](const MasonListing& l) { return l.truncated; });
  if (!cut && count <= most) return;
  throw LimitReached("a sheet of " + (cut ? "more than " + std::to_string(most) : std::to_string(count)) +
                         " paths, loops and sets is more than a reader can use (limit: " + std::to_string(most) + ")",
                     Remedy("name one input and one output") | Advice::reduce_graph);
}

}  // namespace

Highlight highlight_of_path(const SignalFlowGraph& graph, const Path& path) { return highlight(graph, path, false); }
Highlight highlight_of_loop(const SignalFlowGraph& graph, const Path& path) { return highlight(graph, path, true); }

namespace {

/// Puts tiles in rows of equal columns.
class Sheet {
 public:
  Sheet(Scene& scene, const Drawing& drawing, const LoopSheetOptions& options) : scene_(scene), drawing_(drawing) {
    factor_ = std::clamp(options.picture_width / std::max(drawing.width, 1.0), 0.62, 1.0);
    width_ = std::max(factor_ * drawing.width, 180.0);
    columns_ =
        std::max<std::size_t>(1, static_cast<std::size_t>((options.sheet_width - 2 * margin + between) / (width_ + between)));
    scene_.text_size = factor_ * drawing.text_size;
  }

  void add(const Tile& tile) {
    if (column_ == columns_) next_row();
    const double left = margin + static_cast<double>(column_) * (width_ + between);
    SceneGroup group{"tile", tile.data, tile.title, {}, {}, {}};
    double y = top_;
    for (const Formula& line : caption_lines(tile.caption, caption_size, width_)) {
      const Point centre{left + line.width / 2 + 4, y + line.height() / 2};
      const bool whole = group.texts.empty();
      group.texts.push_back({centred(whole ? tile.caption : Math::word(""), line, centre), "caption", {}});
      y += line.height() + 6;
    }
    const Placement place{factor_, {left + (width_ - factor_ * drawing_.width) / 2, y}};
    for (SceneGroup& inner : graph_groups(drawing_, tile.highlight))
      if (inner.style != "legend") group.groups.push_back(place(std::move(inner)));
    row_height_ = std::max(row_height_, y + factor_ * drawing_height() - top_);
    right_ = std::max(right_, left + width_);
    scene_.groups.push_back(std::move(group));
    ++column_;
  }

  void finish() {
    next_row();
    scene_.width = std::max(right_, 200.0) + margin;
    scene_.height = top_;
  }

 private:
  /// Without its legend, which the sheet has once.
  double drawing_height() const {
    double bottom = drawing_.height;
    for (const Label& line : drawing_.legend) bottom = std::min(bottom, line.centre.y - line.formula.height() / 2);
    return bottom;
  }
  void next_row() {
    top_ += row_height_ + (row_height_ > 0 ? between : 0);
    row_height_ = 0;
    column_ = 0;
  }

  static constexpr double caption_size = 15;
  Scene& scene_;
  const Drawing& drawing_;
  double factor_ = 1, width_ = 0, top_ = margin, row_height_ = 0, right_ = 0;
  std::size_t columns_ = 1, column_ = 0;
};

}  // namespace

Scene loop_sheet(const SignalFlowGraph& graph, std::span<const MasonListing> listings, const LoopSheetOptions& options) {
  const std::vector<Tile> shown = tiles(graph, listings);
  refuse_too_many(listings, shown.size(), options.most_pictures);
  const Drawing drawing = layout(graph, {.budget = options.budget});
  Scene scene{graph.title.empty() ? "Forward paths and loops" : graph.title + ": forward paths and loops", "", 0, 0, 17, {}};
  scene.description = "Small pictures of a signal-flow graph, one for each of these.";
  Sheet sheet(scene, drawing, options);
  for (const Tile& tile : shown) {
    scene.description += " " + tile.title + ".";
    sheet.add(tile);
  }
  sheet.finish();
  std::vector<std::pair<Math, Math>> legend;
  for (const Label& line : drawing.legend)
    if (line.math.kind == Math::Kind::relation) legend.emplace_back(line.math.parts[0], line.math.parts[1]);
  add_legend(scene, legend);
  return scene;
}

}  // namespace sfg
