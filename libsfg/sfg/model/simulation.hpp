#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {

/// A signal at points, straight between them.
struct SampledSignal {
  std::vector<double> time = {};  ///< ascending, ≥ 0, s; two equal ones are a jump
  std::vector<double> value = {};
};

/// What a file says of its simulation (the table [simulation]): defaults of a study, not part of the model.
struct SimulationSettings {
  struct Entry {
    std::string name;
    std::string text;       ///< as written: an expression of t, "@FILE.csv", a number
    SourceSpan where = {};  ///< of the text
  };
  std::optional<std::string> until = {};   ///< last time, s
  std::optional<std::string> points = {};  ///< number of times
  std::vector<Entry> inputs = {};          ///< by the name of the input
  std::vector<Entry> initial = {};         ///< by the name of the state
};

/// What a netlist asks of its simulator (.ac, .tran): defaults of responses over frequency and time.
struct StatedAnalyses {
  std::vector<double> frequency = {};     ///< rad/s; empty: none stated
  std::optional<std::string> until = {};  ///< last time, s
};

}  // namespace sfg
