#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/read/input.hpp"
#include "sfg/read/netlist_blocks.hpp"
#include "sfg/read/spice.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

// Input as the words say it, with the small-signal values of --operating-point and the temperature where they are given.

/// A text whose name names no file.
Input read_given(const Arguments&, std::string_view text, InputFormat, const std::string& name);
/// The text of the file.
Input read_text(const Arguments&, std::string_view text, const std::string& file, std::optional<InputFormat>);

/// What --temperature sets: "temper=85"; nothing without it.
std::vector<std::string> temperature_setting(Task&);
/// The input as it is stated, for whoever reads more of it than a graph or a model.
struct StatedInput {
  std::string text;
  std::string name;  ///< a file, or what messages call it
  InputFormat format;
  bool given = false;  ///< the name is no file's
};
StatedInput stated_input(Task&);
/// Where a netlist stands whose operating point is solved for; nothing of any other input.
std::optional<SpiceRest> solved_rest(Task&, const StatedInput&);
/// A netlist with its subcircuits. @param asked, all  of sfg::read_netlist_blocks
NetlistBlocks netlist_blocks(const Arguments&, const StatedInput&, const std::vector<std::string>& asked, bool all, Input&);

}  // namespace sfg::command
