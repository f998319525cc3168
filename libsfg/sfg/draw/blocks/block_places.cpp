#include "sfg/draw/blocks/block_places.hpp"

#include <algorithm>

namespace sfg {
namespace {

constexpr double between_levels = 7;

/// True for −a and for −a − b: what a minus sign at a sum says.
bool all_negative(const Math& gain) {
  return gain.is_negative() || (gain.kind == Math::Kind::sum && std::ranges::all_of(gain.parts, &Math::is_negative));
}
Math turned_gain(const Math& gain) {
  if (gain.is_negative()) return gain.parts[0];
  std::vector<Math> terms;
  for (const Math& term : gain.parts) terms.push_back(term.parts[0]);
  return Math::sum(std::move(terms));
}

}  // namespace

std::vector<BranchFace> branch_faces(const SignalFlowGraph& graph, const GainLabels& labels, double size) {
  std::vector<BranchFace> made;
  for (const BranchId id : graph.branch_ids()) {
    const Branch& branch = graph[id];
    Math whole = math(branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law, graph.op.symbol());
    Math shown = labels.gains[id.index].math;
    BranchFace face;
    face.signs = graph.entering(branch.to).size() > 1;
    face.minus = face.signs && branch.linear() && all_negative(whole) && all_negative(shown);
    if (face.minus) {
      whole = turned_gain(whole);
      shown = turned_gain(shown);
    }
    face.block = !branch.linear() || !(whole == Math::number("1"));
    face.title = graph[branch.from].name + " → " + graph[branch.to].name + ": " + with_minus_signs(write(whole, Notation::text));
    face.formula = typeset(shown, size);
    face.math = std::move(shown);
    face.width = std::max(face.formula.width + 18, 36.0);
    face.height = std::max(face.formula.height() + 12, 28.0);
    made.push_back(std::move(face));
  }
  return made;
}

void BlockPlaces::Room::at_least(double a, double b) {
  above = std::max(above, a);
  below = std::max(below, b);
}

BlockPlaces::BlockPlaces(const SignalFlowGraph& graph, const BlockRows& rows, const std::vector<BranchFace>& faces, double size,
                         const BlockSpacing& spacing)
    : graph_(graph), rows_(rows), spacing_(spacing), names_(name_labels(graph, size)) {
  measure_links(faces);
  const std::vector<double> least = least_widths();
  routes_ = block_routes(graph, rows, room_, least);
  place_bands(least);
  place_levels(faces);
}

double BlockPlaces::via_width(NodeId node) const { return names_[node.index].formula.width + 12; }
double BlockPlaces::entry_x(NodeId node, std::size_t slot) const {
  return left(node, BlockBand::entry) + 30 + spacing_.entries * static_cast<double>(slot);
}
double BlockPlaces::exit_x(NodeId node, std::size_t slot) const {
  return left(node, BlockBand::exit) + 10 + spacing_.exits * static_cast<double>(slot);
}

void BlockPlaces::measure_links(const std::vector<BranchFace>& faces) {
  for (const BlockLink& link : rows_.links) {
    double sum = 0;
    for (const BranchId id : link.branches) {
      if (faces[id.index].block) sum += spacing_.arrow + faces[id.index].width + spacing_.tail;
      if (id != link.branches.back()) sum += via_width(graph_[id].to);
    }
    room_.push_back(sum);
  }
}

std::vector<double> BlockPlaces::least_widths() const {
  std::vector<double> least(4 * rows_.columns + 1, 0);
  for (std::size_t c = 0; c < rows_.columns; ++c) least[band(c, BlockBand::between)] = 20;
  const auto outputs = graph_.stated_outputs();
  for (const NodeId node : graph_.node_ids()) {
    if (!rows_.shown[node.index]) continue;
    const double name = names_[node.index].formula.width;
    double& inside = least[band(rows_.column[node.index], BlockBand::inside)];
    inside = std::max(inside, name + 14);
    if (graph_.leaving(node).empty() || std::ranges::find(outputs, node) != outputs.end())
      least.back() = std::max(least.back(), name + 12);
  }
  return least;
}

void BlockPlaces::place_bands(const std::vector<double>& least) {
  std::vector<double> wide = least;
  for (std::size_t i = 0; i < rows_.links.size(); ++i) {
    double& width = wide[routes_.routes[i].blocks_in];
    width = std::max(width, room_[i] + 8);
  }
  for (const NodeId node : graph_.node_ids())
    if (const auto& ends = routes_.ends[node.index]; ends.output && !ends.to_the_end) {
      double& width = wide[band(rows_.column[node.index], BlockBand::between)];
      width = std::max(width, names_[node.index].formula.width + 48);
    }
  for (std::size_t c = 0; c < rows_.columns; ++c) {
    const auto entries = static_cast<double>(routes_.entry_slots[c]), exits = static_cast<double>(routes_.exit_slots[c]);
    wide[band(c, BlockBand::entry)] = entries > 0 ? 30 + spacing_.entries * (entries - 1) + 20 : 8;
    wide[band(c, BlockBand::exit)] = exits > 0 ? 10 + spacing_.exits * (exits - 1) + 8 : 2;
  }
  double x = spacing_.margin;
  for (const double width : wide) {
    left_.push_back(x);
    x += width;
  }
  left_.push_back(x + spacing_.margin);
}

/// Its name, and its circles with the signs.
void BlockPlaces::make_room_for(NodeId node, Room& room) const {
  const BlockRoutes::Ends& ends = routes_.ends[node.index];
  const double name = names_[node.index].formula.height();
  if (is_source(node) || ends.output) room.at_least(name / 2 + 3, name / 2 + 3);
  if (!is_source(node) && !ends.output) room.at_least(name + 9, 4);
  if (graph_.entering(node).size() < 2) return;
  room.at_least(circle + 12, circle + 4);
  for (const BlockRoutes::Stop& stop : ends.entries) room.at_least(stop.above ? circle + 22 : 0, stop.below ? circle + 22 : 0);
}

void BlockPlaces::place_levels(const std::vector<BranchFace>& faces) {
  row_room_.assign(rows_.rows, {12, 12});
  std::vector<Level> levels;  // from above: the tracks of a gap, the row below it, …
  std::vector<std::size_t> first_track, row_at;
  for (std::size_t gap = 0; gap <= rows_.rows; ++gap) {
    first_track.push_back(levels.size());
    levels.resize(levels.size() + routes_.tracks[gap], {.room = {5, 5}, .below = between_levels});
    if (gap == rows_.rows) break;
    row_at.push_back(levels.size());
    levels.push_back({.below = between_levels + 5});
  }
  for (const NodeId node : graph_.node_ids()) {
    if (!rows_.shown[node.index]) continue;
    make_room_for(node, row_room_[rows_.row[node.index]]);
    levels[row_at[rows_.row[node.index]]].reach(left(node, BlockBand::entry), end_of_signal(node));
  }
  for (std::size_t i = 0; i < rows_.links.size(); ++i) {
    const BlockLink& link = rows_.links[i];
    const BlockRoute& route = routes_.routes[i];
    Level& level = levels[route.on_row ? row_at[route.level] : first_track[route.level] + route.track];
    Room& room = route.on_row ? row_room_[route.level] : level.room;
    level.reach(route.leaves ? exit_x(link.from, *route.leaves) : left(link.from, BlockBand::inside),
                route.enters ? entry_x(link.to, *route.enters) : left(link.to, BlockBand::inside));
    level.low =
        level.low || (!route.on_row && (rows_.row[link.from.index] == route.level || rows_.row[link.to.index] == route.level));
    for (const BranchId id : link.branches) {
      if (faces[id.index].block) room.at_least(faces[id.index].height / 2 + 2, faces[id.index].height / 2 + 2);
      if (id != link.branches.back()) room.at_least(names_[graph_[id].to.index].formula.height() + 9, 4);
    }
  }
  for (std::size_t row = 0; row < rows_.rows; ++row) levels[row_at[row]].room = row_room_[row];
  stack(levels);
  for (std::size_t gap = 0; gap <= rows_.rows; ++gap) {
    track_y_.emplace_back();
    for (std::size_t k = 0; k < routes_.tracks[gap]; ++k) track_y_.back().push_back(levels[first_track[gap] + k].y);
    if (gap < rows_.rows) row_y_.push_back(levels[row_at[gap]].y);
  }
}

/// How far the line of a signal goes, its name included.
double BlockPlaces::end_of_signal(NodeId node) const {
  const BlockRoutes::Ends& ends = routes_.ends[node.index];
  if (!ends.output) return right(node, BlockBand::exit);
  return ends.to_the_end ? width() : left(node, BlockBand::between) + 36 + names_[node.index].formula.width;
}

/// Each below those before it that it would meet: what stands on the left and what stands on the right share the height, and no
/// line crosses another for that.
void BlockPlaces::stack(std::vector<Level>& levels) {
  double bottom = spacing_.margin;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    Level& level = levels[k];
    double top = spacing_.margin;
    for (std::size_t before = 0; before < k; ++before)
      if (levels[before].meets(level)) top = std::max(top, levels[before].y + levels[before].room.below + levels[before].below);
    level.y = top + level.room.above;
    bottom = std::max(bottom, level.y + level.room.below + level.below);
  }
  for (std::size_t k = levels.size(); k-- > 0;) {
    Level& level = levels[k];
    if (!level.low) continue;
    double end = bottom;
    for (std::size_t behind = k + 1; behind < levels.size(); ++behind)
      if (levels[behind].meets(level)) end = std::min(end, levels[behind].y - levels[behind].room.above);
    level.y = std::max(level.y, end - level.below - level.room.below);
  }
  height_ = bottom + spacing_.margin - between_levels;
}

bool BlockPlaces::Level::meets(const Level& other) const {
  constexpr double apart = 16;
  return from < other.to + apart && other.from < to + apart;
}

void BlockPlaces::Level::reach(double a, double b) {
  from = std::min({from, a, b});
  to = std::max({to, a, b});
}

}  // namespace sfg
