#include "sfg/plot/panel_picture.hpp"

#include <algorithm>

#include "sfg/draw/set_caption.hpp"

namespace sfg {

namespace {

constexpr double remark_line = 16;

}  // namespace

PanelPicture::PanelPicture(const Panel& panel, const PanelFrame& frame, const std::vector<std::string>& inks, bool moving)
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
  place_legend(panel, inks);
  for (const Note& note : panel.notes)
    if (!note.close && note.side == Note::Side::any) place_note(note);
  for (const Caption& remark : panel.remarks)
    for (Caption& line : wrapped(remark, text_size, frame.box().width(), most_lines)) remarks_.push_back(std::move(line));
}

/// In the frame where it covers nothing, in one column or in two; beside the frame where the panel asks for that.
void PanelPicture::place_legend(const Panel& panel, const std::vector<std::string>& inks) {
  constexpr std::size_t one_column = 8, most_inside = 16;
  constexpr double as_wide_as_it_is = 1e6, most_part = 0.7;  // of the frame's width
  Legend legend(panel, inks);
  if (legend.empty()) return;
  const Box& box = frame_.box();
  if (!panel.legend_beside && legend.size() <= most_inside)
    for (const std::size_t columns :
         legend.size() <= one_column ? std::vector<std::size_t>{1, 2} : std::vector<std::size_t>{1, 2, 3}) {
      if (columns > legend.size()) break;
      const auto [width, height] = legend.extent(columns, as_wide_as_it_is);
      if (width > most_part * box.width()) break;
      if (const auto place = room_.free_place(width, height)) {
        room_.take(*place);
        legend_.push_back(legend.at(*place, columns));
        return;
      }
    }
  homeless_ = std::move(legend);
}

void PanelPicture::place_note(const Note& note) {
  constexpr double height = 16, away = 5, base = 4;
  const Box& frame = frame_.box();
  const Caption text = shortened(note.text, text_size, 0.9 * frame.width());
  const double width = width_of(text, text_size) + 2;
  Point at = frame_.at(note.x, note.y);
  at = {std::clamp(at.x, frame.left, frame.right), std::clamp(at.y, frame.top, frame.bottom)};
  std::optional<Box> place;
  if (note.side != Note::Side::any) {
    const double left = note.side == Note::Side::right ? at.x + away : at.x - away - width;
    const double inside = std::clamp(left, frame.left + 1, std::max(frame.left + 1, frame.right - width - 1));
    place = Box{inside, at.y - height / 2, inside + width, at.y + height / 2};
  } else {
    place = room_.place_beside(at, width, height, note.close);
  }
  if (!place) {
    if (!note.close) left_out_.push_back(note.text.plain());  // the value of a contour is said elsewhere, too
    return;
  }
  room_.take(*place);
  notes_.push_back({{place->left + 1, place->bottom - base}, "note muted halo", text});
}

double PanelPicture::end() const noexcept { return frame_.end() + remark_line * static_cast<double>(remarks_.size()); }

SceneGroup PanelPicture::group(double picture_width) const {
  SceneGroup panel{.style = "panel", .data = moving_ ? frame_.data() : SceneData{}, .groups = frame_.axes(picture_width)};
  panel.groups.push_back({.style = "curves", .groups = curves_});
  panel.groups.insert(panel.groups.end(), legend_.begin(), legend_.end());
  SceneGroup over{.style = "", .words = notes_};
  for (std::size_t i = 0; i < remarks_.size(); ++i)
    over.words.push_back({{(frame_.box().left + frame_.box().right) / 2, frame_.end() + 8 + remark_line * static_cast<double>(i)},
                          "middle muted",
                          remarks_[i]});
  panel.groups.push_back(std::move(over));
  return panel;
}

}  // namespace sfg
