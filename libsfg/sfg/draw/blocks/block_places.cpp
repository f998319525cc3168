#include "sfg/draw/blocks/block_places.hpp"

#include <algorithm>

#include "sfg/draw/graph/labels.hpp"

namespace sfg {
namespace {

constexpr double entry_pitch = 34, exit_pitch = 18, margin = 24, between_levels = 7;

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

BlockPlaces::BlockPlaces(const SignalFlowGraph& graph, const BlockRows& rows, const std::vector<BranchFace>& faces, double size)
    : graph_(graph), rows_(rows), names_(name_labels(graph, size)) {
  measure_links(faces);
  const std::vector<double> least = least_widths();
  routes_ = block_routes(graph, rows, room_, least);
  place_bands(least);
  place_levels(faces);
}

double BlockPlaces::via_width(NodeId node) const { return names_[node.index].formula.width + 12; }
double BlockPlaces::entry_x(NodeId node, std::size_t slot) const {
  return left(node, BlockBand::entry) + 30 + entry_pitch * static_cast<double>(slot);
}
double BlockPlaces::exit_x(NodeId node, std::size_t slot) const {
  return left(node, BlockBand::exit) + 10 + exit_pitch * static_cast<double>(slot);
}

void BlockPlaces::measure_links(const std::vector<BranchFace>& faces) {
  for (const BlockLink& link : rows_.links) {
    double sum = 0;
    for (const BranchId id : link.branches) {
      if (faces[id.index].block) sum += arrow_room + faces[id.index].width + tail_room;
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
    wide[band(c, BlockBand::entry)] = entries > 0 ? 30 + entry_pitch * (entries - 1) + 20 : 8;
    wide[band(c, BlockBand::exit)] = exits > 0 ? 10 + exit_pitch * (exits - 1) + 8 : 2;
  }
  double x = margin;
  for (const double width : wide) {
    left_.push_back(x);
    x += width;
  }
  left_.push_back(x + margin);
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
  std::vector<std::vector<Room>> tracks;
  for (const std::size_t count : routes_.tracks) tracks.emplace_back(count, Room{5, 5});
  for (const NodeId node : graph_.node_ids())
    if (rows_.shown[node.index]) make_room_for(node, row_room_[rows_.row[node.index]]);
  for (std::size_t i = 0; i < rows_.links.size(); ++i) {
    const BlockRoute& route = routes_.routes[i];
    Room& room = route.on_row ? row_room_[route.level] : tracks[route.level][route.track];
    for (const BranchId id : rows_.links[i].branches) {
      if (faces[id.index].block) room.at_least(faces[id.index].height / 2 + 2, faces[id.index].height / 2 + 2);
      if (id != rows_.links[i].branches.back()) room.at_least(names_[graph_[id].to.index].formula.height() + 9, 4);
    }
  }
  double y = margin;
  for (std::size_t gap = 0; gap <= rows_.rows; ++gap) {
    track_y_.emplace_back();
    for (const Room& room : tracks[gap]) {
      track_y_.back().push_back(y + room.above);
      y += room.above + room.below + between_levels;
    }
    if (gap == rows_.rows) break;
    row_y_.push_back(y + row_room_[gap].above);
    y += row_room_[gap].above + row_room_[gap].below + between_levels + 5;
  }
  height_ = y + margin - between_levels;
}

}  // namespace sfg
