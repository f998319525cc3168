#include "tools/serve/questions.hpp"

namespace sfg::command {

class Questions::Place {
 public:
  Place(Questions& questions, const std::string& lane) : all_(questions), lane_(lane) {
    std::unique_lock lock(all_.mutex_);
    all_.asked_.insert(stop_);
    if (!lane_.empty()) {
      Stop& last = all_.lanes_[lane_];
      if (last) *last = true;
      last = stop_;
      all_.changed_.notify_all();
    }
    all_.changed_.wait(lock, [&] { return all_.free_ > 0 || *stop_ || all_.ended_; });
    held_ = !*stop_ && !all_.ended_;
    if (held_) --all_.free_;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    const std::lock_guard lock(all_.mutex_);
    if (held_) ++all_.free_;
    all_.asked_.erase(stop_);
    if (const auto last = all_.lanes_.find(lane_); last != all_.lanes_.end() && last->second == stop_) all_.lanes_.erase(last);
    all_.changed_.notify_all();
  }

  bool held() const { return held_; }
  const std::atomic<bool>& stop() const { return *stop_; }

 private:
  Questions& all_;
  const std::string& lane_;
  Stop stop_ = std::make_shared<std::atomic<bool>>(false);
  bool held_ = false;
};

ChildResult Questions::ask(const ChildTask& task, const std::string& lane) {
  const Place place(*this, lane);
  return place.held() ? answer_by_child(task, place.stop()) : ChildResult{.stopped = true};
}

void Questions::stop(const std::string& lane) {
  const std::lock_guard lock(mutex_);
  if (const auto last = lanes_.find(lane); last != lanes_.end()) *last->second = true;
  changed_.notify_all();
}

void Questions::end() {
  std::unique_lock lock(mutex_);
  ended_ = true;
  for (const Stop& stop : asked_) *stop = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return asked_.empty(); });
}

}  // namespace sfg::command
