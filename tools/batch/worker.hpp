#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

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

  bool busy() const { return asked_.has_value(); }
  int descriptor() const { return channel_.number(); }  ///< ready when there is something to take
  std::chrono::steady_clock::time_point latest() const { return latest_; }
  std::uint64_t place() const { return place_; }  ///< of the question in the batch

  /// @returns whether it could be asked; if not, it has ended
  bool ask(const AskedQuestion&, std::uint64_t place);
  /// What has come of the answer so far; the answer when it is whole, or when the worker has ended instead.
  std::optional<BatchAnswer> take();
  /// Ends it, and says why there is no answer.
  BatchAnswer give_up();
  /// It answers no more questions: another one takes its place.
  bool ended() const { return process_ < 0; }

 private:
  BatchAnswer failure(std::optional<int> status);
  int end();

  const BatchTerms* terms_;
  Descriptor channel_;
  pid_t process_ = -1;
  std::optional<AskedQuestion> asked_;
  std::uint64_t place_ = 0;
  std::chrono::steady_clock::time_point latest_;
  std::string received_;
};

}  // namespace sfg::command
