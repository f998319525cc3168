#pragma once
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace sfg::command {

struct WatchOptions {
  std::string verb;
  std::optional<double> seconds;    ///< time limit
  std::optional<double> mebibytes;  ///< memory limit, beyond what the process has at its start
  bool progress = false;            ///< a line on standard error after the first second
  bool json = false;                ///< the message of a limit also as JSON on standard output
};

/// Ends what cannot be ended otherwise. The libraries below (GiNaC, FLINT) know no interruption: work that honours its
/// Budget stops by itself, and where it does not, a thread ends the process a moment later with the proper message and
/// exit status. Also: Ctrl-C, the memory limit, the progress line, and the last word after a fatal signal.
/// One at a time, on the main thread.
class Watch {
 public:
  explicit Watch(WatchOptions);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  std::stop_token token() const noexcept;  ///< a stop is requested at the first Ctrl-C
  static int signal() noexcept;            ///< the signal that asked for the stop, or 0

  /// What is going on: a literal, shown as progress and in messages.
  static void working(const char* what) noexcept;
  /// How much of it is done, for the progress line, which then tells the time that is left.
  static void progress(std::uint64_t done, std::uint64_t all) noexcept;
  /// No progress line from here on: something else is about to be written.
  static void end_progress();
  /// A temporary file to remove should the process be ended; "" for none.
  static void removes(const std::string& path) noexcept;
};

/// The process may have so much more memory than it has now; beyond that std::bad_alloc is thrown.
void limit_memory(double mebibytes);

/// Message of the memory limit: also printed where std::bad_alloc is caught.
std::string memory_message(double mebibytes);
/// Of the time limit.
std::string time_message(double seconds);

inline constexpr double default_seconds = 300;
inline constexpr double default_mebibytes = 2048;

}  // namespace sfg::command
