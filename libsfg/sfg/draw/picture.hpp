#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/places.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

enum class PictureFormat { svg, png, pdf, eps, tex, dot };

struct PictureOptions {
  Theme theme = Theme::automatic;
  Highlight highlight = {};
  Parts parts = Parts::automatic;              ///< of the graph; DOT has all of it, but for Parts::used
  std::vector<exact::Rational> decimals = {};  ///< that were typed in the gains: they stay
  std::optional<Places> like = {};             ///< of an earlier picture: what the graph has in common with it stays
  bool mirror = false;                         ///< a graph from right to left
  bool number_loops = false;                   ///< of a graph: L1, L2, … in its loops
  double width = 0;                            ///< the picture is no wider, mm; 0: as wide as it comes
  double font_size = 0;                        ///< of its text, points; 0: as it comes
  double scale = 2;                            ///< of PNG: its pixels by those of the screen
  bool fragment = false;                       ///< of TeX: without a preamble, for a document of its own
  std::shared_ptr<const HouseStyle> style = {};
  bool outline = false;    ///< of SVG: all letters are paths, as they are in PNG, PDF and EPS
  double time_limit = 20;  ///< seconds for a program of another package
  Budget budget = {};
  std::vector<Diagnostic>* notes = nullptr;  ///< takes what is to be said of the picture: that a width does not suffice
};

/// The graph as that picture shows it, drawn as wide as it comes, closer where options.width says so.
Drawing fitted_drawing(const SignalFlowGraph&, const PictureOptions& = {});
/// The picture as the bytes of a file, drawn by layout(); PNG, PDF and EPS are made of that SVG by `rsvg-convert`, which runs as
/// a child process with limits on time and memory.
/// @throws NoAnswer when the program is missing or fails; LimitReached when it takes too long.
std::string picture(const SignalFlowGraph&, PictureFormat, const PictureOptions& = {});
/// A picture of another kind, of those formats that any scene has. @throws as above; NoAnswer for DOT.
std::string picture(const Scene&, PictureFormat, const PictureOptions& = {});

}  // namespace sfg
