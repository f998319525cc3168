#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"

// Not installed: how things look in pictures that are no graphs, for the writers of all formats.
namespace sfg {

/// Of the shapes of a class. A shape of several classes has them all, the later ones of the table over the earlier ones.
struct Look {
  std::string_view of;
  std::string_view stroke = {};  ///< name of a colour, "current" of that of its group, "none"; "": as it was
  std::string_view fill = {};    ///< likewise
  double width = 0;              ///< of the stroke, pixels; 0: as it was
  bool round = false;            ///< its ends
  std::string_view dash = {};    ///< lengths of dashes and gaps, pixels; "": solid
  double fill_opacity = 1;
  double opacity = 1;  ///< of a whole group
};

/// Those of its kind that occur in a scene; none in graphs.
std::vector<Look> looks_of(const Scene&, const HouseStyle* = nullptr);

/// The colours that occur in a scene, by name; every name is also the class of things of this colour.
std::vector<std::pair<std::string, std::string>> colours_of(const Scene&, Theme, const HouseStyle* = nullptr);

/// Classes are words with blanks between them.
bool has_class(std::string_view classes, std::string_view word);
std::vector<std::string> words_of(std::string_view classes);

/// Lengths of the cycle of dashes that grey prints tell apart; "" of 0, a solid line.
inline constexpr std::size_t dash_count = 4;
std::string_view dashes(std::size_t dash);

}  // namespace sfg
