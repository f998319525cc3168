// Parts of a plot as TikZ. Lengths are points of TeX, the origin is the left upper corner, y upwards.
#include "sfg/plot/figure_tikz.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <sstream>
#include <string_view>

#include "sfg/draw/formula.hpp"
#include "sfg/draw/looks.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/draw/tikz_document.hpp"
#include "sfg/expr/latex_text.hpp"
#include "sfg/plot/figure_picture.hpp"

namespace sfg {

namespace {

constexpr double pixels_of_text = 13;         ///< the size of letters that font_size is of
constexpr double narrower = 0.88;             ///< Computer Modern runs wider than the letters that places were found for
constexpr double narrowest = 0.8;             ///< in a legend, whose box fits its words
constexpr std::size_t points_of_path = 1500;  ///< that one path of TikZ has; a longer one goes on in the next

/// The numbers of a path one after the other.
class PathReader {
 public:
  explicit PathReader(std::string_view d) : d_(d) {}
  /// The next letter; 0 at the end.
  char command() {
    skip();
    return at_ < d_.size() ? d_[at_++] : '\0';
  }
  double number() {
    skip();
    const std::string word(d_.substr(at_, d_.find_first_not_of("0123456789.", at_ + 1) - at_));
    at_ += word.size();
    return std::strtod(word.c_str(), nullptr);
  }

 private:
  void skip() {
    while (at_ < d_.size() && (d_[at_] == ' ' || d_[at_] == ',')) ++at_;
  }
  std::string_view d_;
  std::size_t at_ = 0;
};

class TikzFigure {
 public:
  TikzFigure(const Figure& figure, const TikzOptions& options)
      : picture_(figure),
        theme_(options.theme == Theme::automatic ? figure.theme : options.theme),
        font_size_(options.font_size) {
    constexpr double centimetres_of_point = 2.54 / 72.27;
    check_tikz_size(points(std::max<double>(figure.width, picture_.height())) * centimetres_of_point);
    out_ << "\\begin{tikzpicture}[\n  x=1pt, y=1pt, color=sfgink,\n  every node/.append style={inner sep=0pt, outer sep=0pt},\n"
         << styles() << "]\n"
         << "  \\path[use as bounding box] (0,0) rectangle " << place({static_cast<double>(figure.width), picture_.height()})
         << ";\n";
    write(picture_.head());
    write(picture_.body());
  }

  std::string text() const { return out_.str(); }

  std::string colours() const {
    const SeriesPalette& c = series_palette(theme_);
    const DrawingPalette& d = drawing_palette(theme_);
    std::string all = tikz_colour("sfgpaper", d.paper) + tikz_colour("sfgink", d.ink) + tikz_colour("sfggrid", c.grid) +
                      tikz_colour("sfgminor", c.minor) + tikz_colour("sfgmuted", c.muted);
    for (std::size_t i = 0; i < c.curves.size(); ++i) all += tikz_colour("sfgc" + std::to_string(i), c.curves[i]);
    const std::vector<std::string> ramp = picture_.inks().ramp(theme_);
    for (std::size_t i = 0; i < ramp.size(); ++i) all += tikz_colour("sfgs" + std::to_string(i), ramp[i]);
    return all;
  }
  Theme theme() const { return theme_; }

 private:
  double points(double pixels) const { return pixels * font_size_ / pixels_of_text; }
  std::string pt(double pixels) const { return tikz_number(points(pixels)) + "pt"; }
  std::string place(Pixel p) const { return "(" + tikz_number(points(p.x)) + "," + tikz_number(-points(p.y)) + ")"; }

  /// What the rules of the SVG say of the same classes.
  std::string styles() const {
    std::string all;
    const auto style = [&](const std::string& name, const std::string& value) {
      all += "  sfg " + name + "/.style={" + value + "},\n";
    };
    style("line", "line width=" + pt(1.8) + ", line join=round");
    style("thin", "line width=" + pt(1));
    style("guide", "line width=" + pt(0.7));
    style("mark", "line width=" + pt(1.3));
    style("grid", "color=sfggrid, line width=" + pt(1));
    style("minor", "color=sfgminor, line width=" + pt(1));
    style("rule", "color=sfgmuted, line width=" + pt(1) + ", dash pattern=" + pattern("3 3"));
    style("frame", "color=sfgink, line width=" + pt(1));
    style("key", "draw=sfggrid, fill=sfgpaper, line width=" + pt(1));
    style("area", "fill opacity=.25");
    style("bars", "fill opacity=.8, line width=" + pt(0.6));
    style("note", "color=sfgmuted, fill=sfgpaper, fill opacity=.75, text opacity=1");
    return all;
  }

  /// "7 4" as "on 4.3pt off 2.5pt".
  std::string pattern(std::string_view lengths) const {
    std::string all;
    std::istringstream words{std::string(lengths)};
    double length = 0;
    for (bool on = true; words >> length; on = !on)
      all += (all.empty() ? "" : " ") + std::string(on ? "on " : "off ") + pt(length);
    return all;
  }

  void write(const PlotParts& parts) {
    for (const PlotPart& part : parts) std::visit([this](const auto& content) { write(content); }, part.content);
  }

  void write(const PlotGroup& group) {
    const std::string colour = colour_of(group.classes);
    if (!group.title.empty()) out_ << "  % " << latex_text(group.title) << '\n';
    if (!colour.empty()) out_ << "  \\begin{scope}[color=" << colour << "]\n";
    write(group.parts);
    if (!colour.empty()) out_ << "  \\end{scope}\n";
  }
  static std::string colour_of(const std::string& classes) {
    std::istringstream words(classes);
    for (std::string word; words >> word;) {
      const bool numbered = word.size() > 1 && word.find_first_not_of("0123456789", 1) == std::string::npos;
      if (numbered && (word[0] == 'c' || word[0] == 's')) return "sfg" + word;
      if (word == "muted" || word == "ink") return "sfg" + word;
    }
    return "";
  }

  /// What is done along an outline, and how it looks.
  std::string command(const std::string& classes, std::size_t dash) const {
    const auto with = [&](std::string what, std::string style) {
      if (dash != 0) style += ", dash pattern=" + pattern(dashes(dash));
      return "  \\" + std::move(what) + "[" + std::move(style) + "] ";
    };
    if (has_class(classes, "mark")) return with("filldraw", "fill=sfgpaper, sfg mark");
    if (has_class(classes, "full")) return with("fill", "");
    if (has_class(classes, "area")) return with("fill", "sfg area");
    if (has_class(classes, "bars")) return with("filldraw", "sfg bars");
    if (has_class(classes, "key")) return with("filldraw", "sfg key");
    for (const std::string name : {"grid", "minor", "rule", "frame"})
      if (has_class(classes, name)) return with("draw", "sfg " + name);
    for (const std::string name : {"thin", "guide"})
      if (has_class(classes, name)) return with("draw", "sfg line, sfg " + name);
    return with("draw", "sfg line");
  }

  void write(const PlotDisc& disc) {
    out_ << command(disc.classes, 0) << place(disc.at) << " circle[radius=" << pt(disc.radius) << "];\n";
  }
  void write(const PlotBox& part) {
    out_ << command(part.classes, 0) << place({part.box.left, part.box.top}) << " rectangle "
         << place({part.box.right, part.box.bottom}) << ";\n";
  }

  void write(const PlotPath& path) {
    if (path.d.empty()) return;
    const std::string begin = command(path.classes, path.dash);
    const bool splits = begin.starts_with("  \\draw");
    std::size_t points = 0;
    Pixel at, start;
    PathReader in(path.d);
    out_ << begin;
    for (char c = in.command(); c != '\0'; c = in.command()) {
      if (splits && points >= points_of_path) {
        out_ << ";\n" << begin << place(at);
        points = 0;
      }
      if (++points % 8 == 0) out_ << "\n    ";
      write_step(c, in, at, start);
    }
    out_ << ";\n";
  }
  /// One command of a path; `at` moves with it.
  void write_step(char c, PathReader& in, Pixel& at, Pixel& start) {
    const auto line = [&](Pixel to) {
      at = to;
      out_ << " -- " << place(at);
    };
    const auto pair = [&] {
      const double x = in.number();
      return Pixel{x, in.number()};
    };
    switch (c) {
      case 'M':
      case 'm': {
        const Pixel p = pair();
        at = start = c == 'M' ? p : Pixel{at.x + p.x, at.y + p.y};
        out_ << (c == 'M' ? " " : "  ") << place(at);
        break;
      }
      case 'L': line(pair()); break;
      case 'l': {
        const Pixel p = pair();
        line({at.x + p.x, at.y + p.y});
        break;
      }
      case 'H': line({in.number(), at.y}); break;
      case 'h': line({at.x + in.number(), at.y}); break;
      case 'V': line({at.x, in.number()}); break;
      case 'a': write_arc(in, at); break;
      case 'Z':
        out_ << " -- cycle";
        at = start;
        break;
      default: break;
    }
  }
  /// Half a circle from left to right, or back.
  void write_arc(PathReader& in, Pixel& at) {
    const double radius = in.number();
    for (int skipped = 0; skipped < 4; ++skipped) in.number();
    const double across = in.number();
    at = {at.x + across, at.y + in.number()};
    out_ << (across > 0 ? " arc[start angle=180, end angle=0, radius=" : " arc[start angle=0, end angle=-180, radius=")
         << pt(radius) << "]";
  }

  void write(const PlotWords& words) {
    if (words.text.empty()) return;
    const double size = points(words.size) * (has_class(words.classes, "entry") ? narrowest : narrower);
    const bool end = has_class(words.classes, "end");
    const char* anchor = has_class(words.classes, "middle") ? "base" : end ? "base east" : "base west";
    out_ << "  \\node[anchor=" << anchor;
    if (words.turned) out_ << ", rotate=90";
    if (has_class(words.classes, "note"))
      out_ << ", sfg note";
    else if (has_class(words.classes, "muted"))
      out_ << ", color=sfgmuted";
    else
      out_ << ", color=sfgink";
    out_ << ", font=\\fontsize{" << tikz_number(size) << "}{" << tikz_number(1.2 * size) << "}\\selectfont] at "
         << place({words.x, words.y}) << " {" << latex(words.text);
    if (!words.exponent.empty()) out_ << "$^{" << exponent(words.exponent) << "}$";
    out_ << "};\n";
  }
  static std::string exponent(const std::string& typeset) {
    constexpr std::string_view minus = "−";
    return typeset.starts_with(minus) ? "-" + typeset.substr(minus.size()) : typeset;
  }

  FigurePicture picture_;
  Theme theme_;
  double font_size_;
  std::ostringstream out_;
};

}  // namespace

void write_tikz(std::ostream& out, const Figure& figure, const TikzOptions& options) {
  const TikzFigure tikz(figure, options);
  TikzOptions themed = options;
  themed.theme = tikz.theme();
  write_tikz_document(out, figure.title.plain(), tikz.colours(), tikz.text(), themed);
}

}  // namespace sfg
