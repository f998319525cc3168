#pragma once
#include <functional>
#include <string_view>

#include "tools/batch/questions.hpp"

namespace sfg::command {

/// What has become of a batch.
struct BatchOutcome {
  std::uint64_t questions = 0, failed = 0;
  int status = 0;  ///< the largest of all answers
};

struct BatchOptions {
  std::size_t workers = 1;
  std::function<void(std::string_view line)> deliver;
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
};

/// Answers the questions by worker processes and delivers the lines in the order of the questions, each as soon as those before
/// it are delivered. What waits for its turn is bounded: workers rest rather than run far ahead of a question that takes long.
/// @param budget  its stop ends all workers at once
BatchOutcome answer_in_order(AskedQuestions&, const BatchTerms&, const BatchOptions&, const Budget& budget);

}  // namespace sfg::command
