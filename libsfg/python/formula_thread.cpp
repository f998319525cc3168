#include "python/formula_thread.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstdlib>

#include "sfg/error.hpp"

namespace sfg::python {

namespace {

using namespace std::chrono_literals;
namespace py = pybind11;

constexpr auto between_looks = 50ms;
/// Work looks at its stop more often than that, where it looks at all.
constexpr auto patience = 700ms;
constexpr double time_to_notice = 0.5;  // s: work that looks at its budget says more of its limit

/// Most work is done within microseconds, in which no thread need fall asleep and be woken.
template <class Condition>
bool soon(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + 20us;
  while (!holds())
    if (std::chrono::steady_clock::now() > end) return false;
  return true;
}

/// The interpreter's lock is free for others. A thread that is not the main one finds no interpreter to come back to when that
/// has ended meanwhile: CPython would unwind it through what may not throw, and so it stays here until the process ends.
class WithoutInterpreter {
 public:
  WithoutInterpreter() : state_(PyEval_SaveThread()) {}
  ~WithoutInterpreter() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) ::pause();
    }
  }
  WithoutInterpreter(const WithoutInterpreter&) = delete;
  WithoutInterpreter& operator=(const WithoutInterpreter&) = delete;

 private:
  PyThreadState* state_;
};

/// Ends the process as exit() would, but without destroying what a thread is still working with.
void leave(int status, void*) { ::_exit(status); }

}  // namespace

FormulaThread& FormulaThread::of_process() {
  // Never destroyed: objects of the interpreter may outlive every other static. A child has the memory of its parent, but none
  // of its threads.
  static FormulaThread* one = nullptr;
  static pid_t process = 0;
  if (one == nullptr || process != ::getpid()) {
    one = new FormulaThread;
    process = ::getpid();
  }
  return *one;
}

/// Memory of the process, bytes.
std::size_t FormulaThread::memory_in_use() const {
  std::array<char, 128> text{};
  if (::pread(sizes_, text.data(), text.size() - 1, 0) <= 0) return 0;
  char* rest = text.data();
  std::strtoull(rest, &rest, 10);  // all of it; then what is resident
  return static_cast<std::size_t>(std::strtoull(rest, nullptr, 10)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

FormulaThread::FormulaThread() : sizes_(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are the interpreter's
  thread_ = std::thread([this] { work_off(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void FormulaThread::work_off() {
  std::unique_lock lock(mutex_);
  for (;;) {
    lock.unlock();
    soon([this] { return posted_.load(); });
    lock.lock();
    asked_.wait(lock, [this] { return !elsewhere_ && (closed_ || !jobs_.empty() || !destructions_.empty()); });
    if (closed_) return;
    posted_ = jobs_.size() + destructions_.size() > 1;
    busy_ = true;
    perform(lock);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void FormulaThread::perform(std::unique_lock<std::mutex>& lock) {
  if (!destructions_.empty()) {
    const std::function<void()> destruction = std::move(destructions_.front());
    destructions_.pop_front();
    lock.unlock();
    destruction();
    return;
  }
  running_ = std::move(jobs_.front());
  jobs_.pop_front();
  running_->state = Job::State::running;
  running_->begun = std::chrono::steady_clock::now();
  running_->memory = memory_in_use();
  lock.unlock();
  try {
    if (!running_->stop.stop_requested()) running_->run();
  } catch (...) {
    running_->failure = std::current_exception();
  }
  lock.lock();
  running_->state = Job::State::done;
  changed_.notify_all();
  const std::shared_ptr<Job> finished = std::move(running_);
  lock.unlock();  // what goes with the job asks for its destruction here
}

bool FormulaThread::begin_elsewhere() {
  const std::lock_guard lock(mutex_);
  if (closed_ || busy_ || !jobs_.empty()) return false;
  busy_ = elsewhere_ = true;
  return true;
}

void FormulaThread::end_elsewhere() {
  bool waiting = false;
  {
    const std::lock_guard lock(mutex_);
    busy_ = elsewhere_ = false;
    waiting = closed_ || !jobs_.empty() || !destructions_.empty();
  }
  if (waiting) asked_.notify_one();
  changed_.notify_all();
}

bool FormulaThread::finished(const Job& job, std::chrono::milliseconds within) {
  const WithoutInterpreter others;
  if (soon([&] { return job.state.load() == Job::State::done; })) return true;
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, within, [&] { return job.state == Job::State::done; });
}

void FormulaThread::look_at_limits(Job& job, const Budget::Limits& limits) {
  std::unique_lock lock(mutex_);
  if (job.state != Job::State::running) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - job.begun;
  lock.unlock();
  const bool late = limits.seconds && spent.count() > *limits.seconds + time_to_notice;
  if (!late && memory_in_use() < job.memory + limits.memory_bytes) return;
  job.stop.request_stop();
  finished(job, patience);
  if (late) throw LimitReached("the time limit is over", Advice::raise_time_limit);
  throw LimitReached("the memory limit is reached", Advice::raise_memory_limit);
}

void FormulaThread::await(const std::shared_ptr<Job>& job, const Budget::Limits& limits) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) throw std::runtime_error("the interpreter is ending");
    jobs_.push_back(job);
    posted_ = true;
  }
  asked_.notify_one();
  while (!finished(*job, between_looks)) {
    if (PyErr_CheckSignals() != 0) {
      const py::error_already_set interruption;
      job->stop.request_stop();
      finished(*job, patience);
      throw interruption;
    }
    look_at_limits(*job, limits);
  }
  if (job->failure) std::rethrow_exception(job->failure);
}

void FormulaThread::dispose(std::function<void()> destruction) {
  if (begin_elsewhere()) {
    destruction();
    return end_elsewhere();
  }
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;  // the process ends with all it has
    destructions_.push_back(std::move(destruction));
    posted_ = true;
  }
  asked_.notify_one();
}

void FormulaThread::close() {
  const WithoutInterpreter others;
  std::unique_lock lock(mutex_);
  closed_ = true;
  posted_ = true;
  if (running_) running_->stop.request_stop();
  asked_.notify_all();
  if (changed_.wait_for(lock, patience, [this] { return !busy_; })) {
    lock.unlock();
    if (thread_.joinable()) thread_.join();
    return;
  }
  ::on_exit(leave, nullptr);
  thread_.detach();
}

}  // namespace sfg::python
