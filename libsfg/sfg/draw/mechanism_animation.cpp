// Every frame is drawn as the picture is; what changes from frame to frame, path data and places of names, stands as lists beside
// the elements, and a script of twenty lines puts it in. So the animation needs no geometry of its own and shows what the picture
// shows.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "sfg/draw/mechanism_picture.hpp"
#include "sfg/draw/mechanism_sheet.hpp"
#include "sfg/draw/mechanism_symbols.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using symbols::number;

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

/// The scenes of all frames: what every path and name is over time.
class Film {
 public:
  Film(const Mechanism& m, std::span<const MechanismPose> poses, const MechanismView& view) : view_(view) {
    for (const MechanismPose& pose : poses) scenes_.push_back(mechanism_scene(m, pose, view, poses));
    offsets_ = label_offsets(scenes_.front(), view);
  }

  void elements(std::ostream& out) {
    const MechanismScene& first = scenes_.front();
    for (std::size_t p = 0; p < first.parts.size(); ++p) part(out, p);
    for (std::size_t i = 0; i < first.labels.size(); ++i) {
      const MechanismLabel& label = first.labels[i];
      out << R"(<text class=")" << label.style << R"(" x=")" << x(label, i) << R"(" y=")" << y(label, i) << '"';
      if (moves(i)) {
        out << R"( data-i=")" << names_.size() << '"';
        names_.push_back(i);
      }
      out << '>' << xml_text(label.text) << "</text>\n";
    }
  }

  void data(std::ostream& out, std::span<const double> times) const {
    out << "{\"times\":[";
    for (std::size_t k = 0; k < times.size(); ++k) out << (k == 0 ? "" : ",") << print(times[k]);
    out << "],\n\"paths\":[";
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      out << (i == 0 ? "[" : ",\n[");
      for (std::size_t k = 0; k < scenes_.size(); ++k)
        out << (k == 0 ? "\"" : ",\"") << path(k, paths_[i].first, paths_[i].second) << '"';
      out << ']';
    }
    out << "],\n\"names\":[";
    for (std::size_t i = 0; i < names_.size(); ++i) {
      out << (i == 0 ? "[" : ",\n[");
      for (std::size_t k = 0; k < scenes_.size(); ++k) {
        const MechanismLabel& label = label_in(scenes_[k], names_[i]);
        out << (k == 0 ? "[" : ",[") << x(label, names_[i]) << ',' << y(label, names_[i]) << ']';
      }
      out << ']';
    }
    out << "]}";
  }

 private:
  std::string x(const MechanismLabel& label, std::size_t i) const { return number(label.anchor.x + offsets_[i].x); }
  std::string y(const MechanismLabel& label, std::size_t i) const { return number(label.anchor.y + offsets_[i].y + 5); }
  const MechanismLabel& label_in(const MechanismScene& scene, std::size_t label) const {
    const MechanismLabel& wanted = scenes_.front().labels[label];
    const auto same = [&](const MechanismLabel& other) { return other.text == wanted.text && other.style == wanted.style; };
    if (label < scene.labels.size() && same(scene.labels[label])) return scene.labels[label];
    const auto found = std::ranges::find_if(scene.labels, same);
    return found == scene.labels.end() ? wanted : *found;
  }
  bool moves(std::size_t label) const {
    return std::ranges::any_of(scenes_, [&](const MechanismScene& scene) {
      const Point a = label_in(scene, label).anchor, b = scenes_.front().labels[label].anchor;
      return std::abs(a.x - b.x) > 0.05 || std::abs(a.y - b.y) > 0.05;
    });
  }

  /// The same path in another frame. What is too short or seen from its end is left out there, so that places in the lists shift.
  const std::string& path(std::size_t frame, std::size_t part, std::size_t path) const {
    static const std::string nothing = "M0,0";
    const MechanismPart& wanted = scenes_.front().parts[part];
    const auto& parts = scenes_[frame].parts;
    const auto same = [&](const MechanismPart& other) {
      return other.kind == wanted.kind && other.name == wanted.name && other.title == wanted.title;
    };
    const auto found = part < parts.size() && same(parts[part]) ? parts.begin() + static_cast<std::ptrdiff_t>(part)
                                                                : std::ranges::find_if(parts, same);
    if (found == parts.end()) return nothing;
    std::size_t before = 0;  // of its style
    for (std::size_t i = 0; i < path; ++i) before += wanted.paths[i].style == wanted.paths[path].style ? 1 : 0;
    for (const auto& other : found->paths)
      if (other.style == wanted.paths[path].style && before-- == 0) return other.d;
    return nothing;
  }

  void part(std::ostream& out, std::size_t p) {
    const MechanismPart& first = scenes_.front().parts[p];
    out << R"(<g class=")" << first.kind << R"(" data-)" << first.kind << R"(=")" << xml_text(first.name) << "\"><title>"
        << xml_text(first.title) << "</title>";
    for (std::size_t i = 0; i < first.paths.size(); ++i) {
      out << R"(<path class=")" << first.paths[i].style << '"';
      bool changes = false;
      for (std::size_t k = 1; k < scenes_.size() && !changes; ++k) changes = path(k, p, i) != first.paths[i].d;
      if (changes) {
        out << R"( data-i=")" << paths_.size() << '"';
        paths_.emplace_back(p, i);
      }
      out << R"( d=")" << first.paths[i].d << R"("/>)";
    }
    out << "</g>\n";
  }

  const MechanismView& view_;
  std::vector<MechanismScene> scenes_;
  std::vector<Point> offsets_;
  std::vector<std::pair<std::size_t, std::size_t>> paths_;  // that move: part and path
  std::vector<std::size_t> names_;                          // that move
};

}  // namespace

std::string mechanism_animation(const Mechanism& m, std::span<const double> times, std::span<const MechanismPose> poses,
                                const PictureOptions& options) {
  if (times.size() != poses.size() || times.empty())
    throw std::invalid_argument("mechanism_animation: as many poses as times are needed, at least one");
  check_size(m);
  const MechanismView view(m, poses);
  Film film(m, poses, view);
  const std::string title = xml_text(m.title.empty() ? "Mechanism" : m.title);
  std::ostringstream out;
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" << title << "</title>\n<style>\n"
      << "body{margin:1rem;font-family:sans-serif;background:"
      << (options.theme == Theme::dark ? "#16181d;color:#e6e6e6" : "#ffffff;color:#1a1a1a")
      << "}\nsvg{max-width:100%;height:auto}\n#controls{display:flex;gap:1rem;align-items:center;max-width:44rem}\n"
      << "#controls[hidden]{display:none}\n#time{flex:1}\n"
      << mechanism_style(options.theme == Theme::dark) << "</style>\n</head>\n<body>\n<h1>" << title << "</h1>\n";
  write_opening(out, m, view);
  film.elements(out);
  out << "</svg>\n<div id=\"controls\" hidden>\n<button id=\"play\" type=\"button\" aria-pressed=\"false\">Play</button>\n"
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
