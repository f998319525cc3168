#pragma once
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/ask/statements.hpp"
#include "sfg/error.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/study/sweep.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// NAME=TEXT of the command line, or an entry of [simulation].
struct Statement : SimulationSettings::Entry {
  std::string option;  ///< "--input"; "" in a file
};

/// Those of a repeatable option; without it those of the file.
std::vector<Statement> statements(const Arguments&, const std::string& option, const std::string& form,
                                  const std::vector<SimulationSettings::Entry>& stated);
/// Says which entries of the file give way to the command line without being named there: --input u=1 leaves the file's v out.
void note_replaced(Task&, const SimulationSettings&);
/// Of the command line a wrong usage, of a file an error with its place.
[[noreturn]] void refuse(const Statement&, const std::string& message, const Remedy& hint);

GiNaC::ex expression_of(const Statement&, const SymbolTable&);
double number_of(const Statement&, const SymbolTable&);
/// @FILE.csv; of a file, beside it.
SampledSignal csv_of(const Statement&, const Arguments&);

/// --initial NAME=VALUE, and @FILE: the last state of the answer in JSON of another simulation; what is named takes precedence.
std::vector<std::pair<std::string, double>> initial_values(const Arguments&, const SimulationSettings&, const SymbolTable&);

/// --checkpoint and --resume of a run that is integrated.
class RunsKept {
 public:
  /// @throws UsageError with a sweep; sfg::Error for a file that is none
  RunsKept(Task&, std::size_t sets);
  const KeptRun& run() const { return run_; }
  /// What is about to throw ends the run: how to go on.
  template <class Work>
  auto followed(Work&& work) const {
    try {
      return work();
    } catch (const Cancelled&) {
      note_interruption();
      throw;
    } catch (const LimitReached&) {
      note_interruption();
      throw;
    }
  }
  /// Nothing was integrated, so that nothing is kept.
  void note_idle() const;

 private:
  void note_interruption() const;
  Task& task_;
  std::string file_;
  KeptRun run_;
  double reached_ = 0, until_ = 0;
};

/// --events FILE: what happened, as a table.
void write_events(Task&, const Sweep&, const std::function<std::span<const RunEvent>(std::size_t set)>&);
std::vector<Option> kept_run_options();

}  // namespace sfg::command
