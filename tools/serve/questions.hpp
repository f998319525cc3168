#pragma once
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "tools/serve/child.hpp"

namespace sfg::command {

/// Questions that are being answered: a few at a time, the others wait. A new one on the same lane ends the one before, whose
/// answer nobody waits for any more.
class Questions {
 public:
  explicit Questions(std::size_t at_once) : free_(at_once) {}
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;
  ~Questions() { end(); }

  /// @param lane  of one page and one kind of question; "" belongs to none
  ChildResult ask(const ChildTask&, const std::string& lane);
  /// Ends what is being asked on the lane.
  void stop(const std::string& lane);
  /// Ends all, and refuses what comes after: such results are `stopped`.
  void end();

 private:
  using Stop = std::shared_ptr<std::atomic<bool>>;
  /// A place among those that are answered, given back at its end.
  class Place;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t free_;
  bool ended_ = false;
  std::set<Stop> asked_;               ///< waiting or being answered
  std::map<std::string, Stop> lanes_;  ///< the last question of each
};

}  // namespace sfg::command
