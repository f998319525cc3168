#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/serve/door.hpp"
#include "tools/serve/named_files.hpp"
#include "tools/serve/problems.hpp"
#include "tools/serve/questions.hpp"

namespace sfg::command {

/// A report and what it is made of.
struct WatchedSubject {
  std::string input;               ///< path of the model
  std::vector<std::string> words;  ///< `report INPUT` with its options, without -o
  std::string output;              ///< "" for the page alone
  QuestionLimits limits;
};

/// A report that is made again whenever its model changes, and the page that follows it.
class WatchedReport {
 public:
  explicit WatchedReport(WatchedSubject subject);
  WatchedReport(const WatchedReport&) = delete;
  WatchedReport& operator=(const WatchedReport&) = delete;
  ~WatchedReport() { end(); }

  /// To be called a few times a second.
  void look(Door&);
  Reply answer(const Visit&);
  void end();

 private:
  void make(Door&);
  void publish(Door&, const ChildResult& report, const ChildResult* file);
  std::string state(std::size_t known);

  WatchedSubject subject_;
  Questions questions_{2};
  FileContents contents_;
  bool begun_ = false;
  std::atomic<std::size_t> turn_ = 0;  ///< of what is being made: older ones are not published
  std::jthread maker_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t revision_ = 0;  ///< counts what was published
  bool making_ = false, ended_ = false;
  std::string page_;  ///< address of the last good report; "" before the first
  bool good_ = false;
  std::vector<SaidProblem> problems_;
};

}  // namespace sfg::command
