#include "sfg/draw/mechanism_picture.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/mechanism_sheet.hpp"
#include "sfg/draw/mechanism_symbols.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using symbols::at;
using symbols::number;

constexpr double mechanism_text_size = 15;

struct LabelBox {
  Point centre;
  double half_width, half_height;
};

double name_width(const std::string& text) { return typeset_plain(text, mechanism_text_size).width; }

}  // namespace

std::vector<Point> label_offsets(const MechanismScene& scene, const MechanismView& view) {
  std::vector<Point> offsets;
  std::vector<LabelBox> placed;
  const auto faults = [&](const LabelBox& box) {
    double sum = 0;
    for (const Point& p : scene.covered)
      if (std::abs(p.x - box.centre.x) < box.half_width + 7 && std::abs(p.y - box.centre.y) < box.half_height + 7) sum += 1;
    for (const LabelBox& other : placed)
      if (std::abs(other.centre.x - box.centre.x) < other.half_width + box.half_width + 2 &&
          std::abs(other.centre.y - box.centre.y) < other.half_height + box.half_height + 1)
        sum += 12;
    if (box.centre.x < box.half_width + 4 || box.centre.x > view.width() - box.half_width - 4 ||
        box.centre.y < box.half_height + 4 || box.centre.y > view.height() - box.half_height - 4)
      sum += 30;
    return sum;
  };
  for (const MechanismLabel& label : scene.labels) {
    const double half_width = name_width(label.text) / 2 + 1, half_height = 8;
    Point best{};
    double least = -1;
    for (int ring = 0; ring < 4; ++ring)
      for (int i = 0; i < 16; ++i) {
        const double angle = (i * 22.5 + 45) * 0.017453292519943295, d = label.distance + 8 * ring;
        const Point offset{(d + half_width * std::abs(std::cos(angle))) * std::cos(angle), -(d - 2) * std::sin(angle)};
        const LabelBox box{{label.anchor.x + offset.x, label.anchor.y + offset.y}, half_width, half_height};
        const double cost = faults(box) + 0.9 * ring + 0.01 * i;
        if (least < 0 || cost < least) least = cost, best = offset;
      }
    offsets.push_back(best);
    placed.push_back({{label.anchor.x + best.x, label.anchor.y + best.y}, half_width, half_height});
  }
  return offsets;
}

std::string mechanism_style(bool dark) {
  const auto& [paper, ink, feedback, law, on, faded] = dark ? dark_drawing : light_drawing;
  const std::array<const char*, 6> light{"#cfe1f5", "#f7dcc4", "#d3ecd6", "#ecd5e8", "#f3e7b3", "#d5e9ef"};
  const std::array<const char*, 6> shade{"#27425f", "#5c3d22", "#264a2e", "#4f2f4a", "#544a1c", "#23454f"};
  std::ostringstream out;
  out << ".paper{fill:" << paper << "}\npath{stroke-linejoin:round;stroke-linecap:round}\n"
      << ".edge{fill:none;stroke:" << ink << ";stroke-width:11}\n.fill{stroke-width:8.4}\n.box{stroke:" << ink
      << ";stroke-width:1.5}\n";
  for (std::size_t i = 0; i < light.size(); ++i)
    out << ".fill.tint" << i << "{fill:none;stroke:" << (dark ? shade[i] : light[i]) << "}\n.area.tint" << i << ",.box.tint" << i
        << "{fill:" << (dark ? shade[i] : light[i]) << "}\n";
  out << ".paper-line{fill:" << paper << ";stroke:" << ink << ";stroke-width:1.5}\n.solid{fill:" << ink
      << "}\n.thin,.element,.rod{fill:none;stroke:" << ink
      << ";stroke-width:1.4}\n.rod{stroke-width:2.6}\n.ground-line{fill:none;stroke:" << ink
      << ";stroke-width:2}\n.hatch{fill:none;stroke:" << ink << ";stroke-width:1}\n.centre-line{fill:none;stroke:" << ink
      << ";stroke-width:.9;stroke-dasharray:9 3 2 3}\n.undeformed{fill:none;stroke:" << ink
      << ";stroke-width:1;stroke-dasharray:4 4}\n.load{fill:none;stroke:" << law << ";stroke-width:1.8}\n.load-head{fill:" << law
      << "}\n.axis{fill:none;stroke-width:1.6}\n.axis0{stroke:" << law << "}\n.axis1{stroke:" << (dark ? "#7bd88f" : "#1d7a35")
      << "}\n.axis2{stroke:" << feedback << "}\n.ghost{opacity:.32}\n"
      << "text{font-family:'Liberation Serif','STIX Two Text','Times New Roman',Times,serif;font-size:" << mechanism_text_size
      << "px;fill:" << ink << ";text-anchor:middle;paint-order:stroke;stroke:" << paper
      << ";stroke-width:4px;stroke-linejoin:round}\n.name{font-weight:bold}\n.joint,.element-name{font-style:italic}\n.load-name{"
         "fill:"
      << law << ";font-style:italic}\n";
  return out.str();
}

void write_part(std::ostream& out, const MechanismPart& part) {
  out << R"(<g class=")" << part.kind << R"(" data-)" << part.kind << R"(=")" << xml_text(part.name) << "\"><title>"
      << xml_text(part.title) << "</title>";
  for (const auto& path : part.paths) out << R"(<path class=")" << path.style << R"(" d=")" << path.d << R"("/>)";
  out << "</g>\n";
}

void write_opening(std::ostream& out, const Mechanism& m, const MechanismView& view) {
  const std::string w = number(std::ceil(view.width())), h = number(std::ceil(view.height()));
  std::string description;
  for (const auto& joint : m.joints) {
    const auto name = [&](std::size_t body) { return body == 0 ? std::string("frame") : m.bodies[body - 1].name; };
    description += (description.empty() ? "" : "; ") + ("joint " + joint.name) + " of " + name(joint.places[0].body) + " and " +
                   name(joint.places[1].body);
  }
  for (const std::string& particle : m.particles) description += (description.empty() ? "particle " : "; particle ") + particle;
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << w << ' ' << h << R"(" width=")" << w << R"(" height=")"
      << h << R"(" role="img" aria-labelledby="title description">)" << '\n'
      << R"(<title id="title">)" << xml_text(m.title.empty() ? "Mechanism" : m.title) << "</title>\n"
      << R"(<desc id="description">)" << xml_text(description) << "</desc>\n";
}

void check_size(const Mechanism& m) {
  constexpr std::size_t most = 400;
  if (m.bodies.size() + m.particles.size() > most)
    throw LimitReached("a picture of " + std::to_string(m.bodies.size() + m.particles.size()) + " bodies would show nothing",
                       "draw a part of the model");
}

std::string mechanism_picture(const Mechanism& m, const MechanismPose& pose, std::span<const MechanismPose> ghosts,
                              PictureFormat format, const PictureOptions& options) {
  check_size(m);
  if (format == PictureFormat::dot)
    throw NoAnswer("a mechanism is no graph, so that there is no DOT of it", "write .svg, .png or .pdf");
  std::vector<MechanismPose> all(ghosts.begin(), ghosts.end());
  all.push_back(pose);
  const MechanismView view(m, all);
  const MechanismScene scene = mechanism_scene(m, pose, view, all);
  std::ostringstream out;
  write_opening(out, m, view);
  out << "<style>\n" << mechanism_style(options.theme == Theme::dark) << "</style>\n";
  out << R"(<rect class="paper" width=")" << number(std::ceil(view.width())) << R"(" height=")"
      << number(std::ceil(view.height())) << "\"/>\n";
  for (const MechanismPose& ghost : ghosts) {
    out << "<g class=\"ghost\">\n";
    for (const MechanismPart& part : mechanism_ghost(m, ghost, view)) write_part(out, part);
    out << "</g>\n";
  }
  for (const MechanismPart& part : scene.parts) write_part(out, part);
  const std::vector<Point> offsets = label_offsets(scene, view);
  for (std::size_t i = 0; i < scene.labels.size(); ++i) {
    const MechanismLabel& label = scene.labels[i];
    out << R"(<text class=")" << label.style << R"(" x=")" << number(label.anchor.x + offsets[i].x) << R"(" y=")"
        << number(label.anchor.y + offsets[i].y + 5) << "\">" << xml_text(label.text) << "</text>\n";
  }
  out << "</svg>\n";
  const std::string svg = out.str();
  return converted(sized(svg, mechanism_text_size, options), format, options);
}

}  // namespace sfg
