#pragma once
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/draw/formula.hpp"
#include "sfg/draw/theme.hpp"

namespace sfg {

/// A curve or a set of marks in the units of its panel's axes. NaN breaks a curve; where y is infinite it runs to the frame.
struct Series {
  enum class Style {
    line,
    dashed,
    dotted,
    dash_dot,
    thin,
    guide,     ///< thin and grey
    whiskers,  ///< thin, in the colour of text: error bars
    crosses,
    circles,
    dots,
    diamonds,
    stairs,  ///< each value held until the next
    area,    ///< a closed polygon, filled
    bars,    ///< closed polygons with NaN between them, filled and outlined
  };
  Caption label = {};  ///< in the legend; empty for none
  std::vector<double> x = {};
  std::vector<double> y = {};
  Style style = Style::line;
  std::optional<std::size_t> colour = {};  ///< of the palette; the next one when not given
  std::optional<double> shade = {};        ///< 0 … 1 on the palette's ramp instead: of many curves in an order
  std::string set = {};                    ///< the values that a curve of a sweep stands for: "zeta=0.3, wn=2"
  std::optional<std::size_t> pattern =
      {};                     ///< of the cycle of dashes and marks; of bars: full, pale, open; the first when not given
  std::string kind = {};      ///< what it shows, for other tools: "bode-magnitude", "step"
  std::string transfer = {};  ///< of which transfer function: "OUT/IN"
  std::vector<std::size_t> arrows = {};  ///< points at which the head of an arrow shows the direction of the curve
  double size = 1;                       ///< of marks, relative to the usual one
  bool muted = false;                    ///< grey: it helps to read others
  std::string signal = {};               ///< of which signal, where it is none of a transfer function
  bool said_above = false;               ///< in the legend of another panel: no entry in this one's
  bool in_legend() const noexcept { return !label.empty() && !said_above; }
};

struct Axis {
  enum class Scale {
    linear,
    logarithmic,
    degrees,   ///< ticks at multiples of 15, 30, 45, 90, …
    decibels,  ///< ticks at multiples of 10, 20, 40, …
  };
  Caption label = {};  ///< with its unit: "ω, rad/s"
  Scale scale = Scale::linear;
  std::optional<std::pair<double, double>> range = {};  ///< fitted to the data when not given
  std::vector<std::string> names = {};                  ///< of the places 1, 2, …, instead of numbers
  std::vector<Caption> details = {};                    ///< of these places, each a second line below its name
};

/// A line across the whole panel, or a short text at a place.
struct Rule {
  bool vertical = false;
  double at = 0;
};
/// Put beside its place where it covers least.
struct Note {
  double x = 0;
  double y = 0;
  Caption text;
  bool close = false;  ///< at the place itself, even where that covers something: the value of a contour
  /// Where the text belongs to something of a known shape: the end of a bar, the head of a line.
  /// At the edge of the frame, where the ray from the origin through the place leaves it: the value of a ray.
  enum class Side { any, left, right, edge } side = Side::any;
};

struct Panel {
  Caption title = {};
  std::string name = {};  ///< by which it is asked for: "magnitude"
  bool usual = true;      ///< shown where nothing is asked for
  int height = 0;         ///< 0: the panel_height of the figure
  Axis x;
  Axis y;
  std::vector<Series> series = {};
  std::vector<Rule> rules = {};  ///< thin grey lines: 0 dB, −180°, a final value
  std::vector<Note> notes = {};
  bool legend_beside = false;         ///< on the right of the panels instead of in a corner: of many curves
  bool equal_scales = false;          ///< one unit as long in x as in y: maps of poles, Nyquist plots
  std::vector<Caption> remarks = {};  ///< what the picture cannot show, said below it in small type
};

/// Panels one below the other, as engineers print them.
struct Figure {
  Caption title = {};
  Caption conditions = {};       ///< below the title in small type: "K = 2, T = 0.5"
  std::string description = {};  ///< for readers that do not see the picture; what the curves do is added to it
  std::vector<Panel> panels = {};
  int width = 760;
  int panel_height = 320;
  Theme theme = Theme::automatic;
  /// Its curves can be moved by a script: each path says itself what it shows and from where to where, lies over a grey twin that
  /// stays, and has a point for every few pixels; the panels say what values their frames have.
  bool moving = false;
  /// On paper: as wide and as high, mm, with numbers at the axes of so many points; 0: as it comes.
  double paper_width = 0;
  double paper_height = 0;
  double font_size = 0;
  enum class LegendPlace { automatic, none, inside, outside } legend = LegendPlace::automatic;
  bool grid = true;
};

/// What a reader asks of any plot.
struct PlotOptions {
  double width = 0;                       ///< of the picture, mm; 0: as it comes
  double height = 0;                      ///< likewise
  double font_size = 0;                   ///< of the numbers at the axes, points; 0: 10 where a width or height is stated
  std::optional<std::string> title = {};  ///< instead of its own; "": none, and no conditions below it
  std::vector<std::string> panels = {};   ///< by their names, in this order; none: the usual ones
  Figure::LegendPlace legend = Figure::LegendPlace::automatic;
  bool grid = true;
};
/// @throws NoAnswer for panels that the figure does not have, and for a place of a legend where there is none.
Figure with_options(Figure, const PlotOptions&);

/// One self-contained SVG: the same bytes on every run, no script, no font file.
/// Colours are told apart by the colour-blind too (Okabe and Ito 2008).
/// @param within  of several in a page: what tells it from others of the same names
void write_svg(std::ostream&, const Figure&, const std::string& within = {});

/// Round tick values within [low, high], about `wanted` of them: steps of 1, 2, 5 times a power of ten.
std::vector<double> ticks(double low, double high, int wanted);

}  // namespace sfg
