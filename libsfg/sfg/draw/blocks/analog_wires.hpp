#pragma once
#include <cstddef>
#include <vector>

#include "sfg/draw/curve.hpp"

namespace sfg {

/// An element of a sheet: inputs come in at its left, its output leaves in the middle of its right.
struct WiredElement {
  Point centre;
  double width = 0, height = 0;
  struct Input {
    std::size_t from = 0;
    double below = 0;  ///< the centre
  };
  std::vector<Input> inputs = {};
};

/// The elements of a wide sheet in lines one under the other, as text has them: each as many columns on, apart as far as the
/// wires between them need.
std::vector<WiredElement> in_lines(std::vector<WiredElement>, std::size_t lines);

struct AnalogWires {
  std::vector<Point> centres;  ///< of the elements, moved apart until the wires have room
  double width = 0, height = 0;
  struct Wire {
    std::size_t to = 0, input = 0;
    std::vector<Point> points;
    std::vector<Point> own = {};  ///< what no wire before it of the same output has: what is to be drawn
  };
  std::vector<Wire> wires;
  std::vector<Point> junctions;
};

/// Level and upright wires: each output has upright pieces between columns of elements, in tracks, and at most one level piece
/// past columns, through a gap between elements or around all of them. Wires of two outputs cross, but never lie on each other.
AnalogWires analog_wires(const std::vector<WiredElement>&);

}  // namespace sfg
