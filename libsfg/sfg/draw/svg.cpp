#include "sfg/draw/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string_view>

#include "sfg/draw/graph/graph_scene.hpp"
#include "sfg/draw/letters.hpp"
#include "sfg/draw/looks.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/draw/svg_path.hpp"
#include "sfg/expr/latex_text.hpp"
#include "sfg/expr/names_in_use.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {
namespace {

/// A name for a picture by what it shows, so that its style rules and references bind no other picture of a page.
std::string scope_of(std::string_view body) {
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a
  for (const char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::string text = "sfg-";
  for (int i = 0; i < 10; ++i, hash >>= 5U) text += "abcdefghijklmnopqrstuvwxyz234567"[hash & 31U];
  return text;
}

/// The style rules of structural diagrams, matrices and sheets of loops, for the picture with the id `scope`; colours come from
/// the group's `color`.
std::string sheet_rules(const std::string& scope) {
  const std::string in = '#' + scope;
  std::ostringstream out;
  out << in << " .line," << in << " .wire{fill:none;stroke:currentColor;stroke-width:1.3}\n"
      << in << " path.law{stroke-dasharray:7 4}\n"
      << in << " rect.block," << in << " circle.sum{stroke:currentColor;stroke-width:1.3}\n"
      << in << " rect.law{stroke-dasharray:7 4}\n"
      << in << " .dot{fill:currentColor;stroke:none}\n"
      << in << " .frame{fill:currentColor;fill-opacity:.04;stroke:currentColor;stroke-opacity:.5;stroke-dasharray:3 3}\n"
      << in << " .sign{stroke-width:3px}\n"
      << in << " .letters.sign{stroke-width:175}\n"
      << in << " .table{fill:none;stroke:currentColor;stroke-width:1}\n"
      << in << " .grid{fill:none;stroke:currentColor;stroke-opacity:.18;stroke-width:.7}\n"
      << in << " rect.cell{fill:currentColor;fill-opacity:.09}\n"
      << in << " .cell text," << in << " .cell .letters{stroke:none}\n"
      << in << " .mark{fill:currentColor;fill-opacity:.75}\n"
      << in << " .diagonal{fill:none;stroke:currentColor;stroke-width:2}\n";
  return out.str();
}

/// What of them depends on the paper.
std::string sheet_colours(const std::string& scope, const DrawingPalette& palette) {
  const std::string in = '#' + scope;
  std::ostringstream out;
  out << in << " rect.block," << in << " circle.sum{fill:" << palette.paper << "}\n"
      << in << " .blocks{color:" << palette.feedback << "}\n";
  return out.str();
}

constexpr const char* serif_faces =
    "font-family:'Liberation Serif','STIX Two Text','Times New Roman','Nimbus Roman',Tinos,Times,'DejaVu Serif Condensed',serif";

/// A length on paper, rounded down: what is to fit fits.
std::string millimetres(double value) { return rounded_to_tenths(std::floor(value * 10) / 10) + "mm"; }

std::string attributes(const std::string& style, const SceneData& data) {
  std::string text = style.empty() ? "" : " class=\"" + style + '"';
  for (const auto& [name, value] : data) text += " data-" + name + "=\"" + xml_text(value) + '"';
  return text;
}

/// Letters with signs over them are found as the formula that they are.
std::string formula_data(const Label& label) {
  const auto over_letter = [](const TextRun& run) { return run.before < 0 && is_accent_sign(run.text); };
  const auto is_accented = [&](const TextRow& row) { return std::ranges::any_of(row.runs, over_letter); };
  if (std::ranges::none_of(label.formula.rows, is_accented)) return {};
  return " data-tex=\"" + xml_text(write(label.math, Notation::latex)) + '"';
}

/// Whether something is highlighted, so that the rest may step back.
bool has_light(const std::vector<SceneGroup>& groups) {
  return std::ranges::any_of(
      groups, [](const SceneGroup& g) { return (' ' + g.style + ' ').find(" on ") != std::string::npos || has_light(g.groups); });
}

/// What the picture is of, without what it says of that.
void add_names(std::string& names, const SceneGroup& g) {
  names += ' ' + g.style;
  for (const auto& [name, value] : g.data)
    if (name == "node" || name == "from" || name == "to" || name == "curve" || name == "transfer" || name == "set")
      names += '|' + value;
  for (const SceneGroup& inner : g.groups) add_names(names, inner);
}
std::string names_in(const Scene& scene) {
  std::string names = scene.kind + ' ' + scene.title;
  for (const SceneGroup& g : scene.groups) add_names(names, g);
  return names;
}

class SvgBody {
 public:
  SvgBody(const Scene& scene, const SvgOptions& options)
      : usual_(scene.kind.empty() ? 0 : scene.text_size),
        drawn_words_(scene.kind != "plot"),
        pressable_(options.pressable),
        outline_(options.outline) {
    for (const SceneGroup& g : scene.groups) group(g);
  }
  std::string text() const { return out_.str(); }

 private:
  void group(const SceneGroup& g) {
    out_ << "<g" << attributes(g.style, g.data);
    if (pressable_ && g.style.starts_with("branch")) out_ << R"( tabindex="0" role="button" aria-pressed="false")";
    out_ << '>';
    if (!g.title.empty()) out_ << "<title>" << xml_text(g.title) << "</title>";
    out_ << '\n';
    for (const SceneShape& s : g.shapes) shape(s);
    for (const SceneText& t : g.texts) text(t);
    for (const SceneWords& w : g.words) words(w);
    for (const SceneGroup& inner : g.groups) group(inner);
    out_ << "</g>\n";
  }

  void shape(const SceneShape& s) {
    const std::string head = attributes(s.style, s.data);
    switch (s.kind) {
      case SceneShape::Kind::circle:
        out_ << "<circle" << head << " cx=\"" << rounded_to_tenths(s.points[0].x) << "\" cy=\""
             << rounded_to_tenths(s.points[0].y) << "\" r=\"" << rounded_to_tenths(s.radius) << "\"/>\n";
        return;
      case SceneShape::Kind::box:
        out_ << "<rect" << head << " x=\"" << rounded_to_tenths(s.points[0].x) << "\" y=\"" << rounded_to_tenths(s.points[0].y)
             << "\" width=\"" << rounded_to_tenths(s.points[1].x - s.points[0].x) << "\" height=\""
             << rounded_to_tenths(s.points[1].y - s.points[0].y) << '"';
        if (s.radius > 0) out_ << " rx=\"" << rounded_to_tenths(s.radius) << '"';
        out_ << "/>\n";
        return;
      default: break;
    }
    out_ << "<path" << head;
    if (s.dash != 0) out_ << " stroke-dasharray=\"" << dashes(s.dash) << '"';
    out_ << " d=\"" << svg_path(s) << "\"/>\n";
  }

  void text(const SceneText& t) {
    const Label& label = t.label;
    if (!t.data.empty() && label.formula.rows.size() == 1 && label.formula.rules.empty())
      return line(label.formula.rows.front(), t.style,
                  attributes(t.style, t.data) + formula_data(t.label));  // found as the text that it is
    SceneData data = t.data;
    if (!(label.math == Math::word(""))) data.emplace_back("tex", write(label.math, Notation::latex));
    out_ << "<g" << attributes(t.style, data) << "><g>\n";  // the inner one is the formula: readers may move it as a whole
    if (label.backed) {
      const double w = label.formula.width + 2, h = label.formula.height();
      out_ << R"(<rect class="paper" x=")" << rounded_to_tenths(label.centre.x - w / 2) << R"(" y=")"
           << rounded_to_tenths(label.centre.y - h / 2) << R"(" width=")" << rounded_to_tenths(w) << R"(" height=")"
           << rounded_to_tenths(h) << "\"/>\n";
    }
    for (const TextRow& row : label.formula.rows) line(row);
    for (const TextRule& rule : label.formula.rules)
      out_ << R"(<rect class="rule" x=")" << rounded_to_tenths(rule.x1) << R"(" y=")"
           << rounded_to_tenths(rule.y - rule.thickness / 2) << R"(" width=")" << rounded_to_tenths(rule.x2 - rule.x1)
           << R"(" height=")" << rounded_to_tenths(std::max(rule.thickness, 0.9)) << "\"/>\n";
    out_ << "</g></g>\n";
  }

  /// Letters as outlines; false where one of them has none.
  bool letters(const std::vector<TextRun>& set, Point left, const std::string& style, bool turned = false) {
    const std::vector<OutlinedRun> runs = outlined(set);
    if (runs.empty()) return false;
    for (const OutlinedRun& run : runs)
      out_ << "<path class=\"letters" << (style.empty() ? "" : " ") << style << "\" transform=\"translate("
           << rounded_to_tenths(left.x) << ',' << rounded_to_tenths(left.y) << ") " << (turned ? "rotate(-90) " : "") << "scale("
           << run.size / 1000 << ")\" d=\"" << run.path << "\"/>";
    return true;
  }

  /// The outlines of a line, and its letters for those who read or search; these are seen where there are no outlines.
  void line(const TextRow& row, const std::string& style = "", const std::string& head = "") {
    const bool drawn = letters(row.runs, {row.x - row.width / 2, row.y}, style);
    if (!drawn || !outline_) {
      out_ << "<text" << head << R"( x=")" << rounded_to_tenths(row.x) << R"(" y=")" << rounded_to_tenths(row.y) << '"'
           << length(row.width) << spaces(row.runs) << (drawn ? unseen : ">");
      runs(row.runs);
      out_ << "</text>";
    }
    out_ << '\n';
  }

  /// As long as it was measured, whatever the font.
  static std::string length(double width) {
    return width > 0.05 ? " textLength=\"" + rounded_to_tenths(width) + "\" lengthAdjust=\"spacingAndGlyphs\"" : "";
  }

  /// Spaces at the ends of its parts stay, in librsvg too.
  static std::string spaces(const std::vector<TextRun>& set) {
    const auto at_an_end = [](const TextRun& run) { return run.text.starts_with(' ') || run.text.ends_with(' '); };
    return std::ranges::any_of(set, at_an_end) ? " xml:space=\"preserve\"" : "";
  }

  void runs(const std::vector<TextRun>& set, double usual = 0) {
    constexpr double nothing = 0.05;  // pixels
    double raised = 0;
    for (const TextRun& run : set) {
      std::string look;
      if (std::abs(run.size - usual) > nothing) look += " font-size=\"" + rounded_to_tenths(run.size) + '"';
      if (run.italic) look += R"( class="italic")";
      if (const double up = run.raise - raised; std::abs(up) > nothing) look += " dy=\"" + rounded_to_tenths(-up) + '"';
      if (std::abs(run.before) > nothing) look += " dx=\"" + rounded_to_tenths(run.before) + '"';
      out_ << (look.empty() ? "" : "<tspan" + look + '>') << xml_text(run.text) << (look.empty() ? "" : "</tspan>");
      raised = run.raise;
    }
  }

  void words(const SceneWords& w) {
    constexpr double raised = 5, exponent_size = 0.73;
    const double size = w.size > 0 ? w.size : usual_;
    if (w.text.empty()) return;
    TextRow row = set(w.text, size);
    if (!w.exponent.empty()) {
      row.width += width_of(w.exponent, exponent_size * size);
      row.runs.push_back({w.exponent, exponent_size * size, false, raised, 0});
    }
    const double before = has_class(w.style, "middle") ? row.width / 2 : has_class(w.style, "end") ? row.width : 0;
    const Point left = w.turned ? Point{w.at.x, w.at.y + before} : Point{w.at.x - before, w.at.y};
    const bool label = (drawn_words_ || quantity(w)) && w.data.empty() && without_outline(row.runs).empty();
    if (label) out_ << "<g class=\"name\" data-tex=\"" << xml_text(tex(w.text)) << "\">";
    const bool drawn = (outline_ || label) && letters(row.runs, left, w.style, w.turned);
    if (!drawn || !outline_) text_of(w, row, size, drawn);
    out_ << (label ? "</g>\n" : "\n");
  }

  /// The name of a quantity alone, beside what it belongs to: a formula rather than a title, a tick or a legend's entry.
  static bool quantity(const SceneWords& w) {
    const auto& parts = w.text.parts();
    return parts.size() == 1 && parts.front().formula && !has_class(w.style, "entry") && !has_class(w.style, "head") &&
           !has_class(w.style, "label");
  }

  static std::string tex(const Caption& caption) {
    std::string all;
    for (const Caption::Part& part : caption.parts())
      all += part.formula ? write(part.math, Notation::latex) : "\\text{" + latex_text(part.text) + '}';
    return all;
  }

  void text_of(const SceneWords& w, const TextRow& row, double size, bool drawn) {
    const std::string x = rounded_to_tenths(w.at.x), y = rounded_to_tenths(w.at.y);
    out_ << (w.turned ? "<text transform=\"translate(" + x + ',' + y + ") rotate(-90)\""
                      : "<text x=\"" + x + "\" y=\"" + y + '"');
    if (size != usual_) out_ << " font-size=\"" << rounded_to_tenths(size) << '"';
    out_ << length(row.width) << spaces(row.runs) << attributes(w.style, w.data) << (drawn ? unseen : ">");
    runs(row.runs, size);
    out_ << "</text>";
  }

  double usual_;  ///< size of letters that need not be stated
  static constexpr const char* unseen = " visibility=\"hidden\" display=\"none\">";
  bool drawn_words_;  ///< words are labels of a drawing
  bool pressable_, outline_;
  std::ostringstream out_;
};

std::string svg_colours(const std::string& scope, const DrawingPalette& palette, const HouseStyle* style) {
  const auto& [paper, ink, back, law, on, faded] = palette;
  const std::string in = '#' + scope;
  std::ostringstream out;
  out << in << "{color:" << ink << "}\n"
      << in << " .paper{fill:" << paper << "}\n"
      << in << " circle.node{fill:" << node_fill(palette, style) << "}\n"
      << in << " text," << in << " .letters{stroke:" << paper << "}\n"
      << in << " g.back{color:" << back << "}\n"
      << in << " g.law{color:" << law << "}\n"
      << in << ".lit g.branch," << in << ".lit g.node{color:" << faded << "}\n"
      << in << " g.branch.on," << in << " g.node.on{color:" << on << "}\n"
      << sheet_colours(scope, palette);
  return out.str();
}

/// The look of every kind of thing; colours come from the group's `color`.
std::string shapes(const std::string& scope, const HouseStyle* style) {
  const std::string in = '#' + scope;
  std::ostringstream out;
  out << in << " path.branch{fill:none;stroke:currentColor;stroke-width:"
      << (style != nullptr && style->branch > 0 ? style->branch : 1.4) << "}\n"
      << in << " path.law{stroke-dasharray:7 4}\n"
      << in << " .head{fill:currentColor;stroke:none}\n"
      << in << " circle.node{stroke:currentColor;stroke-width:1.6}\n"
      << in << " text{" << serif_faces
      << ";fill:currentColor;text-anchor:middle;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}\n"
      << in << " .letters{fill:currentColor;paint-order:stroke;stroke-width:235;stroke-linejoin:round}\n"
      << in << " g.branch .letters{stroke:none}\n"  // where a gain lies on something, paper is behind it
      << in << " .italic{font-style:italic}\n"
      << in << " .rule{fill:currentColor}\n"
      << in << " .on path.branch{stroke-width:3.2}\n"
      << in << " .on .head{stroke:currentColor;stroke-width:1.4}\n"
      << in << " .on circle.node{fill:currentColor}\n"
      << sheet_rules(scope);
  return out.str();
}

std::string faces(const HouseStyle* style) {
  constexpr std::size_t before = std::string_view("font-family:").size();
  if (style == nullptr || style->words.empty()) return serif_faces;
  return "font-family:'" + style->words + "'," + std::string(serif_faces).substr(before);
}

/// What the table of looks says, but for colours.
std::string look_rules(const std::string& in, const Scene& scene, const HouseStyle* style) {
  std::string text = in + "{font-size:" + rounded_to_tenths(scene.text_size) + "px}" + in + " text{" + faces(style) +
                     ";fill:currentColor}" + in + " .middle{text-anchor:middle}" + in + " .end{text-anchor:end}" + in +
                     " .italic{font-style:italic}" + in + " .bold{font-weight:bold}\n" + in +
                     " .halo{stroke-width:3px;paint-order:stroke;stroke-linejoin:round}" + in +
                     " .letters{fill:currentColor;stroke-width:0}" + in + " .letters.halo{stroke-width:230}" + in +
                     " .letters.bold{stroke:currentColor;stroke-width:30}" + in + " path{stroke-linejoin:round}\n";
  for (const Look& look : looks_of(scene, style)) {
    std::ostringstream rule;
    for (const auto& [what, colour] : {std::pair("stroke", look.stroke), std::pair("fill", look.fill)})
      if (colour == "current" || colour == "none") rule << what << ':' << (colour == "none" ? "none" : "currentColor") << ';';
    if (look.width > 0) rule << "stroke-width:" << look.width << ';';
    if (look.round) rule << "stroke-linecap:round;";
    if (!look.dash.empty()) rule << "stroke-dasharray:" << look.dash << ';';
    if (look.fill_opacity < 1) rule << "fill-opacity:" << look.fill_opacity << ';';
    if (look.opacity < 1) rule << "opacity:" << look.opacity << ';';
    std::string said = rule.str();
    if (said.empty()) continue;
    said.pop_back();
    text += in + " ." + std::string(look.of) + '{' + said + "}\n";
  }
  return text;
}

/// What depends on the theme. @param in  the selector of the picture
std::string colour_rules(const std::string& in, const Scene& scene, Theme theme, const HouseStyle* style) {
  std::string text;
  const auto colours = colours_of(scene, theme, style);
  for (const auto& [name, colour] : colours) {
    if (name == "ink") text += in + "{color:" + colour + '}';
    text += in + (name == "paper" ? " .paper{fill:" + colour + '}' + in + " .halo{stroke:" + colour + '}'
                                  : " ." + name + "{color:" + colour + '}');
  }
  for (const Look& look : looks_of(scene, style))
    for (const auto& [what, wanted] : {std::pair("stroke", look.stroke), std::pair("fill", look.fill)})
      for (const auto& [name, colour] : colours)
        if (name == wanted) text += in + " ." + std::string(look.of) + '{' + what + ':' + colour + '}';
  return text + '\n';
}

}  // namespace

void write_svg(std::ostream& out, const Scene& scene, const SvgOptions& options) {
  const Theme theme = options.theme;
  const double millimetres_per_pixel = options.millimetres_per_pixel;
  const std::string scope = scope_of(names_in(scene) + options.within);
  const std::string w = rounded_to_tenths(std::ceil(scene.width)), h = rounded_to_tenths(std::ceil(scene.height));
  const auto length = [&](double pixels, double stated) {
    return stated > 0                  ? rounded_to_tenths(stated) + "mm"
           : millimetres_per_pixel > 0 ? millimetres(std::ceil(pixels) * millimetres_per_pixel)
                                       : rounded_to_tenths(std::ceil(pixels));
  };
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" id=")" << scope << '"' << (has_light(scene.groups) ? R"( class="lit")" : "")
      << R"( viewBox="0 0 )" << w << ' ' << h << R"(" width=")" << length(scene.width, scene.paper_width) << R"(" height=")"
      << length(scene.height, scene.paper_height) << R"(" role=")" << (options.pressable ? "group" : "img")
      << R"(" aria-labelledby=")" << scope << "-title " << scope << "-description\">\n"
      << "<title id=\"" << scope << "-title\">" << xml_text(scene.title) << "</title>\n"
      << "<desc id=\"" << scope << "-description\">" << xml_text(scene.description) << "</desc>\n"
      << "<style>\n"
      << (scene.kind.empty() ? shapes(scope, options.style) : look_rules('#' + scope, scene, options.style));
  const auto colours = [&](Theme shown) {
    return scene.kind.empty() ? svg_colours(scope, drawing_palette(shown, options.style), options.style)
                              : colour_rules('#' + scope, scene, shown, options.style);
  };
  out << colours(theme);
  if (theme == Theme::automatic && options.style == nullptr)
    out << "@media screen and (prefers-color-scheme:dark){\n" << colours(Theme::dark) << "}\n";
  out << "</style>\n";
  if (theme != Theme::print) out << R"(<rect class="paper" width=")" << w << R"(" height=")" << h << "\"/>\n";
  out << SvgBody(scene, options).text() << "</svg>\n";
}

void write_svg(std::ostream& out, const Drawing& drawing, const SvgOptions& options) {
  write_svg(out, graph_scene(drawing, options.highlight, options.style), options);
}

}  // namespace sfg
