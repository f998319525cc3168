#include "sfg/draw/graph/layered.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sfg/draw/graph/layers.hpp"
#include "sfg/draw/graph/wishes.hpp"
#include "sfg/draw/polyline.hpp"

namespace sfg {
namespace {

using Index = LayeredGraph::Index;
using LayeredKind = LayeredGraph::Kind;

constexpr double node_room = 9;
constexpr double pass_room = 7;
constexpr double beside_gain = 6;     // between a gain and its course
constexpr double least_half = 16;     // of a layer of gains: an arrow head stands level there
constexpr double lane = 13;           // between lines that lead from the end of a row to the next
constexpr double longest_band = 3;    // width to height of a picture that stays in one row
constexpr double widest_band = 2400;  // pixels of one that may be longer
constexpr double page = 1.5;
constexpr std::size_t longest_spine = 30;  // nodes of a picture that stays in one row
constexpr double effort = 1.5e7;

class Layout {
 public:
  Layout(Sketch& sketch, const Budget& budget) : s_(sketch), budget_(budget) {}

  void run() {
    LayeredGraph ordered = layered_graph(s_.graph, s_.flow);
    reduce_crossings(ordered, effort, budget_);
    order_sources(ordered, s_.graph);
    std::vector<bool> breaks(ordered.layers.size());
    build(ordered, breaks);
    const auto spine = static_cast<std::size_t>(
        std::ranges::count_if(ordered.items, [](const auto& item) { return item.spine && item.kind == LayeredKind::node; }));
    const bool long_one = spine > longest_spine || width() > widest_band;
    if (s_.rows > 0 || (long_one && width() > longest_band * height() && stated_ranks(s_.graph).empty())) {
      choose_breaks(breaks);
      build(ordered, breaks);
    }
    place();
  }

 private:
  void build(const LayeredGraph& ordered, const std::vector<bool>& breaks) {
    g_ = ordered;
    add_label_layers(g_, breaks);
    carriers();
    rooms();
    y_ = heights(g_, budget_);
    columns();
  }

  bool is_label_layer(std::size_t k) const {
    return !g_.layers[k].empty() && g_.items[g_.layers[k].front()].kind == LayeredKind::label;
  }

  /// The item of each chain at which its gain and its arrow head stand: midway, but rather where there is room.
  void carriers() {
    carrier_.assign(g_.chains.size(), 0);
    half_.assign(g_.layers.size(), least_half);
    std::vector<double> load(g_.layers.size());
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < g_.chains.size(); ++b)
      if (!g_.chains[b].empty()) order.push_back(b);
    std::ranges::stable_sort(order, {}, [&](std::size_t b) { return g_.chains[b].size(); });
    for (const std::size_t b : order) {
      const auto& chain = g_.chains[b];
      const Size size = s_.gains[b];
      double least = 0;
      bool found = false;
      for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
        const auto& item = g_.items[chain[i]];
        if (item.kind != LayeredKind::label || (i > 1 && g_.items[chain[i - 1]].kind == LayeredKind::label)) continue;
        const double off = std::abs(static_cast<double>(i) - static_cast<double>(chain.size() - 1) / 2);
        const double cost = 2 * std::max(0.0, size.width / 2 - half_[item.layer]) + 0.4 * load[item.layer] + 3 * off;
        if (!found || cost < least) found = true, least = cost, carrier_[b] = chain[i];
      }
      const Index layer = g_.items[carrier_[b]].layer;
      load[layer] += size.height;
      half_[layer] = std::max(half_[layer], size.width / 2 + 5);
    }
  }

  double loop_height(std::size_t number, Size gain) const { return 34 + static_cast<double>(number) * (gain.height + 16); }

  void rooms() {
    for (auto& item : g_.items) item.above = item.below = (item.kind == LayeredKind::node ? node_room : pass_room) * s_.spread;
    for (std::size_t n = 0; n < s_.names.size(); ++n) g_.items[n].below += s_.names[n].height + 4;
    for (std::size_t b = 0; b < g_.chains.size(); ++b) {
      if (!g_.chains[b].empty()) {
        g_.items[carrier_[b]].above = (s_.gains[b].height + beside_gain + 4) * s_.spread;
        continue;
      }
      if (const Branch& branch = s_.graph.branches()[b]; branch.from != branch.to) continue;
      auto& node = g_.items[s_.graph[BranchId{static_cast<std::uint32_t>(b)}].from.index];
      node.above = std::max(node.above, loop_height(loops_before(b), s_.gains[b]) + s_.gains[b].height + 10);
    }
  }

  std::size_t loops_before(std::size_t branch) const {
    const BranchId id{static_cast<std::uint32_t>(branch)};
    std::size_t count = 0;
    for (const BranchId other : s_.graph.leaving(s_.graph[id].from))
      if (other < id && s_.graph[other].to == s_.graph[other].from) ++count;
    return count;
  }

  /// Abscissas of the layers, rows and their vertical distances.
  void columns() {
    x_.assign(g_.layers.size(), 0);
    row_.assign(g_.layers.size(), 0);
    double at = 0;
    std::size_t row = 0;
    for (std::size_t k = 0; k < g_.layers.size(); ++k) {
      if (k > 0) {
        const bool starts_row = is_label_layer(k) && is_label_layer(k - 1);
        if (starts_row)
          ++row, at = 0;
        else
          at += half(k - 1) + gap(k) + half(k);
      }
      x_[k] = at;
      row_[k] = row;
    }
    stack_rows(row + 1);
  }
  double half(std::size_t k) const { return is_label_layer(k) ? half_[k] : 4; }

  /// Wide enough that its steepest lines can be followed.
  double gap(std::size_t k) const {
    constexpr double least = 24, most = 130, slope = 0.24;
    double rise = 0;
    for (const Index v : g_.layers[k])
      for (const Index u : g_.left[v]) rise = std::max(rise, std::abs(y_[u] - y_[v]));
    return std::clamp(slope * rise, least, most) * s_.spread;
  }

  void stack_rows(std::size_t rows) {
    offset_.assign(rows, 0);
    lanes_.assign(rows, 0);
    std::vector<double> top(rows, 1e9), bottom(rows, -1e9);
    end_.assign(rows, 0);
    for (std::size_t k = 0; k < g_.layers.size(); ++k) {
      for (const Index i : g_.layers[k]) {
        top[row_[k]] = std::min(top[row_[k]], y_[i] - g_.items[i].above);
        bottom[row_[k]] = std::max(bottom[row_[k]], y_[i] + g_.items[i].below);
      }
      end_[row_[k]] = std::max(end_[row_[k]], x_[k] + half(k));
      if (k + 1 < g_.layers.size() && is_label_layer(k) && is_label_layer(k + 1)) lanes_[row_[k]] = g_.layers[k].size();
    }
    channel_.assign(rows, 0);
    double at = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      offset_[r] = at - top[r];
      channel_[r] = at + bottom[r] - top[r] + 10;
      at = channel_[r] + lane * static_cast<double>(lanes_[r]) + 16;
    }
    height_ = at;
  }
  double width() const { return *std::ranges::max_element(end_); }
  double height() const { return height_; }

  /// Rows of about equal width, as many as are asked for or as give the picture the proportions of a page.
  void choose_breaks(std::vector<bool>& breaks) const {
    const double rows =
        s_.rows > 0 ? static_cast<double>(s_.rows) : std::ceil(std::sqrt(width() / (page * (height() + 3 * lane))));
    const double wanted = width() / rows;
    std::size_t node_layer = 0;
    double next = wanted;
    for (std::size_t k = 0; k < g_.layers.size(); ++k) {
      if (is_label_layer(k)) continue;
      if (x_[k] > next && node_layer + 2 < breaks.size()) {
        breaks[node_layer] = true;
        next += wanted;
      }
      ++node_layer;
    }
  }

  Point at(Index item) const {
    const Index layer = g_.items[item].layer;
    return {x_[layer], y_[item] + offset_[row_[layer]]};
  }

  void place() {
    s_.nodes.clear();
    for (Index n = 0; n < s_.graph.nodes().size(); ++n) s_.nodes.push_back(at(n));
    s_.courses.assign(g_.chains.size(), {});
    s_.arrows.assign(g_.chains.size(), 0);
    s_.gain_centres.assign(g_.chains.size(), {});
    for (std::size_t b = 0; b < g_.chains.size(); ++b) {
      const BranchId id{static_cast<std::uint32_t>(b)};
      if (!g_.chains[b].empty())
        place_chain(id);
      else if (s_.graph[id].from == s_.graph[id].to)
        place_loop(id);
      else
        place_upright(id);
    }
  }

  void place_loop(BranchId id) {
    const Point node = s_.nodes[s_.graph[id].from.index];
    const Size gain = s_.gains[id.index];
    auto& course = s_.courses[id.index];
    course.shape = Sketch::Shape::self_loop;
    course.height = loop_height(loops_before(id.index), gain);
    s_.set_curve(id, self_loop(node, course.height));
    s_.gain_centres[id.index] = {node.x, node.y - course.height - beside_gain - gain.height / 2};
  }

  /// Between nodes of one layer.
  void place_upright(BranchId id) {
    const Point a = s_.nodes[s_.graph[id].from.index], b = s_.nodes[s_.graph[id].to.index];
    constexpr double bow = 0.2;
    const double dx = bow * (b.y - a.y);
    s_.courses[id.index].shape = Sketch::Shape::free;
    s_.set_curve(id, {a, {a.x + dx, a.y + 0.3 * (b.y - a.y)}, {a.x + dx, a.y + 0.7 * (b.y - a.y)}, b});
    s_.gain_centres[id.index] = {a.x + dx, (a.y + b.y) / 2};
  }

  void place_chain(BranchId id) {
    const auto& chain = g_.chains[id.index];
    std::vector<Point> points;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const Point p = at(chain[i]);
      const Index layer = g_.items[chain[i]].layer;
      if (g_.items[chain[i]].kind != LayeredKind::label) {
        points.push_back(p);
        continue;
      }
      if (row_[layer] != row_[g_.items[chain[i - 1]].layer]) lead_back(points, chain[i]);
      points.push_back({p.x - half(layer), p.y});
      points.push_back({p.x + half(layer), p.y});
    }
    if (g_.reversed[id.index]) std::ranges::reverse(points);
    auto& course = s_.courses[id.index];
    std::vector<Point> curve = rounded(points);
    course.shape = curve.size() == 4 && curve[0].y == curve[3].y ? Sketch::Shape::line : Sketch::Shape::free;
    s_.set_curve(id, std::move(curve));
    const Point label = at(carrier_[id.index]);
    s_.arrows[id.index] = nearest_sample(course.samples, label);
    s_.gain_centres[id.index] = {label.x, label.y - beside_gain - s_.gains[id.index].height / 2};
  }

  /// From the end of a row round its right, between the rows and to the left end of the next: nested, so that no two cross.
  void lead_back(std::vector<Point>& points, Index into) const {
    const Index layer = g_.items[into].layer;
    const std::size_t row = row_[layer] - 1;
    const auto j = static_cast<double>(g_.items[into].place);
    const auto lanes = static_cast<double>(lanes_[row]);
    const double right = width() + lane * (lanes - j), left = x_[layer] - half(layer) - 10 - lane * j;
    const double between = channel_[row] + lane * (lanes - 1 - j);
    const double y = at(into).y;
    for (const Point p : {Point{right, points.back().y}, {right, between}, {left, between}, {left, y}}) points.push_back(p);
  }

  Sketch& s_;
  const Budget& budget_;
  LayeredGraph g_;
  std::vector<Index> carrier_;    // by branch
  std::vector<double> y_;         // by item, before rows are stacked
  std::vector<double> x_, half_;  // by layer
  std::vector<std::size_t> row_;
  std::vector<double> offset_, channel_, end_;  // by row
  std::vector<std::size_t> lanes_;
  double height_ = 0;
};

}  // namespace

LabelFaults layered(Sketch& sketch, const Budget& budget) {
  Layout(sketch, budget).run();
  return place_labels(sketch);
}

}  // namespace sfg
