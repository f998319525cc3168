#include "sfg/plot/panel_picture.hpp"

#include <algorithm>

#include "sfg/draw/ink.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/error.hpp"

namespace sfg {

namespace {

constexpr double remark_line = 16, above_remarks = 10;
constexpr double narrow_frame = 400;  // pixels: no legend stands beside it, no name beside a curve that the legend names

}  // namespace

PanelPicture::PanelPicture(const Panel& panel, const PanelFrame& frame, const std::vector<std::string>& inks,
                           Figure::LegendPlace legend, bool moving)
    : frame_(frame), moving_(moving), room_(frame.box()) {
  constexpr std::size_t most_lines = 4;
  for (const bool behind : {true, false})
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const Series::Style style = panel.series[i].style;
      const bool is_behind = style == Series::Style::guide || style == Series::Style::area;
      if (is_behind == behind) curves_.push_back(series_group(panel.series[i], frame, inks[i], room_, moving));
    }
  for (const Note& note : panel.notes)
    if (note.close || note.side != Note::Side::any) place_note(note);
  place_legend(panel, inks, legend);
  const bool keyed = legend != Figure::LegendPlace::none, narrow = frame.box().width() < narrow_frame;
  for (const Note& note : panel.notes) {
    const bool in_key = keyed && std::ranges::find(panel.series, note.text, &Series::label) != panel.series.end();
    if (!note.close && note.side == Note::Side::any && !(in_key && narrow)) place_note(note, in_key);
  }
  for (const Caption& remark : panel.remarks)
    for (Caption& line : wrapped(remark, text_size, frame.box().width(), most_lines)) remarks_.push_back(std::move(line));
}

/// Where it covers nothing and is no wider than that part of the frame.
bool PanelPicture::placed(const Legend& legend, std::size_t columns, double most_part) {
  constexpr double as_wide_as_it_is = 1e6;
  if (columns > legend.size()) return false;
  const auto [width, height] = legend.extent(columns, as_wide_as_it_is);
  if (width > most_part * frame_.box().width()) return false;
  const auto place = room_.free_place(width, height);
  if (!place) return false;
  room_.take(*place);
  legend_.push_back(legend.at(*place, columns));
  return true;
}

/// Where it covers least: it is to be inside.
void PanelPicture::force(const Legend& legend) {
  constexpr double inset = 8;
  const Box room = frame_.box().grown(-inset);
  for (std::size_t columns = 1; columns <= legend.size(); ++columns) {
    const auto [width, height] = legend.extent(columns, room.width());
    if (height > room.height()) continue;
    const Box place = room_.least_covered(width, height);
    room_.take(place);
    legend_.push_back(legend.at(place, columns));
    return;
  }
  throw NoAnswer("the legend does not fit inside its panel", "make the picture larger, or place the legend outside");
}

/// In the frame where it covers nothing, in one column or in two; beside the frame where the panel asks for that.
void PanelPicture::place_legend(const Panel& panel, const std::vector<std::string>& inks, Figure::LegendPlace where) {
  constexpr std::size_t one_column = 8, most_inside = 16;
  using Place = Figure::LegendPlace;
  Legend legend(panel, inks);
  if (legend.empty() || where == Place::none) return;
  const bool inside = where == Place::inside, beside = panel.legend_beside && frame_.box().width() >= narrow_frame;
  if (inside || (where == Place::automatic && !beside && legend.size() <= most_inside))
    for (std::size_t columns = 1; columns <= (legend.size() <= one_column ? 2U : 3U); ++columns)
      if (placed(legend, columns, inside ? 1 : 0.7)) return;
  if (inside) return force(legend);
  homeless_ = std::move(legend);
}

/// Above the frame where the ray leaves it at the top, else within it beside the end of the ray; nowhere where another text is.
std::optional<Box> PanelPicture::at_the_edge(const Note& note, double width, double height) const {
  constexpr double gap = 1, beside = 5, power = 30;  // pixels; the power of ten of the ordinate stands in the corner
  const Box& frame = frame_.box();
  const Point origin = frame_.at(0, 0), towards = frame_.at(note.x, note.y);
  const double dx = towards.x - origin.x, dy = towards.y - origin.y;
  if (!(dx < 0) || !(dy < 0)) return {};
  const double to_top = (frame.top - origin.y) / dy, to_left = (frame.left - origin.x) / dx;
  Box box;
  if (to_top <= to_left) {
    const double left = origin.x + to_top * dx - width / 2;
    if (left < frame.left + power) return {};
    box = {left, frame.top - gap - height, left + width, frame.top - gap};
  } else {
    const double bottom = origin.y + to_left * dy - gap;
    box = {frame.left + beside, bottom - height, frame.left + beside + width, bottom};
    if (!frame.holds(box)) return {};
  }
  constexpr double apart = 4;
  return room_.taken(box.grown(apart)) ? std::nullopt : std::optional(box);
}

void PanelPicture::place_note(const Note& note, bool in_key) {
  constexpr double height = 16, away = 5, base = 4;
  constexpr double near = 12;  // further off a name that the legend has, too, says less than it hides
  const Box& frame = frame_.box();
  const Caption text = shortened(note.text, text_size, 0.9 * frame.width());
  const double width = width_of(text, text_size) + 2;
  Point at = frame_.at(note.x, note.y);
  at = {std::clamp(at.x, frame.left, frame.right), std::clamp(at.y, frame.top, frame.bottom)};
  std::optional<Box> place;
  if (note.side == Note::Side::edge) {
    place = at_the_edge(note, width, height);
    if (!place) return;
  } else if (note.side != Note::Side::any) {
    const double left = note.side == Note::Side::right ? at.x + away : at.x - away - width;
    const double inside = std::clamp(left, frame.left + 1, std::max(frame.left + 1, frame.right - width - 1));
    place = Box{inside, at.y - height / 2, inside + width, at.y + height / 2};
  } else {
    place = room_.place_beside(at, width, height, note.close);
    if (in_key && (!place || room_.covered(*place) > 0 || distance(*place, at) > near)) return;
  }
  if (!place) {
    if (!note.close) left_out_.push_back(note.text.plain());  // the value of a contour is said elsewhere, too
    return;
  }
  room_.take(*place);
  notes_.push_back({{place->left + 1, place->bottom - base}, "note muted halo", text});
}

double PanelPicture::end() const noexcept {
  return frame_.end() + remark_line * static_cast<double>(remarks_.size()) + (remarks_.empty() ? 0 : above_remarks);
}

SceneGroup PanelPicture::group(double picture_width) const {
  SceneGroup panel{.style = "panel", .data = moving_ ? frame_.data() : SceneData{}, .groups = frame_.axes(picture_width)};
  panel.groups.push_back({.style = "curves", .groups = curves_});
  panel.groups.insert(panel.groups.end(), legend_.begin(), legend_.end());
  SceneGroup over{.style = "", .words = notes_};
  for (std::size_t i = 0; i < remarks_.size(); ++i)
    over.words.push_back(
        {{(frame_.box().left + frame_.box().right) / 2, frame_.end() + 8 + above_remarks + remark_line * static_cast<double>(i)},
         "middle muted",
         remarks_[i]});
  panel.groups.push_back(std::move(over));
  return panel;
}

}  // namespace sfg
