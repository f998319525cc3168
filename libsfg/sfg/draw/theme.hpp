#pragma once
#include <map>
#include <string>
#include <vector>

namespace sfg {

/// How the pictures of a house look, graphs and plots, SVG and TikZ alike; what it does not state stays as it is. A picture in a
/// house style has its colours everywhere: it does not turn dark.
struct HouseStyle {
  /// "#rrggbb" by name: paper, ink, feedback, nonlinear, highlight, faded; of plots: grid, minor, muted.
  std::map<std::string, std::string, std::less<>> colours = {};
  std::vector<std::string> curves = {};  ///< colours of curves, in their order
  std::string words = {};                ///< family of the words of plots; formulas are outlines
  std::string latex = {};                ///< of TikZ: a command for all letters, without its backslash: "sffamily"
  double branch = 0;                     ///< width of the branches of graphs, pixels (of 1/96 inch); 0: as it is
  double curve = 0;                      ///< of the curves of plots
  double frame = 0;                      ///< of their frames
  double arrow_length = 0, arrow_width = 0;
  double node_radius = 0;
  std::string node_fill = {};  ///< "paper", "ink" or a colour

  static const std::vector<std::string>& colour_names();
};

/// The colours of a picture.
enum class Theme {
  automatic,   ///< light, and dark where the reader prefers that (SVG in a browser)
  light,       ///< on white
  dark,        ///< on a dark ground
  print,       ///< black on no ground: laws told apart by their dashes
  colorblind,  ///< on white, colours that everyone tells apart (Okabe and Ito 2008)
};

}  // namespace sfg
