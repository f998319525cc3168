#pragma once
#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#include "sfg/budget.hpp"

namespace sfg::python {

/// The one thread on which formulas live: GiNaC counts its references without regard to threads, so that expressions are made,
/// used and destroyed there, one piece of work after the other; elsewhere only while this thread is kept from working (at_once).
/// Whoever asks for work waits without the interpreter's lock and looks for Ctrl-C meanwhile; work that does not stop when it is
/// asked to is left alone and finishes unheard.
class FormulaThread {
 public:
  /// That of this process: a child made by fork() gets one of its own.
  static FormulaThread& of_process();

  /// The result of work(budget). Called with the interpreter's lock.
  /// @throws what the work throws; error_already_set of a signal's handler (KeyboardInterrupt); LimitReached when the time is
  ///         over or the process has grown by more than the memory, whether the work has stopped or not.
  template <class Work>
  auto run(const Budget::Limits& limits, Work work) {
    using Result = std::invoke_result_t<Work&, const Budget&>;
    struct Task : Job {
      Task(const Budget::Limits& given, Work to_do) : limits(given), work(std::move(to_do)) {}
      void run() override { result.emplace(work(Budget(limits, stop.get_token()))); }
      Budget::Limits limits;
      Work work;
      std::optional<Result> result;
    };
    const auto task = std::make_shared<Task>(limits, std::move(work));
    await(task, limits);
    return std::move(*task->result);
  }

  /// The same on the thread that asks, while this one has nothing to do, else as run(): for work of microseconds, less than it
  /// takes to wake a thread. It holds the interpreter's lock, and nothing interrupts it.
  template <class Work>
  auto at_once(const Budget::Limits& limits, Work work) {
    if (!begin_elsewhere()) return run(limits, std::move(work));
    const std::unique_ptr<FormulaThread, void (*)(FormulaThread*)> inside(this,
                                                                          [](FormulaThread* thread) { thread->end_elsewhere(); });
    return work(Budget(limits));
  }

  /// Destroys at once or there what has formulas in it; nothing is waited for.
  void dispose(std::function<void()> destruction);

  /// No work from here on: the interpreter ends.
  void close();

 private:
  struct Job {
    virtual ~Job() = default;
    virtual void run() = 0;
    enum class State { waiting, running, done };
    std::atomic<State> state = State::waiting;
    std::exception_ptr failure;
    std::stop_source stop;
    std::chrono::steady_clock::time_point begun = {};  ///< of those that run
    std::size_t memory = 0;                            ///< of the process then, bytes
  };

  FormulaThread();
  std::size_t memory_in_use() const;
  void work_off();
  void perform(std::unique_lock<std::mutex>&);  ///< what is first; leaves it unlocked
  void await(const std::shared_ptr<Job>&, const Budget::Limits&);
  bool begin_elsewhere();  ///< false where something else is being done, or waits
  void end_elsewhere();
  bool finished(const Job&, std::chrono::milliseconds);
  void look_at_limits(Job&, const Budget::Limits&);

  std::mutex mutex_;
  std::condition_variable asked_, changed_;
  std::deque<std::shared_ptr<Job>> jobs_;
  std::shared_ptr<Job> running_;
  std::deque<std::function<void()>> destructions_;
  bool busy_ = false, closed_ = false;  ///< busy with a job, or with a destruction
  bool elsewhere_ = false;              ///< busy, and not on this thread
  std::atomic<bool> posted_ = false;    ///< there may be something to do
  int sizes_;                           ///< the file in which the system says how large the process is
  std::thread thread_;
};

/// A value with formulas in it, which is destroyed where they live.
template <class T>
std::shared_ptr<T> on_formula_thread(T value) {
  return std::shared_ptr<T>(new T(std::move(value)),
                            [](T* held) { FormulaThread::of_process().dispose([held] { delete held; }); });
}

}  // namespace sfg::python
