#pragma once
#include <sys/types.h>

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/batch/line.hpp"
#include "tools/frame/descriptor.hpp"

namespace sfg::command {

/// A child process of this one that answers questions one after the other: formulas stay on one thread, and what ends the
/// process (a crash, a limit) ends one question. It begins where this process stands, with everything loaded.
class Worker {
 public:
  explicit Worker(const BatchTerms&);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { end(); }

  bool busy() const { return !asked_.empty(); }
  /// Whether it should be given another one: it has none, or it answers so quickly that it would wait for its next ones, and
  /// these are so short that it can take them while it still writes.
  bool wants(const AskedQuestion&) const;
  int descriptor() const { return channel_.number(); }  ///< ready when there is something to take
  std::chrono::steady_clock::time_point latest() const { return latest_; }

  /// A question and its place in the batch.
  struct Placed {
    AskedQuestion question;
    std::uint64_t place = 0;
  };
  struct Taken {
    std::uint64_t place = 0;
    BatchAnswer answer;
  };

  /// @returns whether it could be asked; if not, it has ended
  bool ask(const Placed&);
  /// The answers that are whole by now; where the worker has ended instead, that to the question which ended it.
  std::vector<Taken> take();
  /// Ends it, and says why there is no answer to its question.
  Taken give_up();
  /// What an ended worker has not come to: another one is asked.
  std::deque<Placed> left() { return std::exchange(asked_, {}); }
  /// It answers no more questions: another one takes its place.
  bool ended() const { return process_ < 0; }

 private:
  Taken failure(std::optional<int> status);
  void begin();
  int end();

  const BatchTerms* terms_;
  Descriptor channel_;
  pid_t process_ = -1;
  std::deque<Placed> asked_;  ///< the first is the one that it works on
  std::chrono::steady_clock::time_point begun_, latest_;
  bool quick_ = false;  ///< the last answer was there at once
  std::string received_;
};

}  // namespace sfg::command
