#include "tools/serve/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "tools/frame/descriptor.hpp"
#include "tools/frame/sanitized.hpp"
#include "tools/serve/confinement.hpp"

namespace sfg::command {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t{64} << 20, most_messages = std::size_t{1} << 20;
constexpr rlim_t largest_scratch_file = rlim_t{64} << 20;
constexpr rlim_t memory_of_the_program = rlim_t{768} << 20;  ///< code, stacks of threads, what a converter of pictures needs

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::pair<Descriptor, Descriptor> channel() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

constexpr int data_descriptor = STDERR_FILENO + 1;  ///< of what was measured, beside the model

/// Text as a descriptor that can be opened again and again, and on no disk.
Descriptor in_memory(const std::string& text) {
  Descriptor file(::memfd_create("model", MFD_CLOEXEC));
  if (file.number() < 0) fail("memfd_create");
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(file.number(), text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) fail("write");
    if (written > 0) at += static_cast<std::size_t>(written);
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

/// An empty folder that is removed with all that is in it.
class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "sfg.XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) fail("mkdtemp");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }
  void link(const std::string& name, const char* target) const {
    if (!name.empty() && ::symlink(target, (path_ + "/" + name).c_str()) != 0) fail("symlink");
  }

 private:
  std::string path_;
};

/// Everything that the new process needs between fork and exec, where nothing may be allocated.
struct Start {
  std::vector<std::string> words, environment;
  std::vector<char*> arguments, variables;
  const char* folder = nullptr;  ///< to work in; null: where we are
  const Confinement* confinement = nullptr;
  int in = -1, out = -1, messages = -1, data = -1;
  std::array<std::pair<__rlimit_resource, rlim_t>, 4> limits{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> clean_environment(const std::string& folder) {
  const char* path = std::getenv("PATH");
  return {std::string("PATH=") + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"),
          "HOME=" + folder,
          "TMPDIR=" + folder,
          "LANG=C.UTF-8",
          "LC_ALL=C.UTF-8",
          "NO_COLOR=1",
          "COLUMNS=100"};
}

[[noreturn]] void become(const Start& start) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing, not the end
  for (const auto& [resource, value] : start.limits) {
    const rlimit both{value, value};
    ::setrlimit(resource, &both);
  }
  const bool placed = start.folder == nullptr || ::chdir(start.folder) == 0;
  if (placed && ::dup2(start.in, STDIN_FILENO) >= 0 && ::dup2(start.out, STDOUT_FILENO) >= 0 &&
      ::dup2(start.messages, STDERR_FILENO) >= 0) {
    if (start.confinement != nullptr) start.confinement->enter();
    if (start.data != data_descriptor)  // which it may be already
      ::dup2(start.data, data_descriptor);
    else
      ::fcntl(data_descriptor, F_SETFD, 0);
    ::close_range(data_descriptor + 1, ~0U, 0);
    ::execve("/proc/self/exe", start.arguments.data(), start.variables.data());
  }
  ::_exit(70);
}

class Child {
 public:
  Child(const ChildTask& task, const std::atomic<bool>& stop) : stop_(stop), limits_(task.limits) {
    const Descriptor model = in_memory(task.model), data = in_memory(task.data);
    auto [out, child_out] = channel();
    auto [messages, child_messages] = channel();
    out_ = std::move(out);
    messages_ = std::move(messages);
    folder_.link(task.model_name, "/proc/self/fd/0");
    folder_.link(task.data_name, ("/proc/self/fd/" + std::to_string(data_descriptor)).c_str());
    folder_.link(task.answer_name, "/proc/self/fd/1");
    Start start;
    start.words = {"sfg"};
    if (const std::string own = folder_of_own_loader(); !own.empty())
      start.words.insert(start.words.end(), {"--library-path", own, "--argv0", "sfg", own + "/sfg"});
    start.words.insert(start.words.end(), task.words.begin(), task.words.end());
    if (!task.answer_name.empty()) {
      start.words.emplace_back("-o");
      start.words.push_back(task.model_name.empty() ? folder_.path() + "/" + task.answer_name : task.answer_name);
    }
    start.environment = clean_environment(folder_.path());
    start.arguments = pointers(start.words);
    start.variables = pointers(start.environment);
    start.folder = task.model_name.empty() ? nullptr : folder_.path().c_str();
    std::optional<Confinement> confinement;
    if (start.folder != nullptr) start.confinement = &confinement.emplace(start.folder);
    start.in = model.number();
    start.data = data.number();
    start.out = child_out.number();
    start.messages = child_messages.number();
    const rlim_t memory = static_cast<rlim_t>(task.limits.mebibytes * 1048576) + memory_of_the_program;
    start.limits = {{{RLIMIT_AS, sanitized ? RLIM_INFINITY : memory},
                     {RLIMIT_CPU, static_cast<rlim_t>(std::ceil(2 * task.limits.seconds)) + 2},
                     {RLIMIT_FSIZE, task.scratch ? largest_scratch_file : 0},
                     {RLIMIT_CORE, 0}}};
    process_ = ::fork();
    if (process_ < 0) fail("fork");
    if (process_ == 0) become(start);
    ::setpgid(process_, process_);  // whoever comes first
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  ChildResult result() {
    ChildResult result;
    // The verb ends at its own limit with a message; what does not end is ended.
    const auto last = Clock::now() + std::chrono::duration<double>(1.1 * limits_.seconds + 1);
    int status = 0;
    for (bool ended = false; !ended;) {
      result.stopped = stop_.load();
      result.late = Clock::now() > last;
      if (result.stopped || result.late) break;
      ended = ::waitpid(process_, &status, WNOHANG) == process_;
      if (!ended) wait_for_text();
      drain(out_, result.output, most_output);
      drain(messages_, result.messages, most_messages);
      if (ended) {
        ::kill(-process_, SIGKILL);  // whom it may have left behind
        process_ = -1;
        result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      }
    }
    return result;
  }

 private:
  void wait_for_text() const {
    std::array<pollfd, 2> watched{{{out_.number(), POLLIN, 0}, {messages_.number(), POLLIN, 0}}};
    constexpr int milliseconds = 20;
    if (::poll(watched.data(), watched.size(), milliseconds) <= 0) return;
    if (((watched[0].revents | watched[1].revents) & POLLIN) == 0) ::usleep(1000);  // closed, and about to end
  }

  /// What is there now; too much of it ends the process: it cannot write on.
  void drain(Descriptor& from, std::string& into, std::size_t most) {
    std::array<char, 65536> buffer{};
    for (;;) {
      pollfd ready{from.number(), POLLIN, 0};
      if (from.number() < 0 || ::poll(&ready, 1, 0) <= 0 || (ready.revents & POLLIN) == 0) return;
      const ssize_t count = ::read(from.number(), buffer.data(), buffer.size());
      if (count <= 0) return;
      into.append(buffer.data(), static_cast<std::size_t>(count));
      if (into.size() > most) from.close();
    }
  }

  void end() {
    if (process_ <= 0) return;
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }

  const std::atomic<bool>& stop_;
  QuestionLimits limits_;
  Folder folder_;
  Descriptor out_, messages_;
  pid_t process_ = -1;
};

}  // namespace

ChildResult answer_by_child(const ChildTask& task, const std::atomic<bool>& stop) { return Child(task, stop).result(); }

}  // namespace sfg::command
