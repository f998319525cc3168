#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sfg::command {

/// A file that is written part by part, under another name until it is whole.
class GrowingFile {
 public:
  /// @param kept  what is there stays when the process ends before its time, as "PATH.part", so that another one can go on
  /// @throws sfg::Error when it cannot be written; so do the others.
  GrowingFile(std::string path, bool kept);
  /// Goes on after so many bytes of what a process before this one has left.
  GrowingFile(std::string path, std::uint64_t bytes);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  void append(std::string_view);
  std::uint64_t size() const noexcept { return size_; }
  void synchronise();  ///< on the disk, whatever happens next
  void finish();       ///< it is whole and gets its name

 private:
  std::string path_, partial_;
  bool kept_;
  bool renamed_ = true;  ///< false: a device or a pipe, written as it comes
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace sfg::command
