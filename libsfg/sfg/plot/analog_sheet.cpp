#include "sfg/plot/analog_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/drawing.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_elements = 1000;
constexpr double inch = 72;
constexpr double row = 34;     // of an input
constexpr double ladder = 60;  // before the symbol: room for potentiometers
constexpr double symbol = 46;  // its width
constexpr double stub = 12;    // of the output
constexpr double margin = 24;
constexpr double caption = 26;  // under the symbol
constexpr double radius = 14;   // of a potentiometer

bool adds(const AnalogElement& e) { return e.kind == AnalogKind::INT || e.kind == AnalogKind::SUM || e.kind == AnalogKind::INV; }

std::size_t rows(const AnalogElement& element) { return std::max<std::size_t>(1, element.inputs.size()); }
double body(const AnalogElement& element) { return std::max(40.0, row * static_cast<double>(rows(element))); }
double width(const AnalogElement& element) { return (element.inputs.empty() ? 0 : ladder) + symbol + stub; }

std::string meaning(const AnalogElement& element) {
  const std::string scale = fmt::format("{:.6g}", element.scale);
  return (element.sign < 0 ? "−" : "") + (scale == "1" ? "" : scale + " ") + element.variable;
}

/// Shortened to what stands under a symbol.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::string start = text.substr(0, most - 1);
  while (!start.empty() && (static_cast<unsigned char>(start.back()) & 0xC0) == 0x80) start.pop_back();
  if (!start.empty() && static_cast<unsigned char>(start.back()) >= 0xC0) start.pop_back();
  return start + "…";
}

/// Text in a field of a record of DOT.
std::string field(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("{}|<>\\\"").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

/// Records whose fields on the left are the inputs and whose field on the right is the output.
std::string dot_text(const AnalogProgram& program, bool labelled, const DrawingPalette& colours) {
  std::ostringstream out;
  out << "digraph " << dot_string(program.title.empty() ? "analog program" : program.title) << " {\n";
  out << "  graph [rankdir=LR, nodesep=0.35, ranksep=0.55, bgcolor=\"" << colours.paper << "\"];\n  node [shape=record, color=\""
      << colours.ink << "\", fontcolor=\"" << colours.ink << (labelled ? "\"];\n" : "\", fixedsize=true];\n");
  out << "  edge [arrowhead=" << (labelled ? "normal" : "none") << ", color=\"" << colours.ink << "\"];\n";
  for (std::size_t i = 0; i < program.elements.size(); ++i) {
    const AnalogElement& element = program.elements[i];
    std::string inputs;
    for (std::size_t k = 0; k < element.inputs.size(); ++k) {
      inputs += (k == 0 ? "" : "|") + fmt::format("<i{}>", k);
      if (labelled && adds(element)) inputs += fmt::format(" {:.6g} x {:.4g}", element.inputs[k].gain, element.inputs[k].alpha);
    }
    const std::string middle = labelled ? "|" + element.id + "\\n" + field(meaning(element)) : "";
    const std::string label =
        inputs.empty() ? "{" + (middle.empty() ? "" : middle.substr(1) + "|") + "<o>}" : "{{" + inputs + "}" + middle + "|<o>}";
    out << "  e" << i << " [label=\"" << label << '"';
    if (!labelled)
      out << fmt::format(", width={:.3f}, height={:.3f}", width(element) / inch, (body(element) + 2 * caption) / inch);
    out << "];\n";
  }
  for (std::size_t i = 0; i < program.elements.size(); ++i)
    for (std::size_t k = 0; k < program.elements[i].inputs.size(); ++k)
      out << fmt::format("  e{}:o:e -> e{}:i{}:w;\n", program.elements[i].inputs[k].from, i, k);
  out << "}\n";
  return out.str();
}

/// Where `dot` puts things: centres of the elements, wires as Bézier curves.
struct Placed {
  double width = 0, height = 0;
  std::vector<Point> centres;
  struct Wire {
    std::size_t from = 0, to = 0;
    std::vector<Point> curve;
  };
  std::vector<Wire> wires;
};

Placed placed(const AnalogProgram& program, const PictureOptions& options) {
  const std::string plain =
      picture_by({"dot", "-Tplain"}, dot_text(program, false, light_drawing), {"graphviz", options.time_limit});
  Placed result;
  result.centres.resize(program.elements.size());
  std::istringstream lines(plain);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, from, to;
    words >> kind;
    const auto point = [&] {
      Point p;
      words >> p.x >> p.y;
      return Point{margin + p.x * inch, margin + result.height - p.y * inch};
    };
    if (kind == "graph") {
      double scale = 1;
      words >> scale >> result.width >> result.height;
      result.width *= inch;
      result.height *= inch;
    } else if (kind == "node") {
      words >> from;
      result.centres.at(std::stoul(from.substr(1))) = point();
    } else if (kind == "edge") {
      std::size_t count = 0;
      words >> from >> to >> count;
      Placed::Wire wire{std::stoul(from.substr(1)), std::stoul(to.substr(1)), {}};
      for (std::size_t i = 0; i < count; ++i) wire.curve.push_back(point());
      result.wires.push_back(std::move(wire));
    }
  }
  return result;
}

class Sheet {
 public:
  Sheet(const AnalogProgram& program, const Placed& placed, bool dark)
      : program_(program),
        placed_(placed),
        colours_(dark ? dark_drawing : light_drawing),
        wires_(dark ? dark_plot : light_plot) {}

  std::string operator()() {
    const double w = placed_.width + 2 * margin, h = placed_.height + 2 * margin + 20;
    out_ << fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" role="img">)",
        w, h);
    const std::string title = xml_text(program_.title.empty() ? "analog program" : program_.title);
    out_ << "\n<title>" << title << "</title>\n<desc>" << xml_text(description()) << "</desc>\n";
    out_ << fmt::format("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", colours_.paper);
    out_ << fmt::format(
        "<g font-family=\"Liberation Sans,Arial,sans-serif\" font-size=\"10.5\" fill=\"{}\" text-anchor=\"middle\">\n",
        colours_.ink);
    for (const Placed::Wire& wire : placed_.wires) draw(wire);
    for (std::size_t i = 0; i < program_.elements.size(); ++i) draw(i);
    text(w / 2, h - 10,
         fmt::format("{}: E = {:.6g}, τ = {:.6g} t", program_.title.empty() ? "analog program" : program_.title,
                     program_.machine_unit, program_.time_scale));
    out_ << "</g>\n</svg>\n";
    return out_.str();
  }

 private:
  std::string description() const {
    std::string all;
    for (const AnalogElement& element : program_.elements) {
      all += element.id + " is " + meaning(element);
      for (const auto& input : element.inputs)
        all += (&input == &element.inputs.front() ? ", from " : ", ") + program_.elements[input.from].id;
      all += "; ";
    }
    return all;
  }

  std::string_view colour(std::size_t element) const { return wires_.curves[element % wires_.curves.size()]; }
  Point left(std::size_t index) const {
    return {placed_.centres[index].x - width(program_.elements[index]) / 2, placed_.centres[index].y};
  }

  void text(double x, double y, const std::string& words, const char* more = "") {
    out_ << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, more, xml_text(words));
  }
  void path(const std::string& course, std::string_view stroke, const char* more = "fill=\"none\"") {
    out_ << fmt::format("<path d=\"{}\" {} stroke=\"{}\" stroke-width=\"1.3\"/>\n", course, more, stroke);
  }
  void line(double x0, double y0, double x1, double y1, std::string_view stroke) {
    path(fmt::format("M{:.1f},{:.1f}L{:.1f},{:.1f}", x0, y0, x1, y1), stroke);
  }

  void draw(const Placed::Wire& wire) {
    std::string course = fmt::format("M{:.1f},{:.1f}", wire.curve[0].x, wire.curve[0].y);
    for (std::size_t i = 1; i + 2 < wire.curve.size(); i += 3)
      course += fmt::format("C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", wire.curve[i].x, wire.curve[i].y, wire.curve[i + 1].x,
                            wire.curve[i + 1].y, wire.curve[i + 2].x, wire.curve[i + 2].y);
    path(course, colour(wire.from));
  }

  void draw(std::size_t index) {
    const AnalogElement& element = program_.elements[index];
    const Point at = left(index);
    const double x = at.x + (element.inputs.empty() ? 0 : ladder), y = at.y, half = body(element) / 2;
    for (std::size_t k = 0; k < element.inputs.size(); ++k) input(element, k, at);
    shape(element, x, y, half);
    line(x + symbol, y, x + symbol + stub, y, colour(index));
    out_ << fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" fill=\"{}\"/>\n", x + symbol + stub, y, colour(index));
    text(x + symbol / 2, y + half + 14, shortened(meaning(element), 26), " font-style=\"italic\"");
    if (element.initial != 0) text(x + symbol / 2, y - half - 6, fmt::format("IC {:.4g}", element.initial));
  }

  /// The way of an input into its element: through a potentiometer, at a gain.
  void input(const AnalogElement& element, std::size_t k, const Point& at) {
    const auto& wire = element.inputs[k];
    const double full = body(element) + 2 * caption, each = full / static_cast<double>(element.inputs.size());
    const double port = at.y - full / 2 + each * (static_cast<double>(k) + 0.5);  // where the record has it
    const double y = at.y + row * (static_cast<double>(k) - static_cast<double>(element.inputs.size() - 1) / 2);
    const double end = at.x + ladder, bend = at.x + 6;
    const std::string_view stroke = colour(wire.from);
    path(fmt::format("M{:.1f},{:.1f}L{:.1f},{:.1f}L{:.1f},{:.1f}", at.x, port, bend, y, end, y), stroke);
    if (wire.pot != 0) {
      const double centre = at.x + 24;
      out_ << fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"/>\n",
                          centre, y, radius, colours_.paper, colours_.ink);
      text(centre, y + 3, fmt::format("{:.{}g}", wire.alpha, wire.alpha < 0.1 ? 2 : 3), " font-size=\"8\"");
    }
    if (adds(element) && wire.gain != 1) text(end - 9, y - 3, fmt::format("{:.6g}", wire.gain), " font-size=\"8.5\"");
  }

  void shape(const AnalogElement& element, double x, double y, double half) {
    const std::string body = fmt::format("fill=\"{}\"", colours_.paper);
    const auto triangle = [&](double from) {
      path(fmt::format("M{0:.1f},{1:.1f}L{2:.1f},{3:.1f}L{0:.1f},{4:.1f}Z", from, y - half, x + symbol, y, y + half),
           colours_.ink, body.c_str());
    };
    const auto box = [&](const std::string& sign) {
      path(fmt::format("M{0:.1f},{1:.1f}H{2:.1f}V{3:.1f}H{0:.1f}Z", x, y - half, x + symbol, y + half), colours_.ink,
           body.c_str());
      text(x + symbol / 2, y - 2, sign, " font-size=\"13\"");
      text(x + symbol / 2, y + 12, element.id, " font-size=\"9\"");
    };
    switch (element.kind) {
      case AnalogKind::INT:
        path(fmt::format("M{0:.1f},{1:.1f}h9V{2:.1f}h-9Z", x, y - half, y + half), colours_.ink, body.c_str());
        triangle(x + 9);
        return text(x + 22, y + 3.5, element.id, " font-size=\"9\"");
      case AnalogKind::SUM:
      case AnalogKind::INV: triangle(x); return text(x + 15, y + 3.5, element.id, " font-size=\"9\"");
      case AnalogKind::MUL: return box("×");
      case AnalogKind::ABS: return box("|u|");
      case AnalogKind::FG: return box("f(u)");
      case AnalogKind::REF: return box(element.sign > 0 ? "+E" : "−E");
      case AnalogKind::SRC: break;
    }
    out_ << fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"20\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.3\"/>\n",
                        x + symbol / 2 + 3, y, colours_.paper, colours_.ink);
    text(x + symbol / 2 + 3, y + 3.5, element.id, " font-size=\"9\"");
  }

  const AnalogProgram& program_;
  const Placed& placed_;
  const DrawingPalette& colours_;
  const PlotPalette& wires_;
  std::ostringstream out_;
};

}  // namespace

std::string analog_sheet(const AnalogProgram& program, PictureFormat format, const PictureOptions& options) {
  if (program.elements.size() > most_elements)
    throw LimitReached(
        fmt::format("a program of {} elements is too large for a sheet (limit: {})", program.elements.size(), most_elements),
        "write the patching table");
  if (format == PictureFormat::dot) return dot_text(program, true, drawing_palette(options.theme));
  const Placed places = placed(program, options);
  const std::string svg = Sheet(program, places, options.theme == Theme::dark)();
  return converted(sized(svg, 10.5, options), format, options);
}

}  // namespace sfg
