#include "sfg/draw/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "sfg/error.hpp"

extern char** environ;

namespace sfg {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Two ends of a channel; sockets, so that writing to a program that has gone is an error and not a signal.
std::pair<Descriptor, Descriptor> channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// As stated, or ours; without a clock: the same picture has the same bytes on every day.
std::vector<char*> environment_of(const ProcessPlace& place) {
  static std::string epoch = "SOURCE_DATE_EPOCH=0";
  std::vector<char*> all;
  for (const std::string& entry : place.environment) all.push_back(const_cast<char*>(entry.c_str()));
  if (place.environment.empty())
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (!std::string_view(*entry).starts_with("SOURCE_DATE_EPOCH=")) all.push_back(*entry);
  all.push_back(epoch.data());
  all.push_back(nullptr);
  return all;
}

class Child {
 public:
  Child(const std::vector<std::string>& command, const ProcessLimits& limits, const ProcessPlace& place)
      : name_(command.front()), limits_(limits) {
    auto [in, child_in] = channel();
    auto [out, child_out] = channel();
    auto [error, child_error] = channel();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child_in.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, child_out.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, child_error.get(), STDERR_FILENO);
    if (!place.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, place.folder.c_str());
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const int failed =
        posix_spawnp(&pid_, command.front().c_str(), &actions, nullptr, arguments.data(), environment_of(place).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT || failed == EACCES) throw NoAnswer("the program '" + name_ + "' is not installed");
    if (failed != 0) throw std::system_error(failed, std::generic_category(), "posix_spawn " + name_);
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.seconds)) + 1);
    limit(RLIMIT_AS, limits.memory);
    in_ = std::move(in);
    out_ = std::move(out);
    error_ = std::move(error);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      wait();
    }
  }

  ProcessResult talk(const std::string& input) {
    ProcessResult result;
    std::size_t written = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limits_.seconds);
    while (out_.open() || error_.open()) {
      if (in_.open() && written == input.size()) in_.close();
      std::array<pollfd, 3> watched{{{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {error_.get(), POLLIN, 0}}};
      const auto left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
      if (left <= 0)
        throw LimitReached(name_ + " did not finish within " + std::to_string(std::lround(limits_.seconds)) + " s and was ended");
      const int ready = poll(watched.data(), watched.size(), static_cast<int>(std::ceil(std::min(left, 1.0) * 1000)));
      if (ready < 0 && errno != EINTR) fail("poll");
      if (ready <= 0) continue;
      if (watched[0].revents != 0) write_some(input, written);
      if (watched[1].revents != 0) read_some(out_, result.output);
      if (watched[2].revents != 0) read_some(error_, result.messages);
    }
    const int status = wait();
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return result;
  }

 private:
  void limit(__rlimit_resource resource, rlim_t value) const {
    const rlimit both{value, value};
    prlimit(pid_, resource, &both, nullptr);
  }

  int wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  void write_some(const std::string& input, std::size_t& written) {
    const ssize_t n = send(in_.get(), input.data() + written, input.size() - written, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      written += static_cast<std::size_t>(n);
    } else if (errno != EAGAIN && errno != EINTR) {
      in_.close();  // it reads no further: its exit status says why
    }
  }

  void read_some(Descriptor& from, std::string& into) {
    std::array<char, 65536> buffer{};
    const ssize_t n = read(from.get(), buffer.data(), buffer.size());
    if (n > 0) {
      into.append(buffer.data(), static_cast<std::size_t>(n));
      if (into.size() > limits_.output) throw LimitReached(name_ + " wrote more than a picture can need and was ended");
    } else if (n == 0 || errno != EINTR) {
      from.close();
    }
  }

  std::string name_;
  ProcessLimits limits_;
  pid_t pid_ = -1;
  Descriptor in_, out_, error_;
};

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const std::string& input, const ProcessLimits& limits,
                          const ProcessPlace& place) {
  if (command.empty()) throw std::invalid_argument("run_process: no program");
  return Child(command, limits, place).talk(input);
}

}  // namespace sfg
