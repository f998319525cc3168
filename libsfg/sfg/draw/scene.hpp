#pragma once
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sfg/draw/formula.hpp"
#include "sfg/draw/graph/drawing.hpp"

namespace sfg {

/// What a picture says of a thing beside its look: pairs of a name without `data-` and a value.
using SceneData = std::vector<std::pair<std::string, std::string>>;

/// Among the points of a shape: the next one begins another piece.
inline constexpr Point pen_up{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
inline bool is_pen_up(Point p) { return std::isnan(p.x); }

/// A line, an outline or a disc.
struct SceneShape {
  enum class Kind {
    curve,     ///< Bézier curve of third order: 3k + 1 points
    polyline,  ///< straight pieces
    polygon,   ///< the same, closed
    circle,    ///< of a radius about points[0]
    box,       ///< from points[0] (left, top) to points[1] (right, bottom); radius: of its corners
  };
  Kind kind = Kind::polyline;
  std::string style;  ///< classes: "branch", "head", "node", "block", "line", …
  std::vector<Point> points = {};
  double radius = 0;
  SceneData data = {};
  std::size_t dash = 0;  ///< of the cycle of four (draw/looks); 0: as its class has it
};

/// A formula at its place.
struct SceneText {
  Label label;
  std::string style;  ///< classes: "gain", "name", "legend", "sign", …
  SceneData data = {};
};

/// Words, and names among them, on a baseline.
struct SceneWords {
  Point at;
  std::string style;  ///< classes, first where they stand: "middle" about the place, "end" before it; else they begin there
  Caption text;
  double size = 0;            ///< of letters, pixels; 0: that of the scene
  std::string exponent = {};  ///< raised behind them
  bool turned = false;        ///< from bottom to top
  SceneData data = {};
};

/// A thing of the picture: what belongs together, is named by a title and found by its data.
struct SceneGroup {
  std::string style;  ///< classes: "node", "branch back", "block", …
  SceneData data = {};
  std::string title = {};
  std::vector<SceneShape> shapes = {};  ///< below the texts
  std::vector<SceneText> texts = {};
  std::vector<SceneGroup> groups = {};  ///< above both
  std::vector<SceneWords> words = {};   ///< between texts and groups
};

/// Moves all that the group has.
void shift(SceneGroup&, Point by);

/// A picture as groups of shapes and formulas in reading order: what the writers of formats need and nothing else.
/// The classes name what a thing is; how it looks is the theme's affair.
struct Scene {
  std::string title = {};
  std::string description = {};  ///< in words, for those who do not see the picture
  double width = 0;              ///< pixels
  double height = 0;
  double text_size = 17;  ///< of formulas, pixels
  std::vector<SceneGroup> groups = {};
  std::string kind = {};            ///< whose looks its classes have: "plot", "mechanism", "polar", "analog"; "": of graphs
  double paper_width = 0;           ///< mm; 0: not stated
  double paper_height = 0;          ///< likewise
  std::vector<double> shades = {};  ///< of the colours "s0", "s1", …: places on the ramp of the palette, 0 … 1
};

}  // namespace sfg
