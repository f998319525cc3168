#include "sfg/draw/graph/loop_numbers.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sfg/draw/curve.hpp"
#include "sfg/draw/ink.hpp"
#include "sfg/graph/loops.hpp"

namespace sfg {
namespace {

constexpr std::size_t most_numbers = 200;

/// By the even-odd rule.
bool encloses(const std::vector<Point>& outline, Point p) {
  bool inside = false;
  for (std::size_t i = 0, k = outline.size() - 1; i < outline.size(); k = i++) {
    const Point a = outline[k], b = outline[i];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}

class Numbering {
 public:
  Numbering(Drawing& drawing, const SignalFlowGraph& graph, const Budget& budget) : drawing_(drawing), budget_(budget) {
    for (const DrawnBranch& branch : drawing.branches) {
      courses_.push_back(sampled(branch.curve, 4));
      boxes_.push_back(bounds(courses_.back()));
      between_[{graph[branch.id].from, graph[branch.id].to}].push_back(courses_.size() - 1);
      add_label(branch.gain);
      const Point tip = branch.arrow, d = branch.direction;
      labels_.push_back(Box::around({tip.x - 5.5 * d.x, tip.y - 5.5 * d.y}, 11, 11));
    }
    for (const DrawnNode& node : drawing.nodes) {
      add_label(node.name);
      labels_.push_back(Box::around(node.at, 2 * drawing.node_radius + 2, 2 * drawing.node_radius + 2));
    }
    for_each_loop(
        graph,
        [&](const Path& loop) {
          outlines_.push_back(outline(loop, false));
          all_of_them_.push_back(outline(loop, true));
          return outlines_.size() <= most_numbers;
        },
        budget);
    if (outlines_.size() > most_numbers)
      throw LimitReached(
          "the graph has more than " + std::to_string(most_numbers) + " loops: their numbers would hide the picture",
          "leave the numbers out; 'sfg mason' lists the loops");
  }

  void run() {
    std::vector<std::pair<double, std::size_t>> order;  // the small loops first: they have the fewest places
    for (std::size_t k = 0; k < outlines_.size(); ++k) {
      const Box box = outlines_[k].empty() ? Box{} : bounds(outlines_[k]);
      order.emplace_back(box.width() * box.height(), k);
    }
    std::ranges::stable_sort(order, {}, &std::pair<double, std::size_t>::first);
    for (const auto& [size, loop] : order)
      if (!outlines_[loop].empty()) place(loop);
    std::ranges::sort(drawing_.numbers, {}, &DrawnNumber::loop);
  }

 private:
  void add_label(const Label& label) {
    for (const Box& part : ink(label.formula)) labels_.push_back(part);
  }

  /// The courses of a loop one behind the other; of parallel branches the first, or all. Empty where a part is not drawn.
  std::vector<Point> outline(const Path& loop, bool parallel) const {
    std::vector<Point> points;
    for (std::size_t i = 0; i < loop.nodes.size(); ++i) {
      const auto found = between_.find({loop.nodes[i], loop.nodes[(i + 1) % loop.nodes.size()]});
      if (found == between_.end()) return {};
      for (const std::size_t course : found->second) {
        points.insert(points.end(), courses_[course].begin(), courses_[course].end());
        if (!parallel) break;
      }
    }
    return points;
  }

  void place(std::size_t loop) {
    budget_.check("the numbers of the loops");
    const Math math = Math::name("L" + std::to_string(loop + 1));
    double least = 1e18;
    DrawnNumber best{loop + 1, {}};
    for (const double size : {0.9, 0.75, 0.62}) {  // of the other labels
      const Formula formula = typeset(math, size * drawing_.text_size);
      const std::vector<Box> letters = ink_about_centre(formula);
      const Box box = bounds(outlines_[loop]);
      const double step = std::max(2.0, std::max(box.width(), box.height()) / 48);
      for (double y = box.top + step / 2; y < box.bottom; y += step)
        for (double x = box.left + step / 2; x < box.right; x += step) {
          const Point at{x, y};
          if (!encloses(outlines_[loop], at)) continue;
          const double now = cost(loop, letters, at, least) + 30 * (0.9 - size);
          if (now >= least) continue;
          least = now;
          best.label = {math, formula.moved(x - formula.width / 2, y + (formula.ascent - formula.descent) / 2), at, false};
        }
      if (least < touching) break;
    }
    if (best.label.formula.rows.empty()) return;  // a loop that encloses nothing: its branches lie on one line
    add_label(best.label);
    drawing_.numbers.push_back(std::move(best));
  }

  double cost(std::size_t loop, const std::vector<Box>& letters, Point at, double limit) const {
    constexpr double room = 9, too_close = 2.5;
    const Point to_middle{(bounds(outlines_[loop]).left + bounds(outlines_[loop]).right) / 2 - at.x,
                          (bounds(outlines_[loop]).top + bounds(outlines_[loop]).bottom) / 2 - at.y};
    double sum = 0.02 * std::hypot(to_middle.x, to_middle.y) + (encloses(all_of_them_[loop], at) ? 0 : 60);
    for (std::size_t k = 0; k < outlines_.size(); ++k)
      if (k != loop && !outlines_[k].empty() && encloses(outlines_[k], at)) sum += 4;
    if (sum >= limit) return sum;
    std::vector<Box> ink;
    for (const Box& part : letters) ink.push_back(moved(part, at));
    const Box all = bounds(ink);
    const auto add = [&](double gap) {
      sum += gap < too_close ? touching + 20 * (too_close - gap) : gap < room ? room - gap : 0;
    };
    for (const Box& label : labels_)
      if (distance(all, Point{(label.left + label.right) / 2, (label.top + label.bottom) / 2}) < 200 &&
          distance(all, label) < room) {
        double gap = room;
        for (const Box& part : ink) gap = std::min(gap, distance(part, label));
        add(gap);
      }
    for (std::size_t c = 0; c < courses_.size() && sum < limit; ++c) {
      if (distance(all, boxes_[c]) >= room) continue;
      double gap = room;
      for (std::size_t i = 1; i < courses_[c].size(); ++i)
        for (const Box& part : ink) gap = std::min(gap, distance(part, courses_[c][i - 1], courses_[c][i]));
      add(gap);
    }
    return sum;
  }

  static constexpr double touching = 100;

  Drawing& drawing_;
  const Budget& budget_;
  std::vector<std::vector<Point>> courses_;
  std::vector<Box> boxes_;                                                 ///< of the courses
  std::map<std::pair<NodeId, NodeId>, std::vector<std::size_t>> between_;  ///< courses by their ends
  std::vector<Box> labels_;                                 ///< and nodes, and heads: what a number must not lie on
  std::vector<std::vector<Point>> outlines_, all_of_them_;  ///< by loop
};

}  // namespace

void number_loops(Drawing& drawing, const SignalFlowGraph& graph, const Budget& budget) {
  Numbering(drawing, graph, budget).run();
}

}  // namespace sfg
