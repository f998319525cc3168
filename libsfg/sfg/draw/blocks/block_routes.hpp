#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "sfg/draw/blocks/block_rows.hpp"

namespace sfg {

/// The parts of a column of a structural diagram, from left to right. Vertical lines run in `entry` and `exit` alone, each in a
/// slot of its own; names and blocks stand in the other two, so that no line can meet them.
enum class BlockBand : std::size_t { entry, inside, exit, between };
constexpr std::size_t band(std::size_t column, BlockBand part) { return 4 * column + static_cast<std::size_t>(part); }

/// The way of a link: from its signal up or down in a slot, along a row or a track between rows, up or down in a slot.
struct BlockRoute {
  bool on_row = false;                     ///< the level piece lies on a row, else on a track
  std::size_t level = 0;                   ///< the row, or the gap above row `level` in which the track lies
  std::size_t track = 0;                   ///< in the gap, from above
  std::optional<std::size_t> leaves = {};  ///< slot in the exit band; none: straight on along the row of its signal
  std::optional<std::size_t> enters = {};  ///< slot in the entry band; none: straight on into its signal
  std::size_t blocks_in = 0;               ///< band of its blocks
  bool leftwards = false;
};

/// The lines between the signals of a structural diagram, no two of them on each other.
struct BlockRoutes {
  /// A place before or behind a signal on its row where lines come from above and below.
  struct Stop {
    std::size_t slot = 0;
    std::optional<std::size_t> above = {};  ///< the link that runs there
    std::optional<std::size_t> below = {};
  };
  /// What stands before and behind a signal.
  struct Ends {
    std::optional<std::size_t> straight_in = {};   ///< the link that comes along the row
    std::optional<std::size_t> straight_out = {};  ///< the link that goes on along the row
    std::vector<Stop> entries = {};                ///< from left to right; of a sum its circles but for a corner
    std::vector<Stop> exits = {};
    bool corner = false;      ///< the first of `entries` turns into the row
    bool output = false;      ///< an arrow leads on to the right
    bool to_the_end = false;  ///< as far as the picture goes
  };

  std::vector<BlockRoute> routes = {};        ///< by link
  std::vector<Ends> ends = {};                ///< by node
  std::vector<std::size_t> tracks = {};       ///< by gap: 0 … rows
  std::vector<std::size_t> entry_slots = {};  ///< by column
  std::vector<std::size_t> exit_slots = {};   ///< by column
};

/// @param room   what the blocks and names on the line of each link need, in pixels
/// @param taken  what each band needs anyway
BlockRoutes block_routes(const SignalFlowGraph&, const BlockRows&, const std::vector<double>& room, std::vector<double> taken);

}  // namespace sfg
