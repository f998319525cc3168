#include "tools/frame/watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "tools/frame/failure.hpp"
#include "tools/frame/sanitized.hpp"

namespace sfg::command {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double grace_of_time_limit = 0.05;  // share of the limit that work has for ending by itself …
constexpr double grace_at_least = 0.1;        // … and seconds
constexpr double grace_of_interrupt = 0.4;    // "Ctrl-C stops within a second"
constexpr double progress_after = 1.0;

// Signal handlers and the watching thread have only these: a process has one Watch, and it allocates nothing later.
struct {
  std::array<int, 2> pipe{-1, -1};
  std::atomic<const char*> work{"starting"};
  std::atomic<std::uint64_t> done_first{0}, done{0}, all{0};  ///< of the work; all = 0: not known
  std::atomic<double> known_since{0};                         ///< s, when done_first was done
  std::atomic<int> signal{0};
  std::atomic<bool> file_pending{false};
  std::array<char, 4096> file{};
  std::mutex progress;  // guards the next two
  bool progress_wanted = false;
  bool progress_shown = false;
  std::stop_source stop;
  std::thread thread;
  WatchOptions options;
  std::string time_message, time_json, memory_message, memory_json;
} watch;

void say(int descriptor, const char* text, std::size_t length) {
  while (length > 0) {
    const ssize_t written = ::write(descriptor, text, length);
    if (written <= 0) return;
    text += written;
    length -= static_cast<std::size_t>(written);
  }
}

void end_progress() {
  const std::lock_guard lock(watch.progress);
  if (watch.progress_shown) say(STDERR_FILENO, "\r\033[K", 4);
  watch.progress_wanted = watch.progress_shown = false;
}

[[noreturn]] void end_process(int status) {
  if (watch.file_pending.load()) ::unlink(watch.file.data());
  ::_exit(status);
}

void on_interrupt(int signal) {
  const char byte = static_cast<char>(signal);
  [[maybe_unused]] const ssize_t sent = ::write(watch.pipe[1], &byte, 1);
}

void on_fatal(int) {
  constexpr char message[] =
      "sfg: error: an error of ours ended the program; please report the command and its input, "
      "so that it can be mended\n";
  say(STDERR_FILENO, message, sizeof message - 1);
  end_process(70);
}

/// Memory that is missing where nothing may be thrown (JSON allocates where it is destroyed) ends the program as it does
/// elsewhere.
[[noreturn]] void on_terminate() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    constexpr char unlimited[] = "sfg: error: there is no memory left\n";
    if (watch.memory_message.empty()) say(STDERR_FILENO, unlimited, sizeof unlimited - 1);
    say(STDERR_FILENO, watch.memory_message.data(), watch.memory_message.size());
    say(STDOUT_FILENO, watch.memory_json.data(), watch.memory_json.size());
    end_process(4);
  } catch (const std::exception& e) {
    say(STDERR_FILENO, e.what(), std::strlen(e.what()));
    say(STDERR_FILENO, "\n", 1);
  } catch (...) {
  }
  std::abort();
}

double now() { return Seconds(Clock::now().time_since_epoch()).count(); }

void show_progress(double seconds) {
  const std::lock_guard lock(watch.progress);
  if (!watch.progress_wanted) return;
  watch.progress_shown = true;
  std::array<char, 160> line{};
  const auto done = static_cast<double>(watch.done), all = static_cast<double>(watch.all);
  const double since = done - static_cast<double>(watch.done_first);
  std::array<char, 60> left{};
  if (all > 0 && since > 0)
    std::snprintf(left.data(), left.size(), ", %.0f %%, %.0f s left", 100 * done / all,
                  (all - done) / since * (now() - watch.known_since));
  const int length = std::snprintf(line.data(), line.size(), "\r\033[Ksfg %s: %s, %.0f s%s", watch.options.verb.c_str(),
                                   watch.work.load(), seconds, left.data());
  if (length > 0) say(STDERR_FILENO, line.data(), std::min(line.size() - 1, static_cast<std::size_t>(length)));
}

/// The watching thread. It must not allocate: under the memory limit there may be nothing left.
void keep_watch() {
  const auto start = Clock::now();
  const auto spent = [&] { return Seconds(Clock::now() - start).count(); };
  const double never = 1e18;
  const double limit = watch.options.seconds.value_or(never);
  const double deadline = limit + std::max(grace_of_time_limit * limit, grace_at_least);
  double forced_end = never;
  double next_progress = watch.options.progress ? progress_after : never;
  for (;;) {
    const double wake = std::min({deadline, forced_end, next_progress});
    const double milliseconds = std::min(1e9, std::max(0.0, (wake - spent()) * 1000 + 1));
    pollfd waiting{watch.pipe[0], POLLIN, 0};
    const int ready = ::poll(&waiting, 1, wake == never ? -1 : static_cast<int>(milliseconds));
    if (ready > 0) {
      char byte = 0;
      const ssize_t got = ::read(watch.pipe[0], &byte, 1);
      if (got < 0) continue;
      if (byte == 0) return end_progress();
      const bool again = watch.signal.exchange(byte) != 0;
      if (again) {
        end_progress();
        end_process(128 + byte);
      }
      watch.stop.request_stop();
      forced_end = spent() + grace_of_interrupt;
    }
    const double now = spent();
    if (now >= forced_end) {
      end_progress();
      constexpr char message[] = "sfg: interrupted\n";
      say(STDERR_FILENO, message, sizeof message - 1);
      end_process(128 + watch.signal.load());
    }
    if (now >= deadline) {
      end_progress();
      say(STDERR_FILENO, watch.time_message.data(), watch.time_message.size());
      say(STDOUT_FILENO, watch.time_json.data(), watch.time_json.size());
      end_process(4);
    }
    if (now >= next_progress) {
      show_progress(now);
      next_progress = now + 1;
    }
  }
}

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags;
  ::sigaction(signal, &action, nullptr);
}

void catch_fatal_signals() {
  static std::array<char, 65536> stack;  // a stack overflow must not need the stack
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) install(signal, on_fatal, SA_ONSTACK | SA_RESETHAND);
}

void limit_said(const std::string& message, const std::string& option, std::string& text, std::string& json) {
  const std::string hint = "raise " + option + ", or ask for less";
  text = "sfg " + watch.options.verb + ": error: " + message + "; " + hint + "\n";
  if (!watch.options.json) return;
  std::ostringstream out;
  write_json(out, {4, "limit", {{{}, message, hint}}});
  json = out.str();
}

std::string rounded(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

}  // namespace

Watch::Watch(WatchOptions options) {
  watch.options = std::move(options);
  watch.progress_wanted = watch.options.progress;
  if (!sanitized) {
    catch_fatal_signals();
    std::set_terminate(on_terminate);
  }
  if (const auto mebibytes = watch.options.mebibytes)
    limit_said(memory_message(*mebibytes), "--memory-limit", watch.memory_message, watch.memory_json);
  if (watch.options.seconds)
    limit_said(time_message(*watch.options.seconds), "--time-limit", watch.time_message, watch.time_json);
  ::signal(SIGPIPE, SIG_IGN);
  if (::pipe2(watch.pipe.data(), O_CLOEXEC) != 0) return;
  install(SIGINT, on_interrupt, SA_RESTART);
  install(SIGTERM, on_interrupt, SA_RESTART);
  watch.thread = std::thread(keep_watch);
  if (watch.options.mebibytes) limit_memory(*watch.options.mebibytes);
}

Watch::~Watch() {
  if (!watch.thread.joinable()) return;
  const char byte = 0;
  if (::write(watch.pipe[1], &byte, 1) != 1) ::close(std::exchange(watch.pipe[1], -1));  // its end is understood, too
  watch.thread.join();
}

std::stop_token Watch::token() const noexcept { return watch.stop.get_token(); }
int Watch::signal() noexcept { return watch.signal.load(); }
void Watch::working(const char* what) noexcept { watch.work.store(what); }

void Watch::progress(std::uint64_t done, std::uint64_t all) noexcept {
  if (watch.all.exchange(all) == 0) {
    watch.done_first = done;
    watch.known_since = now();
  }
  watch.done = done;
}

void Watch::end_progress() { sfg::command::end_progress(); }

void Watch::removes(const std::string& path) noexcept {
  watch.file_pending.store(false);
  if (path.empty() || path.size() >= watch.file.size()) return;
  std::memcpy(watch.file.data(), path.c_str(), path.size() + 1);
  watch.file_pending.store(true);
}

void limit_memory(double mebibytes) {
  if (sanitized) return;
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  const double bytes = static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE)) + mebibytes * 1048576;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_max != RLIM_INFINITY && bytes > static_cast<double>(limit.rlim_max)) return;
  if (bytes > 1e18) return;
  limit.rlim_cur = static_cast<rlim_t>(bytes);
  ::setrlimit(RLIMIT_AS, &limit);
}

std::string time_message(double seconds) { return "the time limit of " + rounded(seconds) + " s was reached"; }
std::string memory_message(double mebibytes) { return "the memory limit of " + rounded(mebibytes) + " MiB was reached"; }

}  // namespace sfg::command
