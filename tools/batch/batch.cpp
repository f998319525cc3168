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

  /// One without a question first, a new one where there may be more, else one that is quicker than it is asked.
  Worker* worker_for(const AskedQuestion& question) {
    for (const auto& worker : workers_)
      if (!worker->busy()) return worker.get();
    if (workers_.size() < options_.workers) return workers_.emplace_back(std::make_unique<Worker>(terms_)).get();
    const auto one = std::ranges::find_if(workers_, [&](const auto& worker) { return worker->wants(question); });
    return one == workers_.end() ? nullptr : one->get();
  }

  /// What those that have ended have not come to is asked again.
  void bury() {
    for (const auto& worker : workers_) {
      if (!worker->ended()) continue;
      std::deque<Worker::Placed> left = worker->left();
      again_.insert(again_.end(), std::make_move_iterator(left.begin()), std::make_move_iterator(left.end()));
    }
    std::erase_if(workers_, [](const auto& worker) { return worker->ended(); });
  }

  /// The next one, until it is handed out.
  const Worker::Placed* next() {
    if (again_.empty() && may_go_ahead())
      if (std::optional<AskedQuestion> question = questions_.next()) {
        again_.push_back({*std::move(question), outcome_.questions++});
        answers_.emplace_back();
      }
    return again_.empty() ? nullptr : &again_.front();
  }

  /// Gives the workers what there is. @returns whether anyone has got something
  bool hand_out() {
    bool given = false;
    bury();
    while (const Worker::Placed* asked = next()) {
      Worker* worker = worker_for(asked->question);
      if (worker == nullptr) break;
      if (worker->ask(*asked)) {
        again_.pop_front();
        given = true;
      } else {
        replace();
      }
    }
    return given;
  }

  /// One has ended while it was idle.
  void replace() {
    constexpr int most = 100;
    if (++replaced_ > most) throw std::system_error(EPIPE, std::generic_category(), "workers end before they are asked");
    bury();
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
    for (std::size_t i = 0; i < busy.size(); ++i)
      if (watched[i].revents != 0)
        for (Worker::Taken& taken : busy[i]->take()) keep(std::move(taken));
      else if (Clock::now() > busy[i]->latest())
        keep(busy[i]->give_up());
    if (wants_more && watched.back().revents != 0) questions_.read();
  }

  void keep(Worker::Taken taken) {
    auto& [place, answer] = taken;
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
  std::deque<Worker::Placed> again_;                ///< read, and not with a worker (any more)
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
