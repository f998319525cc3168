#include "sfg/plot/analog_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "sfg/draw/blocks/analog_wires.hpp"
#include "sfg/draw/convert.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/draw/paper_size.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_elements = 1000;
constexpr double inch = 72;
constexpr double row = 34;     // of an input
constexpr double symbol = 50;  // its width
constexpr double stub = 12;    // of the output
constexpr double margin = 24;
constexpr double caption = 22;  // under the symbol
constexpr double radius = 15;   // of a potentiometer
constexpr double widest_meaning = 130;
constexpr const char* wire_ink = "back";  // one for all: they are told apart by where they lead

bool adds(const AnalogElement& e) { return e.kind == AnalogKind::INT || e.kind == AnalogKind::SUM || e.kind == AnalogKind::INV; }

std::size_t rows(const AnalogElement& element) { return std::max<std::size_t>(1, element.inputs.size()); }
double body(const AnalogElement& element) { return std::max(44.0, row * static_cast<double>(rows(element))); }

/// Before the symbol: room for potentiometers, or for gains.
double ladder(const AnalogElement& element) {
  constexpr double lead = 8, pot = 52, gain = 24;
  if (element.inputs.empty()) return 0;
  if (std::ranges::any_of(element.inputs, [](const auto& input) { return input.pot != 0; })) return pot;
  const bool gains = adds(element) && std::ranges::any_of(element.inputs, [](const auto& input) { return input.gain != 1; });
  return gains ? gain : lead;
}
double width(const AnalogElement& element) { return ladder(element) + symbol + stub; }

/// A name, a power x^3 or a modulus |x|, as the program calls its variables.
Math variable(std::string_view text) {
  if (text.size() > 2 && text.starts_with('|') && text.ends_with('|'))
    return Math::call("abs", {variable(text.substr(1, text.size() - 2))});
  const auto power = text.rfind('^');
  if (power == 0 || power == std::string_view::npos || text.find_first_not_of("0123456789", power + 1) != std::string_view::npos)
    return Math::signal(text);
  return Math::power(variable(text.substr(0, power)), Math::number(text.substr(power + 1)));
}

/// A factor before a letter: nothing where it is one.
Caption factor(double value) {
  const std::string printed = fmt::format("{:.6g}", value);
  return printed == "1" ? Caption() : Caption::number(printed) + " ";
}

Caption meaning(const AnalogElement& element) {
  return (element.sign < 0 ? "−" : "") + factor(element.scale) + Caption::formula(variable(element.variable), element.variable);
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
  out << "  graph [rankdir=LR, nodesep=0.35, ranksep=0.45, bgcolor=\"" << colours.paper << "\"];\n  node [shape=record, color=\""
      << colours.ink << "\", fontcolor=\"" << colours.ink << (labelled ? "\"];\n" : "\", fixedsize=true];\n");
  out << "  edge [arrowhead=" << (labelled ? "normal" : "none") << ", color=\"" << colours.ink << "\"];\n";
  for (std::size_t i = 0; i < program.elements.size(); ++i) {
    const AnalogElement& element = program.elements[i];
    std::string inputs;
    for (std::size_t k = 0; k < element.inputs.size(); ++k) {
      inputs += (k == 0 ? "" : "|") + fmt::format("<i{}>", k);
      if (labelled && adds(element)) inputs += fmt::format(" {:.6g} x {:.4g}", element.inputs[k].gain, element.inputs[k].alpha);
    }
    const std::string middle = labelled ? "|" + element.id + "\\n" + field(meaning(element).plain()) : "";
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

/// The centres where `dot` puts the elements.
std::vector<Point> placed(const AnalogProgram& program, double seconds) {
  const std::string plain = picture_by({"dot", "-Tplain"}, dot_text(program, false, light_drawing), {"graphviz", seconds});
  std::vector<Point> centres(program.elements.size());
  std::istringstream lines(plain);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, name;
    Point p;
    if (words >> kind >> name >> p.x >> p.y && kind == "node") centres.at(std::stoul(name.substr(1))) = {p.x * inch, -p.y * inch};
  }
  return centres;
}

/// How far an input is below the middle of its element.
double below_middle(const AnalogElement& element, std::size_t input) {
  return row * (static_cast<double>(input) - static_cast<double>(element.inputs.size() - 1) / 2);
}

/// From left to right each element moves to where one of its wires runs straight, if that is near and the place is free.
void straighten(const AnalogProgram& program, std::vector<Point>& centres) {
  constexpr double near = 40;
  std::vector<std::size_t> order(centres.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return centres[i].x; });
  const auto height = [&](std::size_t i) { return body(program.elements[i]) + 2 * caption; };
  for (const std::size_t i : order) {
    const AnalogElement& element = program.elements[i];
    double way = near;
    for (std::size_t k = 0; k < element.inputs.size(); ++k) {
      const Point from = centres[element.inputs[k].from];
      const double needed = from.y - centres[i].y - below_middle(element, k);
      if (from.x < centres[i].x && std::abs(needed) < std::abs(way)) way = needed;
    }
    const bool blocked =
        std::abs(way) == near || std::ranges::any_of(order, [&](std::size_t other) {
          return other != i &&
                 std::abs(centres[other].x - centres[i].x) < (width(program.elements[other]) + width(element)) / 2 &&
                 std::abs(centres[other].y - centres[i].y - way) < (height(other) + height(i)) / 2;
        });
    if (!blocked) centres[i].y += way;
  }
}

std::vector<WiredElement> wired(const AnalogProgram& program, double seconds) {
  std::vector<Point> centres = placed(program, seconds);
  straighten(program, centres);
  std::vector<WiredElement> elements;
  for (std::size_t i = 0; i < program.elements.size(); ++i) {
    const AnalogElement& element = program.elements[i];
    elements.push_back({centres[i], width(element), body(element) + 2 * caption});
    for (std::size_t k = 0; k < element.inputs.size(); ++k)
      elements.back().inputs.push_back({element.inputs[k].from, below_middle(element, k)});
  }
  return elements;
}

/// With a margin about it.
AnalogWires on_sheet(AnalogWires made) {
  const auto inwards = [](Point& p) { p = {p.x + margin, p.y + margin}; };
  for (std::vector<Point>* points : {&made.centres, &made.junctions})
    for (Point& p : *points) inwards(p);
  for (AnalogWires::Wire& wire : made.wires)
    for (std::vector<Point>* points : {&wire.points, &wire.own})
      for (Point& p : *points) inwards(p);
  return made;
}

SceneShape straight_line(const char* style, std::vector<Point> points) {
  return {SceneShape::Kind::polyline, style, std::move(points)};
}

class Sheet {
 public:
  Sheet(const AnalogProgram& program, AnalogWires placed) : program_(program), placed_(std::move(placed)) {}

  Scene operator()() const {
    const std::string title = program_.title.empty() ? "analog program" : program_.title;
    const Caption scales = Caption::name("E") + " = " + Caption::number(fmt::format("{:.6g}", program_.machine_unit)) + ", " +
                           Caption::name("tau") + " = " + factor(program_.time_scale) + Caption::name("t");
    const std::vector<Caption> said = wrapped(title + ": " + scales, letters, placed_.width + margin, 3);
    const double line = 1.3 * letters, end = placed_.height + 2 * margin;
    Scene scene{.title = title,
                .description = description(),
                .width = placed_.width + 2 * margin,
                .height = end + letters + line * static_cast<double>(said.size() - 1),
                .text_size = letters,
                .kind = "analog"};
    for (const AnalogWires::Wire& wire : placed_.wires)
      scene.groups.push_back({.style = wire_ink, .shapes = {straight_line("wire", wire.own)}});
    for (const Point junction : placed_.junctions)
      scene.groups.push_back({.style = wire_ink, .shapes = {{SceneShape::Kind::circle, "end", {junction}, 2.6}}});
    for (std::size_t i = 0; i < program_.elements.size(); ++i) scene.groups.push_back(element(i));
    SceneGroup below{.style = ""};
    for (const Caption& words : said)
      below.words.push_back({{scene.width / 2, end + line * static_cast<double>(below.words.size())}, "middle", words});
    scene.groups.push_back(std::move(below));
    return scene;
  }

 private:
  static constexpr double letters = 14, small_letters = 11, setting_letters = 9.5, sign_letters = 15;

  std::string description() const {
    std::string all;
    for (const AnalogElement& element : program_.elements) {
      all += element.id + " is " + meaning(element).plain();
      for (const auto& input : element.inputs)
        all += (&input == &element.inputs.front() ? ", from " : ", ") + program_.elements[input.from].id;
      all += "; ";
    }
    return all;
  }

  SceneGroup element(std::size_t index) const {
    const AnalogElement& element = program_.elements[index];
    const Point at{placed_.centres[index].x - width(element) / 2, placed_.centres[index].y};
    const double x = at.x + ladder(element), y = at.y, half = body(element) / 2;
    SceneGroup group{.style = "", .data = {{"element", element.id}}, .title = element.id + ": " + meaning(element).plain()};
    for (std::size_t k = 0; k < element.inputs.size(); ++k) group.groups.push_back(input(element, k, at));
    SceneGroup symbol_itself;
    shape(symbol_itself, element, x, y, half);
    SceneGroup output{.style = wire_ink, .shapes = {straight_line("wire", {{x + symbol, y}, {x + symbol + stub, y}})}};
    symbol_itself.words.push_back(
        {{x + symbol / 2, y + half + 16}, "middle", shortened(meaning(element), letters, widest_meaning)});
    if (element.initial != 0)
      symbol_itself.words.push_back({{x + symbol / 2, y - half - 6}, "middle", fmt::format("IC {:.4g}", element.initial)});
    group.groups.push_back(std::move(symbol_itself));
    group.groups.push_back(std::move(output));
    return group;
  }

  /// The way of an input into its element: through a potentiometer, at a gain.
  SceneGroup input(const AnalogElement& element, std::size_t k, const Point& at) const {
    const auto& wire = element.inputs[k];
    const double y = at.y + below_middle(element, k), end = at.x + ladder(element);
    SceneGroup way{.style = "", .groups = {{.style = wire_ink, .shapes = {straight_line("wire", {{at.x, y}, {end, y}})}}}};
    SceneGroup settings;
    if (wire.pot != 0) {
      const double centre = at.x + 20;
      settings.shapes.push_back({SceneShape::Kind::circle, "potentiometer", {{centre, y}}, radius});
      const Caption setting = fmt::format("{:.{}g}", wire.alpha, wire.alpha < 0.1 ? 2 : 3);
      constexpr double room = 1.7 * radius;
      const double fitting_letters = setting_letters * std::min(1.0, room / width_of(setting, setting_letters));
      settings.words.push_back({{centre, y + 3}, "middle", setting, fitting_letters});
    }
    if (adds(element) && wire.gain != 1)
      settings.words.push_back({{end - 8, y - 3}, "middle", fmt::format("{:.6g}", wire.gain), small_letters});
    way.groups.push_back(std::move(settings));
    return way;
  }

  static void shape(SceneGroup& group, const AnalogElement& element, double x, double y, double half) {
    const auto outline = [&](std::vector<Point> points) {
      group.shapes.push_back({SceneShape::Kind::polygon, "element", std::move(points)});
    };
    const auto name = [&](double at, double below) {
      group.words.push_back({{at, y + below}, "middle", element.id, small_letters});
    };
    const auto triangle = [&](double from) { outline({{from, y - half}, {x + symbol, y}, {from, y + half}}); };
    const auto box = [&](Caption sign) {
      outline({{x, y - half}, {x + symbol, y - half}, {x + symbol, y + half}, {x, y + half}});
      group.words.push_back({{x + symbol / 2, y - 2}, "middle", std::move(sign), sign_letters});
      name(x + symbol / 2, 13);
    };
    switch (element.kind) {
      case AnalogKind::INT:
        outline({{x, y - half}, {x + 9, y - half}, {x + 9, y + half}, {x, y + half}});
        triangle(x + 9);
        return name(x + 25, 4);
      case AnalogKind::SUM:
      case AnalogKind::INV: triangle(x); return name(x + 19, 4);
      case AnalogKind::MUL: return box("×");
      case AnalogKind::ABS: return box("|" + Caption::name("u") + "|");
      case AnalogKind::FG: return box(Caption::name("f") + "(" + Caption::name("u") + ")");
      case AnalogKind::REF: return box((element.sign > 0 ? "+" : "−") + Caption::name("E"));
      case AnalogKind::SRC: break;
    }
    group.shapes.push_back({SceneShape::Kind::circle, "element", {{x + symbol / 2, y}}, symbol / 2});
    name(x + symbol / 2, 4);
  }

  const AnalogProgram& program_;
  AnalogWires placed_;
};

void check_size(const AnalogProgram& program) {
  if (program.elements.size() > most_elements)
    throw LimitReached(
        fmt::format("a program of {} elements is too large for a sheet (limit: {})", program.elements.size(), most_elements),
        "write the patching table");
}

}  // namespace

Scene analog_sheet(const AnalogProgram& program, const PictureOptions& options) {
  check_size(program);
  const std::vector<WiredElement> elements = wired(program, options.time_limit);
  const auto in = [&](std::size_t lines) { return Sheet(program, on_sheet(analog_wires(in_lines(elements, lines))))(); };
  Scene best = in(1);
  const double width = options.width / natural_size(best.text_size, options);
  constexpr std::size_t most_lines = 12;
  for (std::size_t lines = 2; width > 0 && fitting(best, width) < least_shrinking && lines <= most_lines; ++lines)
    if (Scene narrower = in(lines); fitting(best, width) < fitting(narrower, width)) best = std::move(narrower);
  return best;
}

std::string analog_dot(const AnalogProgram& program, Theme theme) {
  check_size(program);
  return dot_text(program, true, drawing_palette(theme));
}

}  // namespace sfg
