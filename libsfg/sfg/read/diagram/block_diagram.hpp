#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sfg/read/source_text.hpp"

namespace sfg {

struct BlockDiagram;

/// Subsystems in subsystems.
inline constexpr std::size_t deepest_subsystem = 64;

/// A block as its file states it; what it does is another's business.
struct DiagramBlock {
  std::string type;  ///< Gain, TransferFcn; of Xcos GAINBLK, CLR
  std::string name;  ///< blanks and line ends in it are one blank each
  std::string path;  ///< with the subsystems about it: "Plant/Motor/Gain"
  SourceSpan where = {};
  std::map<std::string, Passage, std::less<>> parameters = {};  ///< of Xcos "1", "2" … in the order of its dialogue
  std::size_t inputs = 0, outputs = 0;
  std::map<std::size_t, std::string> signals = {};  ///< names of what leaves, by output port from 0
  std::unique_ptr<BlockDiagram> inside = {};
  bool passed_over = false;  ///< commented out
  bool through = false;      ///< commented through: what enters leaves

  const Passage* find(std::string_view parameter) const {
    const auto found = parameters.find(parameter);
    return found == parameters.end() ? nullptr : &found->second;
  }
  std::string text(std::string_view parameter, std::string otherwise = "") const {
    const Passage* const stated = find(parameter);
    return stated ? stated->trimmed().text : otherwise;
  }
};

/// From a port of one block to a port of another, each counted from 0.
struct DiagramLine {
  std::size_t from = 0, from_port = 0, to = 0, to_port = 0;
};

/// Blocks and lines of one level.
struct BlockDiagram {
  std::string title = {};
  std::vector<DiagramBlock> blocks = {};
  std::vector<DiagramLine> lines = {};
  std::vector<DiagramLine> events = {};                 ///< of Xcos: who is activated by whom
  std::vector<Passage> statements = {};                 ///< K = 10; T = 0.5
  std::vector<std::pair<Passage, Passage>> names = {};  ///< of a mask: a name and what it stands for, seen from outside
};

/// A name on one line, and its path.
std::string block_name(std::string_view stated);
std::string block_path(std::string_view above, std::string_view name);

}  // namespace sfg
