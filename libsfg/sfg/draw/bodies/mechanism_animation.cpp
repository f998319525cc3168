// Every frame is a scene as the picture is; what changes from frame to frame, path data and places of names, stands as lists
// beside the elements of the first one, and a script of twenty lines puts it in. So the animation needs no geometry of its own
// and shows what the picture shows.
#include <algorithm>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "sfg/draw/bodies/mechanism_picture.hpp"
#include "sfg/draw/bodies/mechanism_sheet.hpp"
#include "sfg/draw/curve.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/draw/svg_path.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_bytes = 20'000'000;

constexpr const char* script = R"js("use strict";
(function () {
  const data = JSON.parse(document.getElementById("frames").textContent);
  const paths = document.querySelectorAll("svg path[data-i]"), names = document.querySelectorAll("svg text[data-i]");
  const slider = document.getElementById("time"), button = document.getElementById("play"), shown = document.getElementById("now");
  let playing = false, begun = 0, offset = 0;
  function frame_at(t) {
    let low = 0, high = data.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (data.times[middle] <= t) low = middle; else high = middle - 1;
    }
    return low;
  }
  function show(t) {
    const k = frame_at(t);
    paths.forEach(function (path) { path.setAttribute("d", data.paths[+path.dataset.i][k]); });
    names.forEach(function (name) {
      const at = data.names[+name.dataset.i][k];
      name.setAttribute("x", at[0]);
      name.setAttribute("y", at[1]);
    });
    slider.value = t;
    shown.textContent = "t = " + t.toFixed(2) + " s";
  }
  function step(now) {
    if (!playing) return;
    const last = data.times[data.times.length - 1], first = data.times[0];
    let t = offset + (now - begun) / 1000;
    if (t > last) { begun = now; offset = t = first; }
    show(t);
    requestAnimationFrame(step);
  }
  function play(on) {
    playing = on;
    button.textContent = on ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(on));
    if (on) {
      offset = +slider.value >= data.times[data.times.length - 1] ? data.times[0] : +slider.value;
      begun = performance.now();
      requestAnimationFrame(step);
    }
  }
  button.addEventListener("click", function () { play(!playing); });
  slider.addEventListener("input", function () { play(false); show(+slider.value); });
  document.getElementById("controls").hidden = false;
  show(data.times[0]);
  play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
})();
)js";

/// Discs as closed curves: what moves are paths and names.
SceneShape as_path(SceneShape shape) {
  if (shape.kind != SceneShape::Kind::circle) return shape;
  shape.points = arc(shape.points[0], {shape.radius, 0}, {0, -shape.radius}, 0, 2 * std::numbers::pi);
  shape.kind = SceneShape::Kind::curve;
  return shape;
}

/// The scenes of all frames, and what of the first one moves.
class Film {
 public:
  Film(const Mechanism& m, std::span<const MechanismPose> poses, const MechanismView& view) {
    std::vector<Point> offsets;
    for (const MechanismPose& pose : poses) {
      MechanismDrawing drawing = mechanism_drawing(m, pose, view, poses);
      if (offsets.empty()) {
        labels_ = drawing.labels;
        offsets = label_offsets(drawing, view);
      }
      in_order(drawing.labels);
      frames_.push_back(mechanism_scene(m, view, std::move(drawing), offsets));
      for (SceneGroup& part : frames_.back().groups)
        for (SceneShape& shape : part.shapes) shape = as_path(std::move(shape));
    }
    Scene& first = frames_.front();
    for (std::size_t p = 0; p < first.groups.size(); ++p)
      for (std::size_t i = 0; i < first.groups[p].shapes.size(); ++i) follow(p, i);
    std::vector<SceneWords>& names = first.groups.back().words;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::ranges::any_of(frames_, [&](const Scene& frame) { return place(frame, i) != place(first, i); })) {
        names_.push_back(i);
        names[i].data = {{"i", std::to_string(names_.size() - 1)}};
      }
  }

  /// The first frame; what moves has a number.
  const Scene& first() const { return frames_.front(); }

  void data(std::ostream& out, std::span<const double> times) const {
    const auto list = [&](std::size_t size, const auto& write) {
      out << '[';
      for (std::size_t k = 0; k < size; ++k) {
        out << (k == 0 ? "" : ",");
        write(k);
      }
      out << ']';
    };
    out << "{\"times\":";
    list(times.size(), [&](std::size_t k) { out << print(times[k]); });
    out << ",\n\"paths\":";
    list(paths_.size(), [&](std::size_t i) {
      out << (i == 0 ? "" : "\n");
      list(frames_.size(), [&](std::size_t k) { out << '"' << paths_[i][k] << '"'; });
    });
    out << ",\n\"names\":";
    list(names_.size(), [&](std::size_t i) {
      out << (i == 0 ? "" : "\n");
      list(frames_.size(), [&](std::size_t k) { out << '[' << place(frames_[k], names_[i]) << ']'; });
    });
    out << '}';
  }

 private:
  /// The names of the first frame in its order: what is seen from its end has none, which keeps its place.
  void in_order(std::vector<MechanismLabel>& labels) const {
    std::vector<MechanismLabel> made = labels_;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto same = [&](const MechanismLabel& other) { return other.text == made[i].text && other.style == made[i].style; };
      const auto found = i < labels.size() && same(labels[i]) ? labels.begin() + static_cast<std::ptrdiff_t>(i)
                                                              : std::ranges::find_if(labels, same);
      if (found != labels.end()) made[i] = *found;
    }
    labels = std::move(made);
  }
  static std::string place(const Scene& frame, std::size_t name) {
    const Point at = frame.groups.back().words[name].at;
    return rounded_to_tenths(at.x) + ',' + rounded_to_tenths(at.y);
  }

  /// Notes a path of the first frame where it is another one in some frame.
  void follow(std::size_t part, std::size_t shape) {
    std::vector<std::string> paths;
    for (const Scene& frame : frames_) paths.push_back(path(frame, part, shape));
    if (std::ranges::count(paths, paths.front()) == std::ssize(paths)) return;
    frames_.front().groups[part].shapes[shape].data = {{"i", std::to_string(paths_.size())}};
    paths_.push_back(std::move(paths));
  }
  /// The same path in a frame. What is too short or seen from its end is left out there, so that places in the lists shift.
  std::string path(const Scene& frame, std::size_t part, std::size_t shape) const {
    const SceneGroup& wanted = frames_.front().groups[part];
    const std::string& style = wanted.shapes[shape].style;
    const auto same = [&](const SceneGroup& other) { return other.title == wanted.title && other.data == wanted.data; };
    const auto found = part < frame.groups.size() && same(frame.groups[part])
                           ? frame.groups.begin() + static_cast<std::ptrdiff_t>(part)
                           : std::ranges::find_if(frame.groups, same);
    const auto begin = wanted.shapes.begin(), own = begin + static_cast<std::ptrdiff_t>(shape);
    auto before = std::ranges::count(begin, own, style, &SceneShape::style);
    if (found != frame.groups.end())
      for (const SceneShape& other : found->shapes)
        if (other.style == style && before-- == 0) return svg_path(other);
    return "M0,0";
  }

  std::vector<MechanismLabel> labels_;
  std::vector<Scene> frames_;
  std::vector<std::vector<std::string>> paths_;  ///< that move: in every frame
  std::vector<std::size_t> names_;               ///< that move
};

}  // namespace

std::string mechanism_animation(const Mechanism& m, std::span<const double> times, std::span<const MechanismPose> poses,
                                const PictureOptions& options) {
  if (times.size() != poses.size() || times.empty())
    throw std::invalid_argument("mechanism_animation: as many poses as times are needed, at least one");
  check_size(m);
  const MechanismView view(m, poses);
  const Film film(m, poses, view);
  const auto colours = [](Theme theme) {
    const DrawingPalette& palette = drawing_palette(theme);
    return "background:" + std::string(palette.paper) + ";color:" + std::string(palette.ink);
  };
  const std::string title = xml_text(film.first().title);
  std::ostringstream out;
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" << title << "</title>\n<style>\n"
      << "body{margin:1rem;font-family:sans-serif;" << colours(options.theme) << "}\n"
      << (options.theme == Theme::automatic
              ? "@media screen and (prefers-color-scheme:dark){body{" + colours(Theme::dark) + "}}\n"
              : "")
      << "svg{max-width:100%;height:auto}\n#controls{display:flex;gap:1rem;align-items:center;max-width:44rem}\n"
      << "#controls[hidden]{display:none}\n#time{flex:1}\n</style>\n</head>\n<body>\n<h1>" << title << "</h1>\n";
  write_svg(out, film.first(), {.theme = options.theme});
  out << "<div id=\"controls\" hidden>\n<button id=\"play\" type=\"button\" aria-pressed=\"false\">Play</button>\n"
      << "<input id=\"time\" type=\"range\" aria-label=\"time in seconds\" min=\"" << print(times.front()) << "\" max=\""
      << print(times.back()) << "\" step=\"any\" value=\"" << print(times.front())
      << "\">\n<output id=\"now\"></output>\n</div>\n"
      << "<script type=\"application/json\" id=\"frames\">";
  film.data(out, times);
  out << "</script>\n<script>\n" << script << "</script>\n</body>\n</html>\n";
  std::string html = out.str();
  if (html.size() > most_bytes)
    throw LimitReached("the animation would have " + std::to_string(html.size() / 1'000'000) + " MB",
                       "take fewer points in time");
  return html;
}

}  // namespace sfg
