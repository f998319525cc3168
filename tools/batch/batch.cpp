#include "tools/batch/batch.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <memory>
#include <system_error>

#include "tools/batch/worker.hpp"

namespace sfg::command {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_ahead = 4096, most_bytes_ahead = std::size_t{64} << 20;

class Batch {
 public:
  Batch(AskedQuestions& questions, const BatchTerms& terms, const BatchOptions& options, const Budget& budget)
      : questions_(questions), terms_(terms), options_(options), budget_(budget) {}

  BatchOutcome run() {
    while (hand_out() || !answers_.empty() || !questions_.ended()) {
      budget_.check("the questions");
      wait();
      deliver();
    }
    return outcome_;
  }

 private:
  bool may_go_ahead() const { return answers_.size() < most_ahead && bytes_ahead_ < most_bytes_ahead; }

  Worker* idle_worker() {
    std::erase_if(workers_, [](const auto& worker) { return worker->ended(); });
    for (const auto& worker : workers_)
      if (!worker->busy()) return worker.get();
    if (workers_.size() >= options_.workers) return nullptr;
    return workers_.emplace_back(std::make_unique<Worker>(terms_)).get();
  }

  /// Gives idle workers what there is. @returns whether anyone has got something
  bool hand_out() {
    bool given = false;
    while (may_go_ahead()) {
      Worker* worker = idle_worker_for_next();
      if (worker == nullptr) break;
      const std::optional<AskedQuestion> question = questions_.next();
      const std::uint64_t place = outcome_.questions++;
      answers_.emplace_back();
      while (!worker->ask(*question, place)) worker = replacement();
      given = true;
    }
    return given;
  }

  Worker* idle_worker_for_next() { return questions_.ended() || questions_.descriptor() >= 0 ? nullptr : idle_worker(); }

  /// For one that has ended while it was idle.
  Worker* replacement() {
    constexpr int most = 100;
    if (++replaced_ > most) throw std::system_error(EPIPE, std::generic_category(), "workers end before they are asked");
    return idle_worker();
  }

  /// Until something comes: an answer, a question, the end of a question's time, a moment to look at Ctrl-C.
  void wait() {
    using std::chrono::milliseconds;
    auto wake = Clock::now() + milliseconds(100);
    std::vector<pollfd> watched;
    std::vector<Worker*> busy;
    for (const auto& worker : workers_) {
      if (!worker->busy()) continue;
      busy.push_back(worker.get());
      watched.push_back({worker->descriptor(), POLLIN, 0});
      wake = std::min(wake, worker->latest());
    }
    const bool wants_more = questions_.descriptor() >= 0 && may_go_ahead();
    if (wants_more) watched.push_back({questions_.descriptor(), POLLIN, 0});
    const auto left = std::chrono::duration_cast<milliseconds>(wake - Clock::now()).count() + 1;
    ::poll(watched.data(), watched.size(), static_cast<int>(std::clamp<long>(left, 0, 100)));
    for (std::size_t i = 0; i < busy.size(); ++i) {
      const std::uint64_t place = busy[i]->place();
      if (watched[i].revents != 0) {
        if (std::optional<BatchAnswer> answer = busy[i]->take()) keep(place, *std::move(answer));
      } else if (Clock::now() > busy[i]->latest()) {
        keep(place, busy[i]->give_up());
      }
    }
    if (wants_more && watched.back().revents != 0) questions_.read();
  }

  void keep(std::uint64_t place, BatchAnswer answer) {
    bytes_ahead_ += answer.line.size();
    if (answer.status != 0) ++outcome_.failed;
    outcome_.status = std::max(outcome_.status, answer.status);
    answers_[place - delivered_] = std::move(answer.line);
  }

  void deliver() {
    std::string lines;
    for (; !answers_.empty() && answers_.front(); answers_.pop_front(), ++delivered_) lines += *answers_.front();
    if (lines.empty()) return;
    bytes_ahead_ -= lines.size();
    options_.deliver(lines);
    options_.progress(delivered_, questions_.count());
  }

  AskedQuestions& questions_;
  const BatchTerms& terms_;
  const BatchOptions& options_;
  const Budget& budget_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::deque<std::optional<std::string>> answers_;  ///< from the first that is not delivered
  std::uint64_t delivered_ = 0;
  std::size_t bytes_ahead_ = 0;
  int replaced_ = 0;
  BatchOutcome outcome_;
};

}  // namespace

BatchOutcome answer_in_order(AskedQuestions& questions, const BatchTerms& terms, const BatchOptions& options,
                             const Budget& budget) {
  return Batch(questions, terms, options, budget).run();
}

}  // namespace sfg::command
