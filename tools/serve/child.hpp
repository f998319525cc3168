#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

namespace sfg::command {

/// What one question may cost.
struct QuestionLimits {
  double seconds = 20;      ///< of the clock; of the processor twice that, for two threads
  double mebibytes = 1024;  ///< of memory for the analysis
};

/// A run of this very program on a model that stands in no file.
struct ChildTask {
  std::vector<std::string> words;  ///< the command line: verb, options
  std::string model_name = {};     ///< "model.toml": a name in the child's own folder; "": the child reads a file of ours
  std::string model = {};          ///< its text
  std::string data_name = {};      ///< "measured.csv": likewise; "": there is none
  std::string data = {};           ///< its text
  std::string answer_name = {};    ///< "report.html": what -o names; what is written there is the output
  QuestionLimits limits = {};
  bool scratch = false;  ///< it needs files of its own (LaTeX), in a folder that is removed afterwards
};

struct ChildResult {
  int status = 0;        ///< exit status; −signal when a signal ended it
  bool stopped = false;  ///< it was ended on request
  bool late = false;     ///< it was ended at the limit of the clock
  std::string output = {};
  std::string messages = {};  ///< its standard error
};

/// Answers by a process of its own: /proc/self/exe with these words. A model that crashes it, fills the memory or never ends
/// harms that process alone. It works in an empty folder that is removed, under limits of memory, processor and clock; it can
/// write no file (but with `scratch`), gets a clean environment, and its whole process group is ended with it. The names of the
/// model, of the data and of the answer are links to descriptors of the process, so that every verb writes every format that the
/// extension asks for, and nothing of either is on the disk.
/// @param stop  ends it from another thread within 20 ms.
ChildResult answer_by_child(const ChildTask&, const std::atomic<bool>& stop);

}  // namespace sfg::command
