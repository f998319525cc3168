#include "sfg/draw/sheets/legend.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sfg {
namespace {

constexpr double legend_margin = 24;
constexpr double narrowest = 420;  // of the lines below a small picture
constexpr double between_columns = 30, above_line = 12, below_picture = 8, after_sign = 5;

struct LegendLine {
  Math math;
  Formula formula;
};

struct LegendEntry {
  Formula head;  ///< w1 =
  std::vector<LegendLine> lines;
  double width = 0;   ///< of the widest line
  double height = 0;  ///< with the room above each
};

/// The formula in lines that fit, broken before the signs of its outermost sum; the first one with "name =" in its mathematics.
std::vector<LegendLine> lines_of(const Math& name, const Math& body, double size, double room) {
  std::vector<LegendLine> lines;
  const std::size_t count = terms(body).size();
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    Math line = count == 1 ? body : line_of_terms(body, begin, end);
    Formula set = typeset(line, size);
    for (; end < count; ++end) {
      Math longer = line_of_terms(body, begin, end + 1);
      Formula wider = typeset(longer, size);
      if (wider.width > room) break;
      line = std::move(longer);
      set = std::move(wider);
    }
    lines.push_back({begin == 0 ? Math::equation(name, line) : line, std::move(set)});
    begin = end;
  }
  return lines;
}

struct Column {
  std::size_t begin = 0, end = 0;
  double head = 0, body = 0, height = 0;
  double width() const { return head + after_sign + body; }
};

class Legend {
 public:
  Legend(const std::vector<std::pair<Math, Math>>& legend, double size, double room) : room_(room) {
    for (const auto& [name, body] : legend) {
      LegendEntry entry{typeset(name, size).followed_by(typeset_plain("=", size), 0.22 * size), {}, 0, 0};
      entry.lines = lines_of(name, body, size, room - entry.head.width - after_sign);
      for (const LegendLine& line : entry.lines) {
        entry.width = std::max(entry.width, line.formula.width);
        entry.height += std::max(line.formula.ascent, entry.head.ascent) + line.formula.descent + above_line;
      }
      entries_.push_back(std::move(entry));
    }
    columns_ = chosen_columns();
  }

  void put_below(Drawing& drawing) const {
    const double top = drawing.height - legend_margin + below_picture;
    double left = legend_margin, bottom = top;
    for (const Column& column : columns_) {
      const double sign = left + column.head;
      double y = top;
      for (std::size_t i = column.begin; i < column.end; ++i) y = put(drawing, entries_[i], sign, y);
      bottom = std::max(bottom, y);
      drawing.width = std::max(drawing.width, left + column.width() + legend_margin);
      left += column.width() + between_columns;
    }
    drawing.height = bottom + legend_margin;
  }

 private:
  /// The entry with its sign ending at an abscissa; where the next one begins.
  static double put(Drawing& drawing, const LegendEntry& entry, double sign, double y) {
    for (const LegendLine& line : entry.lines) {
      const bool first = &line == &entry.lines.front();
      Formula formula = first ? entry.head.followed_by(line.formula, after_sign) : line.formula;
      const double left = first ? sign - entry.head.width : sign + after_sign;
      const double baseline = y + above_line + formula.ascent;
      Label label{line.math, {}, {left + formula.width / 2, baseline + (formula.descent - formula.ascent) / 2}, false};
      y = baseline + formula.descent;
      label.formula = formula.moved(left, baseline);
      drawing.legend.push_back(std::move(label));
    }
    return y;
  }

  Column column(std::size_t begin, std::size_t end) const {
    Column made{begin, end};
    for (std::size_t i = begin; i < end; ++i) {
      made.head = std::max(made.head, entries_[i].head.width);
      made.body = std::max(made.body, entries_[i].width);
      made.height += entries_[i].height;
    }
    return made;
  }

  /// As few columns as keep every one below a height, if that many fit beside one another.
  std::optional<std::vector<Column>> columns_below(double height) const {
    std::vector<Column> made;
    for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
      double sum = 0;
      for (end = begin; end < entries_.size() && (end == begin || sum + entries_[end].height <= height); ++end)
        sum += entries_[end].height;
      made.push_back(column(begin, end));
    }
    double width = -between_columns;
    for (const Column& c : made) width += c.width() + between_columns;
    return made.size() == 1 || width <= room_ ? std::optional(made) : std::nullopt;
  }

  /// The lowest columns that fit.
  std::vector<Column> chosen_columns() const {
    const double all =
        std::accumulate(entries_.begin(), entries_.end(), 0.0, [](double h, const LegendEntry& e) { return h + e.height; });
    double tallest = 0;
    for (const LegendEntry& entry : entries_) tallest = std::max(tallest, entry.height);
    for (double height = tallest; height < all; height += std::max(all / 60, 2.0))
      if (auto made = columns_below(height)) return *made;
    return *columns_below(all + 1);
  }

  double room_;
  std::vector<LegendEntry> entries_;
  std::vector<Column> columns_;
};

}  // namespace

void add_legend(Drawing& drawing, const std::vector<std::pair<Math, Math>>& legend, double size, double width) {
  if (legend.empty()) return;
  const double least = width > 0 ? std::min(narrowest, width - 2 * legend_margin) : narrowest;
  Legend(legend, size, std::max(drawing.width - 2 * legend_margin, least)).put_below(drawing);
}

}  // namespace sfg
