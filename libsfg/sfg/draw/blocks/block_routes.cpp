// Lines are laid in three steps: level pieces on rows where a row is free, else on tracks between rows; then vertical pieces in
// slots of the entry and exit bands. Two pieces share a track or a slot only where their extents are apart, so that lines may
// cross but never lie on each other, and no line can meet a block or a name, which stand in the other bands.
#include "sfg/draw/blocks/block_routes.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sfg {
namespace {

using Route = BlockRoute;

struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< both belong to it
  bool meets(const Extent& other) const { return begin <= other.end && other.begin <= end; }
};

/// Chooses the level pieces.
class Levels {
 public:
  Levels(const SignalFlowGraph& graph, const BlockRows& rows, BlockRoutes& made)
      : graph_(graph), rows_(rows), made_(made), used_(rows.rows), gaps_(rows.rows + 1), routed_(rows.links.size(), false) {
    made_.routes.resize(rows.links.size());
    made_.ends.resize(graph.nodes().size());
    for (const NodeId node : graph.node_ids())
      if (rows_.shown[node.index]) used_[row(node)].push_back({at(node, BlockBand::entry), at(node, BlockBand::exit)});
  }

  void choose() {
    for (const std::size_t i : by_span()) straight(i);
    for (const NodeId node : graph_.node_ids()) output(node);
    for (const std::size_t i : by_span()) along_own_row(i);
    for (const std::size_t i : by_span()) along_row_of_head(i);
    for (const std::size_t i : by_span()) on_track(i);
    stack_tracks();
  }

  /// The links on the tracks of each gap; the order counts.
  std::vector<std::vector<std::size_t>>& gaps() { return gaps_; }
  /// The gaps in which a link may run.
  Extent gaps_of(std::size_t i) const {
    const std::size_t a = row(link(i).from), b = row(link(i).to);
    return a == b ? Extent{a, a + 1} : Extent{std::min(a, b) + 1, std::max(a, b)};
  }
  /// Which part of a gap: loops hang under their row, bypasses stand on theirs, the others run between.
  std::size_t part(std::size_t i, std::size_t gap) const {
    if (row(link(i).from) != row(link(i).to)) return 1;
    return gap == row(link(i).from) ? 2 : 0;
  }
  /// True for feedback over its row and a bypass under it.
  bool unusual(std::size_t i, std::size_t gap) const {
    return row(link(i).from) == row(link(i).to) && forward(i) != (part(i, gap) == 2);
  }

  void stack_tracks() {
    made_.tracks.assign(gaps_.size(), 0);
    for (std::size_t g = 0; g < gaps_.size(); ++g) {
      std::size_t used = 0;
      for (const std::size_t p : {0U, 1U, 2U}) {
        std::vector<std::vector<Extent>> tracks;
        for (const std::size_t i : gaps_[g]) {
          made_.routes[i].level = g;
          if (part(i, g) == p) made_.routes[i].track = first_free(tracks, extent(i));
        }
        for (const std::size_t i : gaps_[g])
          if (part(i, g) == p) {
            std::size_t& track = made_.routes[i].track;
            track = used + (p == 2 ? tracks.size() - 1 - track : track);  // the widest bypass outermost
          }
        used += tracks.size();
      }
      made_.tracks[g] = used;
    }
  }

 private:
  std::size_t row(NodeId node) const { return rows_.row[node.index]; }
  std::size_t column(NodeId node) const { return rows_.column[node.index]; }
  std::size_t at(NodeId node, BlockBand part) const { return band(column(node), part); }
  const BlockLink& link(std::size_t i) const { return rows_.links[i]; }
  bool forward(std::size_t i) const { return column(link(i).to) > column(link(i).from); }
  Extent extent(std::size_t i) const {
    const std::size_t a = at(link(i).from, BlockBand::exit), b = at(link(i).to, BlockBand::entry);
    return {std::min(a, b), std::max(a, b)};
  }

  std::vector<std::size_t> by_span() const {
    std::vector<std::size_t> order(rows_.links.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return extent(i).end - extent(i).begin; });
    return order;
  }

  bool reserve(std::size_t row, Extent wanted) {
    if (std::ranges::any_of(used_[row], [&](const Extent& e) { return e.meets(wanted); })) return false;
    used_[row].push_back(wanted);
    return true;
  }
  void lie_on_row(std::size_t i, std::size_t row) {
    made_.routes[i].on_row = true;
    made_.routes[i].level = row;
    routed_[i] = true;
  }

  void straight(std::size_t i) {
    const auto [from, to, branches] = link(i);
    auto &out = made_.ends[from.index].straight_out, &in = made_.ends[to.index].straight_in;
    if (row(from) != row(to) || !forward(i) || out || in) return;
    if (!reserve(row(from), {at(from, BlockBand::between), at(to, BlockBand::entry) - 1})) return;
    out = in = i;
    lie_on_row(i, row(from));
  }

  void output(NodeId node) {
    if (!rows_.shown[node.index]) return;
    const auto outputs = graph_.stated_outputs();
    const bool stated = std::ranges::find(outputs, node) != outputs.end();
    if (!stated && !graph_.leaving(node).empty()) return;
    if (graph_.entering(node).empty() && graph_.leaving(node).empty()) return;
    BlockRoutes::Ends& ends = made_.ends[node.index];
    if (ends.straight_out) return;
    const std::size_t begin = at(node, BlockBand::between);
    ends.to_the_end = reserve(row(node), {begin, band(rows_.columns, BlockBand::entry)});
    ends.output = ends.to_the_end || reserve(row(node), {begin, begin});
  }

  /// On along the row of the tail, then up or down into the head.
  void along_own_row(std::size_t i) {
    const auto [from, to, branches] = link(i);
    BlockRoutes::Ends& ends = made_.ends[from.index];
    if (routed_[i] || row(from) == row(to) || !forward(i) || ends.straight_out || ends.output) return;
    if (!reserve(row(from), {at(from, BlockBand::between), at(to, BlockBand::entry)})) return;
    ends.straight_out = i;
    lie_on_row(i, row(from));
  }
  /// Up or down to the row of the head, and along it.
  void along_row_of_head(std::size_t i) {
    const auto [from, to, branches] = link(i);
    BlockRoutes::Ends& ends = made_.ends[to.index];
    if (routed_[i] || row(from) == row(to) || !forward(i) || ends.straight_in) return;
    if (!reserve(row(to), {at(from, BlockBand::exit), at(to, BlockBand::entry) - 1})) return;
    ends.straight_in = i;
    lie_on_row(i, row(to));
  }

  void on_track(std::size_t i) {
    if (routed_[i]) return;
    const std::size_t a = row(link(i).from), b = row(link(i).to);
    std::size_t gap = a == b && forward(i) ? a : std::min(a, b) + 1;
    for (std::size_t g = gap; a != b && g <= std::max(a, b); ++g)
      if (gaps_[g].size() < gaps_[gap].size()) gap = g;
    gaps_[gap].push_back(i);
    made_.routes[i].leftwards = !forward(i);
  }

  static std::size_t first_free(std::vector<std::vector<Extent>>& tracks, Extent wanted) {
    std::size_t t = tracks.size();  // beyond every track that it would cross when it leaves it
    while (t > 0 && std::ranges::none_of(tracks[t - 1], [&](const Extent& e) { return e.meets(wanted); })) --t;
    if (t == tracks.size()) tracks.emplace_back();
    tracks[t].push_back(wanted);
    return t;
  }

  const SignalFlowGraph& graph_;
  const BlockRows& rows_;
  BlockRoutes& made_;
  std::vector<std::vector<Extent>> used_;       ///< by row: what lies on it
  std::vector<std::vector<std::size_t>> gaps_;  ///< by gap: the links on its tracks
  std::vector<bool> routed_;
};

/// Gives the vertical pieces their slots.
class Slots {
 public:
  Slots(const BlockRows& rows, BlockRoutes& made) : rows_(rows), made_(made) {
    std::size_t height = 0;
    for (std::size_t r = 0; r <= rows.rows; ++r) {
      gap_.push_back(height);
      height += made.tracks[r];
      row_.push_back(height++);
    }
  }

  std::size_t height(const Route& route) const { return route.on_row ? row_[route.level] : gap_[route.level] + route.track; }
  std::size_t height(NodeId node) const { return row_[rows_.row[node.index]]; }

  void choose() {
    for (Route& route : made_.routes) route.leaves = route.enters = {};
    for (BlockRoutes::Ends& ends : made_.ends) ends.corner = false;
    made_.entry_slots.assign(rows_.columns, 0);
    made_.exit_slots.assign(rows_.columns, 0);
    for (std::size_t c = 0; c < rows_.columns; ++c) {
      made_.entry_slots[c] = column(c, true);
      made_.exit_slots[c] = column(c, false);
    }
  }

 private:
  using Stops = std::vector<BlockRoutes::Stop>;

  /// The links that turn at a signal, above or below its row, from left to right so that they do not cross each other: of those
  /// from (or to) the left the nearest first, of those from the right the farthest; what enters from the left comes first, what
  /// leaves to the left too.
  std::vector<std::size_t> turning(NodeId node, bool entering, bool above) const {
    std::vector<std::size_t> found;
    const BlockRoutes::Ends& ends = made_.ends[node.index];
    const std::size_t own = row_[rows_.row[node.index]];
    for (std::size_t i = 0; i < rows_.links.size(); ++i) {
      const bool mine = (entering ? rows_.links[i].to : rows_.links[i].from) == node;
      if (!mine || (entering ? ends.straight_in : ends.straight_out) == i) continue;
      if ((height(made_.routes[i]) < own) == above) found.push_back(i);
    }
    std::ranges::stable_sort(found, [&](std::size_t a, std::size_t b) {
      const bool left_a = made_.routes[a].leftwards != entering, left_b = made_.routes[b].leftwards != entering;
      if (left_a != left_b) return left_a;
      return left_a ? away(a, own) < away(b, own) : away(a, own) > away(b, own);
    });
    return found;
  }
  std::size_t away(std::size_t i, std::size_t own) const {
    const std::size_t h = height(made_.routes[i]);
    return h > own ? h - own : own - h;
  }

  Stops stops(NodeId node, bool entering) {
    std::array<std::vector<std::size_t>, 2> side{turning(node, entering, true), turning(node, entering, false)};
    BlockRoutes::Ends& ends = made_.ends[node.index];
    Stops made;
    if (entering && !ends.straight_in && !(side[0].empty() && side[1].empty())) {
      ends.corner = true;
      auto& longer = side[side[1].size() >= side[0].size() ? 1 : 0];
      made.emplace_back();
      (&longer == side.data() ? made.back().above : made.back().below) = longer.front();
      longer.erase(longer.begin());
    }
    for (std::size_t k = 0; k < std::max(side[0].size(), side[1].size()); ++k) {
      made.emplace_back();
      if (k < side[0].size()) made.back().above = side[0][k];
      if (k < side[1].size()) made.back().below = side[1][k];
    }
    return made;
  }

  /// The least number of slots, first come, first served; returns how many there are.
  std::size_t column(std::size_t c, bool entering) {
    std::vector<std::vector<Extent>> slots;
    for (std::size_t node = 0; node < made_.ends.size(); ++node) {
      if (!rows_.shown[node] || rows_.column[node] != c) continue;
      BlockRoutes::Ends& ends = made_.ends[node];
      (entering ? ends.entries : ends.exits) = stops(NodeId{static_cast<std::uint32_t>(node)}, entering);
      std::size_t next = 0;
      for (BlockRoutes::Stop& stop : entering ? ends.entries : ends.exits) {
        const Extent wanted = extent(stop, row_[rows_.row[node]]);
        const auto meets = [&](const Extent& e) { return e.meets(wanted); };
        while (next < slots.size() && std::ranges::any_of(slots[next], meets)) ++next;
        if (next == slots.size()) slots.emplace_back();
        slots[next].push_back(wanted);
        stop.slot = next++;
        for (const auto& i : {stop.above, stop.below})
          if (i) (entering ? made_.routes[*i].enters : made_.routes[*i].leaves) = stop.slot;
      }
    }
    return slots.size();
  }
  Extent extent(const BlockRoutes::Stop& stop, std::size_t own) const {
    return {stop.above ? height(made_.routes[*stop.above]) : own, stop.below ? height(made_.routes[*stop.below]) : own};
  }

  const BlockRows& rows_;
  BlockRoutes& made_;
  std::vector<std::size_t> gap_;  ///< by gap: the number of its first track, counted from above with rows and tracks
  std::vector<std::size_t> row_;  ///< by row: the same
};

/// What a reader would rather not see: crossings above all, then long vertical lines.
class Cost {
 public:
  Cost(const BlockRows& rows, const BlockRoutes& made, const Slots& slots) : rows_(rows), made_(made), slots_(slots) {
    for (std::size_t i = 0; i < rows.links.size(); ++i) add(i);
    for (std::size_t node = 0; node < made.ends.size(); ++node)
      if (rows.shown[node]) add_trunk(NodeId{static_cast<std::uint32_t>(node)});
  }

  std::size_t operator()() const {
    constexpr std::size_t of_crossing = 1000;
    std::size_t cost = 0;
    for (const Line& v : upright_) {
      cost += v.extent.end - v.extent.begin;
      for (const Line& h : level_)
        if (h.extent.begin < v.at && v.at < h.extent.end && v.extent.begin < h.at && h.at < v.extent.end) cost += of_crossing;
    }
    return cost;
  }

 private:
  struct Line {
    std::size_t at;
    Extent extent;
  };
  static constexpr std::size_t wide = 1000;  ///< more than a band has slots
  std::size_t x(NodeId node, BlockBand part, std::size_t slot) const {
    return wide * band(rows_.column[node.index], part) + slot + 1;
  }

  void add(std::size_t i) {
    const BlockLink& link = rows_.links[i];
    const Route& route = made_.routes[i];
    const std::size_t y = slots_.height(route), from = slots_.height(link.from), to = slots_.height(link.to);
    const std::size_t a = x(link.from, BlockBand::exit, route.leaves.value_or(wide - 2));
    const std::size_t b = route.enters ? x(link.to, BlockBand::entry, *route.enters) : x(link.to, BlockBand::entry, 0) - 1;
    if (route.leaves) upright_.push_back({a, {std::min(y, from), std::max(y, from)}});
    if (route.enters) upright_.push_back({b, {std::min(y, to), std::max(y, to)}});
    level_.push_back({y, {std::min(a, b), std::max(a, b)}});
  }
  /// From where the first line comes in to where the last one goes out.
  void add_trunk(NodeId node) {
    const BlockRoutes::Ends& ends = made_.ends[node.index];
    const std::size_t first = ends.entries.empty() || ends.straight_in ? x(node, BlockBand::entry, 0) - 1
                                                                       : x(node, BlockBand::entry, ends.entries.front().slot);
    std::size_t last = x(node, BlockBand::inside, 0);
    if (!ends.exits.empty()) last = x(node, BlockBand::exit, ends.exits.back().slot);
    if (ends.straight_out || ends.output) last = x(node, BlockBand::exit, wide - 2);
    if (ends.to_the_end) last = wide * band(rows_.columns, BlockBand::entry);
    level_.push_back({slots_.height(node), {first, last}});
  }

  const BlockRows& rows_;
  const BlockRoutes& made_;
  const Slots& slots_;
  std::vector<Line> level_, upright_;
};

/// Other gaps and other orders of tracks, one change at a time, as long as one is better.
class RouteSearch {
 public:
  RouteSearch(const BlockRows& rows, Levels& levels, BlockRoutes& made) : rows_(rows), levels_(levels), made_(made) {
    const std::size_t size = rows.links.size() + rows.shown.size() + 1;
    left_ = std::clamp<std::size_t>(40'000'000 / (size * size), 20, 4000);
    least_ = lay();
  }

  void run() {
    for (bool better = true; better && left_ > 0;) {
      better = false;
      for (std::size_t g = 0; g < levels_.gaps().size(); ++g)
        for (std::size_t k = 0; k < levels_.gaps()[g].size(); ++k) better = improve(g, k) || better;
    }
    lay();
  }

 private:
  std::size_t lay() {
    levels_.stack_tracks();
    Slots slots(rows_, made_);
    slots.choose();
    std::size_t cost = Cost(rows_, made_, slots)();
    for (std::size_t g = 0; g < levels_.gaps().size(); ++g)
      for (const std::size_t i : levels_.gaps()[g]) cost += levels_.unusual(i, g) ? of_unusual : 0;
    return cost;
  }
  /// True where what `change` did costs less; else `undo`.
  template <class Undo>
  bool accepted(const Undo& undo) {
    if (left_ > 0) {
      --left_;
      if (const std::size_t cost = lay(); cost < least_) {
        least_ = cost;
        return true;
      }
    }
    undo();
    return false;
  }
  bool improve(std::size_t g, std::size_t k) {
    auto& gaps = levels_.gaps();
    bool better = false;
    for (std::size_t other = k + 1; other < gaps[g].size(); ++other) {
      if (levels_.part(gaps[g][k], g) != levels_.part(gaps[g][other], g)) continue;
      std::swap(gaps[g][k], gaps[g][other]);
      better = accepted([&] { std::swap(gaps[g][k], gaps[g][other]); }) || better;
    }
    const std::size_t i = gaps[g][k];
    const Extent open = levels_.gaps_of(i);
    for (std::size_t to = open.begin; to <= open.end; ++to) {
      if (to == g) continue;
      gaps[g].erase(gaps[g].begin() + static_cast<std::ptrdiff_t>(k));
      gaps[to].push_back(i);
      const auto undo = [&] {
        gaps[to].pop_back();
        gaps[g].insert(gaps[g].begin() + static_cast<std::ptrdiff_t>(k), i);
      };
      if (accepted(undo)) return true;
    }
    return better;
  }

  static constexpr std::size_t of_unusual = 1500;
  const BlockRows& rows_;
  Levels& levels_;
  BlockRoutes& made_;
  std::size_t left_ = 0;  ///< tries
  std::size_t least_ = 0;
};

/// The band between tail and head that grows least when the blocks of the link stand there.
void choose_bands(const BlockRows& rows, BlockRoutes& made, const std::vector<double>& room, std::vector<double>& taken) {
  for (std::size_t i = 0; i < rows.links.size(); ++i) {
    const std::size_t from = rows.column[rows.links[i].from.index], to = rows.column[rows.links[i].to.index];
    Route& route = made.routes[i];
    std::vector<std::size_t> open;
    if (to <= from) open.push_back(band(to, BlockBand::inside));
    for (std::size_t c = std::min(from, to); c < std::max(from, to); ++c) open.push_back(band(c, BlockBand::between));
    route.blocks_in = *std::ranges::min_element(open, {}, [&](std::size_t b) { return std::max(0.0, room[i] - taken[b]); });
    taken[route.blocks_in] = std::max(taken[route.blocks_in], room[i]);
  }
}

}  // namespace

BlockRoutes block_routes(const SignalFlowGraph& graph, const BlockRows& rows, const std::vector<double>& room,
                         std::vector<double> taken) {
  BlockRoutes made;
  Levels levels(graph, rows, made);
  levels.choose();
  RouteSearch(rows, levels, made).run();
  choose_bands(rows, made, room, taken);
  return made;
}

}  // namespace sfg
