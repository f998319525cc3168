#pragma once
#include <string>
#include <vector>

namespace sfg {

struct ProcessLimits {
  double seconds = 20;                        ///< of the clock, and of the processor
  std::size_t memory = std::size_t{2} << 30;  ///< address space in bytes
  std::size_t output = std::size_t{256} << 20;
};

/// Where a program runs.
struct ProcessPlace {
  std::string folder = {};                    ///< "": ours
  std::vector<std::string> environment = {};  ///< "NAME=value", nothing else of ours; empty: ours
};

struct ProcessResult {
  int status = 0;  ///< exit status; −signal when a signal ended it
  std::string output;
  std::string messages;  ///< its standard error
};

/// Runs a program found on PATH with these arguments (no shell), gives it `input` and collects what it writes.
/// @throws NoAnswer when there is no such program; LimitReached when it took too long and was ended.
ProcessResult run_process(const std::vector<std::string>& command, const std::string& input, const ProcessLimits& = {},
                          const ProcessPlace& = {});

}  // namespace sfg
