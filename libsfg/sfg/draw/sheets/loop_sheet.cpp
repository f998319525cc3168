#include "sfg/draw/sheets/matrix_picture.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "sfg/draw/graph/graph_scene.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/scene_legend.hpp"

namespace sfg {
namespace {

constexpr double loop_margin = 24, between = 26;

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
  std::optional<Math> transfer = {};  ///< whose path it is, where there are several
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
    const std::string &input = graph[listing.question.input].name, &output = graph[listing.question.output].name;
    const std::string transfer = output + "/" + input;
    const std::size_t first = made.size();
    for (std::size_t k = 0; k < listing.paths.size(); ++k)
      made.push_back({{{"path", std::to_string(k + 1)}, {"transfer", transfer}},
                      "Forward path " + std::to_string(k + 1) + ": " + route(graph, listing.paths[k].path, false),
                      Math::equation(numbered("P", k), gain(listing.paths[k].gain)),
                      highlighted_path(graph, listing.paths[k].path)});
    for (std::size_t k = 0; k < listing.reference_paths.size(); ++k)
      made.push_back({{{"reference-path", std::to_string(k + 1)}, {"transfer", transfer}},
                      "Path " + std::to_string(k + 1) + " to the input: " + route(graph, listing.reference_paths[k].path, false),
                      Math::equation(numbered("Q", k), gain(listing.reference_paths[k].gain)),
                      highlighted_path(graph, listing.reference_paths[k].path)});
    for (std::size_t i = first; i < made.size() && listings.size() > 1; ++i)
      made[i].transfer = Math::relation(Math::signal(input), "→", Math::signal(output));
  }
  if (listings.empty()) return made;
  const auto& loops = listings.front().loops;
  for (std::size_t i = 0; i < loops.size(); ++i)
    made.push_back({{{"loop", std::to_string(i + 1)}},
                    "Loop " + std::to_string(i + 1) + ": " + route(graph, loops[i].path, true),
                    Math::equation(numbered("L", i), gain(loops[i].gain)),
                    highlighted_loop(graph, loops[i].path)});
  for (const auto& set : listings.front().non_touching) {
    Tile tile{{}, "Loops that do not touch: ", Math::word(""), {}};
    std::string numbers;
    for (const std::size_t i : set) {
      numbers += (numbers.empty() ? "" : ",") + std::to_string(i + 1);
      tile.highlight.add(highlighted_loop(graph, loops[i].path));
    }
    tile.data = {{"set", numbers}};
    tile.title += numbers;
    tile.caption = Math::word("{" + numbers + "}");
    made.push_back(std::move(tile));
  }
  return made;
}

/// The caption in at most three lines; a longer one keeps its name only.
std::vector<Math> caption_lines(const Math& caption, double size, double width) {
  constexpr std::size_t most_lines = 3;
  if (caption.kind != Math::Kind::relation) return {caption};
  const Math &name = caption.parts[0], &gain = caption.parts[1];
  const auto line = [&](std::size_t begin, std::size_t end) {
    const Math part = line_of_terms(gain, begin, end);
    return begin == 0 ? Math::equation(name, part) : part;
  };
  std::vector<Math> lines;
  const std::size_t count = terms(gain).size();
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && typeset(line(begin, end + 1), size).width <= width) ++end;
    lines.push_back(line(begin, end));
    if (lines.size() > most_lines || typeset(lines.back(), size).width > width) return {name};
    begin = end;
  }
  return lines;
}

void refuse_too_many(std::span<const MasonListing> listings, std::size_t count, std::size_t most) {
  const bool cut = std::ranges::any_of(listings, [](const MasonListing& l) { return l.truncated; });
  if (!cut && count <= most) return;
  throw LimitReached("a sheet of " + (cut ? "more than " + std::to_string(most) : std::to_string(count)) +
                         " paths, loops and sets is more than a reader can use (limit: " + std::to_string(most) + ")",
                     Remedy("name one input and one output") | Advice::reduce_graph);
}

/// Puts tiles in rows of equal columns.
class Sheet {
 public:
  Sheet(Scene& scene, const Drawing& drawing, std::size_t tiles, const LoopSheetOptions& options)
      : scene_(scene), drawing_(drawing) {
    factor_ = std::clamp(options.picture_width / std::max(drawing.width, 1.0), 0.62, 1.0);
    width_ = std::max(factor_ * drawing.width, 180.0);
    constexpr double usual = 1100;
    const bool stated = options.sheet_width > 0;
    const double wanted = ((stated ? options.sheet_width : usual) - 2 * loop_margin + between) / (width_ + between);
    const double of_page =  // high as paper
        stated ? 1 : std::sqrt(static_cast<double>(tiles) * factor_ * drawing_height() / (1.4 * width_));
    columns_ = static_cast<std::size_t>(std::max({1.0, std::floor(wanted), std::round(of_page)}));
    scene_.text_size = factor_ * drawing.text_size;
  }

  void add(const Tile& tile) {
    if (row_.size() == columns_) next_row();
    row_.push_back(&tile);
  }

  void finish() {
    next_row();
    scene_.width = std::max(right_, 200.0) + loop_margin;
    scene_.height = top_;
  }

 private:
  /// Without its legend, which the sheet has once.
  double drawing_height() const {
    double bottom = drawing_.height;
    for (const Label& line : drawing_.legend) bottom = std::min(bottom, line.centre.y - line.formula.height() / 2);
    return bottom;
  }
  /// Captions above, pictures on one line below them.
  void next_row() {
    double pictures = top_, left = loop_margin;
    std::vector<SceneGroup> groups;
    for (const Tile* tile : row_) {
      SceneGroup group{"tile", tile->data, tile->title, {}, {}, {}};
      double y = top_;
      std::vector<Math> lines = caption_lines(tile->caption, caption_size, width_);
      if (tile->transfer) lines.insert(lines.begin(), *tile->transfer);
      for (Math& line : lines) {
        Formula set = typeset(line, caption_size);
        const Point centre{left + set.width / 2 + 4, y + set.height() / 2};
        y += set.height() + 6;
        group.texts.push_back({centred(std::move(line), std::move(set), centre), "caption", {}});
      }
      pictures = std::max(pictures, y);
      groups.push_back(std::move(group));
      left += width_ + between;
    }
    left = loop_margin;
    for (std::size_t i = 0; i < row_.size(); ++i, left += width_ + between) {
      const Placement place{factor_, {left + (width_ - factor_ * drawing_.width) / 2, pictures}};
      for (SceneGroup& inner : graph_groups(drawing_, row_[i]->highlight))
        if (inner.style != "legend") groups[i].groups.push_back(place(std::move(inner)));
      right_ = std::max(right_, left + width_);
      scene_.groups.push_back(std::move(groups[i]));
    }
    if (!row_.empty()) top_ = pictures + factor_ * drawing_height() + between;
    row_.clear();
  }

  static constexpr double caption_size = 15;
  Scene& scene_;
  const Drawing& drawing_;
  double factor_ = 1, width_ = 0, top_ = loop_margin, right_ = 0;
  std::size_t columns_ = 1;
  std::vector<const Tile*> row_;
};

}  // namespace

Scene loop_sheet(const SignalFlowGraph& graph, std::span<const MasonListing> listings, const LoopSheetOptions& options) {
  const std::vector<Tile> shown = tiles(graph, listings);
  refuse_too_many(listings, shown.size(), options.most_pictures);
  const Drawing drawing = layout(graph, {.budget = options.budget});
  Scene scene{graph.title.empty() ? "Forward paths and loops" : graph.title + ": forward paths and loops", "", 0, 0, 17, {}};
  scene.description = "Small pictures of a signal-flow graph, one for each of these.";
  Sheet sheet(scene, drawing, shown.size(), options);
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
