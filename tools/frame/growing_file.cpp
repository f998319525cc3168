#include "tools/frame/growing_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "sfg/error.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::command {

namespace {

/// The table of a study that can be resumed has a name that is found again; at most as long as names can be.
std::string kept_part_of(const std::string& path) {
  constexpr std::string_view ending = ".part";
  constexpr std::size_t longest = 255;
  const std::size_t name = path.rfind('/') + 1;
  return path.substr(0, name + longest - ending.size()).append(ending);
}

}  // namespace

GrowingFile::GrowingFile(std::string path, bool kept) : path_(std::move(path)), partial_(kept_part_of(path_)), kept_(kept) {
  struct stat status {};
  const bool there = ::stat(path_.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) refuse_output(path_, EISDIR);
  if (there && !S_ISREG(status.st_mode)) {
    if (kept)
      throw Error(SourceSpan{std::make_shared<const std::string>(path_)},
                  "a study that is to be resumed needs a file for its table", "name a file that is no device");
    renamed_ = false;
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (there && ::access(path_.c_str(), W_OK) != 0) refuse_output(path_, errno);
    if (kept_) {
      descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    } else {
      partial_ = temporary_beside(path_);
      descriptor_ = ::mkostemp(partial_.data(), O_CLOEXEC);
      if (descriptor_ >= 0) Watch::removes(partial_);
    }
  }
  if (descriptor_ < 0) refuse_output(path_, errno);
}

GrowingFile::GrowingFile(std::string path, std::uint64_t bytes)
    : path_(std::move(path)), partial_(kept_part_of(path_)), kept_(true), size_(bytes) {
  descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < bytes)
    throw Error(SourceSpan{std::make_shared<const std::string>(partial_)},
                "the samples that the checkpoint speaks of are not there", "begin the study anew");
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0)
    refuse_output(partial_, errno);
}

GrowingFile::~GrowingFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!renamed_ || kept_) return;
  ::unlink(partial_.c_str());
  Watch::removes("");
}

void GrowingFile::append(std::string_view text) {
  if (const int error = write_all(descriptor_, text)) refuse_output(path_, error);
  size_ += text.size();
}

void GrowingFile::synchronise() {
  if (renamed_ && ::fsync(descriptor_) != 0) refuse_output(path_, errno);
}

void GrowingFile::finish() {
  synchronise();
  if (renamed_) {
    struct stat status {};
    const mode_t mode = ::stat(path_.c_str(), &status) == 0 ? status.st_mode & 07777 : usual_mode();
    if (::fchmod(descriptor_, mode) != 0) refuse_output(path_, errno);
  }
  const int error = ::close(descriptor_) != 0 ? errno : 0;
  descriptor_ = -1;
  if (error != 0) refuse_output(path_, error);
  if (renamed_ && ::rename(partial_.c_str(), path_.c_str()) != 0) refuse_output(path_, errno);
  if (renamed_) synchronise_folder_of(path_);
  Watch::removes("");
}

}  // namespace sfg::command
