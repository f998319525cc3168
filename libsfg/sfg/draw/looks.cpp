#include "sfg/draw/looks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <sstream>

#include "sfg/draw/palette.hpp"

namespace sfg {

namespace {

constexpr std::array plot_looks{Look{"line", "current", "none", 1.8},
                                Look{"thin", "", "", 1},
                                Look{"guide", "", "", 0.7},
                                Look{"mark", "current", "paper", 1.3},
                                Look{"full", "", "current"},
                                Look{"area", "", "current", 0, false, "", 0.25},
                                Look{"bars", "current", "current", 0.6, false, "", 0.8},
                                Look{"pale", "", "", 0.9, false, "", 0.3},
                                Look{"open", "", "paper", 1.2},
                                Look{"grid", "grid", "none", 1},
                                Look{"minor", "minor", "none", 1},
                                Look{"rule", "muted", "none", 1, false, "3 3"},
                                Look{"frame", "ink", "none", 1},
                                Look{"key", "grid", "paper", 1}};

constexpr std::array mechanism_looks{Look{"edge", "ink", "none", 11, true},
                                     Look{"fill", "current", "none", 8.4, true},
                                     Look{"area", "", "current"},
                                     Look{"box", "ink", "current", 1.5},
                                     Look{"paper-line", "ink", "paper", 1.5},
                                     Look{"solid", "", "ink"},
                                     Look{"thin", "ink", "none", 1.4},
                                     Look{"element", "ink", "none", 1.4, true},
                                     Look{"rod", "ink", "none", 2.6, true},
                                     Look{"ground-line", "ink", "none", 2},
                                     Look{"hatch", "ink", "none", 1},
                                     Look{"centre-line", "ink", "none", 0.9, false, "9 3 2 3"},
                                     Look{"undeformed", "ink", "none", 1, false, "4 4"},
                                     Look{"leader", "ink", "none", 0.7},
                                     Look{"load", "law", "none", 1.8},
                                     Look{"load-head", "", "law"},
                                     Look{"axis", "current", "none", 1.6},
                                     Look{"ghost", "", "", 0, false, "", 1, 0.32}};

constexpr std::array polar_looks{Look{"course", "current", "none", 1.6},
                                 Look{"light", "", "", 1.1},
                                 Look{"bold", "", "", 3.6},
                                 Look{"head", "", "current"},
                                 Look{"ground", "ink", "none", 2.2},
                                 Look{"hatch", "ink", "none", 1},
                                 Look{"vertex", "ink", "paper", 1.6}};

constexpr std::array analog_looks{Look{"wire", "current", "none", 1.3}, Look{"end", "", "current"},
                                  Look{"element", "ink", "paper", 1.3}, Look{"potentiometer", "ink", "paper", 1.2}};

std::string shade(const SeriesPalette& palette, double part) {
  const double place = 2 * std::clamp(part, 0.0, 1.0);
  const std::size_t low = place < 1 ? 0 : 1;
  std::array<int, 3> mixed{};
  for (std::size_t k = 0; k < 3; ++k) {
    const int from = palette.ramp[low][k], to = palette.ramp[low + 1][k];
    mixed[k] = static_cast<int>(std::lround(from + (place - static_cast<double>(low)) * (to - from)));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

void add_classes(std::set<std::string>& classes, const SceneGroup& group) {
  const auto add = [&](const std::string& style) {
    for (std::string& word : words_of(style)) classes.insert(std::move(word));
  };
  add(group.style);
  for (const SceneShape& shape : group.shapes) add(shape.style);
  for (const SceneWords& text : group.words) add(text.style);
  for (const SceneGroup& inner : group.groups) add_classes(classes, inner);
}

std::set<std::string> classes_in(const Scene& scene) {
  std::set<std::string> classes;
  for (const SceneGroup& group : scene.groups) add_classes(classes, group);
  return classes;
}

std::span<const Look> table(std::string_view kind) {
  if (kind == "plot") return plot_looks;
  if (kind == "mechanism") return mechanism_looks;
  if (kind == "polar") return polar_looks;
  if (kind == "analog") return analog_looks;
  return {};
}

}  // namespace

std::vector<Look> looks_of(const Scene& scene, const HouseStyle* style) {
  const std::set<std::string> used = classes_in(scene);
  std::vector<Look> made;
  for (const Look& look : table(scene.kind))
    if (used.contains(std::string(look.of))) made.push_back(look);
  for (Look& look : made) {
    if (style == nullptr || scene.kind != "plot") break;
    if (look.of == "line" && style->curve > 0) look.width = style->curve;
    if (look.of == "frame" && style->frame > 0) look.width = style->frame;
  }
  return made;
}

std::vector<std::pair<std::string, std::string>> colours_of(const Scene& scene, Theme theme, const HouseStyle* style) {
  std::set<std::string> used = classes_in(scene);
  used.insert({"paper", "ink"});
  for (const Look& look : looks_of(scene)) used.insert({std::string(look.stroke), std::string(look.fill)});
  const DrawingPalette drawing = drawing_palette(theme, style);
  const SeriesPalette series = series_palette(theme, style);
  std::vector<std::pair<std::string, std::string>> made;
  const auto add = [&](const std::string& name, std::string_view colour) {
    if (used.contains(name)) made.emplace_back(name, colour);
  };
  add("paper", drawing.paper);
  add("ink", drawing.ink);
  add("back", drawing.feedback);
  add("law", drawing.law);
  add("third", series.third);
  add("grid", series.grid);
  add("minor", series.minor);
  add("muted", series.muted);
  for (std::size_t i = 0; i < series.curves.size(); ++i) add(fmt::format("c{}", i), series.curves[i]);
  for (std::size_t i = 0; i < series.tints.size(); ++i) add(fmt::format("tint{}", i), series.tints[i]);
  for (std::size_t i = 0; i < scene.shades.size(); ++i) add(fmt::format("s{}", i), shade(series, scene.shades[i]));
  return made;
}

std::vector<std::string> words_of(std::string_view classes) {
  std::istringstream in{std::string(classes)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

bool has_class(std::string_view classes, std::string_view word) {
  const std::vector<std::string> words = words_of(classes);
  return std::ranges::find(words, word) != words.end();
}

std::string_view dashes(std::size_t dash) {
  static constexpr std::array<std::string_view, dash_count> lengths{"", "7 4", "10 3 2 3", "2 3"};
  return lengths.at(dash);
}

}  // namespace sfg
