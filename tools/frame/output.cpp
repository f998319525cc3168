#include "tools/frame/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "sfg/error.hpp"
#include "tools/frame/memory.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::command {

void refuse_output(const std::string& path, int error) {
  std::string hint;
  if (error == ENOENT) hint = "make the folder first";
  if (error == EACCES || error == EROFS) hint = "choose a folder you may write to";
  if (error == EFBIG) hint = "raise the limit of the size of files (ulimit -f)";
  if (error == ENOSPC || error == EDQUOT) hint = "make room on the disk";
  throw Error(SourceSpan{std::make_shared<const std::string>(path)}, std::string("cannot write: ") + std::strerror(error), hint);
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

namespace {

/// A descriptor that is closed once, with the result looked at: some file systems report a full disk only then.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  int close() { return ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

[[noreturn]] void end_like_sigpipe() {
  ::signal(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
  ::_exit(128 + SIGPIPE);
}

void write_directly(std::string_view text, const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0) refuse_output(path, errno);
  const int error = write_all(file.number(), text);
  if (error == EPIPE) end_like_sigpipe();
  if (error != 0) refuse_output(path, error);
  if (file.close() != 0) refuse_output(path, errno);
}

void replace(std::string_view text, const std::string& path, mode_t mode) {
  std::string temporary = temporary_beside(path);
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0) refuse_output(path, errno);
  Watch::removes(temporary);
  int error = write_all(file.number(), text);
  if (error == 0 && ::fchmod(file.number(), mode) != 0) error = errno;
  if (error == 0 && ::fsync(file.number()) != 0) error = errno;
  if (error == 0 && file.close() != 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(temporary.c_str());
  Watch::removes("");
  if (error != 0) refuse_output(path, error);
  synchronise_folder_of(path);
}

}  // namespace

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

void deliver(std::string_view text) {
  require_memory();
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) end_like_sigpipe();
  if (error != 0) refuse_output("standard output", error);
}

void deliver(std::string_view text, const std::string& path) {
  if (path == "-") return deliver(text);
  require_memory();
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return replace(text, path, usual_mode());
  if (S_ISDIR(status.st_mode)) refuse_output(path, EISDIR);
  if (!S_ISREG(status.st_mode)) return write_directly(text, path);
  if (::access(path.c_str(), W_OK) != 0) refuse_output(path, errno);
  const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path.c_str(), nullptr), &std::free);  // through a link
  replace(text, target ? target.get() : path, status.st_mode & 07777);
}

std::string temporary_beside(const std::string& path) { return path.substr(0, path.rfind('/') + 1) + ".sfg.XXXXXX"; }

void synchronise_folder_of(const std::string& path) {
  const std::size_t bar = path.rfind('/');
  const std::string folder = bar == std::string::npos ? "." : path.substr(0, bar + 1);
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) ::fsync(opened.number());
}

std::string extension_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t folder = path.rfind('/');
  if (dot == std::string::npos || (folder != std::string::npos && dot < folder)) return {};
  std::string extension = path.substr(dot + 1);
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

}  // namespace sfg::command
