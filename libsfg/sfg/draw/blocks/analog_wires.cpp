#include "sfg/draw/blocks/analog_wires.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sfg/draw/sifting.hpp"

namespace sfg {

namespace {

constexpr double wire_track = 9;      // between wires
constexpr double apart_enough = 5;    // of a wire from another's end
constexpr double beside_element = 7;  // of a level wire
constexpr double narrowest_channel = 22;

/// What leaves one element, and where it goes.
struct AnalogNet {
  struct End {
    std::size_t element = 0, input = 0, channel = 0;
    double y = 0;
  };
  std::size_t channel = 0;  ///< right of its element
  double y = 0;
  std::vector<End> ends = {};
  std::optional<double> lane = {};  ///< height of its level piece past columns
  std::size_t first = 0, last = 0;  ///< channels that it reaches
};

/// An upright piece.
struct Trunk {
  std::size_t net = 0;
  double top = 0, bottom = 0;
  std::vector<double> left = {}, right = {};  ///< heights where wires lead on to the left and to the right
  std::size_t track = 0;

  bool holds(double y) const { return top < y && y < bottom; }
};

/// Left and right ends of the columns, and the column of each element: those whose widths overlap share one.
std::pair<std::vector<std::pair<double, double>>, std::vector<std::size_t>> columns_of(
    const std::vector<WiredElement>& elements) {
  std::vector<std::pair<double, double>> columns;
  std::vector<std::size_t> order(elements.size()), column(elements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto left = [&](std::size_t i) { return elements[i].centre.x - elements[i].width / 2; };
  std::ranges::stable_sort(order, {}, left);
  for (const std::size_t i : order) {
    const double right = left(i) + elements[i].width;
    if (columns.empty() || left(i) >= columns.back().second) {
      columns.emplace_back(left(i), right);
    } else {
      columns.back().second = std::max(columns.back().second, right);
    }
    column[i] = columns.size() - 1;
  }
  return {std::move(columns), std::move(column)};
}

class AnalogRouting {
 public:
  explicit AnalogRouting(const std::vector<WiredElement>& elements) : elements_(elements) {
    std::tie(columns_, column_of_) = columns_of(elements);
    find_nets();
    choose_lanes();
    find_trunks();
  }

  AnalogWires operator()() {
    AnalogWires made;
    std::vector<double> channel{0}, column;  // left ends
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      column.push_back(channel.back() + room(c));
      channel.push_back(column.back() + columns_[c].second - columns_[c].first);
    }
    made.width = channel.back() + room(columns_.size());
    channel_ = std::move(channel);
    const auto [top, bottom] = heights();
    made.height = bottom - top;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const double shift = column[column_of_[i]] - columns_[column_of_[i]].first;
      made.centres.push_back({elements_[i].centre.x + shift, elements_[i].centre.y - top});
    }
    for (std::size_t n = 0; n < nets_.size(); ++n) draw(n, top, made);
    return made;
  }

 private:
  void find_nets() {
    nets_.resize(elements_.size());
    for (std::size_t i = 0; i < elements_.size(); ++i) nets_[i].channel = column_of_[i] + 1, nets_[i].y = elements_[i].centre.y;
    for (std::size_t i = 0; i < elements_.size(); ++i)
      for (std::size_t k = 0; k < elements_[i].inputs.size(); ++k)
        nets_[elements_[i].inputs[k].from].ends.push_back(
            {i, k, column_of_[i], elements_[i].centre.y + elements_[i].inputs[k].below});
    for (AnalogNet& net : nets_) {
      net.first = net.last = net.channel;
      for (const AnalogNet::End& end : net.ends)
        net.first = std::min(net.first, end.channel), net.last = std::max(net.last, end.channel);
    }
  }

  /// The level pieces, short ones first, each as near to its ends as it may lie.
  void choose_lanes() {
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < nets_.size(); ++n)
      if (nets_[n].first != nets_[n].last) order.push_back(n);
    std::ranges::stable_sort(order, {}, [&](std::size_t n) { return nets_[n].last - nets_[n].first; });
    double top = std::numeric_limits<double>::max(), bottom = -top;
    for (const WiredElement& e : elements_)
      top = std::min(top, e.centre.y - e.height / 2), bottom = std::max(bottom, e.centre.y + e.height / 2);
    const auto beyond = static_cast<int>(order.size() + 1);
    const auto lanes = static_cast<int>((bottom - top) / wire_track) + beyond;
    for (const std::size_t n : order) {
      double least = std::numeric_limits<double>::max();
      std::vector<double> heights{nets_[n].y};
      for (const AnalogNet::End& end : nets_[n].ends) heights.push_back(end.y);
      for (int k = -beyond; k <= lanes; ++k) heights.push_back(top + wire_track * k);
      for (const double y : heights) {
        if (!free(nets_[n], y)) continue;
        double cost = std::abs(y - nets_[n].y);
        for (const AnalogNet::End& end : nets_[n].ends) cost += std::abs(y - end.y);
        if (cost < least) least = cost, nets_[n].lane = y;
      }
    }
  }

  bool free(const AnalogNet& net, double y) const {
    const auto near = [&](double other, double room) { return std::abs(y - other) < room; };
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const bool passed = net.first <= column_of_[i] && column_of_[i] < net.last;
      if (passed && near(elements_[i].centre.y, elements_[i].height / 2 + beside_element)) return false;
    }
    for (const AnalogNet& other : nets_) {
      if (other.lane && near(*other.lane, wire_track) && other.first <= net.last && net.first <= other.last) return false;
      const auto meets = [&](std::size_t channel, double end) {
        const bool straight_on = &other == &net && y == end;
        return net.first <= channel && channel <= net.last && near(end, apart_enough) && !straight_on;
      };
      if (!other.ends.empty() && meets(other.channel, other.y)) return false;
      for (const AnalogNet::End& end : other.ends)
        if (meets(end.channel, end.y)) return false;
    }
    return true;
  }

  void find_trunks() {
    trunks_.resize(columns_.size() + 1);
    for (std::size_t n = 0; n < nets_.size(); ++n) {
      const AnalogNet& net = nets_[n];
      if (net.ends.empty()) continue;
      for (std::size_t channel = net.first; channel <= net.last; ++channel) {
        Trunk trunk{.net = n};
        if (channel == net.channel) trunk.left.push_back(net.y);
        for (const AnalogNet::End& end : net.ends)
          if (end.channel == channel) trunk.right.push_back(end.y);
        if (trunk.left.empty() && trunk.right.empty()) continue;
        if (net.lane && channel > net.first) trunk.left.push_back(*net.lane);
        if (net.lane && channel < net.last) trunk.right.push_back(*net.lane);
        std::vector<double> all = trunk.left;
        all.insert(all.end(), trunk.right.begin(), trunk.right.end());
        trunk.top = *std::ranges::min_element(all), trunk.bottom = *std::ranges::max_element(all);
        trunks_[channel].push_back(std::move(trunk));
      }
    }
    for (std::vector<Trunk>& trunks : trunks_) order(trunks);
  }

  /// What a reader minds where `a` stands left of `b`: crossings, and above all wires on each other.
  static int cost(const Trunk& a, const Trunk& b) {
    constexpr int on_each_other = 1000;
    int sum = 0;
    for (const double y : b.left) sum += a.holds(y) ? 1 : 0;
    for (const double y : a.right) sum += b.holds(y) ? 1 : 0;
    for (const double y : b.left)
      for (const double end : a.right) sum += std::abs(y - end) < apart_enough ? on_each_other : 0;
    return sum;
  }

  /// Single pieces change places as long as that helps; those that are apart share a track.
  static void order(std::vector<Trunk>& trunks) {
    sift(trunks,
         [](const Trunk& trunk) { return [&trunk](const Trunk& other) { return cost(other, trunk) - cost(trunk, other); }; });
    for (std::size_t i = 0; i < trunks.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (trunks[k].top < trunks[i].bottom + wire_track && trunks[i].top < trunks[k].bottom + wire_track)
          trunks[i].track = std::max(trunks[i].track, trunks[k].track + 1);
  }

  double room(std::size_t channel) const {
    std::size_t tracks = 0;
    for (const Trunk& trunk : trunks_[channel]) tracks = std::max(tracks, trunk.track + 1);
    return tracks == 0 ? 0 : std::max(narrowest_channel, wire_track * static_cast<double>(tracks + 1));
  }

  double x_of(std::size_t net, std::size_t channel) const {
    const auto found = std::ranges::find(trunks_[channel], net, &Trunk::net);
    return channel_[channel] + wire_track * static_cast<double>(found->track + 1);
  }

  std::pair<double, double> heights() const {
    double top = std::numeric_limits<double>::max(), bottom = -top;
    const auto reach = [&](double y) { top = std::min(top, y), bottom = std::max(bottom, y); };
    for (const WiredElement& e : elements_) reach(e.centre.y - e.height / 2), reach(e.centre.y + e.height / 2);
    for (const AnalogNet& net : nets_)
      if (net.lane) reach(*net.lane);
    return {top, bottom};
  }

  void draw(std::size_t n, double top, AnalogWires& made) const {
    const AnalogNet& net = nets_[n];
    std::map<std::pair<double, double>, std::set<std::pair<int, int>>> ways;  // by corner: directions in which the net goes on
    const std::size_t first = made.wires.size();
    for (const AnalogNet::End& end : net.ends) {
      const Point begin{made.centres[n].x + elements_[n].width / 2, net.y - top};
      const Point last{made.centres[end.element].x - elements_[end.element].width / 2, end.y - top};
      const double x = x_of(n, net.channel);
      std::vector<Point> points{begin, {x, begin.y}};
      if (end.channel != net.channel) {
        const double other = x_of(n, end.channel);
        points.push_back({x, *net.lane - top});
        points.push_back({other, *net.lane - top});
        points.push_back({other, last.y});
      } else {
        points.push_back({x, last.y});
      }
      points.push_back(last);
      made.wires.push_back({end.element, end.input, without_straight(points)});
      made.wires.back().own = beyond(made.wires, first);
    }
    for (std::size_t i = first; i < made.wires.size(); ++i)
      for (const Point corner : made.wires[i].points) ways[{corner.x, corner.y}];
    for (auto& [corner, directions] : ways)
      for (std::size_t i = first; i < made.wires.size(); ++i)
        for (std::size_t k = 1; k < made.wires[i].points.size(); ++k)
          meet({corner.first, corner.second}, made.wires[i].points[k - 1], made.wires[i].points[k], directions);
    for (const auto& [corner, directions] : ways)
      if (directions.size() > 2) made.junctions.push_back({corner.first, corner.second});
  }

  /// The last wire from where it leaves those of the same output before it.
  static std::vector<Point> beyond(const std::vector<AnalogWires::Wire>& wires, std::size_t first) {
    std::vector<Point> own = wires.back().points;
    for (bool moved = true; moved && own.size() > 1;) {
      moved = false;
      for (std::size_t i = first; i + 1 < wires.size(); ++i)
        for (std::size_t k = 1; k < wires[i].points.size(); ++k) {
          const Point shared = common_end(own[0], own[1], wires[i].points[k - 1], wires[i].points[k]);
          if (shared.x == own[0].x && shared.y == own[0].y) continue;
          moved = true;
          own[0] = shared;
          if (own[0].x == own[1].x && own[0].y == own[1].y) own.erase(own.begin());
          if (own.size() < 2) return {};
        }
    }
    return own;
  }

  /// How far from a towards b a piece from p to q lies on that line and holds a.
  static Point common_end(Point a, Point b, Point p, Point q) {
    const bool level = a.y == b.y && p.y == a.y && q.y == a.y, upright = a.x == b.x && p.x == a.x && q.x == a.x;
    if (!level && !upright) return a;
    const auto furthest = [](double from, double to, double u, double v) {
      if (std::min(u, v) > from || std::max(u, v) < from) return from;
      return to > from ? std::min(to, std::max(u, v)) : std::max(to, std::min(u, v));
    };
    return level ? Point{furthest(a.x, b.x, p.x, q.x), a.y} : Point{a.x, furthest(a.y, b.y, p.y, q.y)};
  }

  static void meet(Point p, Point a, Point b, std::set<std::pair<int, int>>& directions) {
    const auto within = [](double v, double u, double w) { return std::min(u, w) <= v && v <= std::max(u, w); };
    if (!within(p.x, a.x, b.x) || !within(p.y, a.y, b.y)) return;
    for (const Point end : {a, b})
      if (end.x != p.x || end.y != p.y)
        directions.insert({end.x > p.x ? 1 : end.x < p.x ? -1 : 0, end.y > p.y ? 1 : end.y < p.y ? -1 : 0});
  }

  /// Without points that lie on each other or midway on a straight line.
  static std::vector<Point> without_straight(const std::vector<Point>& points) {
    std::vector<Point> made;
    for (const Point p : points) {
      if (!made.empty() && made.back().x == p.x && made.back().y == p.y) continue;
      if (made.size() > 1) {
        const Point a = made[made.size() - 2], b = made.back();
        if ((a.x == b.x && b.x == p.x) || (a.y == b.y && b.y == p.y)) made.pop_back();
      }
      made.push_back(p);
    }
    return made;
  }

  const std::vector<WiredElement>& elements_;
  std::vector<std::pair<double, double>> columns_;  ///< left and right
  std::vector<std::size_t> column_of_;              ///< by element
  std::vector<AnalogNet> nets_;                     ///< by element
  std::vector<std::vector<Trunk>> trunks_;          ///< by channel: left of the column of that number
  std::vector<double> channel_;
};

/// Lines of `length` columns are no higher than their highest column, or little: the others move into its height, unless what
/// they overhang is not worth the corner that a straight wire gets.
void level(std::vector<WiredElement>& elements, const std::vector<std::size_t>& column, std::size_t length) {
  constexpr double far = std::numeric_limits<double>::max(), worth_a_corner = 4 * wire_track;
  const std::size_t count = *std::ranges::max_element(column) + 1;
  std::vector<double> top(count, far), bottom(count, -far), way(count, 0);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    top[column[i]] = std::min(top[column[i]], elements[i].centre.y - elements[i].height / 2);
    bottom[column[i]] = std::max(bottom[column[i]], elements[i].centre.y + elements[i].height / 2);
  }
  for (std::size_t first = 0; first < count; first += length) {
    const std::size_t end = std::min(first + length, count);
    std::size_t highest = first;
    for (std::size_t c = first + 1; c < end; ++c)
      if (bottom[c] - top[c] > bottom[highest] - top[highest]) highest = c;
    for (std::size_t c = first; c < end; ++c) {
      const double least = top[highest] - top[c], most = bottom[highest] - bottom[c];
      way[c] = std::max(least, std::min(0.0, most));
      if (std::abs(way[c]) < worth_a_corner) way[c] = 0;
    }
  }
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i].centre.y += way[column[i]];
}

}  // namespace

std::vector<WiredElement> in_lines(std::vector<WiredElement> elements, std::size_t lines) {
  if (lines < 2 || elements.empty()) return elements;
  const auto [columns, column] = columns_of(elements);
  const std::size_t length = (columns.size() + lines - 1) / lines;
  level(elements, column, length);
  const auto line = [&, &column = column](std::size_t i) { return column[i] / length; };
  double widest = 0;
  for (const WiredElement& e : elements) widest = std::max(widest, e.width);
  std::vector<double> top(lines, std::numeric_limits<double>::max()), bottom(lines, -top[0]);
  std::vector<std::set<std::size_t>> crossing(lines);  // nets, which share a lane above a line
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const WiredElement& e = elements[i];
    top[line(i)] = std::min(top[line(i)], e.centre.y - e.height / 2);
    bottom[line(i)] = std::max(bottom[line(i)], e.centre.y + e.height / 2);
    for (const WiredElement::Input& input : e.inputs)
      if (line(input.from) != line(i)) crossing[std::max(line(input.from), line(i))].insert(input.from);
  }
  double begin = 0;
  for (std::size_t l = 0; l < lines && l * length < columns.size(); ++l) {
    begin += l > 0 ? 2 * beside_element + wire_track * static_cast<double>(crossing[l].size() + 1) : 0;
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (line(i) == l)
        elements[i].centre = {(widest + 1) * static_cast<double>(column[i] % length), elements[i].centre.y + begin - top[l]};
    begin += bottom[l] - top[l];
  }
  return elements;
}

AnalogWires analog_wires(const std::vector<WiredElement>& elements) { return AnalogRouting(elements)(); }

}  // namespace sfg
