#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sfg/draw/blocks/block_routes.hpp"
#include "sfg/draw/graph/labels.hpp"

namespace sfg {

/// What a branch shows in a structural diagram: its block, and its sign where it enters a sum.
struct BranchFace {
  bool block = false;
  bool signs = false;  ///< it enters a sum
  bool minus = false;  ///< with this sign
  Math math = Math::number("1");
  Formula formula = {};    ///< in the block
  std::string title = {};  ///< "C → e: K": what the block holds, so that sign × block is the gain
  double width = 0;        ///< of the block
  double height = 0;
};

/// The faces of all branches; `legend` takes what is named.
std::vector<BranchFace> branch_faces(const SignalFlowGraph&, const GainLabels&, double size);

/// Distances along the lines of a structural diagram, in pixels.
struct BlockSpacing {
  double arrow = 26;    ///< of the line that leads into a block
  double tail = 14;     ///< of the line that leads out
  double entries = 34;  ///< between the circles of a sum
  double exits = 18;    ///< between the dots of a signal
  double margin = 24;
};
/// As near as heads and signs allow.
inline constexpr BlockSpacing close_spacing{19, 8, 28, 12, 12};

/// A structural diagram in pixels: where bands, rows, tracks and slots lie.
class BlockPlaces {
 public:
  static constexpr double circle = 9;  ///< radius of a sum

  BlockPlaces(const SignalFlowGraph&, const BlockRows&, const std::vector<BranchFace>&, double size, const BlockSpacing&);

  const BlockRows& rows() const noexcept { return rows_; }
  const BlockRoutes& routes() const noexcept { return routes_; }
  const BlockSpacing& spacing() const noexcept { return spacing_; }
  const Label& name(NodeId node) const { return names_[node.index]; }
  double width() const noexcept { return left_.back(); }
  double height() const noexcept { return height_; }

  double left(NodeId node, BlockBand part) const { return left_[band(rows_.column[node.index], part)]; }
  double right(NodeId node, BlockBand part) const { return left_[band(rows_.column[node.index], part) + 1]; }
  double middle(std::size_t band) const { return (left_[band] + left_[band + 1]) / 2; }
  double end() const { return left_[left_.size() - 2]; }  ///< where arrows to the end end
  double y(NodeId node) const { return row_y_[rows_.row[node.index]]; }
  double y(const BlockRoute& route) const { return route.on_row ? row_y_[route.level] : track_y_[route.level][route.track]; }
  double entry_x(NodeId node, std::size_t slot) const;
  double exit_x(NodeId node, std::size_t slot) const;
  double room(std::size_t link) const { return room_[link]; }
  double via_width(NodeId node) const;
  /// A row's room above and below its line.
  double above(std::size_t row) const { return row_room_[row].above; }
  double below(std::size_t row) const { return row_room_[row].below; }
  /// The name stands on the line before the signal's first branch, behind its arrow, or over the line.
  bool is_source(NodeId node) const { return graph_.entering(node).empty(); }

 private:
  struct Room {
    double above = 0;
    double below = 0;
    void at_least(double a, double b);
  };
  /// A row, or a track between rows, and what of the width it takes.
  struct Level {
    Room room = {};
    double below = 0;  ///< to the next one
    double from = 1e9, to = -1e9;
    bool low = false;  ///< it belongs to the row below it
    double y = 0;
    bool meets(const Level&) const;
    void reach(double a, double b);
  };
  void measure_links(const std::vector<BranchFace>&);
  std::vector<double> least_widths() const;
  void place_bands(const std::vector<double>& least);
  void place_levels(const std::vector<BranchFace>&);
  void stack(std::vector<Level>&);
  double end_of_signal(NodeId) const;
  void make_room_for(NodeId, Room&) const;

  const SignalFlowGraph& graph_;
  const BlockRows& rows_;
  BlockSpacing spacing_;
  std::vector<Label> names_;
  std::vector<double> room_;  ///< by link
  BlockRoutes routes_;
  std::vector<double> left_;  ///< by band, and the right end
  std::vector<double> row_y_;
  std::vector<Room> row_room_;
  std::vector<std::vector<double>> track_y_;
  double height_ = 0;
};

}  // namespace sfg
