#include "sfg/draw/bodies/mechanism_picture.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/draw/bodies/mechanism_sheet.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/names_in_use.hpp"

namespace sfg {

namespace {

constexpr double mechanism_text_size = 15;

struct LabelBox {
  Point centre;
  double half_width, half_height;
};

/// Names with commas between them. Bodies are called by words: three small letters are no letter with an index.
Caption caption_of(const MechanismLabel& label) {
  const std::string& text = label.text;
  const bool small = std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  if (label.style == body_name && small && text.size() == 3 && greek_by_name(text).empty()) return text;
  Caption made;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    if (begin > 0) made += ", ";
    made += Caption::name(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return made;
}

double name_width(const MechanismLabel& label) { return width_of(caption_of(label), mechanism_text_size); }

}  // namespace

std::vector<Point> label_offsets(const MechanismDrawing& scene, const MechanismView& view) {
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
    const double half_width = name_width(label) / 2 + 1, half_height = 8;
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

Scene mechanism_scene(const Mechanism& m, const MechanismView& view, MechanismDrawing drawing,
                      const std::vector<Point>& offsets) {
  constexpr double below = 5;  // the middle of letters: their baseline
  Scene scene{.title = m.title.empty() ? "Mechanism" : m.title,
              .width = view.width(),
              .height = view.height(),
              .text_size = mechanism_text_size,
              .groups = std::move(drawing.parts),
              .kind = "mechanism"};
  std::string& said = scene.description;
  for (const auto& joint : m.joints) {
    const auto name = [&](std::size_t body) { return body == 0 ? std::string("frame") : m.bodies[body - 1].name; };
    said += (said.empty() ? "" : "; ") + ("joint " + joint.name) + " of " + name(joint.places[0].body) + " and " +
            name(joint.places[1].body);
  }
  for (const std::string& particle : m.particles) said += (said.empty() ? "particle " : "; particle ") + particle;
  SceneGroup names{.style = "names"};
  for (std::size_t i = 0; i < drawing.labels.size(); ++i) {
    const MechanismLabel& label = drawing.labels[i];
    names.words.push_back({{label.anchor.x + offsets[i].x, label.anchor.y + offsets[i].y + below},
                           label.style == "law" ? "middle halo law" : "middle halo",
                           caption_of(label)});
  }
  scene.groups.push_back(std::move(names));
  return scene;
}

void check_size(const Mechanism& m) {
  constexpr std::size_t most = 400;
  if (m.bodies.size() + m.particles.size() > most)
    throw LimitReached("a picture of " + std::to_string(m.bodies.size() + m.particles.size()) + " bodies would show nothing",
                       "draw a part of the model");
}

Scene mechanism_picture(const Mechanism& m, const MechanismPose& pose, std::span<const MechanismPose> ghosts) {
  check_size(m);
  std::vector<MechanismPose> all(ghosts.begin(), ghosts.end());
  all.push_back(pose);
  const MechanismView view(m, all);
  MechanismDrawing drawing = mechanism_drawing(m, pose, view, all);
  const std::vector<Point> offsets = label_offsets(drawing, view);
  std::vector<SceneGroup> behind;
  for (const MechanismPose& ghost : ghosts) behind.push_back({.style = "ghost", .groups = mechanism_ghost(m, ghost, view)});
  drawing.parts.insert(drawing.parts.begin(), behind.begin(), behind.end());
  return mechanism_scene(m, view, std::move(drawing), offsets);
}

}  // namespace sfg
