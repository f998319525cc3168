#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sfg::command {

/// Samples of a study as numbers, for a caller in the same process: as long as one lives, a study of its thread that is asked for
/// its samples leaves them there instead of in the text of its answer.
class PackedSamples {
 public:
  PackedSamples() : around_(std::exchange(innermost_, this)) {}
  ~PackedSamples() { innermost_ = around_; }
  PackedSamples(const PackedSamples&) = delete;
  PackedSamples& operator=(const PackedSamples&) = delete;

  /// The innermost one; nothing where none lives.
  static PackedSamples* of_thread() { return innermost_; }

  std::vector<std::string> names = {};  ///< of the columns
  std::string rows = {};                ///< doubles, sample by sample

 private:
  PackedSamples* around_;
  inline static thread_local PackedSamples* innermost_ = nullptr;
};

}  // namespace sfg::command
