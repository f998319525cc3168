#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tools/frame/arguments.hpp"
#include "tools/serve/child.hpp"
#include "tools/serve/door.hpp"

namespace sfg::command {

/// --port, --open.
std::vector<Option> serving_options();

/// What a question may cost as the arguments say. @param seconds  where they do not
QuestionLimits question_limits(const Arguments&, double seconds);

struct Serving {
  std::function<Reply(const Visit&, Door&)> answer;
  std::function<void(Door&)> look;  ///< four times a second
  std::function<void()> end;        ///< ends what is being answered
};

/// Serves until Ctrl-C; says the address on standard error. @returns the exit status: 130, or 143 after SIGTERM.
int serve_until_interrupted(Task&, const Serving&);

/// The words of a command line as they were given, but for these options: names without dashes.
std::vector<std::string> words_of(const Arguments&, const std::vector<Option>& options, const std::vector<std::string>& except);

}  // namespace sfg::command
