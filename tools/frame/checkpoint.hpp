#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sfg::command {

/// The file of a checkpoint: the state of what is under way, and how much of its table of samples had been written.
struct Checkpoint {
  std::uint64_t table = 0;
  std::string state;

  std::string text() const;
  /// @throws sfg::Error where it cannot be read, or is none
  static Checkpoint of(const std::string& path);
  /// The same of what stands in the file. @throws sfg::Error where it is none
  static Checkpoint read(std::string_view text, const std::string& path);
};

}  // namespace sfg::command
